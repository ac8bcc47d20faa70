import type { Message } from '../../agents/shared/session/message.ts';
import { sha256Of } from '../../base/hash.ts';
import { parseSessionId } from '../../base/ids.ts';
import type { AgentMemory, Turn } from '../agent.ts';
import { isPrompt, textOf } from '../turn-messages.ts';
import { readSums, type Sums } from './usage.ts';

/** What a coding agent knows of a session, in a session of its own. */
export interface CliMemory extends Sums {
  /** The agent's own id of that session. */
  readonly session_id: string;
  /** The folder that it was begun in, absolute. */
  readonly cwd: string;
  /** The last message of the user that it was told: its place in the conversation, from 0. */
  readonly told_at: number;
  /** The SHA-256 of that message, so that a conversation that was compacted or changed is not taken for the same. */
  readonly told: string;
}

export function readCliMemory(memory: AgentMemory): CliMemory | undefined {
  const { session_id, cwd, told_at, told } = memory;
  // Whoever wrote the session that we read may have put anything there, and the agent's command gets it.
  return parseSessionId(session_id) !== undefined &&
    typeof session_id === 'string' &&
    typeof cwd === 'string' &&
    typeof told_at === 'number' &&
    typeof told === 'string'
    ? { session_id, cwd, told_at, told, ...readSums(memory) }
    : undefined;
}

/**
 * What the agent is to remember of a turn.
 *
 * @param cwd where the turn is; a session that is gone on with stays the one of the folder that it was begun in
 * @param known what it remembered of the session that it was to go on with
 */
export const memoryOf = (
  { message, messages }: Pick<Turn, 'message' | 'messages'>,
  sessionId: string,
  cwd: string,
  known: CliMemory | undefined,
): AgentMemory & CliMemory => ({
  ...readSums({ ...known }),
  session_id: sessionId,
  cwd: known?.session_id === sessionId ? known.cwd : cwd,
  told_at: messages.length,
  told: sha256Of(message),
});

/** What an agent has not heard of a conversation: all of it where its own session is about another one. */
export function findUntold(
  memory: CliMemory | undefined,
  messages: readonly Message[],
): { readonly known: CliMemory | undefined; readonly untold: readonly Message[] } {
  const told = memory && messages[memory.told_at];
  if (!memory || !told || !isPrompt(told) || sha256Of(textOf(told.content)) !== memory.told)
    return { known: undefined, untold: messages };
  const next = messages.findIndex((message, at) => at > memory.told_at && isPrompt(message));
  return { known: memory, untold: next === -1 ? [] : messages.slice(next) };
}

/** A message behind what the agent has not heard; that is told as text, since an agent takes no other history. */
export const renderPrompt = (untold: readonly Message[], message: string): string =>
  render(
    'This conversation was begun elsewhere. What was said until now stands between the tags; go on from there.',
    untold,
    message,
  );

/** A message behind what may not have reached the agent, which it was told already. */
export const renderAgain = (lost: readonly Message[], message: string): string =>
  render(
    'What was said last may not have reached you. It stands between the tags; go on from there.',
    lost,
    message,
  );

function render(before: string, untold: readonly Message[], message: string): string {
  if (untold.length === 0) return message;
  const lines = untold.flatMap(({ role, content }) => {
    const text = textOf(content).replace(/<(\/?)\s*conversation/gi, '<$1_conversation');
    return text === '' ? [] : [`${role === 'user' ? 'User' : 'Assistant'}: ${text}`];
  });
  return `${before}\n\n<conversation>\n${lines.join('\n\n')}\n</conversation>\n\n${message}`;
}
