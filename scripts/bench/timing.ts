import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

/** How a command is run: the folder, the whole environment, and what it reads on standard input. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

export interface Run {
  readonly ms: number;
  readonly stdout: string;
}

/**
 * Runs `command` directly, without a shell, and times it from before the spawn until its pipes are closed.
 *
 * @throws when it cannot be started or does not exit with 0
 */
export function timed(command: string, args: readonly string[], options: RunOptions): Run {
  const before = process.hrtime.bigint();
  const result = spawnSync(command, args, { ...options, input: options.input ?? '', maxBuffer: 1 << 28 });
  const ms = Number(process.hrtime.bigint() - before) / 1e6;
  if (result.error || result.status !== 0) throw new Error(describeFailure([command, ...args], result));
  return { ms, stdout: result.stdout.toString('utf8') };
}

function describeFailure(command: readonly string[], result: SpawnSyncReturns<Buffer>): string {
  const how = result.error?.message ?? `exit ${result.status ?? result.signal}`;
  const said = `${result.stderr ?? ''}${result.stdout ?? ''}`.trim();
  return `${command.join(' ')}: ${how}${said ? `\n${said}` : ''}`;
}

/** Nearest-rank quantile; `NaN` without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Middle value; the mean of the two middle ones where their number is even. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Median absolute deviation: how far the samples lie from their median. */
export function spread(samples: readonly number[]): number {
  const middle = median(samples);
  return median(samples.map((sample) => Math.abs(sample - middle)));
}

/** Slope of the least-squares line through the points. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
