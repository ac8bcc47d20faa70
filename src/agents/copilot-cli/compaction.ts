import { findLines } from '../transcript/json-lines.ts';
import type { Compacted } from '../transcript/transcript.ts';
import { countOf, parseEvent } from './events.ts';

/** Finds a compaction that was done, and not one of a sub-agent's own context. The client counts the tokens before and after. */
export function findCompaction(fresh: Buffer): Compacted | undefined {
  for (const { line } of findLines(fresh, '"session.compaction_complete"')) {
    const event = parseEvent(line);
    if (event?.type !== 'session.compaction_complete' || event.agentId !== '') continue;
    const { success, preCompactionTokens: before, postCompactionTokens: after } = event.data;
    if (success === true)
      return { tokensBefore: countOf(before) || undefined, tokensAfter: countOf(after) || undefined };
  }
  return undefined;
}
