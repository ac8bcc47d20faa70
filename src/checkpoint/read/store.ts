import { type CheckpointId, type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import { readRefs } from '../../git/refs.ts';
import type { Git } from '../../git/run.ts';
import { parseTreeObject } from '../../git/tree-object.ts';
import { METADATA_REF, REMOTE_METADATA_REF } from '../shadow-branch.ts';
import { readBlobs } from './blobs.ts';

/**
 * Where checkpoints are read. Every question costs one or two git processes, however many checkpoints it is about; none
 * reaches for the network, and none fails because of what is stored.
 */
export interface CheckpointStore {
  readonly git: Git;
  /** Tips of the local metadata branch and of what `origin` had when it was last fetched; the first one wins. */
  readonly tips: readonly ObjectId[];
}

/** Opens the repository's checkpoints; there may be none. One process. */
export function openCheckpoints(git: Git): CheckpointStore {
  return checkpointsAt(git, readRefs(git, [METADATA_REF, REMOTE_METADATA_REF]));
}

/** {@link openCheckpoints} for who has asked for the refs already. */
export function checkpointsAt(git: Git, refs: ReadonlyMap<string, ObjectId>): CheckpointStore {
  const tips = [refs.get(METADATA_REF), refs.get(REMOTE_METADATA_REF)].flatMap((tip) => tip ?? []);
  // In a partial clone git would fetch what is missing.
  return { git: { ...git, env: { ...git.env, GIT_NO_LAZY_FETCH: '1' } }, tips: [...new Set(tips)] };
}

/** Ids of the checkpoints that begin with `prefix`, sorted. Two processes; reads names alone, not the checkpoints. */
export function listCheckpointIds(store: CheckpointStore, prefix = ''): CheckpointId[] {
  if (store.tips.length === 0 || !/^[0-9a-f]{0,12}$/.test(prefix)) return [];
  const oidLength = (store.tips[0] as ObjectId).length;
  const folders = (trees: Iterable<{ data: Buffer }>, name: RegExp) =>
    [...trees].flatMap(({ data }) =>
      parseTreeObject(data, oidLength).filter((entry) => entry.mode === '40000' && name.test(entry.name)),
    );
  const roots = readBlobs(
    store.git,
    store.tips.map((tip) => `${tip}^{tree}`),
  ).found;
  const shards = folders(roots.values(), /^[0-9a-f]{2}$/).filter(({ name }) =>
    name.startsWith(prefix.slice(0, 2)),
  );
  const trees = readBlobs(store.git, sortedUnique(shards.map(({ oid }) => oid))).found;
  const ids = shards.flatMap(({ name, oid }) => {
    const tree = trees.get(oid);
    return tree
      ? folders([tree], /^[0-9a-f]{10}$/).flatMap((entry) => parseCheckpointId(name + entry.name) ?? [])
      : [];
  });
  return sortedUnique(ids.filter((id) => id.startsWith(prefix)));
}
