import type { RepoPath } from '../../base/repo-path.ts';
import type { PathChange } from '../../git/commits.ts';
import type { TreeEntry } from '../../git/objects.ts';
import type { SessionState } from '../../session/state.ts';
import { sessionStore } from '../../snapshot/blobs.ts';
import { readBlob } from '../../snapshot/chunks.ts';
import { readHistory } from '../../snapshot/history.ts';
import { listRecordIds, partsOf, readRecordIfSound } from '../../snapshot/record.ts';
import { readTakenBack } from '../../snapshot/taken-back.ts';
import { type DiffBudget, shareChanges } from '../attribution/line-diff.ts';
import { isBinary } from '../attribution/texts.ts';
import type { Work } from '../work.ts';
import { isPartOrExtension } from './overlap.ts';

/** Larger contents are not looked at. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Paths of a commit that hold what an earlier turn of a session left, after later turns were taken back: the last step has something else
 * there. Costs nothing where none was.
 *
 * @param changes those of the commit that hold nothing of the last step
 */
export function findOlderWork(
  { repo }: Work,
  { sessionId }: Pick<SessionState, 'sessionId'>,
  changes: ReadonlyMap<RepoPath, PathChange>,
  readText: (entry: TreeEntry) => string | undefined,
  budget: DiffBudget,
): RepoPath[] {
  const store = sessionStore(repo.commonDir, sessionId, repo.worktreeId);
  const back = readTakenBack(store, new Set(changes.keys()));
  if (back.length === 0) return [];
  const { standing } = readHistory(listRecordIds(store).flatMap((id) => readRecordIfSound(store, id) ?? []));
  return back.filter((path) => {
    const { before, after } = changes.get(path) as PathChange;
    const committed = after && readText(after);
    const old = before ? readText(before) : '';
    if (committed === undefined || old === undefined) return false;
    return standing.some(({ record, paths }) => {
      const change = record.kind === 'turn' && paths.has(path) ? record.files.get(path) : undefined;
      const left = change && partsOf(change).at(-1)?.after;
      const agent = left?.kind === 'file' ? readKept(store, left) : undefined;
      if (agent === undefined) return false;
      return before ? shareChanges(old, agent, committed, budget) : isPartOrExtension(agent, committed);
    });
  });
}

/** @returns `undefined` for what is no text, large, or gone */
function readKept(store: string, { sha256, size }: { sha256: string; size: number }): string | undefined {
  if (size > MAX_BYTES) return undefined;
  try {
    const bytes = readBlob(store, sha256);
    return isBinary(bytes) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined; // as after gc
  }
}
