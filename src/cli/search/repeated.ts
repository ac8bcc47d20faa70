import { type CheckpointId, parseCheckpointId } from '../../base/ids.ts';
import { readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import type { Branch } from '../../history/branch.ts';
import type { FoundTurn } from './turns.ts';

/**
 * Each turn once. The checkpoint of what a commit left behind has the turns of earlier ones, too: a turn belongs to the first that has a
 * file of it, else it waits for a commit, or belongs to the first of all.
 */
export async function withoutRepeated(branch: Branch, turns: readonly FoundTurn[]): Promise<FoundTurn[]> {
  const same = new Map<string, FoundTurn[]>();
  for (const turn of turns) {
    const key = turn.began > 0 ? JSON.stringify([turn.session, turn.began, turn.prompt]) : '';
    same.set(key, [...(same.get(key) ?? []), turn]);
  }
  same.delete('');
  const repeated = [...same.values()].filter((all) => new Set(all.map((one) => one.checkpoint)).size > 1);
  if (repeated.length === 0) return [...turns];
  const ids = new Set(repeated.flat().flatMap(({ checkpoint }) => parseCheckpointId(checkpoint) ?? []));
  const stored = await readCheckpoints(branch.store, [...ids]);
  const dropped = new Set(
    repeated.flatMap((all) => {
      const kept = chooseOne(all, stored);
      return all.filter((one) => one.checkpoint !== kept.checkpoint);
    }),
  );
  return turns.filter((turn) => !dropped.has(turn));
}

function chooseOne(
  all: readonly FoundTurn[],
  stored: ReadonlyMap<CheckpointId, StoredCheckpoint>,
): Pick<FoundTurn, 'checkpoint'> {
  const slots = all
    .flatMap(
      ({ checkpoint, session }) =>
        stored.get(checkpoint as CheckpointId)?.slots.filter((slot) => slot.metadata.sessionId === session) ??
        [],
    )
    .sort((a, b) => Date.parse(a.metadata.createdAt) - Date.parse(b.metadata.createdAt));
  const files = new Set(all.flatMap((one) => one.files));
  const holding = slots.find(({ metadata }) => metadata.filesTouched.some((file) => files.has(file)));
  return holding ?? all.find(({ checkpoint }) => checkpoint === '') ?? slots[0] ?? (all[0] as FoundTurn);
}
