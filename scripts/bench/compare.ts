/** What the sessions on disk cost the one that is being worked in. */
import { type Contestant, enter, installBuild } from './contestants.ts';
import { editByHand, openSession, pickFile, plainLoad, playUncommitted, showProgress } from './play.ts';
import { describeMachine, renderMarkdown } from './report.ts';
import { writeOldSessions } from './sessions.ts';
import { measureSteady, type SteadySamples } from './steady.ts';
import { median, spread } from './timing.ts';
import type { World } from './world.ts';

export interface CompareOptions {
  /** Sessions on disk, in each repository that is compared. */
  readonly counts: readonly number[];
  readonly rounds: number;
  readonly turnBytes: number;
  readonly historyBytes: number;
}

/** One in so many sessions of the second group waits with work that nobody commits. */
const PENDING_EVERY = 10;
const SMALL_TURN_BYTES = 5000;
const STEPS = ['prompt', 'stop', 'commit'] as const;
type Step = (typeof STEPS)[number];

interface Entry {
  readonly label: string;
  readonly samples: SteadySamples;
}

export function compareSessions(world: World, options: CompareOptions): string {
  const { counts, rounds, turnBytes, historyBytes } = options;
  const command = installBuild(world);
  const repos = [
    ...counts.map((count) => ({ count, pending: 0 })),
    ...counts.map((count) => ({ count, pending: Math.floor(count / PENDING_EVERY) })),
  ].map(({ count, pending }, at) => {
    const waiting = at >= counts.length;
    showProgress(`repository ${at + 1} of ${counts.length * 2}`);
    const who = enter(world, `lane ${at}`, command);
    writeOldSessions(world, who.repo, count - pending);
    if (waiting) leaveWork(world, who, pending, Math.floor(Math.max(...counts) / PENDING_EVERY), rounds);
    return { who, label: waiting ? `${count} (${pending} waiting)` : String(count) };
  });
  const lanes = repos.map(({ who }) => ({ who, load: plainLoad(historyBytes, turnBytes) }));
  const steady = measureSteady(world, lanes, rounds);
  const entries = repos.map(({ label }, at): Entry => {
    return { label, samples: steady.lanes[at] as SteadySamples };
  });
  const groups = [entries.slice(0, counts.length), entries.slice(counts.length)];
  return [
    renderMarkdown(
      ['sessions on disk', 'prompt, ms', '', 'stop, ms', '', 'commit overhead, ms', ''],
      groups.flatMap((group) => group.map((entry) => renderEntry(entry, group[0]))),
    ),
    'Medians ± median absolute deviation. Within noise: the medians differ by at most 2 deviations or 5 %. In the ' +
      'second half the same files are changed and not committed everywhere, by hand or by sessions that wait.',
    [renderVerdict('', groups[0] ?? []), renderVerdict('with work that waits, ', groups[1] ?? [])].join('\n'),
    describeMachine([
      `Repository: ${world.files.length} files`,
      `${historyBytes / 1e6} MB transcript and ${turnBytes / 1e3} KB a turn`,
      `${rounds} rounds`,
    ]),
  ].join('\n\n');
}

/**
 * Changes `files` files that no measured commit takes: as many as there are `sessions` in a turn of a session of
 * its own each, the others by hand.
 */
function leaveWork(world: World, who: Contestant, sessions: number, files: number, rounds: number): void {
  for (let at = 0; at < files; at++) {
    const file = pickFile(world, rounds + 1 + at);
    const seed = 10_000 + at;
    if (at < sessions) {
      playUncommitted(openSession(world, who, seed, plainLoad(SMALL_TURN_BYTES, SMALL_TURN_BYTES)), file);
    } else editByHand(who, file, seed);
  }
}

function renderEntry({ label, samples }: Entry, first: Entry | undefined): string[] {
  const cells = STEPS.flatMap((step) => {
    const time = `${median(samples[step]).toFixed(1)} ± ${spread(samples[step]).toFixed(1)}`;
    if (!first || first.samples === samples) return [time, ''];
    return [
      time,
      isNoise(first.samples[step], samples[step]) ? 'within noise' : change(first.samples, samples, step),
    ];
  });
  return [label, ...cells];
}

function change(before: SteadySamples, after: SteadySamples, step: Step): string {
  const share = median(after[step]) / median(before[step]) - 1;
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(0)} %`;
}

function isNoise(one: readonly number[], other: readonly number[]): boolean {
  const difference = Math.abs(median(one) - median(other));
  return (
    difference <= 2 * Math.max(spread(one), spread(other)) ||
    difference <= 0.05 * Math.min(median(one), median(other))
  );
}

/** Each of the group against each other one. */
function renderVerdict(what: string, group: readonly Entry[]): string {
  const apart = STEPS.flatMap((step) =>
    group.flatMap((one, at) =>
      group
        .slice(at + 1)
        .filter((other) => !isNoise(one.samples[step], other.samples[step]))
        .map((other) => `${step} of ${one.label} and ${other.label}`),
    ),
  );
  const counts = `${what}${group.map(({ label }) => label).join(' / ')} sessions within noise of each other`;
  return apart.length === 0 ? `target met: ${counts}` : `target missed: ${counts}: not ${apart.join(', ')}`;
}
