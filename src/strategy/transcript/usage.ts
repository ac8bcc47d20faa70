import type { SessionId } from '../../base/ids.ts';
import type { TokenUsage } from '../../session/state.ts';
import { sumRows, usageFrom } from './calls.ts';
import type { CallRow } from './index-file.ts';
import { readTimeFrom } from './part.ts';
import type { RedactedTranscript } from './redacted.ts';
import { readSubagentCalls } from './sub-agent-calls.ts';
import { growthSince } from './totals.ts';

/**
 * Tokens of a session from an item of its transcript on, sub-agents apart. A call counts once, in whichever transcripts
 * and however often it stands. Calls of a sub-agent count when they were made after that item; where the clients do not
 * say when, all of them from the item on that names the sub-agent.
 */
export function readUsage(transcript: RedactedTranscript, sessionId: SessionId, item: number): TokenUsage {
  const own = { ...usageFrom(transcript, item), ...growthSince(transcript.live, item) };
  const { agents, live } = transcript;
  if (agents.length === 0 || item >= transcript.items) return own;
  const since = item > 0 ? readTimeFrom(live, item) : 0;
  const isInRange = (at: number, named: number) =>
    item <= 0 || (at > 0 && since !== undefined ? at >= since : named >= item);
  const seen = new Set(transcript.calls.map(([, id]) => id));
  const rows: CallRow[] = [];
  const calls = readSubagentCalls(live, sessionId, agents);
  for (const [named, id] of agents) {
    for (const row of calls.get(id) ?? []) {
      if (seen.has(row[1])) continue;
      seen.add(row[1]);
      if (isInRange(row[0], named)) rows.push(row);
    }
  }
  return rows.length === 0 ? own : { ...own, subagentTokens: sumRows(rows) };
}
