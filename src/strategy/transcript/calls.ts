import type {
  ModelCall,
  SubagentMention,
  TranscriptUsage,
} from '../../agents/shared/transcript/transcript.ts';
import type { AgentRow, CallRow } from './index-file.ts';

/**
 * The calls known so far and those that a later part of the transcript tells of, each once: of a call that is told of
 * in several lines the one with the most output counts.
 *
 * @param items items before that part
 */
export function addCalls(known: readonly CallRow[], added: readonly ModelCall[], items: number): CallRow[] {
  return mergeRows(
    known,
    added.map((call) => toRow(items + call.item, call)),
  );
}

/** The same for the transcript of a sub-agent, whose rows begin with the time of the call. */
export const addTimedCalls = (known: readonly CallRow[], added: readonly ModelCall[]): CallRow[] =>
  mergeRows(
    known,
    added.map((call) => toRow(call.timeMs, call)),
  );

const toRow = (at: number, { id, usage }: ModelCall): CallRow => [
  at,
  id,
  usage.inputTokens,
  usage.cacheCreationTokens,
  usage.cacheReadTokens,
  usage.outputTokens,
];

function mergeRows(known: readonly CallRow[], added: readonly CallRow[]): CallRow[] {
  const rows = new Map(known.map((row) => [row[1], row]));
  for (const row of added) {
    const before = rows.get(row[1]);
    if (!before || row[5] > before[5]) rows.set(row[1], row);
  }
  return [...rows.values()];
}

/** The sub-agents known so far and those that a later part of the transcript names, each once. */
export function addAgents(
  known: readonly AgentRow[],
  added: readonly SubagentMention[],
  items: number,
): AgentRow[] {
  const rows = new Map(known.map((row) => [row[1], row]));
  for (const { item, agentId } of added) if (!rows.has(agentId)) rows.set(agentId, [items + item, agentId]);
  return [...rows.values()];
}

/** Tokens of the calls that ended at an item or after it; none where the transcript ends before. */
export const usageFrom = ({ calls }: { readonly calls: readonly CallRow[] }, item: number): TranscriptUsage =>
  sumRows(calls.filter(([at]) => at >= item));

/** Tokens of all of the calls. */
export function sumRows(rows: readonly CallRow[]): TranscriptUsage {
  const sum = (column: 2 | 3 | 4 | 5) => rows.reduce((total, row) => total + row[column], 0);
  return {
    inputTokens: sum(2),
    cacheCreationTokens: sum(3),
    cacheReadTokens: sum(4),
    outputTokens: sum(5),
    apiCallCount: rows.length,
  };
}
