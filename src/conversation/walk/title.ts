import { AGENTS, type AgentName } from '../../agents/names.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';

/** The first prompt in the beginning of a transcript, which is cut anywhere; `undefined` where there is none in it. */
export function readTitle(agent: AgentName, head: string): string | undefined {
  const [first] = transcriptFormatOf(AGENTS[agent].type).readPrompts(head);
  return first?.replace(/\s+/g, ' ').trim() || undefined;
}
