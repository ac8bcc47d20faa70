import { describeError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readStatus } from '../../git/worktree/status.ts';
import { changedSince, readBaseline } from '../../session/record/turn-snapshot.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { readFilesTouched, trackAgain } from '../../session/tracking-file.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import { sessionStore } from '../../snapshot/store/blobs.ts';
import { noteShell } from '../../snapshot/turn/note-shell.ts';
import { recordEdit } from '../../snapshot/turn/record-edit.ts';
import { filesInTranscript, listOthersAtWork, pathsOfOthers } from '../sessions.ts';
import type { Work } from '../work.ts';

/** An edit by a tool is on record so long after the file was written, at most as a rule. */
const HOOK_MS = 200;

/**
 * A shell command of a session is over, in the middle of its turn. What it wrote is found when the turn ends; but where another
 * session is in a turn as well, whichever ends first would take it, so that it is put on record now. Costs one `git status`
 * then, and nothing where a session is alone. Never throws.
 *
 * @param settle waits for hooks of edits that others have made this moment
 */
export async function recordShellEdits(
  work: Work,
  sessionId: SessionId,
  settle: () => Promise<unknown> = () => new Promise((resolve) => setTimeout(resolve, HOOK_MS)),
): Promise<void> {
  if (keepsContents(work.repo)) noteShell(work.repo, sessionId);
  try {
    if (findEdits(work, sessionId).length === 0) return;
    await settle();
    const paths = findEdits(work, sessionId);
    trackAgain(work.sessions, sessionId, paths);
    if (paths.length > 0) log('info', 'changes of a shell recorded', { session_id: sessionId, paths });
    keepForUndo(work, sessionId, paths);
  } catch (error) {
    log('warn', 'changes of a shell not looked for', {
      session_id: sessionId,
      error: describeError(error),
    });
  }
}

/** What changed in the session's turn while another was in one, and nobody has on record. */
function findEdits(work: Work, sessionId: SessionId): RepoPath[] {
  const others = listOthersAtWork(work, { sessionId });
  return others.length > 0 ? findShellEdits(work, sessionId, others) : [];
}

/** What changed in the turn that a session is in, and nobody has on record: what its shell wrote, or the user. */
export function findShellEdits(
  work: Work,
  sessionId: SessionId,
  others = listOthersAtWork(work, { sessionId }),
): RepoPath[] {
  const { commonDir, worktreeId, worktreeRoot } = work.repo;
  const state = readStateIfReadable(work.sessions, sessionId);
  if (state?.phase !== 'active' || state.worktreeId !== worktreeId) return [];
  const baseline = readBaseline(commonDir, sessionId, state.turnId);
  if (!baseline) return [];
  const known = pathsOfOthers(work, state, new Set(), baseline.takenAtMs);
  for (const path of readFilesTouched(work.sessions, sessionId)) known.add(path);
  const found = changedSince(baseline, worktreeRoot, readStatus(work.git)).filter((path) => !known.has(path));
  if (found.length === 0) return [];
  // A client writes what a tool is to do before it is done, and the hook comes after.
  const asked = new Set(others.flatMap((other) => filesInTranscript(work, other.sessionId)));
  return found.filter((path) => !asked.has(path));
}

function keepForUndo({ repo }: Work, sessionId: SessionId, paths: readonly RepoPath[]): void {
  if (paths.length === 0 || !keepsContents(repo)) return;
  const store = sessionStore(repo.commonDir, sessionId, repo.worktreeId);
  recordEdit(store, repo.worktreeRoot, paths, {
    tool: '',
    agentId: undefined,
    isShell: true,
    before: undefined,
  });
}
