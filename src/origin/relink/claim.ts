import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { type CommitEvidence, EVIDENCE_FILE, evidenceOf, parseEvidence } from '../../checkpoint/evidence.ts';
import { readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { type CheckpointStore, listCheckpointIds } from '../../checkpoint/read/store.ts';
import { readPatches } from '../../git/commit/patch.ts';
import { CHECKPOINT_TRAILER } from '../../git/commit/trailers.ts';
import { readLog } from '../../git/log.ts';
import { ALL_BUT_OURS } from '../../git/ref/people.ts';

/** A checkpoint, and the commits that it was made for: what may be claimed of others. */
export interface Claim {
  readonly checkpoint: StoredCheckpoint;
  /** The oldest first: a commit that was amended has several. Empty where nothing is known of any. */
  readonly versions: readonly CommitEvidence[];
}

/** What some checkpoints hold of commits, as far as it is stored with them. A few processes. */
export async function readClaims(
  store: CheckpointStore,
  ids: readonly CheckpointId[],
): Promise<Map<CheckpointId, Claim>> {
  const stored = await readCheckpoints(store, ids, [EVIDENCE_FILE]);
  return new Map([...stored].map(([id, checkpoint]) => [id, toClaim(checkpoint)]));
}

/**
 * What all checkpoints hold of commits. Those of releases that kept no evidence are asked for in the commits that name them, wherever there
 * still are any: that looks at every commit.
 *
 * @param cutOff commits whose parents are not here, so that nobody can say what they changed
 */
export async function readAllClaims(
  store: CheckpointStore,
  cutOff: ReadonlySet<string>,
): Promise<Map<CheckpointId, Claim>> {
  const claims = await readClaims(store, await listCheckpointIds(store));
  const older = [...claims.values()].filter(({ versions }) => versions.length === 0);
  for (const [id, versions] of readOlder(store, older, cutOff)) {
    const { checkpoint } = claims.get(id) as Claim;
    claims.set(id, { checkpoint, versions });
  }
  return claims;
}

/** Each session of a checkpoint holds what its commit has of its own files. */
function toClaim(checkpoint: StoredCheckpoint): Claim {
  const versions = new Map<ObjectId, CommitEvidence>();
  for (const { texts } of checkpoint.slots)
    for (const version of parseEvidence(texts.get(EVIDENCE_FILE))) {
      const known = versions.get(version.commit);
      versions.set(version.commit, known ? withFilesOf(known, version) : version);
    }
  return { checkpoint, versions: [...versions.values()] };
}

/** The same commit, with what another session has of it. */
function withFilesOf(known: CommitEvidence, { files, isPartial }: CommitEvidence): CommitEvidence {
  const byPath = new Map([...known.files, ...files].map((file) => [file.path, file]));
  return { ...known, files: [...byPath.values()], isPartial: known.isPartial && isPartial };
}

/** Also in reflogs: who made a commit anew left the old one there. */
function readOlder(
  store: CheckpointStore,
  claims: readonly Claim[],
  cutOff: ReadonlySet<string>,
): Map<CheckpointId, CommitEvidence[]> {
  const found = new Map<CheckpointId, CommitEvidence[]>();
  if (claims.length === 0) return found;
  const wanted = new Set(claims.map(({ checkpoint }) => checkpoint.id));
  const range = ['--ignore-missing', '--no-merges', ...ALL_BUT_OURS, '--reflog'];
  const rows = readLog(store.git, { range, containing: `${CHECKPOINT_TRAILER}: ` }) ?? [];
  // A commit that names several was made of theirs.
  const ids = new Map(
    rows.flatMap(({ oid, links: { own, all } }) =>
      own && all.length === 1 && wanted.has(own) && !cutOff.has(oid) ? [[oid, own] as const] : [],
    ),
  );
  const own = rows.filter(({ oid }) => ids.has(oid));
  const asked = own.map(({ oid, parents }) => ({ commit: oid, parent: parents[0] }));
  for (const patch of readPatches(store.git, asked.reverse())) {
    const id = ids.get(patch.commit) as CheckpointId;
    found.set(id, [...(found.get(id) ?? []), evidenceOf(patch)]);
  }
  return found;
}
