import type { CheckpointId, ObjectId } from '../base/ids.ts';
import type { Commit } from '../git/commit/commits.ts';
import { findLiving } from '../git/commit/living.ts';
import {
  type Change,
  type Identity,
  readObjects,
  readTree,
  retryWhenMoved,
  writeCommit,
} from '../git/object/objects.ts';
import { readRef, readRevisions } from '../git/ref/refs.ts';
import type { Git } from '../git/run.ts';
import { type CommitEvidence, EVIDENCE_FILE, parseEvidence, renewVersions } from './evidence.ts';
import { checkpointDir } from './metadata-json.ts';
import { METADATA_REF } from './shadow-branch.ts';

/** A commit that was amended. */
export interface AmendedCommit {
  readonly id: CheckpointId;
  /** As it was. */
  readonly amended: ObjectId;
  readonly commit: Pick<Commit, 'oid' | 'parents'>;
  /** What it holds now; `undefined` where that cannot be read. */
  readonly now: CommitEvidence | undefined;
  readonly author: Identity;
}

/**
 * Stores what an amended commit holds now, in each session's slot, in place of what it held: that stays only while a ref leads to a commit
 * that has it. Nothing is written where nothing is stored of the commit, or the checkpoint is that of another one.
 *
 * @throws {EntireError} `REF_MOVED`, `GIT_FAILED`
 */
export function renewEvidence(git: Git, { id, amended, commit, now, author }: AmendedCommit): void {
  retryWhenMoved(() => {
    const tip = readRef(git, METADATA_REF);
    const stored = tip ? readStored(git, tip, id) : new Map<string, string>();
    const commits = [...stored.values()].flatMap((text) => parseEvidence(text).map(({ commit }) => commit));
    if (!tip || commits.length === 0) return;
    const living = findLiving(git, [...new Set(commits)]);
    const tree = readRevisions(git, [`${amended}^{tree}`]).get(`${amended}^{tree}`);
    const parents = commit.parents.join();
    // Another message is no other content, and no version of its own.
    const isVersion = (version: CommitEvidence): boolean =>
      version.commit === amended || (version.tree === tree && version.parents.join() === parents);
    const changes = [...stored].flatMap(([path, text]): Change[] => {
      const data = renewVersions(text, now, { isVersion, isKept: (version) => living.has(version.commit) });
      return data === undefined || data === text ? [] : [{ path, mode: '100644', data }];
    });
    if (changes.length === 0) return;
    const message = `Update evidence for checkpoint ${id}\n`;
    writeCommit(git, { ref: METADATA_REF, parent: tip, changes, message, author });
  });
}

/** By path. */
function readStored(git: Git, tip: ObjectId, id: CheckpointId): Map<string, string> {
  const files = readTree(git, tip, [`${checkpointDir(id)}/`], true) ?? new Map();
  const oids = [...files].flatMap(([path, { oid }]) =>
    path.endsWith(`/${EVIDENCE_FILE}`) ? [[path, oid] as const] : [],
  );
  const objects = readObjects(
    git,
    oids.map(([, oid]) => oid),
  );
  return new Map(
    oids.flatMap(([path, oid]) => {
      const data = objects.get(oid)?.data;
      return data ? [[path, data.toString('utf8')] as const] : [];
    }),
  );
}
