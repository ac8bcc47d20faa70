import { parseAgentName } from '../agents/names.ts';
import { agentOfType, messageReaderOf } from '../agents/registry.ts';
import type { Message } from '../agents/shared/session/message.ts';

/**
 * The messages of an agent's own transcript, as the session now is, the oldest first: see `Agent.readMessages`. Prompts are
 * without what the client wraps around them. Pictures and files have their data, where the transcript has it.
 *
 * @param agent as in `entire enable --agent`, or as metadata call it; any other is one that is not built in
 * @param text the whole transcript; a part of one tells what is in that part. Never throws, whatever it holds
 */
export function readConversation(agent: string, text: string): Message[] {
  return messageReaderOf(parseAgentName(agent) ?? agentOfType(agent))(text);
}

/** The models that said something in a conversation, in the order of their first answer. */
export const modelsIn = (messages: readonly Message[]): string[] => [
  ...new Set(messages.flatMap(({ model }) => model || [])),
];
