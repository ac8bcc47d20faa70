import { type RunOptions, timed } from './timing.ts';

/** Peak resident memory in MiB. */
export interface Peak {
  readonly mib: number;
  /** The kernel counts what the measuring program held before the `exec`: a smaller peak cannot be seen. */
  readonly atMost: boolean;
}

const RUNS = 5;

/**
 * The largest peak of a few runs, through the compiled `peak.ts`.
 *
 * @throws when the command fails
 */
export function measurePeak(
  peakProgram: string,
  nothing: string,
  command: readonly string[],
  options: RunOptions,
): Peak {
  const largest = (what: readonly string[]): number =>
    Math.max(...Array.from({ length: RUNS }, () => Number(timed(peakProgram, what, options).stdout))) /
    1024 ** 2;
  const floor = largest([nothing]);
  const mib = largest(command);
  return { mib, atMost: mib < floor + 0.5 };
}
