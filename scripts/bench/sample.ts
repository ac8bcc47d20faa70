import { showProgress } from './play.ts';

/** Takes each call so many times, in turns, after a round that warms up. @returns by call, in milliseconds */
export function sample(
  calls: Readonly<Record<string, () => number>>,
  rounds: number,
): Map<string, readonly number[]> {
  const samples = new Map(Object.keys(calls).map((label) => [label, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    showProgress(`round ${round} of ${rounds}`);
    for (const [label, call] of Object.entries(calls)) {
      const ms = call();
      if (round > 0) samples.get(label)?.push(ms);
    }
  }
  return samples;
}
