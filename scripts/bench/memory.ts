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
  options: RunOptions & { readonly input: string },
): Peak {
  const largest = (what: readonly string[], input: string): number => {
    const one = (): number => Number(timed(peakProgram, what, { ...options, input }).stdout);
    return Math.max(...Array.from({ length: RUNS }, one)) / 1024 ** 2;
  };
  const floor = largest([nothing], '');
  const mib = largest(command, options.input);
  return { mib, atMost: mib < floor + 0.5 };
}
