import type { TurnEnd } from '../agents/event.ts';
import { transcriptFormatOf } from '../agents/registry.ts';
import { lstatInWorktree } from '../base/disk.ts';
import { describeError } from '../base/errors.ts';
import type { ObjectId, SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { redactJsonLines, redactText } from '../checkpoint/redact.ts';
import { readShadowBranch } from '../checkpoint/shadow-branch.ts';
import { writeTemporary } from '../checkpoint/temporary.ts';
import { retryWhenMoved } from '../git/objects.ts';
import { readIdentity } from '../git/refs.ts';
import { readStatus, type Status, untrackedFiles } from '../git/status.ts';
import { withSessionLock } from '../session/lock.ts';
import { addUsage, applyEvent, type SessionState } from '../session/state.ts';
import { readStateOrSetAside, writeState } from '../session/state-store.ts';
import { type Claim, claimFilesTouched, readFilesTouched } from '../session/tracking-file.ts';
import {
  changedSince,
  type PrePrompt,
  readBaseline,
  readPrePrompt,
  removePrePrompt,
  takeBaseline,
  writeBaseline,
} from '../session/turn-snapshot.ts';
import { finalizeTurnCheckpoints } from './finalize.ts';
import { followHead } from './migrate.ts';
import { tell } from './progress.ts';
import { PROMPT_SEPARATOR } from './redacted-texts.ts';
import { toWorktreePaths } from './resolve-files-touched.ts';
import { listOthers } from './sessions.ts';
import { subjectFromPrompt } from './subject.ts';
import { copyTranscript, readTranscript, waitForLastWords } from './transcript-file.ts';
import { openSession } from './turn-start.ts';
import type { Turn, Work } from './work.ts';

/**
 * The agent stopped: what the turn changed becomes a step on the shadow branch, and commits the agent made in the
 * turn get the complete transcript. The session is idle afterwards, also when the step could not be saved.
 */
export async function endTurn(work: Work, turn: Turn, event: TurnEnd): Promise<void> {
  const path = turn.transcriptPath;
  await waitForLastWords(transcriptFormatOf(turn.agentType), path, event.lastAssistantMessage);

  await withSessionLock(work.sessions, turn.sessionId, async () => {
    const known = readStateOrSetAside(work.sessions, turn.sessionId);
    // The claim comes before the look at the worktree: what is recorded later waits for the next look.
    const claim = claimFilesTouched(work.sessions, turn.sessionId);
    let state = known;
    let failure: unknown;
    try {
      const status = readStatus(work.git);
      if (!status.head) return explainNoCommits();
      const opened = known?.baseCommit ? known : openSession(work, turn, status, status.head);
      state = { ...opened, transcriptPath: path ?? opened.transcriptPath };
      state = await saveTurn(work, state, status, status.head, claim);
    } catch (error) {
      failure = error;
      // Nothing the hooks recorded is lost: the paths wait in the state for the next step or commit.
      state = state && { ...state, filesTouched: sortedUnique([...state.filesTouched, ...claim.paths]) };
    }
    if (state) {
      const finished = state.turnCheckpointIds.length > 0 ? await finishTurnCheckpoints(work, state) : state;
      writeState(work.sessions, applyEvent(finished, 'turn-end'));
      claim.release();
      removePrePrompt(work.repo.worktreeRoot, turn.sessionId);
    }
    if (failure !== undefined) throw failure;
  });
}

function explainNoCommits(): void {
  log('info', 'step skipped: the repository has no commits yet');
  tell('Entire: skipping checkpoint. Will activate after first commit.');
}

async function saveTurn(
  work: Work,
  state: SessionState,
  status: Status,
  head: ObjectId,
  claim: Claim,
): Promise<SessionState> {
  const step = readStep(work, state, status, claim);
  // From here on it counts what changes after this stop: there can be another one without a prompt between.
  const next = takeBaseline(work.repo.worktreeRoot, status, state.turnId, step.items);
  const saved = await saveStep(work, state, status, head, step);
  writeBaseline(work.repo.commonDir, state.sessionId, next);
  return saved;
}

/** What the turn changed, and its part of the transcript. */
interface Step {
  readonly paths: readonly RepoPath[];
  readonly transcript: string;
  /** Items in the whole transcript. */
  readonly items: number;
  readonly newPart: string;
  readonly snapshot: PrePrompt | undefined;
}

async function saveStep(
  work: Work,
  before: SessionState,
  status: Status,
  head: ObjectId,
  step: Step,
): Promise<SessionState> {
  if (step.paths.length === 0) {
    tell('No files were modified during this session\nSkipping commit');
    // Recorded paths that are clean again were committed or reverted meanwhile; a commit that took them has them.
    return before;
  }
  tell(
    `Files modified during session (${step.paths.length}):\n${step.paths.map((path) => `  - ${path}`).join('\n')}`,
  );

  const state = retryWhenMoved(() => followHead(work, before, head));
  const format = transcriptFormatOf(state.agentType);
  const prompts = format.readPrompts(step.newPart);
  const redacted = await redactText(prompts.join(PROMPT_SEPARATOR));
  const first = state.checkpointCount === 0;
  const checkpoint = {
    sessionId: state.sessionId,
    head,
    paths: first ? sortedUnique([...preexisting(work, status), ...step.paths]) : step.paths,
    texts: {
      transcript: step.transcript === '' ? '' : await redactJsonLines(step.transcript),
      prompts: redacted,
      summary: await redactText(format.readSummary(step.newPart) ?? ''),
    },
    // Redacted before it is cut: half of a secret looks like none.
    subject: subjectFromPrompt(redacted.split(PROMPT_SEPARATOR).at(-1), state.agentType),
    author: readIdentity(work.git),
  };
  // Sessions on the same commit share the branch, and may stop at the same moment.
  const { branch, tip } = retryWhenMoved(() => {
    const found = readShadowBranch(work.git, state.baseCommit, state.worktreeId);
    return { branch: found, tip: writeTemporary(work.git, { ...checkpoint, branch: found }) };
  });
  const filesTouched = sortedUnique([...state.filesTouched, ...step.paths]);
  if (tip === undefined) {
    tell('Skipped checkpoint (no changes since last checkpoint)');
    return { ...state, filesTouched };
  }
  tell(
    branch.tip
      ? `Committed changes to shadow branch '${branch.name}'`
      : `Created shadow branch '${branch.name}' and committed changes`,
  );
  return {
    ...state,
    filesTouched,
    checkpointCount: state.checkpointCount + 1,
    transcriptIdentifierAtStart: first
      ? (step.snapshot?.lastTranscriptIdentifier ?? '')
      : state.transcriptIdentifierAtStart,
    tokenUsage: addUsage(state.tokenUsage, format.readUsage(step.newPart)),
  };
}

/** Untracked files of other people's making are taken along up to here; nothing we do ever deletes them anyway. */
const MAX_UNTRACKED_FILES = 1_000;
const MAX_UNTRACKED_BYTES = 32 * 1024 * 1024;

/**
 * The first step also holds what was different before the session, so that going back finds it. Untracked build
 * output and data sets would cost seconds and gigabytes: past a budget the untracked files are left out.
 */
function preexisting(work: Work, status: Status): RepoPath[] {
  const untracked = untrackedFiles(status);
  const bytes = untracked.slice(0, MAX_UNTRACKED_FILES + 1).reduce((sum, path) => {
    return sum + (lstatInWorktree(work.repo.worktreeRoot, path)?.size ?? 0);
  }, 0);
  const affordable = untracked.length <= MAX_UNTRACKED_FILES && bytes <= MAX_UNTRACKED_BYTES;
  if (!affordable) log('info', 'untracked files left out of the first step', { count: untracked.length });
  return [...status.changes].flatMap(([path, kind]) => (affordable || kind !== 'untracked' ? [path] : []));
}

/**
 * Files the turn changed and that still differ from HEAD: what hooks recorded, what the transcript's tools wrote,
 * and what `git status` finds changed since the prompt (shell commands, formatters; `source: scan`).
 */
function readStep(work: Work, state: SessionState, status: Status, claim: Claim): Step {
  const root = work.repo.worktreeRoot;
  const format = transcriptFormatOf(state.agentType);
  const transcript = readTranscript(state.transcriptPath);
  if (transcript === '') log('warn', 'turn ended without a transcript', { session_id: state.sessionId });
  else copyQuietly(root, state.sessionId, transcript);

  const snapshot = readPrePrompt(root, state.sessionId);
  const baseline = readBaseline(work.repo.commonDir, state.sessionId, state.turnId);
  const offset = baseline?.items ?? (snapshot?.stepTranscriptStart || state.checkpointTranscriptStart);
  const items = format.countItems(transcript);
  // A transcript shorter than the offset was rewritten (compaction, rewind): read all of it, once.
  const newPart = items < offset ? transcript : format.sliceFrom(transcript, offset);

  const recorded = new Set([...claim.paths, ...toWorktreePaths(root, format.readFilesTouched(newPart))]);
  const foreign = pathsOfOthers(work, state, recorded, baseline?.takenAtMs ?? 0);
  const scanned = (baseline ? changedSince(baseline, root, status) : scanLikeOlder(status, snapshot)).filter(
    (path) => !recorded.has(path) && !foreign.has(path),
  );
  if (scanned.length > 0)
    log('info', 'changes found by git status', {
      session_id: state.sessionId,
      source: 'scan',
      paths: scanned,
    });
  const paths = sortedUnique([...recorded, ...scanned]).filter((path) => status.changes.has(path));
  return { paths, transcript, items, newPart, snapshot };
}

/** The working copy is for people and for v0.4.4: the step is saved without it. */
function copyQuietly(root: string, id: SessionId, transcript: string): void {
  try {
    copyTranscript(root, id, transcript);
  } catch (error) {
    log('warn', 'no working copy of the transcript', { session_id: id, error: describeError(error) });
  }
}

/** A turn that v0.4.4 began: untracked files are new unless listed, deletions count, edits come from the tools. */
function scanLikeOlder(status: Status, snapshot: PrePrompt | undefined): RepoPath[] {
  const known = new Set(snapshot?.untrackedFiles);
  return [...status.changes].flatMap(([path, kind]) =>
    kind === 'modified' || known.has(path) ? [] : [path],
  );
}

/**
 * Paths that another session in this worktree recorded since we last looked, and this one did not. What a session
 * recorded before that is no reason to think that a change of today is its work.
 */
function pathsOfOthers(
  work: Work,
  state: SessionState,
  own: ReadonlySet<string>,
  sinceMs: number,
): Set<RepoPath> {
  const others = new Set<RepoPath>();
  for (const other of listOthers(work, state)) {
    const lately = (Date.parse(other.lastInteractionTime ?? '') || 0) >= sinceMs;
    const saved = other.phase === 'active' || lately ? other.filesTouched : [];
    for (const path of [...saved, ...readFilesTouched(work.sessions, other.sessionId)]) {
      if (!own.has(path)) others.add(path);
    }
  }
  return others;
}

async function finishTurnCheckpoints(work: Work, state: SessionState): Promise<SessionState> {
  try {
    await finalizeTurnCheckpoints(work, state);
  } catch (error) {
    log('warn', 'checkpoints of the turn not completed', {
      session_id: state.sessionId,
      error: describeError(error),
    });
  }
  const total = transcriptFormatOf(state.agentType).countItems(readTranscript(state.transcriptPath));
  return {
    ...state,
    turnCheckpointIds: [],
    checkpointTranscriptStart: total || state.checkpointTranscriptStart,
  };
}
