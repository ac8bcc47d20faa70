import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { isTelling } from '../base/text/lines.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import type { Commit, PathChange } from '../git/commit/commits.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import type { Git } from '../git/run.ts';
import { blobTextReader } from '../strategy/commit/blob-text.ts';
import { formerNames } from './former-names.ts';
import type { WhyReason } from './reason.ts';
import { findStrangers, writersAmong } from './strangers.ts';

/** The hook saw that no session had work in a commit that waited; what it was made of, it did not see. */
export const isUnexplained = (reason: WhyReason): boolean =>
  reason === 'no-overlap' || reason === 'no-session';

/**
 * Of each commit the checkpoints that no other commit in its history is linked to, and whose lines it brings: it was squashed, or
 * made again of them.
 *
 * @param commits newest first
 */
export async function findSources(
  git: Git,
  store: CheckpointStore,
  commits: readonly { readonly commit: Pick<Commit, 'oid' | 'changes'>; readonly committedAt: string }[],
): Promise<Map<ObjectId, CheckpointId[]>> {
  const [newest] = commits;
  if (!newest) return new Map();
  const places = commits.map(({ commit: { oid, changes }, committedAt }) => ({
    ...{ commit: oid, committedAt, checkpoints: [] },
    paths: [...changes.keys()],
  }));
  const strangers = await findStrangers(git, store, newest.commit.oid, places);
  const readText = blobTextReader(git);
  return new Map(
    commits.map(({ commit: { oid, changes } }) => {
      const sources = [...changes].flatMap(([path, change]) => {
        const known = [path, ...formerNames(changes, path)]
          .flatMap((name) => strangers(oid, name))
          .filter(({ isNear }) => !isNear);
        return known.length > 0 ? writersAmong(known, addedLines(change, readText)) : [];
      });
      return [oid, [...new Set(sources)]];
    }),
  );
}

function addedLines(change: PathChange, readText: (entry: TreeEntry) => string | undefined): string[] {
  const [before, after] = [change.before, change.after].map((entry) => (entry && readText(entry)) ?? '');
  const old = new Set(before?.split('\n'));
  return (after ?? '').split('\n').filter((line) => isTelling(line) && !old.has(line));
}
