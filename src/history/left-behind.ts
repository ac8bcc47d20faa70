import type { ObjectId } from '../base/ids.ts';
import { readCheckpoints, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { splitPrompts } from '../checkpoint/read/texts.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { readLog } from '../git/log.ts';
import type { Git } from '../git/run.ts';

/** A slot, with the prompts that are stored with it: as a rule all of its session up to there. */
export type PromptedSlot = readonly [slot: StoredSlot, prompts: readonly string[]];

/** An earlier checkpoint of a session. */
export interface EarlierPart {
  readonly files: readonly string[];
  /** How many turns of the session had begun. */
  readonly turns: number;
}

/**
 * What tells the turns of a checkpoint that has what a commit left behind. By its format it begins where its session does, though earlier
 * checkpoints have some of that.
 */
export interface LeftBehind {
  /** Of the whole session up to there. */
  readonly prompts: readonly string[];
  readonly earlier: readonly EarlierPart[];
}

/** Begins where its session does, and has several turns: perhaps not all of them are its own. */
const mayBeLeftBehind = ([{ metadata }, prompts]: PromptedSlot): boolean =>
  metadata.strategy !== 'auto-commit' && metadata.checkpointTranscriptStart === 0 && prompts.length > 1;

/**
 * Those of some slots that have what a commit left behind, as far as the checkpoint of that commit is known.
 *
 * @param others where earlier checkpoints may be, besides
 */
export function findLeftBehind(
  slots: readonly PromptedSlot[],
  others: readonly PromptedSlot[] = [],
): Map<StoredSlot, LeftBehind> {
  const known = new Map<string, PromptedSlot[]>();
  for (const one of [...slots, ...others]) {
    const { sessionId } = one[0].metadata;
    known.set(sessionId, [...(known.get(sessionId) ?? []), one]);
  }
  const madeAt = ({ metadata }: StoredSlot): number => Date.parse(metadata.createdAt);
  return new Map(
    slots.filter(mayBeLeftBehind).flatMap(([slot, prompts]): [StoredSlot, LeftBehind][] => {
      const earlier = (known.get(slot.metadata.sessionId) ?? []).filter(
        ([one, before]) =>
          one.checkpoint !== slot.checkpoint &&
          madeAt(one) < madeAt(slot) &&
          before.length > 0 &&
          before.every((prompt, at) => prompt === prompts[at]),
      );
      const parts = earlier.map(([one, before]) => ({
        files: one.metadata.filesTouched,
        turns: before.length,
      }));
      return parts.length > 0 ? [[slot, { prompts, earlier: parts }]] : [];
    }),
  );
}

/** So many linked commits before one are looked at. */
const MAX_BEFORE = 50;

/** What commits up to one have of the sessions of some slots. Nothing is read where the slots tell for themselves what is theirs. */
export async function readBefore(
  git: Git,
  store: CheckpointStore,
  commit: ObjectId,
  slots: readonly PromptedSlot[],
): Promise<PromptedSlot[]> {
  const sessions = new Set(slots.filter(mayBeLeftBehind).map(([{ metadata }]) => metadata.sessionId));
  if (sessions.size === 0) return [];
  const rows = readLog(git, { range: [commit], limit: MAX_BEFORE, containing: `${CHECKPOINT_TRAILER}:` });
  const ids = new Set((rows ?? []).flatMap(({ links }) => linkedIds(links)));
  const stored = await readCheckpoints(store, [...ids], ['prompt.txt']);
  return [...stored.values()]
    .flatMap((checkpoint) => checkpoint.slots)
    .filter(({ metadata }) => sessions.has(metadata.sessionId))
    .map((slot) => [slot, splitPrompts(slot.texts.get('prompt.txt') ?? '')]);
}
