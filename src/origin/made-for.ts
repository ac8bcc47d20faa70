import type { ObjectId } from '../base/ids.ts';
import { EVIDENCE_FILE, parseEvidence } from '../checkpoint/evidence.ts';
import type { StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import { type Links, linkedIds } from '../git/commit/links.ts';
import type { Verdict } from '../session/record/verdicts.ts';

/** A commit that leads to a checkpoint. */
interface Leading {
  readonly commit: ObjectId;
  readonly verdict: Pick<Verdict, 'reason' | 'checkpoint'> | undefined;
  readonly links: Links;
}

/**
 * Whether what a checkpoint counted was counted for this commit, as it is: not for one that was amended, replayed or squashed since. Of
 * checkpoints without evidence the verdict tells, and where there is none, whether it is the only one.
 *
 * @param checkpoint read with its evidence
 */
export function isMadeFor({ id, slots }: StoredCheckpoint, { commit, verdict, links }: Leading): boolean {
  const versions = slots.flatMap(({ texts }) => parseEvidence(texts.get(EVIDENCE_FILE)));
  if (versions.length > 0)
    return versions.every((version) => version.commit === commit && !version.isAmended);
  if (verdict) return verdict.reason === 'linked' && verdict.checkpoint === id;
  return linkedIds(links).length === 1;
}
