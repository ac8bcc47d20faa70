/** What it costs to find links again after a whole history was rewritten, and to follow a rebase, against git. */

import type { ObjectId } from '../../src/base/ids.ts';
import { evidenceOf, renderEvidence } from '../../src/checkpoint/evidence.ts';
import { readPatches } from '../../src/git/commit/patch.ts';
import { measureBlame } from './blame.ts';
import { enter, installBuild } from './contestants.ts';
import { showProgress } from './play.ts';
import { createRandom } from './random.ts';
import { describeMachine, renderMarkdown, renderTargets } from './report.ts';
import { sample } from './sample.ts';
import { addFiles, fillWithCheckpoints } from './stored.ts';
import { median, spread, timed } from './timing.ts';
import { environment, git, type World } from './world.ts';

export interface RelinkOptions {
  readonly commits: number;
  readonly checkpoints: number;
  readonly rounds: number;
}

const LINES_PER_COMMIT = 20;
const FILES = 200;
const REBASED = 50;
const FOLLOW_MS = 300;
const FACTOR = 2;

export function measureRelink(world: World, { commits, checkpoints, rounds }: RelinkOptions): string {
  const command = installBuild(world);
  const who = enter(world, 'relink', command);
  showProgress('a history');
  const start = git(world, who.repo, 'rev-parse', 'main');
  const change = openChanges();
  const ids = fillWithCheckpoints(world, who.repo, { checkpoints, commits }, change);
  const log = git(world, who.repo, 'rev-list', '--reverse', `${start}..main`).split('\n') as ObjectId[];
  keepEvidence(world, who.repo, log, ids);
  showProgress('the same history, made anew without a trailer');
  const anew = makeAnew(world, who.repo, start, { commits });
  const run = (args: readonly string[], input?: string) =>
    timed(command, args, { cwd: who.repo, env: who.env, ...(input !== undefined && { input }) });
  const range = `${start}..anew`;
  const calls: Record<string, () => number> = {
    'relink --dry-run, all of it': () => {
      git(world, who.repo, 'update-ref', '-d', 'refs/notes/entire'); // the hook has noted some in the round before
      const { ms, stdout } = run(['relink', '--dry-run', range]);
      if (!stdout.includes(`${checkpoints} commits would be linked`))
        throw new Error(`relink did not do its work:\n${stdout.slice(-500)}`);
      return ms;
    },
    'git log -p --stat': () =>
      timed('git', ['log', '-p', '--stat', range], { cwd: who.repo, env: who.env }).ms,
    [`post-rewrite, ${REBASED} commits`]: () => {
      git(world, who.repo, 'update-ref', '-d', 'refs/notes/entire');
      const pairs = log.slice(-REBASED).map((old, at) => `${old} ${anew.at(at - REBASED)}\n`);
      return run(['hooks', 'git', 'post-rewrite', 'rebase'], pairs.join('')).ms;
    },
  };
  const samples = sample(calls, rounds);
  const of = (label: string): number => median(samples.get(label) ?? []);
  const rows = Object.keys(calls).map((label) => [
    label,
    `${of(label).toFixed(0)} ± ${spread(samples.get(label) ?? []).toFixed(0)}`,
    `${(of(label) / of('git log -p --stat')).toFixed(2)}×`,
  ]);
  const targets = [
    {
      what: 'relink ÷ git log -p --stat',
      value: of('relink --dry-run, all of it') / of('git log -p --stat'),
      limit: FACTOR,
      unit: '×',
    },
    {
      what: `post-rewrite of ${REBASED} commits`,
      value: of(`post-rewrite, ${REBASED} commits`),
      limit: FOLLOW_MS,
      unit: ' ms',
    },
  ];
  const machine = describeMachine([`${commits} commits`, `${checkpoints} checkpoints`, `${rounds} rounds`]);
  return [
    renderMarkdown(['ms, median ± deviation', `${commits} commits`, '÷ git log'], rows),
    renderTargets(targets),
    measureBlame(world, who, rounds),
    machine,
  ].join('\n\n');
}

/** What each commit does: some lines at the end of one of many files, which are like no others. */
export function openChanges(): (at: number) => string {
  const random = createRandom(7);
  const texts = new Map<number, string>();
  return (at) => {
    const file = at % FILES;
    const lines = Array.from(
      { length: LINES_PER_COMMIT },
      (_, line) => `const value${at}_${line} = compute(${random.int(1e9)});\n`,
    );
    const text = `${texts.get(file) ?? ''}${lines.join('')}`;
    texts.set(file, text);
    return `M 100644 inline history/file-${file}.ts\ndata ${text.length}\n${text}\n`;
  };
}

/** Puts beside each checkpoint what its commit holds. */
function keepEvidence(world: World, repo: string, log: readonly ObjectId[], ids: readonly string[]): void {
  const asked = { cwd: repo, env: environment(world) };
  const every = Math.floor(log.length / ids.length);
  const files = ids.map((id, at) => {
    const place = (at + 1) * every - 1;
    const [patch] = readPatches(asked, [{ commit: log[place] as ObjectId, parent: log[place - 1] }]);
    const text = patch ? renderEvidence([evidenceOf(patch)]) : '';
    return [`${id.slice(0, 2)}/${id.slice(2)}/0/evidence.json`, text] as const;
  });
  addFiles(world, repo, files);
}

/** The same changes on another root, so that no commit, tree or parent is the same. */
function makeAnew(world: World, repo: string, start: string, { commits }: { commits: number }): string[] {
  const change = openChanges();
  const parts = Array.from({ length: commits }, (_, at) => {
    const time = 1_800_000_000 + at;
    const message = `Made anew ${at}\n`;
    const from = at === 0 ? `from ${start}\nM 100644 inline other.txt\ndata 6\nother\n\n` : '';
    return `commit refs/heads/anew\ncommitter Bench <bench@example.com> ${time} +0000\ndata ${message.length}\n${message}\n${from}${change(at)}`;
  });
  timed('git', ['fast-import', '--quiet', '--force'], {
    cwd: repo,
    env: environment(world),
    input: parts.join(''),
  });
  return git(world, repo, 'rev-list', '--reverse', `${start}..anew`).split('\n');
}
