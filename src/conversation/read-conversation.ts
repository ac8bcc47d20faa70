import { messageReaderOf } from '../agents/conversations.ts';
import type { Message } from '../agents/message.ts';
import { AGENTS, type AgentName, parseAgentName } from '../agents/names.ts';
import { agentOfType, transcriptFormatOf } from '../agents/registry.ts';
import { closeCut } from './close-cut.ts';

/**
 * The messages of an agent's own transcript, as the session now is, the oldest first: see `agents/conversations.ts`. Prompts are
 * without what the client wraps around them. Pictures and files have their data, where the transcript has it.
 *
 * @param agent as in `entire enable --agent`, or as metadata call it; any other is one that is not built in
 * @param text the whole transcript; a part of one tells what is in that part. Never throws, whatever it holds
 */
export function readConversation(agent: string, text: string): Message[] {
  return messageReaderOf(parseAgentName(agent) ?? agentOfType(agent))(text);
}

/**
 * What a session is about, in one line: the first prompt in the beginning of its transcript. Costs as much as the beginning is
 * long: 4 KiB tell it for most agents.
 *
 * @param head the beginning, cut anywhere
 * @returns `undefined` where no prompt is in it
 */
export function readTitle(agent: string, head: string): string | undefined {
  const name: AgentName | undefined = parseAgentName(agent);
  const format = transcriptFormatOf(name === undefined ? agent : AGENTS[name].type);
  for (const part of partsOf(head)) {
    const [first] = format.readPrompts(part);
    const title = first?.replace(/\s+/g, ' ').trim();
    if (title) return title;
  }
  return undefined;
}

/** What can be read by itself: lines, the last of which may be cut, or a document that is written over several lines. */
function partsOf(head: string): string[] {
  if (/^\s*\{\s*\n/.test(head)) return [closeCut(head)];
  const lines = head.split('\n');
  return [...lines.slice(0, -1), closeCut(lines.at(-1) ?? '')];
}

/** The models that said something in a conversation, in the order of their first answer. */
export const modelsIn = (messages: readonly Message[]): string[] => [
  ...new Set(messages.flatMap(({ model }) => model || [])),
];
