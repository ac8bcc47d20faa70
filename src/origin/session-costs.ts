import type { CheckpointId } from '../base/ids.ts';
import { isTranscriptName } from '../checkpoint/chunks.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfits } from '../checkpoint/read/fit.ts';
import { splitPrompts } from '../checkpoint/read/texts.ts';
import { linkedIds } from '../git/commit/links.ts';
import type { Branch } from '../history/branch.ts';
import { askedSessions, tellOwnPrompts } from '../history/commit-prompts.ts';
import type { PromptedSlot } from '../history/left-behind.ts';
import { addUsage, type TokenUsage, totalTokens } from '../session/state.ts';
import type { RangeCommit } from './range.ts';

/** A session that led to commits of the range. */
export interface StatsSession {
  readonly sessionId: string;
  readonly agent: string;
  /** The first prompt that is known to have led to one of them. */
  readonly prompt: string;
  /** Each once, however many commits it led to. */
  readonly prompts: number;
  /**
   * Of the parts that led to them, its sub-agents included, what several checkpoints have of it once; `undefined` where the agent does not
   * tell.
   */
  readonly usage: TokenUsage | undefined;
}

/** Of transcripts: about 16 MiB. */
const MAX_PIECES = 64;

/** The sessions that led to some commits, and how many of these name checkpoints that are not here. */
export async function readSessions(
  { git, store, repo }: Branch,
  commits: readonly RangeCommit[],
): Promise<{ readonly sessions: readonly StatsSession[]; readonly missing: number }> {
  const ids = [...new Set(commits.flatMap(({ links }) => linkedIds(links)))];
  const stored =
    ids.length > 0
      ? await readCheckpoints(store, ids, ['prompt.txt'])
      : new Map<CheckpointId, StoredCheckpoint>();
  const misfits = findMisfits(git, repo.commonDir, commits, stored);
  const own = commits.flatMap(({ oid, links }) =>
    linkedIds(links).filter((id) => misfits.of(oid, id) === undefined),
  );
  const slots = [...new Set(own)].flatMap((id) => stored.get(id)?.slots ?? []);
  const prompted = slots.map(
    (slot): PromptedSlot => [slot, splitPrompts(slot.texts.get('prompt.txt') ?? '')],
  );
  const prompts = await tellOwnPrompts(store, prompted, { pieces: MAX_PIECES });
  return {
    sessions: askedSessions(slots, prompts).map(({ sessionId, agent, prompt }) => {
      const parts = prompted.filter(([{ metadata }]) => metadata.sessionId === sessionId);
      return { sessionId, agent, prompt, prompts: countPrompts(parts, prompts), usage: usageOf(parts) };
    }),
    missing: commits.filter(({ links }) => linkedIds(links).some((id) => !stored.has(id))).length,
  };
}

/** By their places in the session: one turn may have led to several commits, and one text been asked for twice. */
function countPrompts(
  parts: readonly PromptedSlot[],
  own: ReadonlyMap<StoredSlot, readonly string[]>,
): number {
  const places = parts.flatMap(([slot, all]) => {
    const { strategy, checkpointTranscriptStart: start } = slot.metadata;
    // Those of this strategy are stored without the ones before them.
    const from = strategy === 'auto-commit' ? `${start} ` : '';
    let end = all.length;
    return (own.get(slot) ?? []).toReversed().map((prompt) => {
      const at = all.slice(0, end).lastIndexOf(prompt);
      if (at !== -1) end = at;
      return `${from}${at} ${prompt}`;
    });
  });
  return new Set(places).size;
}

/** The sum over those parts of a session that no other one has in it. */
function usageOf(parts: readonly PromptedSlot[]): TokenUsage | undefined {
  const made = ([{ metadata }]: PromptedSlot): number => Date.parse(metadata.createdAt);
  const size = ([{ metadata }]: PromptedSlot): number =>
    metadata.tokenUsage ? totalTokens(metadata.tokenUsage) : 0;
  const sorted = parts
    .filter(([{ metadata }]) => metadata.tokenUsage)
    .toSorted((a, b) => made(a) - made(b) || size(a) - size(b));
  return sorted
    .filter((part, at) => !sorted.some((other, place) => place !== at && covers(other, part, place > at)))
    .flatMap(
      ([
        {
          metadata: { tokenUsage: usage },
        },
      ]) => (usage ? [usage, ...(usage.subagentTokens ? [usage.subagentTokens] : [])] : []),
    )
    .map((usage) => ({ ...usage, subagentTokens: undefined }))
    .reduce<TokenUsage | undefined>(addUsage, undefined);
}

/**
 * Whether a part of a session has all of another one's. Checkpoints of one turn have the transcript up to its end, and what a commit left
 * behind begins where its session does: such a part begins no later, and ends no earlier.
 */
function covers([a, all]: PromptedSlot, [b, before]: PromptedSlot, isLater: boolean): boolean {
  const [start, other] = [a.metadata.checkpointTranscriptStart, b.metadata.checkpointTranscriptStart];
  if (start > other) return false;
  if (transcriptOf(a) === transcriptOf(b)) return start < other || isLater;
  // Where the session was taken back in between, it went on with other prompts.
  return isLater && before.every((prompt, at) => prompt === all[at]);
}

const transcriptOf = ({ files }: StoredSlot): string =>
  [...files].flatMap(([name, oid]) => (isTranscriptName(name) ? oid : [])).join(' ');
