import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { withSessionLock } from '../session/lock.ts';
import {
  readBaseline,
  rememberFingerprints,
  type TurnBaseline,
  writeBaseline,
} from '../session/record/turn-snapshot.ts';
import type { SessionState } from '../session/state.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { storeOf } from '../snapshot/place.ts';
import type { PathChange } from '../snapshot/record/snapshot-record.ts';
import { listStoresOf } from '../snapshot/store/collect.ts';
import { type FileState, isSameState } from '../snapshot/store/file-state.ts';
import { readAtPrompt } from '../snapshot/turn/at-prompt.ts';
import { readOpenEdits } from '../snapshot/turn/ledger.ts';
import { lookNow } from '../snapshot/turn/look-now.ts';
import {
  type BeginState,
  readTurnBegin,
  rememberStates,
  type TurnBegin,
} from '../snapshot/turn/turn-begin.ts';
import { resolveGitStates } from '../snapshot/undo/resolve.ts';
import { readLive } from '../strategy/transcript/live.ts';
import { countItems } from '../strategy/transcript/part.ts';
import type { Work } from '../strategy/work.ts';
import { isInTurn } from './at-work.ts';

/** A hook of another session that takes longer finds our changes, and takes them for its own: no reason to wait for long. */
const WAIT_MS = 500;

/**
 * A command put files back: turns of other sessions that run meanwhile did not do that. Without it a turn in which a shell
 * command ran would take for its work what it finds changed. Never throws.
 */
export async function tellRunningTurns(
  work: Work,
  own: SessionId,
  files: ReadonlyMap<RepoPath, PathChange>,
): Promise<void> {
  if (files.size === 0) return;
  try {
    for (const { id, store } of listStoresOf(work.repo))
      if (id !== own && isInTurn(work, id)) await tellOne(work, { id, store }, files);
  } catch (error) {
    log('warn', 'running turns not told of what was put back', { error: describeError(error) });
  }
}

/** Where the snapshots of a session are. */
interface Told {
  readonly id: SessionId;
  readonly store: string;
}

async function tellOne(work: Work, told: Told, files: ReadonlyMap<RepoPath, PathChange>): Promise<void> {
  try {
    // Before the lock is taken: hooks of that session wait for it, and many files take their time.
    const seen = lookAtTurn(work, told, files);
    if (seen.states.size === 0) return;
    await withSessionLock(work.sessions, told.id, () => tell(work, told, seen), { waitMs: WAIT_MS });
  } catch (error) {
    log('warn', 'running turn not told of what was put back', {
      session_id: told.id,
      error: describeError(error),
    });
  }
}

/** What a running turn is to be told. */
interface Seen {
  /** The turn that this is about. */
  readonly turnId: string;
  readonly states: ReadonlyMap<RepoPath, BeginState>;
}

function lookAtTurn(work: Work, { store }: Told, files: ReadonlyMap<RepoPath, PathChange>): Seen {
  const begin = readTurnBegin(store);
  if (!begin) return { turnId: '', states: new Map() };
  const own = ownPaths(store);
  const others = [...files].filter(([path]) => !own.has(path));
  const begun = readBegun(
    work,
    store,
    begin,
    others.map(([path]) => path),
  );
  // What the turn changed itself before we came stays what it was when the turn began.
  const paths = others.flatMap(([path, { before }]) => {
    const was = begun(path);
    return was && before && isSameState(was, before) ? path : [];
  });
  // Read once more: the contents that we wrote lie in the store of another session, and somebody may have written since.
  const place = { store, root: work.repo.worktreeRoot };
  return { turnId: begin.turnId, states: new Map(paths.map((path) => [path, lookNow(place, path)])) };
}

const ownPaths = (store: string): ReadonlySet<RepoPath> =>
  new Set(readOpenEdits(store).map(({ path }) => path));

/** Under the session's lock. A turn that began since then saw what we put there. */
function tell(work: Work, { id, store }: Told, { turnId, states }: Seen): void {
  const begin = readTurnBegin(store);
  if (begin?.turnId !== turnId) return;
  const own = ownPaths(store);
  const told = [...states].filter(([path]) => !own.has(path));
  rememberStates(store, begin.last, told);
  rememberFiles(
    work,
    id,
    told.map(([path]) => path),
  );
}

/** What was put back in a session that is in the middle of a turn is no change of anybody's since the last look. Never throws. */
export const rememberFiles = (work: Work, id: SessionId, files: readonly RepoPath[]): void =>
  quietly(id, () => {
    const { commonDir, worktreeRoot } = work.repo;
    const turn = readTurn(work, id);
    if (turn) rememberFingerprints(commonDir, id, turn.baseline, worktreeRoot, files);
  });

/**
 * The transcript of a session was cut, or put back: what comes from now on is what its running turn says, and where that is there again,
 * from its prompt on. Never throws.
 */
export const followTranscript = (work: Work, id: SessionId): void =>
  quietly(id, () => {
    const { commonDir } = work.repo;
    const turn = readTurn(work, id);
    if (!turn) return;
    const { state, baseline } = turn;
    const begin = readTurnBegin(storeOf(work.repo, id));
    const isKnown = begin?.turnId === baseline.turnId && begin.transcript.path !== '';
    const first = isKnown ? begin.transcript.items : baseline.items;
    const items = Math.min(first, countItems(readLive(commonDir, state)));
    if (items !== baseline.items) writeBaseline(commonDir, id, { ...baseline, items });
  });

/** A session in a turn, and what the worktree was when that began; `undefined` where none is known. */
function readTurn(
  { repo, sessions }: Work,
  id: SessionId,
): { readonly state: SessionState; readonly baseline: TurnBaseline } | undefined {
  const state = readStateIfReadable(sessions, id);
  const baseline = state && readBaseline(repo.commonDir, id, state.turnId);
  return baseline && { state, baseline };
}

function quietly(id: SessionId, body: () => void): void {
  try {
    body();
  } catch (error) {
    log('warn', 'turn baseline not updated', { session_id: id, error: describeError(error) });
  }
}

/** What the worktree had when a turn began, also of paths of which only git knows what they were, or that they were not there. */
function readBegun(
  { git }: Work,
  store: string,
  begin: TurnBegin,
  paths: readonly RepoPath[],
): (path: RepoPath) => FileState | undefined {
  const atPrompt = readAtPrompt(git, begin, paths, () => true);
  const known = paths.flatMap((path) => {
    const state = atPrompt(path);
    return state ? [[path, state] as const] : [];
  });
  const resolve = resolveGitStates(store, git, known);
  const states = new Map(known.map(([path, state]) => [path, resolve(path, state)]));
  return (path) => {
    const state = states.get(path);
    return typeof state === 'string' ? undefined : state; // git does not have it any more
  };
}
