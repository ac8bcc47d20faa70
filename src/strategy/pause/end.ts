import { transcriptFormatOf } from '../../agents/registry.ts';
import { now } from '../../base/clock.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readRef } from '../../git/ref/refs.ts';
import { withSessionLock } from '../../session/lock.ts';
import {
  NOTHING_PRIVATE,
  readPrivate,
  readPrivateOfWorktree,
  type Stretch,
  writePrivate,
  writePrivateOfWorktree,
} from '../../session/private-record.ts';
import type { Pause } from '../../session/record/pause.ts';
import {
  listSeen,
  type PauseBegin,
  readPauseBegin,
  type SeenSession,
} from '../../session/record/pause-notes.ts';
import { readTaskRecord, writeTaskRecord } from '../../session/record/task-record.ts';
import { readBaseline, writeBaseline } from '../../session/record/turn-snapshot.ts';
import { applyEvent, type SessionState } from '../../session/state.ts';
import { listStates, readState } from '../../session/state-store.ts';
import { readFilesTouched } from '../../session/tracking-file.ts';
import { sessionStore } from '../../snapshot/store/blobs.ts';
import { readTurnBegin, writeTurnBegin } from '../../snapshot/turn/turn-begin.ts';
import { isAsNoted, notePrivate } from '../private-paths.ts';
import { readRange, transcriptSize } from '../transcript/file.ts';
import { dropTranscriptCache, readIndex, transcriptCacheDir } from '../transcript/index-file.ts';
import { withStretch } from '../transcript/private.ts';
import { keysOf } from '../transcript/private-keys.ts';
import { saveState, type Work } from '../work.ts';
import { fingerprintsOf, workplaces } from './begin.ts';

/**
 * A private stretch ends: what was said in it is known from here on, and left out of whatever is stored later; what changed in the
 * worktree is nobody's work. All of it before anything is recorded again, so that one that was killed is done again.
 *
 * @throws {EntireError} `LOCKED`, or the system error; the stretch goes on then
 */
export async function closeStretch(work: Work, pause: Pause): Promise<void> {
  const { commonDir } = work.repo;
  const begin = readPauseBegin(commonDir, pause.id);
  const seen = listSeen(commonDir, pause.id);
  const states = listStates(work.sessions).states;
  const stretch: Stretch = { fromMs: pause.atMs, toMs: now().getTime(), what: 'paused' };
  const places = workplaces(work, pause.scope, states);
  for (const place of places) noteChanged(place, begin, stretch, pause);

  const living = states.filter(({ worktreeId, sessionId }) =>
    pause.scope.kind === 'worktree'
      ? worktreeId === pause.scope.worktreeId
      : sessionId === pause.scope.sessionId,
  );
  const ids = new Set([
    ...(begin?.sessions.keys() ?? []),
    ...seen.keys(),
    ...living.flatMap(({ sessionId }) => parseSessionId(sessionId) ?? []),
  ]);
  for (const id of ids)
    await withSessionLock(work.sessions, id, () => {
      noteSaid(work, id, begin, seen.get(id), stretch);
      dropTranscriptCache(commonDir, id);
    });
  // Whoever is in a turn in the worktree would find what changed in the stretch, and take it for its own.
  for (const place of places)
    for (const id of new Set([...ids, ...inTurn(states, place)]))
      await withSessionLock(work.sessions, id, () => {
        const own = ids.has(id) ? new Set<string>() : new Set<string>(readFilesTouched(work.sessions, id));
        goOn(place, id, begin, seen.get(id), own);
      });
}

const inTurn = (states: readonly SessionState[], { repo }: Work): SessionId[] =>
  states.flatMap(({ worktreeId, phase, sessionId }) =>
    worktreeId === repo.worktreeId && phase === 'active' ? (parseSessionId(sessionId) ?? []) : [],
  );

/** Adds what was said in the stretch to what is known to be private in a session. */
function noteSaid(
  work: Work,
  id: SessionId,
  begin: PauseBegin | undefined,
  seen: SeenSession | undefined,
  time: Stretch,
): void {
  const { commonDir } = work.repo;
  const state = readState(work.sessions, id);
  const end = begin?.sessions.get(id);
  const path = seen?.transcriptPath || end?.transcriptPath || state?.transcriptPath || '';
  const agentType = state?.agentType || seen?.agentType || end?.agentType || '';
  const size = transcriptSize(path, transcriptFormatOf(agentType)) ?? 0;
  const isSame = end !== undefined && end.transcriptPath === path;
  const isActive = seen !== undefined || (isSame && size !== end.bytes);
  const stretch: Stretch = isActive ? { ...time, isActive } : time;
  if (isSame && size === end.bytes && end.items === 0 && !seen) return addStretch(commonDir, id, stretch, []);
  // One that is shorter than it was begins anew somewhere: the times tell.
  const isKnown = isSame && size >= end.bytes;
  // Of a session that nobody knew nothing is public; without a note of the beginning what was never taken in is not.
  const taken = begin === undefined ? readIndex(transcriptCacheDir(commonDir, id)).size : 0;
  const start = isKnown
    ? end
    : isSame
      ? { bytes: size, items: Number.POSITIVE_INFINITY }
      : { bytes: taken, items: 0 };
  const bytes = size === 0 ? Buffer.alloc(0) : readRange(path, 0, size);
  addStretch(commonDir, id, stretch, keysOf(transcriptFormatOf(agentType), bytes, start, stretch));
}

