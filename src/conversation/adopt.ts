import { formatOf } from '../agents/registry.ts';
import { describeError, EntireError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import type { AgentMemory } from './agent.ts';
import { memoryOf } from './cli/memory.ts';
import { readConversation } from './read-conversation.ts';
import type { SessionData } from './session-data.ts';
import { isPrompt, textOf } from './turn-messages.ts';
import type { SessionRecord } from './walk/session-record.ts';

/**
 * An agent's own session as one of ours, which the agent goes on with as its own.
 *
 * @param sessionId that of ours; without one it has the id that it has, and is only there to be forked
 * @throws {EntireError} `STATE_UNREADABLE` when the transcript cannot be read
 */
export function adoptAgentSession(record: SessionRecord, sessionId: string = record.sessionId): SessionData {
  const { cliOrigin: agent, folder } = record;
  const path = record.transcript ?? record.path;
  const text = readTranscript(path);
  const messages = agent === '' ? [] : readConversation(agent, text);
  const at = messages.findLastIndex(isPrompt);
  const last = messages[at];
  const own = record.agentSessionId ?? record.sessionId;
  const memory: AgentMemory =
    last && folder !== undefined
      ? memoryOf({ message: textOf(last.content), messages: messages.slice(0, at) }, own, folder, undefined)
      : {}; // then it is told what was said
  const began = agent === '' ? undefined : formatOf(agent).readTime(text);
  const now = Date.parse(record.updatedAt) / 1000;
  return {
    session_id: sessionId,
    messages,
    system: null,
    parent_id: null,
    created_at: began === undefined ? now : began / 1000,
    updated_at: now,
    metadata: {
      agent,
      agent_memory: memory,
      ...(folder === undefined ? {} : { cwd: folder }),
      ...(record.summary.title === undefined ? {} : { title: record.summary.title }),
    },
  };
}

function readTranscript(path: string): string {
  try {
    return disk.readFileSync(path, 'utf8');
  } catch (cause) {
    throw new EntireError('STATE_UNREADABLE', `${path} cannot be read: ${describeError(cause)}`, { cause });
  }
}
