import type { ModelCall, TranscriptUsage } from '../../agents/transcript.ts';
import type { CallRow } from './index-file.ts';

/**
 * The calls known so far and those that a later part of the transcript tells of, each once: of a call that is told of
 * in several lines the one with the most output counts.
 *
 * @param items items before that part
 */
export function addCalls(known: readonly CallRow[], added: readonly ModelCall[], items: number): CallRow[] {
  const rows = new Map(known.map((row) => [row[1], row]));
  for (const { item, id, usage } of added) {
    const row: CallRow = [
      items + item,
      id,
      usage.inputTokens,
      usage.cacheCreationTokens,
      usage.cacheReadTokens,
      usage.outputTokens,
    ];
    const before = rows.get(id);
    if (!before || usage.outputTokens > before[5]) rows.set(id, row);
  }
  return [...rows.values()];
}

/** Tokens of the calls that ended at an item or after it. */
export function usageFrom({ calls }: { readonly calls: readonly CallRow[] }, item: number): TranscriptUsage {
  const counted = calls.filter(([at]) => at >= item);
  const sum = (column: 2 | 3 | 4 | 5) => counted.reduce((total, row) => total + row[column], 0);
  return {
    inputTokens: sum(2),
    cacheCreationTokens: sum(3),
    cacheReadTokens: sum(4),
    outputTokens: sum(5),
    apiCallCount: counted.length,
  };
}
