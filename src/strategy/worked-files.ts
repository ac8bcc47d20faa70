import { resolve } from 'node:path';
import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { listReads } from '../session/record/reads.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { readFilesTouched } from '../session/tracking-file.ts';
import { listRecordIds, readRecord } from '../snapshot/record/record.ts';
import { sessionStore } from '../snapshot/store/blobs.ts';
import { readOpenEdits } from '../snapshot/turn/ledger.ts';
import { findShellEdits } from './turn/shell.ts';
import type { Work } from './work.ts';

/** Files that a session worked with, in the order of the first time; a file may be in both lists. */
export interface WorkedFiles {
  readonly read: readonly string[];
  readonly modified: readonly string[];
  /** The same files in the order of the last time: what is in hand now comes last. */
  readonly latest: { readonly read: readonly string[]; readonly modified: readonly string[] };
}

/**
 * What a session read, and what it changed: in its turns, as far as they are kept for undo, and since. Also what its shell made of
 * the worktree in a turn that is running, which costs one `git status`.
 */
export function readWorkedFiles(work: Work, id: SessionId): WorkedFiles {
  const { commonDir, worktreeId } = work.repo;
  const store = sessionStore(commonDir, id, worktreeId);
  const kept = [
    ...listRecordIds(store).flatMap((record) => pathsOf(store, record)),
    ...readOpenEdits(store).map(({ path }) => path),
  ];
  const state = readStateIfReadable(work.sessions, id);
  const isVisitor = state !== undefined && state.worktreeId !== worktreeId;
  const pending = isVisitor
    ? readFilesTouched(work.sessions, id, worktreeId)
    : [...(state?.filesTouched ?? []), ...readFilesTouched(work.sessions, id)];
  const known = new Set(kept);
  const modified = [
    ...kept,
    ...pending.filter((path) => !known.has(path)), // nobody knows for how long the others have been
    ...findShellEditsIfPossible(work, id),
  ];
  const home = isVisitor ? state.worktreePath : undefined; // its names are those of another worktree
  const read = listReads(commonDir, id).map((path) => (home ? resolve(home, path) : path));
  return {
    read: byFirstUse(read),
    modified: byFirstUse(modified),
    latest: { read: byLastUse(read), modified: byLastUse(modified) },
  };
}

const byFirstUse = (paths: readonly string[]): string[] => [...new Set(paths)];

/** Each path once, where it stands the last time. */
export const byLastUse = (paths: readonly string[]): string[] => [...new Set(paths.toReversed())].reverse();

/** A list without what a shell wrote this moment is better than none. */
function findShellEditsIfPossible(work: Work, id: SessionId): readonly string[] {
  try {
    return findShellEdits(work, id);
  } catch (error) {
    log('warn', 'changes of a shell not looked for', { session_id: id, error: describeError(error) });
    return [];
  }
}

/** Paths that a turn changed. A record that cannot be read says nothing; `entire verify` names it. */
function pathsOf(store: string, id: string): string[] {
  try {
    const { kind, files } = readRecord(store, id);
    return kind === 'turn' ? [...files.keys()] : [];
  } catch {
    log('warn', 'a record of a turn cannot be read', { record: id });
    return [];
  }
}
