/** What a megabyte of transcript costs each hook of a session that has been going on for a while. */
import { enter, installBuild } from './contestants.ts';
import { plainLoad } from './play.ts';
import { describeMachine, renderMarkdown, renderMb, renderTargets } from './report.ts';
import { measureSteady, type SteadySamples } from './steady.ts';
import { median, slope, spread } from './timing.ts';
import type { World } from './world.ts';

export interface SlopeOptions {
  /** Bytes of transcript before the first measured turn. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly turnBytes: number;
}

const LIMIT_MS = 3;
const STEPS = ['prompt', 'stop', 'commit'] as const;

export function measureSlope(world: World, { sizes, rounds, turnBytes }: SlopeOptions): string {
  const command = installBuild(world);
  const lanes = sizes.map((bytes) => ({
    who: enter(world, `${bytes / 1e6} MB`, command),
    load: plainLoad(bytes, turnBytes),
  }));
  const { lanes: samples, status, commitPlain } = measureSteady(world, lanes, rounds);
  const perMb = (ms: (lane: SteadySamples) => number): number =>
    slope(samples.map((lane) => [lane.transcript / 1e6, ms(lane)]));
  const rows = samples.map((lane) => [
    renderMb(lane.transcript),
    ...STEPS.map((step) => `${median(lane[step]).toFixed(1)} ± ${spread(lane[step]).toFixed(1)}`),
    lane.firstStop.toFixed(0),
  ]);
  const slopes = STEPS.map((step) => perMb((lane) => median(lane[step])));
  rows.push([
    'least squares, ms per MB',
    ...slopes.map((value) => value.toFixed(2)),
    perMb((lane) => lane.firstStop).toFixed(2),
  ]);
  const head = [
    'transcript, MB',
    'prompt, ms',
    'stop, ms',
    'commit overhead, ms',
    'stop, all new (once), ms',
  ];
  return [
    renderMarkdown(head, rows),
    `Medians ± median absolute deviation. \`git status\` ${status.toFixed(1)} ms, \`git commit\` without hooks ${commitPlain.toFixed(1)} ms.`,
    renderTargets(
      STEPS.map((step, at) => ({
        what: `${step}, ms per MB of transcript`,
        value: slopes[at] ?? Number.NaN,
        limit: LIMIT_MS,
        unit: ' ms',
      })),
    ),
    describeMachine([
      `Repository: ${world.files.length} files`,
      `${turnBytes / 1e3} KB of transcript a turn`,
      `${rounds} rounds`,
    ]),
  ].join('\n\n');
}
