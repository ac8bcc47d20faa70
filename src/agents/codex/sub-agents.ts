import { dirname, join } from 'node:path';
import { parseToolUseId } from '../../base/ids.ts';
import { asList, asObjects, asText, isObject, parseJson } from '../../base/text/json.ts';
import type { SubagentMention, SubagentNote } from '../transcript/transcript.ts';
import { parseRow, parseRows, type Row, toolOutput } from './rows.ts';
import { rolloutNames } from './session-home.ts';

/** Sub-agents by the rows that name them: the note of a call that worked with some, or what starting one returned. */
export const readSubagents = (transcript: string): SubagentMention[] =>
  parseRows(transcript).flatMap((row) =>
    mentionedAgents(row).map((agentId) => ({ item: row.item, agentId })),
  );

/** The sub-agents that a row names. */
export function mentionedAgents(row: Row): string[] {
  if (row.kind === 'CollabAgentToolCall') {
    const { receiver_thread_ids: ids, receiver_agents: agents } = row.payload;
    const named = [...asList(ids), ...asObjects(agents).map((agent) => agent.thread_id)];
    return [...new Set(named.flatMap((id) => parseToolUseId(id) ?? []))];
  }
  const { output = '' } = toolOutput(row) ?? {};
  const answer = output.includes('"agent_id"') ? parseJson(output) : undefined;
  const id = isObject(answer) ? parseToolUseId(answer.agent_id) : undefined;
  return id === undefined ? [] : [id];
}

/**
 * Where the rollout of a sub-agent may be: beside that of its session, unless it was started on another day. Its name holds
 * the time at which it began, which its id tells.
 */
export function subagentTranscripts(sessionTranscript: string, _: string, agentId: string): string[] {
  const sessions = join(dirname(sessionTranscript), '../../..');
  const names = rolloutNames(agentId);
  return [...new Set(names.flatMap(({ name }) => join(dirname(sessionTranscript), name)))].concat(
    [...new Set(names.map(({ day, name }) => join(sessions, day, name)))].filter(
      (path) => dirname(path) !== dirname(sessionTranscript),
    ),
  );
}

/** The rollout of a sub-agent begins with what it is; the id of the sub-agent stands for the task. */
export function parseSubagentNote(transcript: string): SubagentNote | undefined {
  const end = transcript.indexOf('\n');
  const first = parseRow(end === -1 ? transcript : transcript.slice(0, end));
  if (first?.type !== 'session_meta' || asText(first.payload.parent_thread_id) === '') return undefined;
  const toolUseId = asText(first.payload.id);
  return toolUseId === '' ? undefined : { toolUseId, description: '' };
}
