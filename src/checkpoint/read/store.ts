import { type CheckpointId, type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import { readRefs } from '../../git/ref/refs.ts';
import type { Git } from '../../git/run.ts';
import { listTombstones, type Tombstone } from '../../session/tombstones.ts';
import { METADATA_REF, REMOTE_METADATA_REF } from '../shadow-branch.ts';
import { lookInto, readShards } from './folders.ts';

/**
 * Where checkpoints are read. Every question costs a git process or two, however many checkpoints it is about; none
 * reaches for the network, and none fails because of what is stored.
 */
export interface CheckpointStore {
  readonly git: Git;
  /** Tips of the local metadata branch and of what `origin` had when it was last fetched; the first one wins. */
  readonly tips: readonly ObjectId[];
  /** A tip that is a remote's: what was forgotten here is not read there. */
  readonly remoteTip: ObjectId | undefined;
  readonly forgotten: readonly Tombstone[];
}

/** Opens the repository's checkpoints; there may be none. One process. */
export function openCheckpoints(git: Git, commonDir: string): CheckpointStore {
  return checkpointsAt(git, commonDir, readRefs(git, [METADATA_REF, REMOTE_METADATA_REF]));
}

/** {@link openCheckpoints} for who has asked for the refs already. */
export function checkpointsAt(
  git: Git,
  commonDir: string,
  refs: ReadonlyMap<string, ObjectId>,
): CheckpointStore {
  const [local, remote] = [refs.get(METADATA_REF), refs.get(REMOTE_METADATA_REF)];
  const tips = [...new Set([local, remote].flatMap((tip) => tip ?? []))];
  const remoteTip = remote === local ? undefined : remote;
  // In a partial clone git would fetch what is missing.
  const offline = { ...git, env: { ...git.env, GIT_NO_LAZY_FETCH: '1' } };
  return { git: offline, tips, remoteTip, forgotten: remoteTip ? listTombstones(commonDir) : [] };
}

/** Ids of the checkpoints that begin with `prefix`, sorted. One process; reads names alone, not the checkpoints. */
export async function listCheckpointIds(store: CheckpointStore, prefix = ''): Promise<CheckpointId[]> {
  if (store.tips.length === 0 || !/^[0-9a-f]{0,12}$/.test(prefix)) return [];
  const isWanted = (name: string): boolean =>
    /^[0-9a-f]{2}$/.test(name) && name.startsWith(prefix.slice(0, 2));
  const ids = await lookInto(store.git, async (look) => {
    const found: CheckpointId[] = [];
    for (const tip of store.tips) {
      for (const [shard, folder] of (await readShards(look, tip, isWanted)) ?? []) {
        const folders = [...(folder?.values() ?? [])].filter(({ mode }) => mode === '40000');
        found.push(...folders.flatMap(({ name }) => parseCheckpointId(shard + name) ?? []));
      }
    }
    return found;
  });
  return sortedUnique(ids.filter((id) => id.startsWith(prefix)));
}
