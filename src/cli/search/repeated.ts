import { type CheckpointId, parseCheckpointId } from '../../base/ids.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../../checkpoint/read/checkpoint.ts';
import type { Branch } from '../../history/branch.ts';
import type { FoundTurn } from './turns.ts';

/**
 * Each turn once. The checkpoint of what a commit left behind has the turns of earlier ones, too: a turn belongs to the first that has a
 * file of it, else it waits for a commit, or belongs to the first of all.
 */
export async function withoutRepeated(branch: Branch, turns: readonly FoundTurn[]): Promise<FoundTurn[]> {
  const same = new Map<string, FoundTurn[]>();
  for (const turn of turns) {
    const key = turn.repeated?.key;
    if (key !== undefined) same.set(key, [...(same.get(key) ?? []), turn]);
  }
  const repeated = [...same.values()];
  if (repeated.length === 0) return [...turns];
  const ids = new Set(repeated.flat().flatMap(({ checkpoint }) => parseCheckpointId(checkpoint) ?? []));
  const stored = await readCheckpoints(branch.store, [...ids]);
  const dropped = new Set(
    repeated.flatMap(splitUndated(stored)).flatMap((all) => {
      const kept = chooseOne(all, stored);
      return all.filter((one) => one.checkpoint !== kept.checkpoint);
    }),
  );
  return turns.filter((turn) => !dropped.has(turn));
}

type Stored = ReadonlyMap<CheckpointId, StoredCheckpoint>;

/** Turns that nothing dates are known by their number, which counts from where their checkpoint begins. */
const splitUndated =
  (stored: Stored) =>
  (all: readonly FoundTurn[]): FoundTurn[][] => {
    if (!all[0]?.repeated?.isUndated) return [[...all]];
    const starts = new Map<number | undefined, FoundTurn[]>();
    for (const turn of all) {
      const start = slotsOf(turn, stored)[0]?.metadata.checkpointTranscriptStart;
      starts.set(start, [...(starts.get(start) ?? []), turn]);
    }
    return [...starts.values()];
  };

const slotsOf = ({ checkpoint, session }: FoundTurn, stored: Stored): StoredSlot[] =>
  (stored.get(checkpoint as CheckpointId)?.slots ?? []).filter(
    ({ metadata }) => metadata.sessionId === session,
  );

function chooseOne(all: readonly FoundTurn[], stored: Stored): Pick<FoundTurn, 'checkpoint'> {
  const slots = all
    .flatMap((turn) => slotsOf(turn, stored))
    .sort((a, b) => Date.parse(a.metadata.createdAt) - Date.parse(b.metadata.createdAt));
  const files = new Set(all.flatMap((one) => one.repeated?.files ?? []));
  const holding = slots.find(({ metadata }) => metadata.filesTouched.some((file) => files.has(file)));
  return holding ?? all.find(({ checkpoint }) => checkpoint === '') ?? slots[0] ?? (all[0] as FoundTurn);
}
