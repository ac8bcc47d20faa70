import { describeError } from '../../base/errors.ts';
import { type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { checkpointDir } from '../../checkpoint/metadata-branch.ts';
import { METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { readObjects, retryWhenMoved, writeCommit } from '../../git/object/objects.ts';
import type { Work } from '../../strategy/work.ts';
import { findLostCheckpoints, readStored } from './leftovers-checkpoints.ts';

const AUTHOR = { name: 'Entire CLI', email: 'cli@entire.io' } as const;

/** What became of checkpoints that nobody needs. */
export interface Removal {
  /** Where the branch stood: the commit that still has them. */
  readonly before: ObjectId | undefined;
  readonly removed: ReadonlySet<string>;
  readonly error: string | undefined;
}

/**
 * Takes checkpoints from the metadata branch, with one commit; those that a commit names by now stay. The branch itself is
 * never deleted. Never throws.
 */
export async function deleteCheckpoints(work: Work, wanted: readonly string[]): Promise<Removal> {
  const stored = await readStored(work);
  const { items } = await findLostCheckpoints(work, stored);
  const ids = items.flatMap(({ id }) => (wanted.includes(id) ? (parseCheckpointId(id) ?? []) : []));
  const nothing = { before: undefined, removed: new Set<string>(), error: undefined };
  if (ids.length === 0) return nothing;
  try {
    const before = retryWhenMoved(() => {
      const parent = readObjects(work.git, [METADATA_REF]).get(METADATA_REF);
      if (!parent) return undefined;
      writeCommit(work.git, {
        ref: METADATA_REF,
        parent: parent.oid,
        changes: ids.map((id) => ({ path: checkpointDir(id), removed: true })),
        message: `Cleanup: removed ${ids.length} orphaned checkpoints\n`,
        author: AUTHOR,
        dates: datesOf(parent.data.toString('latin1')),
      });
      return parent.oid;
    });
    return { before, removed: new Set<string>(before ? ids : []), error: undefined };
  } catch (error) {
    return { ...nothing, error: describeError(error) };
  }
}

/** When a commit was written and committed, as it says itself; the beginning of time where it does not. */
export function datesOf(commit: string): { author: string; committer: string } {
  const date = (who: string): string =>
    new RegExp(`^${who} .*> (\\d+ [+-]\\d{4})$`, 'm').exec(commit)?.[1] ?? '0 +0000';
  return { author: date('author'), committer: date('committer') };
}
