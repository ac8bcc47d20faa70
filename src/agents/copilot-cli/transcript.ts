import { asList, asObject, asText } from '../../base/text/json.ts';
import { parseApplyPatch } from '../shared/apply-patch.ts';
import {
  beginsWithRecord,
  countLines,
  isKindWith,
  readBackwards,
  sliceLines,
} from '../shared/transcript/json-lines.ts';
import type { TranscriptEntry, TranscriptFormat } from '../shared/transcript/transcript.ts';
import {
  cleanPrompt,
  findCompaction,
  forkTranscript,
  parseEvent,
  parseEvents,
  promptOf,
  readCalls,
  type SessionEvent,
} from './events.ts';
import { parseArguments, ranShell, readEdits, readFilesTouched } from './tools.ts';

/**
 * Copilot CLI's transcript, `events.jsonl`: JSON Lines, one event a line, sub-agents' between those of their session and
 * marked with `agentId`. Lines that do not parse are counted and passed over.
 */
export const copilotTranscript: TranscriptFormat = {
  looksLike: (head) =>
    beginsWithRecord(head, (row) => isKindWith(row, ['data', 'timestamp']), ['type', 'data', 'id']),
  readPrompts: (text) => parseEvents(text).flatMap((event) => promptOf(event) ?? []),
  cleanPrompt,
  readEntries: (text) => parseEvents(text).flatMap(entriesOf),
  sliceItems: sliceLines,
  countItems: countLines,
  readSummary: (text) =>
    parseEvents(text)
      .map(answerOf)
      .findLast((answer) => answer !== '') || undefined,
  readFilesTouched,
  readEdits,
  ranShell,
  findCompaction,
  readCalls,
  readSubagents: () => [], // their calls stand in the transcript of the session, and are counted there

  readTime(text) {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at);
      const time = parseEvent(text.slice(at, end === -1 ? undefined : end))?.timeMs;
      if (time) return time;
      at = end === -1 ? text.length : end + 1;
    }
    return undefined;
  },

  readLastIdentifier: (text) => readBackwards(text, (raw) => parseEvent(raw)?.id ?? ''),

  // A task goes by the id of its sub-agent, since hooks do not name the tool call.
  findToolResult(text, id) {
    const events = parseEvents(text);
    const begun = events.find((event) => event.type === 'subagent.started' && event.agentId === id);
    const call = asText(begun?.data.toolCallId) || id;
    const isResult = ({ type, data }: SessionEvent): boolean =>
      type === 'tool.execution_complete' && data.toolCallId === call;
    return events.find(isResult)?.id ?? '';
  },

  partOfSubagent: (text, agentId) =>
    agentId === ''
      ? ''
      : text
          .split('\n')
          .filter((line) => line.includes(agentId) && parseEvent(line)?.agentId === agentId)
          .map((line) => `${line}\n`)
          .join(''),

  subagentTranscripts: () => [],
  subagentNote: () => '',
  parseSubagentNote: () => undefined,
  fork: forkTranscript,

  holdsMessage(text, message) {
    const wanted = message.trim();
    return parseEvents(text).some(
      ({ type, data }) => type === 'assistant.message' && asText(data.content).trim() === wanted,
    );
  },
};

/** What the main agent answered; empty for everything else. */
const answerOf = ({ type, agentId, data }: SessionEvent): string =>
  type === 'assistant.message' && agentId === '' ? asText(data.content) : '';

/** What an event tells a person. */
function entriesOf(event: SessionEvent): TranscriptEntry[] {
  const prompt = promptOf(event);
  if (prompt !== undefined) return [{ kind: 'user', text: prompt }];
  if (event.type !== 'assistant.message' || event.agentId !== '') return [];
  const answer = answerOf(event);
  const tools = asList(event.data.toolRequests)
    .map(asObject)
    .filter(({ name }) => asText(name) !== '');
  return [
    ...(answer === '' ? [] : [{ kind: 'assistant' as const, text: answer }]),
    ...tools.map((tool): TranscriptEntry => {
      const name = asText(tool.name);
      return { kind: 'tool', name, detail: detailOf(name, tool.arguments) };
    }),
  ];
}

/** Which of a tool's arguments say what it was used on; the first that says something counts. */
const DETAILS = ['description', 'command', 'path', 'pattern', 'query', 'url', 'intent'];

function detailOf(name: string, given: unknown): string {
  if (name === 'apply_patch')
    return parseApplyPatch(asText(given))
      .map(({ path }) => path)
      .join(', ');
  const args = parseArguments(given);
  return DETAILS.map((key) => asText(args[key])).find((value) => value !== '') ?? '';
}
