/** The default mode: every hook of one or more executables against `git status` and programs that do nothing. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Contestant, enter, installBuild, type Programs, setUpPrograms } from './contestants.ts';
import { measurePeak, type Peak } from './memory.ts';
import { fileWritten } from './payloads.ts';
import { interleave, type Load, showProgress } from './play.ts';
import { describeMachine, renderTargets } from './report.ts';
import { type Measure, playBaseline, playRound } from './round.ts';
import { writeOldSessions } from './sessions.ts';
import { type Column, listTargets, renderTable, type Samples } from './table.ts';
import { median, spread } from './timing.ts';
import { copyRepo, type World } from './world.ts';

/** Edits in one turn: the edit hook is the shortest step, so it gets the most samples. */
const EDITS = 3;
const WARM_UP_ROUNDS = 1;
/** Ratios to `git status` say little where that takes next to nothing. */
const TARGET_FILES = 20_000;

export interface LatencyOptions {
  readonly historyBytes: number;
  readonly turnBytes: number;
  readonly payloadBytes: number;
  readonly editOnly: boolean;
  readonly sessions: number;
  readonly rounds: number;
  /** Measures the Node build as well. */
  readonly node: boolean;
  /** Another executable with the same interface. */
  readonly vs: string | undefined;
}

export function measureLatency(world: World, options: LatencyOptions): string {
  const { rounds } = options;
  const load: Load = { ...options, edits: EDITS };
  const contestants = setUpContestants(world, options);
  const programs = setUpPrograms(world);
  const baselineRepo = copyRepo(world, 'repo-baseline');
  const samples = new Map<string, Samples>();
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    showProgress(`round ${round + 1} of ${WARM_UP_ROUNDS + rounds}`);
    const recordFor = (label: string) => (measure: Measure, ms: number) => {
      if (round >= WARM_UP_ROUNDS) addSample(samples, label, measure, ms);
    };
    const players = [
      ...contestants.map((who) => playRound(world, who, round, load, recordFor(who.label))),
      playBaseline(world, baselineRepo, programs, round, load, recordFor('')),
    ];
    interleave(players, round);
  }
  const columns: Column[] = [];
  for (const who of contestants) {
    const peak = who.hasEditHook ? { peak: measureMemory(world, who, programs, load) } : {};
    columns.push({ label: who.label, samples: samples.get(who.label) ?? new Map(), ...peak });
  }
  const baselines = samples.get('') ?? new Map();
  const parts = [
    renderTable(columns, baselines, editLimit(options)),
    renderTargets(listTargets(columns, baselines, editLimit(options))),
    ...renderCommits(columns),
    describeMachine(describeSetting(world, options)),
  ];
  return parts.join('\n\n');
}

/** The hook keeps the file, before and after: with large files it may take longer than the empty executable by more. */
const editLimit = ({ payloadBytes }: LatencyOptions): number => (payloadBytes > 0 ? 2.3 : 1.5);

/** What a commit costs more than with the other executable, such as that of a release before. */
function renderCommits([own, ...columns]: readonly Column[]): string[] {
  const other = columns.find(({ label }) => label === 'other');
  return (['commitFirst', 'commit'] as const).flatMap((measure) => {
    const [ours, theirs] = [own, other].map((column) => column?.samples.get(measure) ?? []);
    if (!ours || !theirs || theirs.length === 0) return [];
    const more = ours.slice(0, theirs.length).map((ms, at) => ms - (theirs[at] ?? 0));
    const name = measure === 'commit' ? 'a commit' : "a session's first commit";
    return [
      `${name} takes ${median(more).toFixed(1)} ± ${spread(more).toFixed(1)} ms more than with the other`,
    ];
  });
}

function setUpContestants(world: World, { node, vs, sessions }: LatencyOptions): Contestant[] {
  const list = [enter(world, 'entire', installBuild(world))];
  if (node) list.push(enter(world, 'Node build', installBuild(world, false)));
  if (vs !== undefined) list.push(enter(world, 'other', resolve(vs)));
  for (const { repo } of list) writeOldSessions(world, repo, sessions);
  return list;
}

function addSample(all: Map<string, Samples>, label: string, measure: Measure, ms: number): void {
  const samples = all.get(label) ?? new Map<Measure, number[]>();
  all.set(label, samples.set(measure, [...(samples.get(measure) ?? []), ms]));
}

function measureMemory(world: World, who: Contestant, programs: Programs, load: Load): Peak {
  const context = { sessionId: 'memory', transcript: join(world.home, 'none.jsonl'), repo: who.repo };
  const text = 'x'.repeat(Math.max(600, load.payloadBytes / 3));
  const input = fileWritten(context, world.files[0] ?? '', text, text);
  const env = { ...who.env, CLAUDE_PROJECT_DIR: who.repo };
  const command = [who.command, 'hooks', 'claude-code', 'post-file-edit'];
  const peak = measurePeak(programs.peak, programs.nothing, command, { cwd: who.repo, env, input });
  if (!existsSync(join(who.repo, '.git/entire-sessions/memory.files')))
    throw new Error(`${who.label}: the edit hook recorded nothing while its memory was measured`);
  return peak;
}

function describeSetting(world: World, options: LatencyOptions): string[] {
  const { historyBytes, turnBytes, sessions, rounds, payloadBytes } = options;
  const count = world.files.length;
  return [
    `Repository: ${count} files`,
    `${historyBytes / 1e6} MB transcript and ${turnBytes / 1e3} KB a turn`,
    `${sessions} older sessions`,
    `${rounds} rounds`,
    ...(payloadBytes > 0
      ? [`${payloadBytes / 1e3} KB payload, ${Math.floor(payloadBytes / 3e3)} KB files`]
      : []),
    ...(count < TARGET_FILES ? [`targets are meant for ${TARGET_FILES} files`] : []),
  ];
}
