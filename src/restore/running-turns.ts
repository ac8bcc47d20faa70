import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { withSessionLock } from '../session/lock.ts';
import { readBaseline, rememberFingerprints } from '../session/record/turn-snapshot.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import type { PathChange } from '../snapshot/record/record.ts';
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
  const { commonDir, worktreeRoot: root } = work.repo;
  const begin = readTurnBegin(store);
  if (begin?.turnId !== turnId) return;
  const own = ownPaths(store);
  const told = [...states].filter(([path]) => !own.has(path));
  rememberStates(store, begin.last, told);
  const state = readStateIfReadable(work.sessions, id);
  const baseline = state && readBaseline(commonDir, id, state.turnId);
  if (baseline)
    rememberFingerprints(
      commonDir,
      id,
      baseline,
      root,
      told.map(([path]) => path),
    );
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
