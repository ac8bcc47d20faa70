import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { parseToolUseId } from '../../base/ids.ts';
import { MAX_ARGUMENT, type SearchDocument } from '../document.ts';

/** Sub-agents that a transcript names, each once. */
export const agentsIn = (format: TranscriptFormat, text: string): string[] => [
  ...new Set(format.readSubagents(text).flatMap(({ agentId }) => parseToolUseId(agentId) ?? [])),
];

/**
 * What a sub-agent said and did, as part of the turn that it was begun in. Nobody typed its prompts: a short one stands with the call that
 * began it, a long one is what the agent said.
 *
 * @param session what its session said and did
 * @param last the turn where no time tells
 */
export function asPartOf(
  session: readonly SearchDocument[],
  own: readonly SearchDocument[],
  last: number,
): SearchDocument[] {
  const begun = own.find(({ at }) => at > 0)?.at ?? 0;
  const prompts = session.filter(({ kind, at }) => kind === 'prompt' && at > 0);
  const before = prompts.findLast(({ at }) => at <= begun)?.turn ?? (prompts[0]?.turn ?? 1) - 1;
  const turn = begun > 0 && prompts.length > 0 ? before : last;
  return own.flatMap((document): SearchDocument[] => {
    if (document.kind !== 'prompt') return [{ ...document, turn }];
    return document.text.length <= MAX_ARGUMENT ? [] : [{ ...document, kind: 'answer', turn }];
  });
}
