import { type CheckpointId, type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { checkpointsAt, listCheckpointIds, openCheckpoints } from '../../checkpoint/read/store.ts';
import { METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { findMentionedCheckpoints } from '../../git/commit/mentions.ts';
import { readRefs } from '../../git/ref/refs.ts';
import type { Work } from '../../strategy/work.ts';
import { readRemoteTips } from '../examine/own-refs.ts';
import type { Kept, Leftover, Leftovers, StoredSessions } from './leftovers.ts';

/** What is stored of checkpoints, here and as remotes had it. */
export interface Stored {
  /** Of the local metadata branch. */
  readonly tip: ObjectId | undefined;
  readonly local: readonly StoredCheckpoint[];
  readonly sessions: StoredSessions;
}

/** Reads all checkpoints, their metadata and no transcript. Three processes, however many there are. */
export async function readStored({ git, repo }: Work): Promise<Stored> {
  const store = openCheckpoints(git, repo.commonDir);
  const tip = readRefs(git, [METADATA_REF]).get(METADATA_REF);
  const all = [...(await readCheckpoints(store, await listCheckpointIds(store))).values()];
  const atTip = tip ? checkpointsAt(git, repo.commonDir, new Map([[METADATA_REF, tip]])) : undefined;
  const here = new Set(atTip && (await listCheckpointIds(atTip)));
  const slots = all.flatMap((checkpoint) => checkpoint.slots);
  return {
    tip,
    local: all.filter(({ id }) => here.has(id)),
    sessions: {
      ids: new Set(slots.map(({ metadata }) => metadata.sessionId)),
      isComplete:
        all.every((checkpoint) => checkpoint.slots.length > 0) &&
        slots.every(({ metadata }) => metadata.sessionId !== ''),
    },
  };
}

/**
 * Checkpoints that auto-commit made, whose commit is gone. One that a remote has stays: a commit that names it may be
 * in another clone, and what is deleted here would be deleted there with the next push. So does one that is not whole.
 */
export async function findLostCheckpoints(work: Work, { local }: Stored): Promise<Leftovers> {
  const candidates = local.filter(isOfAutoCommit);
  if (candidates.length === 0) return { items: [], kept: [] };
  const mentioned = findMentionedCheckpoints(work.git, work.repo);
  const shared = await listShared(work);
  const items: Leftover[] = [];
  const kept: Kept[] = [];
  for (const { id } of candidates) {
    if (!mentioned) kept.push({ kind: 'checkpoint', id, reason: 'history-incomplete' });
    else if (mentioned.has(id)) continue;
    else if (shared.has(id)) kept.push({ kind: 'checkpoint', id, reason: 'shared' });
    else items.push({ kind: 'checkpoint', id });
  }
  return { items, kept };
}

const isOfAutoCommit = ({ slots, problems }: StoredCheckpoint): boolean =>
  problems.length === 0 &&
  slots.length > 0 &&
  slots.every(({ metadata }) => metadata.strategy === 'auto-commit');

/** Checkpoints that remotes had when they were last asked. */
async function listShared({ git, repo }: Work): Promise<Set<CheckpointId>> {
  const store = { ...checkpointsAt(git, repo.commonDir, new Map()), tips: [...new Set(readRemoteTips(git))] };
  return new Set((await listCheckpointIds(store)).flatMap((id) => parseCheckpointId(id) ?? []));
}
