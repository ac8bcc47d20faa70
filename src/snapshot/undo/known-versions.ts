import { readOwnIfUsable } from '../../base/file/small-file.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { listRecordIds, readRecordIfSound } from '../record/record.ts';
import { partsOf } from '../record/snapshot-record.ts';
import type { FileState } from '../store/file-state.ts';
import { readOpenEdits } from '../turn/ledger.ts';
import { looksFile } from '../turn/note-look.ts';
import { readTurnBegin } from '../turn/turn-begin.ts';

/** Of the records of a session only the newest are looked through. */
const MAX_RECORDS = 20;

/**
 * The SHA-256 of every version of a path that was seen by its bytes, by the sessions of one worktree: when a turn began, behind an
 * edit, when an agent read it. What clients told, and nothing showed to be bytes, is none of them.
 */
export function knownVersions(stores: readonly string[], path: RepoPath): Set<string> {
  const known = new Set<string>();
  const add = (state: FileState | undefined): void => {
    if (state?.kind === 'file') known.add(state.sha256);
  };
  for (const store of stores) {
    const begun = readTurnBegin(store)?.files.get(path);
    add(begun?.state);
    if (begun?.digest !== undefined) known.add(begun.digest);
    for (const edit of readOpenEdits(store)) {
      if (edit.path !== path) continue;
      add(edit.after);
      if (edit.isExact) add(edit.before);
    }
    for (const sha256 of readLooks(store, path)) known.add(sha256);
    for (const id of listRecordIds(store).slice(-MAX_RECORDS)) {
      for (const { before, after, isDoubtful } of recordedParts(store, id, path)) {
        add(after);
        if (!isDoubtful) add(before);
      }
    }
  }
  return known;
}

function recordedParts(store: string, id: string, path: RepoPath): ReturnType<typeof partsOf> {
  const change = readRecordIfSound(store, id)?.files.get(path);
  return change ? partsOf(change) : [];
}

/** Lines that are none are passed over. */
const readLooks = (store: string, path: RepoPath): string[] =>
  (readOwnIfUsable(looksFile(store), 'list') ?? '').split('\n').flatMap((line) => {
    const look = parseJson(line);
    return isObject(look) && look.path === path && typeof look.sha256 === 'string' ? [look.sha256] : [];
  });
