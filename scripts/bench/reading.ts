/** What the commands that read the record cost in repositories full of checkpoints, against `entire version`. */
import { enter, installBuild } from './contestants.ts';
import { showProgress } from './play.ts';
import { describeMachine, renderMarkdown, renderTargets, type Target } from './report.ts';
import { type Filling, fillWithCheckpoints } from './stored.ts';
import { median, spread, timed } from './timing.ts';
import type { World } from './world.ts';

export interface ReadingOptions {
  /** Checkpoints in each repository; each has a commit of its own. */
  readonly counts: readonly number[];
  readonly rounds: number;
}

/** Shown at most by `entire explain`. */
const LISTED = 100;
const GROWTH_FACTOR = 1.3;

/** A command, and what it must have printed to have done its work. */
interface Call {
  readonly label: string;
  args(newest: string): readonly string[];
  isRight(stdout: string, newest: string, count: number): boolean;
  /** So many times `entire version` at most; without, it has no targets. */
  readonly atMost?: number;
}

const CALLS: readonly Call[] = [
  {
    label: 'version',
    args: () => ['version'],
    isRight: (out) => out.startsWith('Entire CLI'),
  },
  {
    label: 'explain',
    args: () => ['explain'],
    isRight: (out, _, count) => out.includes(`\nCheckpoints: ${Math.min(count, LISTED)}\n`),
    atMost: 4,
  },
  {
    label: 'log',
    args: () => ['log'],
    isRight: (out) => out.startsWith('●') || out.startsWith('✎'),
    atMost: 3,
  },
  { label: 'status', args: () => ['status'], isRight: (out) => out.startsWith('Enabled'), atMost: 4 },
  { label: 'why', args: () => ['why'], isRight: (out, id) => out.includes(id), atMost: 4 },
  {
    label: 'search',
    args: () => ['search', 'prompt', '--limit', '1'],
    isRight: (out) => out.includes('\n  prompt'),
  },
  {
    label: 'stats',
    args: () => ['stats', '--json'],
    isRight: (out) => out.includes('"missing_checkpoints": 0') && !out.includes('"commits": 0,'),
  },
  {
    label: 'export',
    args: () => ['export', '--format', 'json'],
    isRight: (out) => out.startsWith('{"commit":'),
  },
  { label: 'diff', args: () => ['diff', 'HEAD'], isRight: (out, id) => out.includes(id) },
  {
    label: 'explain <id>',
    args: (id) => ['explain', id],
    isRight: (out, id) => out.includes(`\nCheckpoint:  ${id}\n`),
  },
  {
    label: 'explain --json',
    args: () => ['explain', '--json'],
    isRight: (out, id) => out.includes(id),
  },
];

export function measureReading(world: World, { counts, rounds }: ReadingOptions): string {
  const command = installBuild(world);
  const most = Math.max(...counts);
  const fillings: Filling[] = [
    ...counts.map((count) => ({ checkpoints: count, commits: count })),
    { checkpoints: Math.min(...counts), commits: most }, // a long history that hardly knows of agents
  ];
  const lanes = fillings.map((filling, at) => {
    showProgress(`repository ${at + 1} of ${fillings.length}`);
    const who = enter(world, `reading ${at}`, command);
    const ids = fillWithCheckpoints(world, who.repo, filling);
    const samples = new Map(CALLS.map(({ label }) => [label, [] as number[]]));
    return { who, filling, newest: ids.at(-1) as string, samples };
  });
  for (let round = 0; round <= rounds; round++) {
    showProgress(`round ${round} of ${rounds}`);
    for (const { who, filling, newest, samples } of lanes) {
      for (const call of CALLS) {
        const args = call.args(newest);
        const { ms, stdout } = timed(command, args, { cwd: who.repo, env: who.env });
        if (!call.isRight(stdout, newest, filling.checkpoints))
          throw new Error(`entire ${args.join(' ')} did not do its work:\n${stdout}`);
        if (round > 0) samples.get(call.label)?.push(ms); // the first round warms up
      }
    }
  }
  const of = (lane: number, label: string): number => median(lanes[lane]?.samples.get(label) ?? []);
  const rows = CALLS.map(({ label }) => [
    label,
    ...lanes.flatMap(({ samples }, lane) => {
      const taken = samples.get(label) ?? [];
      const ratio = median(taken) / of(lane, 'version');
      return [`${median(taken).toFixed(1)} ± ${spread(taken).toFixed(1)}`, `${ratio.toFixed(2)}×`];
    }),
  ]);
  const head = [
    'ms, median ± deviation',
    ...fillings.flatMap(({ checkpoints, commits }) => [`${checkpoints} in ${commits} commits`, '÷ version']),
  ];
  const targets = CALLS.flatMap(({ label, atMost: limit }): Target[] => {
    if (limit === undefined) return [];
    const large = counts.indexOf(most);
    const small = counts.indexOf(Math.min(...counts));
    return [
      {
        what: `${label} ÷ version, ${most} checkpoints`,
        value: of(large, label) / of(large, 'version'),
        limit,
        unit: '×',
      },
      {
        what: `${label}, ${most} ÷ ${counts[small]} checkpoints`,
        value: of(large, label) / of(small, label),
        limit: GROWTH_FACTOR,
        unit: '×',
      },
    ];
  });
  const machine = describeMachine([`${world.files.length} files`, `${rounds} rounds`]);
  return [renderMarkdown(head, rows), renderTargets(targets), machine].join('\n\n');
}
