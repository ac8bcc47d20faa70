import { dirname } from 'node:path';
import { describeError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log, openLog } from '../../base/log.ts';
import { DISK_FULL, hasRoom } from '../../base/room.ts';
import { sanitizeForTerminal } from '../../base/text/text.ts';
import { locateRepoForGitHook, type Repo } from '../../git/locate.ts';
import { readMadeBySomebody } from '../../git/ref/reflog.ts';
import { readHead } from '../../git/ref/refs.ts';
import { gitForHook } from '../../git/run.ts';
import { dropIdle, markIdle } from '../../session/record/idle.ts';
import { listOwed } from '../../session/record/owed.ts';
import { forgetGivenUp, mayBePick, wasRemade } from '../../session/record/squashed.ts';
import { readVerdicts, recordVerdict } from '../../session/record/verdicts.ts';
import { type Activation, noteRefused, readActivation } from '../../settings/enabled.ts';
import { userSettingsFile } from '../../settings/layers.ts';
import { parseRedaction, useRedaction } from '../../settings/redaction.ts';
import { tell } from '../../strategy/progress.ts';
import { isIdle } from '../../strategy/sessions.ts';
import { strategyOf } from '../../strategy/strategies.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { type Work, workInGitHook } from '../../strategy/work.ts';
import { failOpenAsync } from '../fail-open.ts';

type Enabled = Extract<Activation, { kind: 'enabled' }>;

/**
 * Runs a git hook: `prepare-commit-msg <file> [source]`, `commit-msg <file>`, `post-commit`, `pre-push <remote>`, `post-rewrite <kind>`
 * with its list on stdin, `post-merge <is a squash>`.
 * Never makes git fail; says one line on stderr when something went wrong. Does nothing unless enabled.
 */
export async function runGitHook(args: readonly string[]): Promise<void> {
  const [hook = '', , source] = args;
  if (process.env.ENTIRE === '0') return leaveAlone(hook);
  const warn = (reason: string) => process.stderr.write(`[entire] Warning: ${hook} did nothing: ${reason}\n`);
  await failOpenAsync(
    hook,
    async () => {
      const repo = locateRepoForGitHook(process.cwd(), process.env);
      if (!repo) return;
      const activation = readActivation(repo);
      if (activation.kind !== 'enabled') return;
      if (!hasRoom(repo.commonDir)) return leaveRoom(hook, activation);
      openLog(activation.root, activation.logLevel, { component: 'hooks', hook, hook_type: 'git' });
      noteRefused(activation);
      useRedaction(parseRedaction(activation.redaction));
      log('debug', `${hook} hook invoked`, { source });
      if (OF_COMMIT.has(hook)) dropIdle(repo); // the hooks of one commit all run, or none does

      // Of settings that cannot be read nobody knows how the hooks are to look.
      if (hook === 'prepare-commit-msg' && activation.refused.length === 0)
        await keepHooks(repo, activation.absoluteGitHookPath);
      if (hook === 'post-commit' || hook === 'pre-push')
        for (const { file, reason } of activation.refused)
          tell(sanitizeForTerminal(`[entire] Warning: ${file} is not read (${reason}), and permits nothing`));
      const work = workInGitHook(repo);
      if (hook === 'prepare-commit-msg') await noteMadeOf(work);
      if (hook === 'pre-push' && activation.refused.length > 0) return;
      if (hook === 'pre-push') await runPrePush(work, args[1] ?? '');
      else if (hook === 'post-rewrite' || hook === 'post-merge') await follow(work, hook, args[1] ?? '');
      else await runEnabled(strategyOf(activation.strategy), work, args);
      if (hook === 'post-commit') await linkAfterwards(work);
      if (hook === 'post-commit' && activation.writesGitAiNotes) await writeNote(repo);
      if (hook === 'post-commit' && mayBeMarked(repo, activation))
        await markIfIdle(work).catch((error) =>
          log('warn', 'not marked as idle', { error: describeError(error) }),
        );
    },
    warn,
  );
}

/** What is left of the disk is for git, up to the last block: the reason is logged when the commit is made. */
function leaveRoom(hook: string, { root, logLevel }: Enabled): void {
  if (hook !== 'prepare-commit-msg' && hook !== 'post-commit' && hook !== 'pre-push') return;
  tell(`[entire] Warning: ${hook} did nothing: ${DISK_FULL}`);
  if (hook !== 'post-commit') return;
  openLog(root, logLevel, { component: 'hooks', hook, hook_type: 'git' });
  log('warn', 'hook skipped', { hook, error: DISK_FULL });
}

/** Of a commit that was made with `ENTIRE=0` that is noted, and no more: commits without a verdict are linked afterwards. */
function leaveAlone(hook: string): void {
  if (hook !== 'post-commit') return;
  try {
    const repo = locateRepoForGitHook(process.cwd(), process.env);
    if (!repo || readActivation(repo).kind !== 'enabled') return;
    const commit = readHead(gitForHook(repo), repo);
    if (commit) recordVerdict(repo.commonDir, { commit, reason: 'switched-off', sessions: [] });
  } catch {
    // The user wants nothing of us, not even a word.
  }
}

