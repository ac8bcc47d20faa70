import { join } from 'node:path';
import { sessionOfShell } from '../../agents/names.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { type CheckpointId, newCheckpointId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { collapse, sanitizeForTerminal, truncate } from '../../base/text/text.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { findCallingGits, isReplay } from '../../git/caller.ts';
import { findCommitArguments, readCommentChar } from '../../git/commit/commit-arguments.ts';
import { readCheckpointOf, readHeadCheckpoint, readStaged } from '../../git/commit/commits.ts';
import { isMergeInProgress, isSequenceInProgress, isStoppedBetween } from '../../git/commit/operation.ts';
import {
  addCheckpointTrailer,
  CHECKPOINT_TRAILER,
  readCheckpointTrailer,
  SCISSORS,
} from '../../git/commit/trailers.ts';
import { readHead } from '../../git/ref/refs.ts';
import type { Git } from '../../git/run.ts';
import { oweCheckpoint } from '../../session/record/owed.ts';
import type { SessionState } from '../../session/state.ts';
import { readActivation } from '../../settings/enabled.ts';
import { findCommitter, openState, type Participant, readRecorded } from '../sessions.ts';
import { readLive } from '../transcript/live.ts';
import { freshText } from '../transcript/part.ts';
import { PROMPT_SEPARATOR } from '../transcript/redacted.ts';
import type { Work } from '../work.ts';
import { only } from './amended.ts';
import { blobTextReader } from './blob-text.ts';
import { judgeSessions } from './judge.ts';
import {
  keepsComments,
  type MessageSource,
  REMOVE_HINT,
  readMessage,
  toMessageText,
  writeMessage,
} from './message.ts';
import { isIdOfNext } from './own-id.ts';
import { settleOwed } from './settle.ts';
import { askOnTerminal, hasTerminal } from './terminal.ts';

/** The commit that a cherry-pick or a rebase is replaying. */
const PICKED = 'CHERRY_PICK_HEAD';

/**
 * Before the user sees or git uses a commit message: adds the trailer when the commit will hold work of a session.
 * A message that has one keeps it, and an amended commit the one it had; where the one in the message is that of another
 * commit, that of this commit stands below it, where it counts. Replayed, merged and squashed commits are
 * left alone, but for what a note says of the commit that is replayed.
 */
export async function prepareCommitMessage(
  work: Work,
  messageFile: string,
  source: MessageSource,
): Promise<void> {
  const because = (reason: string) =>
    log('debug', 'no trailer added', { hook: 'prepare-commit-msg', reason, source });
  if (isSequenceInProgress(work.repo.gitDir) && !isMadeBetween(work.repo.gitDir)) {
    keepNoted(work, messageFile);
    return because('sequence operation');
  }
  if (source === 'merge' || source === 'squash') return because(source);
  if (isMergeInProgress(work.repo.gitDir)) return because('merge'); // concluded with `-m`
  await settleOwed(work);
  const message = readMessage(messageFile);
  const given = readCheckpointTrailer(work.git, message);
  // With `-m` and `-F` only the command line tells what is going on.
  const callers = source === 'message' || source === 'commit' ? findCallingGits() : [];
  if (isReplay(callers)) return because('sequence operation');
  const amends = findCommitArguments(callers)?.amend ?? source === 'commit';
  if (given && isIdOfNext(work, given, amends)) {
    owe(work, given);
    return because('the message has a trailer');
  }
  const restored = amends ? readHeadCheckpoint(work.git) : undefined;
  if (restored) {
    owe(work, restored);
    writeMessage(messageFile, addCheckpointTrailer(work.git, message, restored));
    return because('restored to the amended commit');
  }

  const { participants: sessions } = readRecorded(work);
  if (sessions.length === 0) return because('no session in this worktree');
  const linked = findSessionToLink(work, sessions, amends, source);
  if (!linked) return because('no session touched what is staged');
  if (source === 'message' && !linked.byAgent && !(await agreesToLink(work, linked.session.sessionId)))
    return because('declined');

  const id = newCheckpointId();
  const next = await addTrailer(work, message, source, linked, id);
  owe(work, id);
  writeMessage(messageFile, next);
  log('info', 'trailer added', {
    hook: 'prepare-commit-msg',
    checkpoint: id,
    session_id: linked.session.sessionId,
    source,
  });
}

/** Whether somebody commits where a rebase has stopped between two commits: it is not the rebase that does. */
function isMadeBetween(gitDir: string): boolean {
  const callers = isStoppedBetween(gitDir) ? findCallingGits() : [];
  return callers[0]?.name === 'commit' && !isReplay(callers);
}

/** A commit that is replayed keeps its message, and with it the checkpoint that a trailer names; a note stays behind. */
function keepNoted({ git, repo }: Work, messageFile: string): void {
  if (!disk.existsSync(join(repo.gitDir, PICKED))) return;
  const id = readCheckpointOf(git, PICKED);
  const message = id ? readMessage(messageFile) : '';
  if (id && !readCheckpointTrailer(git, message))
    writeMessage(messageFile, addCheckpointTrailer(git, message, id));
}