function addStretch(commonDir: string, id: SessionId, stretch: Stretch, keys: readonly string[]): void {
  writePrivate(commonDir, id, withStretch(readPrivate(commonDir, id) ?? NOTHING_PRIVATE, stretch, keys));
}

/** Files that changed in the stretch, as they are at its end: no step takes them as they are, and no prompt keeps them. */
function noteChanged(work: Work, begin: PauseBegin | undefined, stretch: Stretch, { scope }: Pause): void {
  const { commonDir, worktreeId } = work.repo;
  const before = begin?.worktrees.get(worktreeId)?.paths ?? new Map<string, string>();
  const known = readPrivateOfWorktree(commonDir, worktreeId) ?? NOTHING_PRIVATE;
  const current = fingerprintsOf(work);
  // What others recorded in the stretch of one session is theirs.
  const theirs = scope.kind === 'worktree' ? new Set<string>() : recordedByOthers(work, scope.sessionId);
  const changed = [...current].filter(([path, print]) => before.get(path) !== print && !theirs.has(path));
  const root = work.repo.worktreeRoot;
  const still = [...known.paths].filter(([path, noted]) =>
    isAsNoted(root, path, noted, current.get(path) ?? ''),
  );
  const paths = new Map([...still, ...notePrivate(root, changed)]);
  const stretches = scope.kind === 'worktree' ? [...known.stretches, stretch] : known.stretches;
  writePrivateOfWorktree(commonDir, worktreeId, { ...known, stretches, paths });
}

function recordedByOthers(work: Work, paused: SessionId): Set<string> {
  return new Set(
    listStates(work.sessions).states.flatMap(({ sessionId, worktreeId, filesTouched }) =>
      sessionId === paused || worktreeId !== work.repo.worktreeId
        ? []
        : [...filesTouched, ...readFilesTouched(work.sessions, sessionId as SessionId)],
    ),
  );
}

/**
 * What a session begins with after the stretch: the worktree as it is, and the phase that its hooks told of.
 *
 * @param own files that it recorded in the stretch, being none of those that were paused
 */
function goOn(
  work: Work,
  id: SessionId,
  begin: PauseBegin | undefined,
  seen: SeenSession | undefined,
  own: ReadonlySet<string>,
): void {
  const { commonDir, worktreeId } = work.repo;
  const state = readState(work.sessions, id);
  if (state && state.worktreeId !== worktreeId) return;
  if (!state && !seen) return;
  const paths = fingerprintsOf(work);
  const before = begin?.worktrees.get(worktreeId)?.paths ?? new Map<string, string>();
  const turnId = state?.turnId ?? '';
  const baseline = readBaseline(commonDir, id, turnId);
  const items = baseline?.items ?? countAll(state?.agentType ?? seen?.agentType, seen?.transcriptPath);
  const isChanged = (path: string, print: string) => before.get(path) !== print && !own.has(path);
  const merged = new Map(baseline?.paths ?? paths);
  for (const [path, print] of paths) if (isChanged(path, print)) merged.set(path, print);
  writeBaseline(commonDir, id, {
    ...(baseline ?? { turnId, takenAtMs: now().getTime(), items }),
    takenAtMs: now().getTime(),
    paths: merged,
  });
  const record = readTaskRecord(commonDir, id);
  if (record.running.length > 0) {
    const changed = [...paths].filter(([path, print]) => isChanged(path, print));
    const running = record.running.map((task) => ({ ...task, paths: new Map([...task.paths, ...changed]) }));
    writeTaskRecord(commonDir, id, { ...record, running });
  }
  const store = sessionStore(commonDir, id, worktreeId);
  const turn = readTurnBegin(store);
  if (turn) {
    // What a file held in the stretch is not kept: what changes it from here on cannot be taken back to that.
    const files = new Map(turn.files);
    for (const [path, fingerprint] of paths)
      if (isChanged(path, fingerprint)) files.set(path as RepoPath, { fingerprint, state: undefined });
    writeTurnBegin(store, { ...turn, head: readRef(work.git, 'HEAD') ?? turn.head, files });
  }
  if (state && seen?.phase && seen.phase !== state.phase) saveState(work, inPhase(state, seen.phase));
}

function countAll(agentType = '', path = ''): number {
  const size = transcriptSize(path, transcriptFormatOf(agentType));
  return size ? transcriptFormatOf(agentType).countItems(readRange(path, 0, size).toString('utf8')) : 0;
}

function inPhase(state: SessionState, phase: 'active' | 'idle' | 'ended'): SessionState {
  if (phase === 'ended') return applyEvent(state, 'session-stop');
  return phase === 'idle' ? applyEvent(state, 'turn-end') : { ...state, phase };
}
