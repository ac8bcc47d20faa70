import { lstatInWorktree } from '../../base/file/disk.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { listRecordIds, readRecordIfSound, recordMs } from '../record/record.ts';
import type { PathChange } from '../record/snapshot-record.ts';
import { storesBeside } from '../store/blobs.ts';
import { type FileState, MISSING } from '../store/file-state.ts';
import { readAtPrompt } from '../turn/at-prompt.ts';
import { readOpenEdits } from '../turn/ledger.ts';
import type { TurnBegin } from '../turn/turn-begin.ts';
import { knownVersions } from './known-versions.ts';
import { resolveGitStates } from './resolve.ts';

/**
 * Of paths that are not known to be the turn's own, files that are gone, and whose content stands among what a shell of the turn made:
 * it moved them. Without this, taking the turn back would take the only copy away.
 */
export function findMoved(
  store: string,
  { git, unsure }: { readonly git: Git; readonly unsure: readonly RepoPath[] },
  begin: TurnBegin | undefined,
  files: ReadonlyMap<RepoPath, PathChange>,
): Map<RepoPath, FileState> {
  const isNew = ({ before, source }: PathChange) => before?.kind === 'missing' && source !== 'tool';
  const isEmpty = (state: FileState) => state.kind === 'file' && state.size === 0; // looks like any other
  const made = [...files.values()].flatMap((change) =>
    isNew(change) && !isEmpty(change.after) ? change.after : [],
  );
  const moved = new Map<RepoPath, FileState>();
  if (made.length === 0) return moved;
  const absent = unsure.filter((path) => !files.has(path) && !lstatInWorktree(git.cwd, path));
  if (absent.length === 0) return moved; // most turns: no other store is looked into
  const others = storesBeside(store);
  const removed = readRemoved(others, Date.parse(begin?.at ?? ''));
  const gone = absent.filter((path) => !removed.has(path));
  if (gone.length === 0) return moved;
  const atPrompt = readAtPrompt(git, begin, gone, () => true);
  const states = new Map(gone.map((path) => [path, atPrompt(path) ?? MISSING] as const));
  const resolve = resolveGitStates(store, git, states);
  for (const [path, state] of states) {
    const was = resolve(path, state);
    // Another session may have written it since, and seen what it was then.
    const known = knownVersions([store, ...others], path);
    if (typeof was !== 'string' && was.kind === 'file') known.add(was.sha256);
    const now = made.find((after) => after.kind === 'file' && known.has(after.sha256));
    if (now) moved.set(path, now);
  }
  return moved;
}

/** Paths of which the last that sessions did since then, as far as they told, is that one of them took them away. */
function readRemoved(stores: readonly string[], sinceMs: number): Set<RepoPath> {
  const last = new Map<RepoPath, { readonly atMs: number; readonly isGone: boolean }>();
  const note = (path: RepoPath, atMs: number, { kind }: FileState): void => {
    if (atMs >= sinceMs && atMs >= (last.get(path)?.atMs ?? 0))
      last.set(path, { atMs, isGone: kind === 'missing' });
  };
  for (const store of stores) {
    for (const id of listRecordIds(store))
      for (const [path, { after }] of recordMs(id) >= sinceMs
        ? (readRecordIfSound(store, id)?.files ?? [])
        : [])
        note(path, recordMs(id), after);
    for (const { path, at, after } of readOpenEdits(store)) note(path, Date.parse(at), after);
  }
  return new Set([...last].flatMap(([path, { isGone }]) => (isGone ? path : [])));
}