/** In an editor comments say how to get rid of the trailer, unless git is to keep comments. */
async function addTrailer(
  work: Work,
  message: string,
  source: MessageSource,
  { session, byAgent }: Linked,
  id: CheckpointId,
): Promise<string> {
  const hasEditor = source === 'editor' || source === 'template';
  const explains = hasEditor && !byAgent && !keepsComments(work.git);
  const state = explains ? openState(work, session.sessionId) : undefined;
  return state
    ? addCommentedTrailer(work.git, message, id, state, work.repo.commonDir)
    : addCheckpointTrailer(work.git, message, id);
}

/** From here on somebody has to write the checkpoint, even if the hook after the commit is killed. */
function owe({ repo, git }: Work, id: CheckpointId): void {
  try {
    const head = readHead(git, repo) ?? '';
    const shell = sessionOfShell(process.env);
    oweCheckpoint(repo.commonDir, { id, worktreeId: repo.worktreeId, head, shell });
  } catch (error) {
    log('warn', 'owed checkpoint not noted', { checkpoint: id, error: describeError(error) });
  }
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
  amends: boolean,
  source: MessageSource,
): Linked | undefined {
  const staged = readStaged(work.git);
  const changes = amends && staged.size > 0 ? only(staged, readStaged(work.git, 'HEAD^')) : staged;
  // An amend that adds nothing rewords or takes out: whoever made the commit, it is not the one who runs git now.
  if ((amends || source === 'commit') && changes.size === 0) return undefined;
  const active = hasTerminal(process.env)
    ? undefined
    : findCommitter(work, sessions, sessionOfShell(process.env), process.env);
  if (active) return { session: active, byAgent: true };
  const madeOn = () => (amends ? undefined : readHead(work.git, work.repo));
  const candidates = judgeSessions(work, sessions, changes, blobTextReader(work.git), madeOn);
  const linked = candidates.find(({ overlap }) => overlap.length > 0);
  return linked && { session: linked.session, byAgent: false };
}

/**
 * Whether a commit with a ready message is to be linked. Asked only with `"commit_linking": "prompt"` and where a
 * person sits at a terminal; only a clear "no" is one.
 */
export async function agreesToLink(work: Work, id: SessionId): Promise<boolean> {
  const activation = readActivation(work.repo);
  if (activation.kind !== 'enabled' || activation.commitLinking !== 'prompt') return true;
  if (!hasTerminal(process.env)) return true;
  const session = openState(work, id);
  if (!session) return true;
  const agent = session.agentType || 'Agent';
  const prompt = await lastPrompt(work.repo.commonDir, session);
  const context = prompt === '' ? '' : `You have an active ${agent} session.\nLast Prompt: ${prompt}\n`;
  const answer = askOnTerminal(`${context}Link this commit to ${agent} session context? [Y/n] `);
  return !/^no?$/i.test(answer.trim());
}

/**
 * A message for an editor: the trailer, then comments that say how to get rid of it, above git's own comments. An
 * empty message keeps a free line at the top for the subject.
 */
export async function addCommentedTrailer(
  git: Git,
  message: string,
  id: CheckpointId,
  session: SessionState,
  commonDir: string,
): Promise<string> {
  const lastLine = message.trimEnd().split('\n').at(-1) ?? '';
  // With `auto` git has chosen already, so the text shows it.
  const char = readCommentChar(git) ?? /^[#;@!$%^&|:]/.exec(lastLine)?.[0] ?? '#';
  const lines = message.split('\n');
  const firstComment = lines.findIndex((line) => line.startsWith(char));
  const written = (firstComment === -1 ? lines : lines.slice(0, firstComment)).join('\n').replace(/\n+$/, '');
  const rest = firstComment === -1 ? [] : lines.slice(firstComment);
  const withTrailer =
    written.trim() === ''
      ? `\n\n${CHECKPOINT_TRAILER}: ${id}\n`
      : addCheckpointTrailer(git, `${written}\n`, id);

  const agent = session.agentType || 'Agent';
  const prompt = await lastPrompt(commonDir, session);
  const comments = [
    `${REMOVE_HINT} if you don't want to link this commit to ${agent} session context.`,
    ...(prompt === '' ? [] : [`Last Prompt: ${prompt}`]),
    'The trailer will be added to your next commit based on this branch.',
  ];
  const ours = comments.map((line) => toMessageText(`${char} ${line}`));
  // Below scissors everything is dropped; above them, comments would become part of the message.
  const [first = ''] = rest;
  const below = SCISSORS.test(first) ? ['', first, ...ours, ...rest.slice(1)] : [...ours, '', ...rest];
  return `${withTrailer}${below.join('\n')}`;
}

/**
 * The user's last words to the agent, on one line, at most 80 code points. Redacted, and before they are cut: with
 * some settings of `commit.cleanup` comments stay in the message.
 */
export async function lastPrompt(commonDir: string, session: SessionState): Promise<string> {
  const live = readLive(commonDir, session);
  const prompt = live.format.readPrompts(freshText(live)).at(-1);
  const indexed = live.index.prompts.split(PROMPT_SEPARATOR).at(-1);
  const words = collapse(prompt ?? (indexed || session.firstPrompt));
  return words === '' ? '' : truncate(sanitizeForTerminal(await redactText(words)), 80, '...');
}
