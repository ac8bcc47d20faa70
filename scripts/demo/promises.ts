import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Commit,
  checkpointFolder,
  listCommits,
  listShadowBranches,
  listStored,
  readClaims,
  readState,
  readStored,
  readTracked,
  readVerdicts,
  type Verdict,
} from './records.ts';
import type { Plot, Step } from './session.ts';
import type { World } from './world.ts';

/** What a checkpoint of one session consists of. */
const FILES_OF_A_CHECKPOINT = [
  '0/content_hash.txt',
  '0/context.md',
  '0/full.jsonl',
  '0/metadata.json',
  '0/prompt.txt',
  'metadata.json',
];

/** First digits of the SHA-256 of nothing: the main worktree has no name. */
const MAIN_WORKTREE = 'e3b0c4';

/** Holds what is found against what was promised, and remembers what was kept. */
export class Promises {
  readonly kept: string[] = [];

  /** @throws at the first promise that is broken, with both sides of it */
  expect(promise: string, found: unknown, promised: unknown): void {
    if (!isDeepStrictEqual(found, promised)) {
      const both = `  promised ${JSON.stringify(promised)}\n  found    ${JSON.stringify(found)}`;
      throw new Error(`a promise is broken: ${promise}\n${both}`);
    }
    this.kept.push(promise);
  }
}

/** After each step: every hook is silent towards the agent, and what it had to record is there. */
export function checkStep(promises: Promises, world: World, plot: Plot, step: Step): void {
  const { created, changed, sessionId } = plot;
  const both = [created, changed].sort();
  checkReplies(promises, step);
  switch (step.name) {
    case 'prompt':
      return promises.expect('the session is active', readState(world, sessionId)?.phase, 'active');
    case 'write':
      return promises.expect('the new file is on record', readTracked(world, sessionId), [created]);
    case 'edit':
      return promises.expect('both files are on record', readTracked(world, sessionId), [created, changed]);
    case 'stop': {
      const state = readState(world, sessionId);
      promises.expect('the session is idle', state?.phase, 'idle');
      promises.expect('the turn has both files', state?.files_touched, both);
      promises.expect('the tracking file was taken over', readTracked(world, sessionId), undefined);
      const branch = `entire/${state?.base_commit.slice(0, 7)}-${MAIN_WORKTREE}`;
      const branches = listShadowBranches(world).map(({ name }) => name);
      promises.expect('there is one shadow branch, named after the commit', branches, [branch]);
      const kept = both.map((path) => world.git('rev-parse', `${branch}:${path}`));
      const actual = both.map((path) => world.git('hash-object', path));
      return promises.expect('it has both files as the agent left them', kept, actual);
    }
    case 'firstCommit':
      checkGitHooks(promises, step);
      return promises.expect(
        'the other file stays with the session',
        readState(world, sessionId)?.files_touched,
        [changed],
      );
    case 'secondCommit':
      checkGitHooks(promises, step);
      return promises.expect('nothing is left over', leftOver(world, sessionId), []);
    case 'enable':
    case 'start':
      return;
  }
}

/** Whatever a hook prints on standard output goes to the agent. */
function checkReplies(promises: Promises, { name, hooks }: Step): void {
  if (name === 'firstCommit' || name === 'secondCommit') return; // git's hooks: nobody reads them
  const replying = hooks.filter(({ reply }) => reply !== '').map(({ event }) => event);
  if (name === 'start') promises.expect('the session start greets the user', replying, ['SessionStart']);
  else if (hooks.length > 0) promises.expect(`no hook says a word to the agent (${name})`, replying, []);
}

function checkGitHooks(promises: Promises, { name, hooks }: Step): void {
  const ran = hooks.map(({ event }) => event);
  promises.expect(`git ran our hooks (${name})`, ran, ['prepare-commit-msg', 'commit-msg', 'post-commit']);
}

