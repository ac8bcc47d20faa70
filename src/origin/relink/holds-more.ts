import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { digestsIn } from '../../checkpoint/evidence.ts';
import type { Claim } from './claim.ts';

/**
 * Tells of commits that checkpoints were made for whether work of another one may be in them, too: they hold a line that others have, or
 * files that are not their sessions'. By what is stored alone, so that most of them need not be read.
 */
export function openHoldsMore(
  claims: ReadonlyMap<CheckpointId, Claim>,
): (commit: ObjectId, own: readonly CheckpointId[]) => boolean {
  const readOwners = once(() => {
    const owners = new Map<string, CheckpointId | undefined>();
    for (const [id, { versions }] of claims)
      for (const digest of versions.flatMap(linesIn))
        owners.set(digest, owners.has(digest) && owners.get(digest) !== id ? undefined : id);
    return owners;
  });
  return (commit, own) => {
    const owners = readOwners();
    const versions = own
      .flatMap((id) => claims.get(id)?.versions ?? [])
      .filter((version) => version.commit === commit);
    return versions.some(
      (version) => version.isPartial || linesIn(version).some((digest) => !isOnly(owners.get(digest), own)),
    );
  };
}

const isOnly = (owner: CheckpointId | undefined, own: readonly CheckpointId[]): boolean =>
  owner !== undefined && own.includes(owner);

const linesIn = ({ files }: Claim['versions'][number]): string[] => files.flatMap(digestsIn);
