import { readMessages as readClaude } from '../claude-code/conversation.ts';
import { readMessages as readCodex } from '../codex/conversation.ts';
import { readMessages as readCopilot } from '../copilot-cli/conversation.ts';
import { readMessages as readCursor } from '../cursor/conversation.ts';
import { readMessages as readExternal } from '../external/conversation.ts';
import { readMessages as readDroid } from '../factoryai-droid/conversation.ts';
import { readMessages as readGemini } from '../gemini/conversation.ts';
import type { AgentName } from '../names.ts';
import { readMessages as readOpenCode } from '../opencode/conversation.ts';
import { readMessages as readPi } from '../pi/conversation.ts';
import { readMessages as readQwen } from '../qwen-code/conversation.ts';
import type { Message } from './message.ts';

/**
 * Reads the messages of a transcript as it now is, the oldest first: what people typed, what the agent said and thought, and calls of tools
 * with their results. What the client tells the model is no part of it, and neither is what sub-agents did: their result is that
 * of the tool that started them. Takes any bytes, and never throws; linear in their number.
 */
type ReadMessages = (text: string) => Message[];

/** Apart from `registry.ts`, since no hook has use for them. */
const READERS: Readonly<Record<AgentName, ReadMessages>> = {
  'claude-code': readClaude,
  codex: readCodex,
  gemini: readGemini,
  opencode: readOpenCode,
  'copilot-cli': readCopilot,
  'qwen-code': readQwen,
  pi: readPi,
  'factoryai-droid': readDroid,
  cursor: readCursor,
};

/** The reader for an agent; those that are not built in have one in common. */
export const messageReaderOf = (agent: AgentName | undefined): ReadMessages =>
  agent === undefined ? readExternal : READERS[agent];
