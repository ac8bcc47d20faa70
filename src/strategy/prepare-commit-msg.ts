import { describeError } from '../base/errors.ts';
import { type CheckpointId, newCheckpointId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { findCallingGits, isAmend, isReplay } from '../git/caller.ts';
import { isMergeInProgress, isSequenceInProgress, readHeadCommit, readStaged } from '../git/commits.ts';
import { readHead, readRef } from '../git/refs.ts';
import { addCheckpointTrailer, readCheckpointTrailer } from '../git/trailers.ts';
import { oweCheckpoint } from '../session/owed.ts';
import { blobTextReader } from './blob-text.ts';
import { addCommentedTrailer } from './commented-trailer.ts';
import { type MessageSource, readMessage, writeMessage } from './commit-message.ts';
import { judgeSessions } from './judge.ts';
import { findCommitter, listSessions, openState, type Participant } from './sessions.ts';
import { settleOwed } from './settle.ts';
import { hasTerminal } from './terminal.ts';
import type { Work } from './work.ts';

/**
 * Before the user sees or git uses a commit message: adds the trailer when the commit will hold work of a session.
 * A message that has one keeps it. Replayed, merged and squashed commits are left alone.
 */
export async function prepareCommitMessage(
  work: Work,
  messageFile: string,
  source: MessageSource,
): Promise<void> {
  const because = (reason: string) =>
    log('debug', 'no trailer added', { hook: 'prepare-commit-msg', reason, source });
  if (isSequenceInProgress(work.repo.gitDir)) return because('sequence operation');
  if (source === 'merge' || source === 'squash') return because(source);
  if (isMergeInProgress(work.repo.gitDir)) return because('merge'); // concluded with `-m`
  await settleOwed(work);
  const sessions = listSessions(work);
  if (sessions.length === 0) return because('no session in this worktree');

  const message = readMessage(messageFile);
  if (readCheckpointTrailer(work.git, message)) return because('the message has a trailer');
  // With `-m` and `-F` only the command line tells what is going on.
  const callers = source === 'message' ? findCallingGits() : [];
  if (isReplay(callers)) return because('sequence operation');
  const rewrites = source === 'commit' || isAmend(callers);
  if (rewrites) {
    const restored = findRewrittenId(work, sessions, source);
    if (restored) {
      owe(work, restored);
      writeMessage(messageFile, addCheckpointTrailer(work.git, message, restored));
      return because('restored to the amended commit');
    }
  }
  const linked = findSessionToLink(work, sessions, rewrites);
  if (!linked) return because('no session touched what is staged');

  const id = newCheckpointId();
  const hasEditor = source === 'editor' || source === 'template';
  const state = hasEditor && !linked.byAgent ? openState(work, linked.session.sessionId) : undefined;
  const next = state
    ? await addCommentedTrailer(work.git, message, id, state, work.repo.commonDir)
    : addCheckpointTrailer(work.git, message, id);
  owe(work, id);
  writeMessage(messageFile, next);
  log('info', 'trailer added', {
    hook: 'prepare-commit-msg',
    checkpoint: id,
    session_id: linked.session.sessionId,
    source,
  });
}

/** From here on somebody has to write the checkpoint, even if the hook after the commit is killed. */
function owe({ repo, git }: Work, id: CheckpointId): void {
  try {
    const head = readHead(git, repo) ?? '';
    oweCheckpoint(repo.commonDir, { id, worktreeId: repo.worktreeId, head });
  } catch (error) {
    log('warn', 'owed checkpoint not noted', { checkpoint: id, error: describeError(error) });
  }
}

/**
 * The checkpoint of the commit that is amended, or reused with `-c`/`-C`. Where the message is a new one it is in the
 * old commit; where git offers the old message, and it has none, the session may know.
 */
function findRewrittenId(
  work: Work,
  sessions: readonly Participant[],
  source: MessageSource,
): CheckpointId | undefined {
  if (source === 'message') return readHeadCommit(work.git)?.checkpoint;
  const head = readRef(work.git, 'HEAD');
  return sessions.find((session) => session.baseCommit === head && session.lastCheckpointId)
    ?.lastCheckpointId;
}

interface Linked {
  readonly session: Participant;
  /** The agent itself commits: nobody reads comments. */
  readonly byAgent: boolean;
}

/** The first session whose work is staged; in an agent's own shell, the session that runs it. */
function findSessionToLink(
  work: Work,
  sessions: readonly Participant[],
  rewrites: boolean,
): Linked | undefined {
  const staged = readStaged(work.git);
  // An amend without new changes only rewords: whoever made the commit, it is not the one who runs git now.
  if (rewrites && staged.size === 0) return undefined;
  const active = hasTerminal(process.env) ? undefined : findCommitter(work, sessions, process.env);
  if (active) return { session: active, byAgent: true };
  const candidates = judgeSessions(work, sessions, staged, blobTextReader(work.git));
  const linked = candidates.find(({ overlap }) => overlap.length > 0);
  return linked && { session: linked.session, byAgent: false };
}