function leftOver(world: World, sessionId: string): string[] {
  const touched = readState(world, sessionId)?.files_touched ?? [];
  const tracked = readTracked(world, sessionId) ?? [];
  return [...touched, ...tracked, ...readClaims(world), ...listShadowBranches(world).map(({ name }) => name)];
}

/** At the end: two commits, two checkpoints, and nothing else. Returns the linked commits. */
export function checkEnd(promises: Promises, world: World, plot: Plot): Commit[] {
  const linked = listCommits(world).filter(({ checkpoints }) => checkpoints.length > 0);
  promises.expect('two commits have a trailer, one each', trailerCounts(linked), [1, 1]);
  const ids = linked.map(({ checkpoints }) => checkpoints[0] ?? '');
  promises.expect('the trailers differ', new Set(ids).size, 2);
  promises.expect(
    'each commit has one file',
    linked.map(({ files }) => files),
    [[plot.created], [plot.changed]],
  );
  const expected = ids.flatMap((id) =>
    FILES_OF_A_CHECKPOINT.map((file) => `${checkpointFolder(id)}/${file}`),
  );
  promises.expect('the checkpoint tree has these files only', listStored(world), expected.sort());
  for (const commit of linked) checkCheckpoint(promises, world, plot, commit);
  const verdicts = readVerdicts(world).slice(-2);
  promises.expect(
    'each commit has its verdict',
    verdicts.map(({ commit, reason, checkpoint, sessions }) => [commit, reason, checkpoint, sessions]),
    linked.map(({ id, checkpoints }) => [id, 'linked', checkpoints[0], [plot.sessionId]]),
  );
  const status = JSON.parse(world.must('entire', 'status', '--json').stdout) as {
    readonly verdicts: readonly Verdict[];
  };
  const reported = status.verdicts.slice(0, 2).map(({ checkpoint }) => checkpoint);
  promises.expect('entire status reports both checkpoints, newest first', reported, ids.toReversed());
  const fsck = world.run('git', ['fsck', '--strict', '--no-dangling']);
  promises.expect('git fsck --strict is content', [fsck.code, fsck.stdout + fsck.stderr], [0, '']);
  return linked;
}

const trailerCounts = (commits: readonly Commit[]): number[] =>
  commits.map(({ checkpoints }) => checkpoints.filter((id) => /^[0-9a-f]{12}$/.test(id)).length);

interface Root {
  readonly checkpoint_id: string;
  readonly files_touched: readonly string[];
  readonly sessions: readonly Readonly<Record<string, string>>[];
}

/** Reads one checkpoint the way a tool would: from its root file to all that the root names. */
function checkCheckpoint(promises: Promises, world: World, plot: Plot, commit: Commit): void {
  const id = commit.checkpoints[0] ?? '';
  const promise = (what: string): string => `checkpoint ${id}: ${what}`;
  const root = JSON.parse(readStored(world, `${checkpointFolder(id)}/metadata.json`)) as Root;
  promises.expect(promise('lists the files of its commit, no more'), root.files_touched, commit.files);
  promises.expect(promise('has its id and one session'), [root.checkpoint_id, root.sessions.length], [id, 1]);
  const named = Object.entries(root.sessions[0] ?? {}).map(([kind, path]) => [kind, readStored(world, path)]);
  const {
    metadata = '',
    transcript = '',
    content_hash,
    prompt,
  } = Object.fromEntries(named) as Record<string, string>;
  const slot = JSON.parse(metadata) as { session_id: string; files_touched: readonly string[] };
  promises.expect(
    promise('belongs to the session'),
    [slot.session_id, slot.files_touched],
    [plot.sessionId, commit.files],
  );
  promises.expect(promise('has the prompt'), prompt, plot.prompt);
  const sha256 = createHash('sha256').update(transcript).digest('hex');
  promises.expect(promise('has the hash of its transcript'), content_hash, `sha256:${sha256}`);
  const says = [plot.prompt, plot.answer].map((words) => transcript.includes(words));
  promises.expect(promise('has the conversation from the prompt to the answer'), says, [true, true]);
}
