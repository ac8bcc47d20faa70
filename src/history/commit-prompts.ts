import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { findLeftBehind, type PromptedSlot } from './left-behind.ts';
import type { readOwnPrompts } from './own-prompts.ts';

/** What led to a commit, or to a turn. */
export interface Asked {
  /** The first prompt of its own part of the session; empty where none is known. */
  readonly prompt: string;
  /** How many came after it. */
  readonly more: number;
}

/** How many pieces of transcripts are read at most; a piece is a quarter of a MiB. */
export interface PieceBudget {
  pieces: number;
}

/** Whether the prompts that are stored with a slot are its own, and none of an earlier checkpoint's. */
export const hasOnlyOwnPrompts = ({ metadata }: StoredSlot): boolean =>
  metadata.strategy === 'auto-commit' || metadata.checkpointTranscriptStart === 0;

/**
 * The prompts of each slot's own part of its session. Known without a transcript where the slot has no others, or the one before it has all
 * but the last; else the transcript tells, as long as there is budget, and behind that what the one before it has not, or the last prompt.
 * Of what a commit left behind the transcript tells which turns wrote it.
 *
 * @param slots in any order
 * @param before earlier ones, which are not asked about
 */
export async function tellOwnPrompts(
  store: CheckpointStore,
  slots: readonly PromptedSlot[],
  budget: PieceBudget,
  before: readonly PromptedSlot[] = [],
): Promise<Map<StoredSlot, readonly string[]>> {
  const left = findLeftBehind(slots, before);
  // A squash is told by the oldest of its checkpoints first.
  const newestFirst = slots.toSorted(([a], [b]) => madeMs(b) - madeMs(a));
  const told = newestFirst.map(([slot, prompts], at) => {
    if (prompts.length < 2 || hasOnlyOwnPrompts(slot)) return { slot, prompts, isSure: !left.has(slot) };
    const last = newestFirst
      .slice(at + 1)
      .find(
        ([one]) => one.metadata.sessionId === slot.metadata.sessionId && one.checkpoint !== slot.checkpoint,
      )?.[1];
    const isBefore = last?.every((prompt, index) => prompt === prompts[index]);
    const fresh = last && isBefore ? prompts.slice(last.length) : [];
    return { slot, prompts: fresh.length > 0 ? fresh : prompts.slice(-1), isSure: fresh.length === 1 };
  });
  const asked = told.flatMap(({ slot, isSure }) => {
    const cost = slot.files.size;
    if (isSure || cost > budget.pieces) return [];
    budget.pieces -= cost;
    return [slot];
  });
  const own = asked.length > 0 ? await readOwn(store, asked, left) : new Map<StoredSlot, never>();
  return new Map(
    told.map(({ slot, prompts }) => {
      const read = own.get(slot);
      // What was taken out was its own; where nothing was, the prompt before it led to it.
      return [slot, read && (read.prompts.length > 0 || read.isMasked) ? read.prompts : prompts];
    }),
  );
}

const madeMs = ({ metadata }: StoredSlot): number => Date.parse(metadata.createdAt);

/** From transcripts. All agents' formats are loaded for it, so only where some are read. */
async function readOwn(
  ...asked: Parameters<typeof readOwnPrompts>
): Promise<ReturnType<typeof readOwnPrompts>> {
  return (await import('./own-prompts.ts')).readOwnPrompts(...asked);
}

/** A session, and what it was asked for. */
export interface AskedSession extends Asked {
  readonly sessionId: string;
  /** As metadata call it. */
  readonly agent: string;
}

/** The sessions of some slots, each once, in their order. @param prompts of {@link tellOwnPrompts} */
export function askedSessions(
  slots: readonly StoredSlot[],
  prompts: ReadonlyMap<StoredSlot, readonly string[]>,
): AskedSession[] {
  return [...new Set(slots.map(({ metadata }) => metadata.sessionId))].map((sessionId) => {
    const own = slots
      .filter(({ metadata }) => metadata.sessionId === sessionId)
      .sort((a, b) => madeMs(a) - madeMs(b));
    const [first, ...later] = own.flatMap((slot) => prompts.get(slot) ?? []);
    return {
      sessionId,
      agent: own.at(-1)?.metadata.agent ?? '',
      prompt: first ?? '',
      more: later.length,
    };
  });
}