/** Checkpoints go along with the user's push; a push must not wait for what it could do without. */
async function runPrePush(work: Work, named: string): Promise<void> {
  if (named === '') return;
  const { openSources } = await import('../agent/sources.ts');
  const sources = openSources(work.repo, work.git);
  const { readPushSettings } = await import('../../settings/push.ts');
  const { pushAlong } = await import('../../sync/pre-push.ts');
  const { hasTerminal } = await import('../../strategy/commit/terminal.ts');
  await pushAlong({
    ...{ repo: work.repo, git: work.git, named },
    ...{ settings: readPushSettings(sources), config: sources.config().remotes },
    interactive: hasTerminal(process.env),
    say: (line) => tell(`[entire] ${sanitizeForTerminal(line)}`),
    settle: async () => {
      if (listOwed(work.repo.commonDir, work.repo.worktreeId).length === 0) return;
      const { settleOwed } = await import('../../strategy/commit/settle.ts');
      await settleOwed(work);
    },
  });
}

const OF_COMMIT: ReadonlySet<string> = new Set(['prepare-commit-msg', 'commit-msg', 'post-commit']);

/** Links go along with commits that were made again, whatever makes them: whoever is switched off or paused records nothing by it. */
async function follow(work: Work, hook: 'post-rewrite' | 'post-merge', argument: string): Promise<void> {
  if (hook === 'post-merge') {
    const { linkMerged, noteMergeSquash } = await import('../../origin/relink/afterwards.ts');
    return argument === '1' ? noteMergeSquash(work) : linkMerged(work);
  }
  const { followRewriting, parsePairs } = await import('../../strategy/commit/rewritten.ts');
  const { readPayloadText } = await import('../stdin.ts');
  const pairs = parsePairs(readPayloadText());
  await followRewriting(work, argument, pairs);
  const bySomebody = argument === 'rebase' ? readMadeBySomebody(work.repo.gitDir) : new Set<ObjectId>();
  if (bySomebody.size === 0) return;
  const { linkResolved } = await import('../../origin/relink/afterwards.ts');
  await linkResolved(work, pairs, bySomebody);
}

/** Forgets what was squashed and given up, and notes what a pick has brought: git forgets that with its message, where the commit has another one. */
async function noteMadeOf(work: Work): Promise<void> {
  forgetGivenUp(work.repo.gitDir);
  if (!mayBePick(work.repo.gitDir)) return;
  const { notePicked } = await import('../../origin/relink/afterwards.ts');
  await notePicked(work);
}

/** What it was made of is looked for where git has left a trace of that: the module is loaded for no other commit. */
async function linkAfterwards(work: Work): Promise<void> {
  if (!wasRemade(work.repo.gitDir)) return;
  const { linkRemade } = await import('../../origin/relink/afterwards.ts');
  await linkRemade(work);
}

/** A trailer that is added now needs the hooks that run after this one. */
async function keepHooks(repo: Repo, absolutePath: boolean): Promise<void> {
  try {
    const { keepGitHooks } = await import('./hooks-folder.ts');
    keepGitHooks(repo, absolutePath);
  } catch (error) {
    log('warn', 'git hooks not put back', { error: describeError(error) });
  }
}

/** For those who asked for it; whatever goes wrong is nothing that a commit should tell of. */
async function writeNote(repo: Repo): Promise<void> {
  try {
    const { noteCommit } = await import('../../origin/export/note-commit.ts');
    await noteCommit(repo);
  } catch (error) {
    log('warn', 'note for git-ai not written', { error: describeError(error) });
  }
}

/** Nobody who commits waits for the whole of a long transcript. */
async function goOnTakingIn(repo: Repo): Promise<void> {
  const { listUnfinished } = await import('../../strategy/transcript/take-in.ts');
  const waiting = listUnfinished(repo.commonDir);
  if (waiting.length === 0) return;
  const { startTakingIn } = await import('../agent/long-transcripts.ts');
  for (const { sessionId } of waiting) startTakingIn(repo, sessionId);
}

/** The scripts see when settings change that lie here and that are heard; of those of another worktree they know nothing. */
const mayBeMarked = (repo: Repo, { root, refused, strategy, writesGitAiNotes }: Enabled): boolean =>
  root === repo.worktreeRoot &&
  refused.length === 0 &&
  !writesGitAiNotes &&
  strategyOf(strategy).linksUsersCommits;

/** Where no session has work that a commit could hold, the next one needs nothing of ours: its scripts are told so. */
async function markIfIdle({ repo, git }: Work): Promise<void> {
  const [last] = readVerdicts(repo.commonDir, 1);
  const isNobodys = last?.reason === 'no-session' || last?.reason === 'no-overlap';
  if (!isNobodys || last.checkpoint !== undefined || last.commit !== readHead(git, repo)) return;
  if (!isIdle(workInGitHook(repo))) return;
  const { listUnfinished } = await import('../../strategy/transcript/take-in.ts'); // seldom needed, as what follows
  if (listUnfinished(repo.commonDir).length > 0) return;
  const { runProgram } = await import('../../base/process/program.ts');
  await markIdle(
    repo,
    { commit: last.commit, reason: last.reason, settings: dirname(userSettingsFile(process.env)) },
    () => isIdle(workInGitHook(repo)),
    async (from, to) => {
      const call = { program: 'touch', args: ['-r', from, to], input: '', env: process.env, timeoutMs: 1000 };
      return (await runProgram({ ...call, forbidden: [repo.worktreeRoot] })).code === 0;
    },
  );
}

async function runEnabled(
  strategy: Strategy,
  work: Work,
  [hook, file, source]: readonly string[],
): Promise<void> {
  if (hook === 'prepare-commit-msg' && file) await strategy.prepareCommitMessage(work, file, source);
  else if (hook === 'commit-msg' && file) await strategy.checkCommitMessage(work, file);
  else if (hook === 'post-commit') {
    await strategy.afterCommit(work);
    await goOnTakingIn(work.repo);
  }
}
