import { dirname, join } from 'node:path';
import { parseToolUseId } from '../../base/ids.ts';
import type { JsonObject } from '../../base/text/json.ts';
import { asList, asObject, asText } from '../../base/text/json.ts';
import { beginsWithKey, beginsWithRecord, countLines, sliceLines } from '../shared/transcript/json-lines.ts';
import { stripTags } from '../shared/transcript/prompt-tags.ts';
import type { ModelCall, TranscriptEntry, TranscriptFormat } from '../shared/transcript/transcript.ts';
import { forkTranscript } from './document.ts';
import { filesTouched, readEdits } from './edits.ts';
import {
  isAnswer,
  isTime,
  type Message,
  parseDocument,
  promptOf,
  readMessages,
  type ToolCall,
  textsOf,
  timeOf,
  toolCalls,
} from './messages.ts';

const isLine = (line: JsonObject): boolean => 'info' in line || 'messages' in line || 'parts' in line;

/**
 * Sessions of OpenCode, in two forms: what our plugin hands over, one message a line, where a later line with the same id
 * replaces an earlier one; and the document that `opencode export` prints. The client itself keeps them in a database.
 */
export const opencodeTranscript: TranscriptFormat = {
  looksLike: (head) =>
    beginsWithKey(head, ['info', 'messages']) || beginsWithRecord(head, isLine, ['info', 'messages']),
  isDocument: (transcript) => parseDocument(transcript) !== undefined,

  readPrompts: (transcript) => readMessages(transcript).flatMap((message) => promptOf(message) || []),
  cleanPrompt: stripTags,
  readEntries: (transcript) => readMessages(transcript).flatMap(entriesOf),

  sliceItems(transcript, item, end) {
    const document = parseDocument(transcript);
    if (!document) return sliceLines(transcript, item, end);
    if (item <= 0 && end === undefined) return transcript;
    const messages = asList(document.messages).slice(Math.max(item, 0), end);
    return messages.length === 0 ? '' : JSON.stringify({ ...document, messages });
  },

  countItems(transcript) {
    const document = parseDocument(transcript);
    return document ? asList(document.messages).length : countLines(transcript);
  },

  readSummary(transcript) {
    const answers = readMessages(transcript).filter(isAnswer).map(textsOf);
    return answers.findLast((texts) => texts.length > 0)?.[0];
  },

  readFilesTouched: (transcript) => [...new Set(readMessages(transcript).flatMap(filesTouched))],
  readEdits,
  ranShell: (transcript) =>
    readMessages(transcript).some((message) => toolCalls(message).some(({ tool }) => tool === 'bash')),
  readCalls: (transcript) => readMessages(transcript).flatMap((message) => callOf(message) ?? []),

  readSubagents: (transcript) =>
    readMessages(transcript).flatMap((message) =>
      toolCalls(message).flatMap(({ tool, metadata }) => {
        const agentId = tool === 'task' ? parseToolUseId(metadata.sessionId) : undefined;
        return agentId === undefined ? [] : [{ item: message.item, agentId }];
      }),
    ),

  readTime: (transcript) =>
    readMessages(transcript)
      .map(({ info }) => asObject(info.time).created)
      .find(isTime),

  readLastIdentifier: (transcript) => readMessages(transcript).findLast(({ id }) => id !== '')?.id ?? '',

  findToolResult(transcript, toolUseId) {
    const isResult = ({ id, status }: ToolCall) =>
      id === toolUseId && (status === 'completed' || status === 'error');
    return readMessages(transcript).find((message) => toolCalls(message).some(isResult))?.id ?? '';
  },

  // A sub-agent is a session like any other, and is handed over as one.
  subagentTranscripts: (sessionTranscript, _sessionId, agentId) => [
    join(dirname(sessionTranscript), `${agentId}.jsonl`),
  ],
  subagentNote: () => '',
  parseSubagentNote: () => undefined,

  fork: forkTranscript,

  holdsMessage(transcript, message) {
    const wanted = message.trim();
    return readMessages(transcript)
      .filter(isAnswer)
      .some((answer) => textsOf(answer).some((said) => said.trim() === wanted));
  },
};

/** What a message tells a person, in the order of its parts. */
function entriesOf(message: Message): TranscriptEntry[] {
  const prompt = promptOf(message);
  if (prompt !== '') return [{ kind: 'user', text: prompt }];
  if (!isAnswer(message)) return [];
  return message.parts.flatMap((part): TranscriptEntry[] => {
    const one = { ...message, parts: [part] };
    const said = textsOf(one).map((words) => ({ kind: 'assistant', text: words }) as const);
    const used = toolCalls(one)
      .filter(({ tool }) => tool !== '')
      .map((call) => ({ kind: 'tool', name: call.tool, detail: detailOf(call) }) as const);
    return [...said, ...used];
  });
}

const DETAILS = ['description', 'command', 'filePath', 'path', 'pattern', 'url', 'name'];

const detailOf = ({ input }: ToolCall): string =>
  DETAILS.map((key) => asText(input[key])).find((value) => value !== '') ?? '';

/** Each answer is one call; before it has ended its counters are all 0. */
function callOf(message: Message): ModelCall | undefined {
  const { info, id, item } = message;
  if (info.role !== 'assistant' || id === '') return undefined;
  const tokens = asObject(info.tokens);
  const cache = asObject(tokens.cache);
  const [input, output, reasoning] = [tokens.input, tokens.output, tokens.reasoning].map(count);
  const [read, write] = [count(cache.read), count(cache.write)];
  const all = (input ?? 0) + (output ?? 0) + (reasoning ?? 0) + read + write;
  if (all === 0) return undefined;
  // Providers differ in whether they count what the model thought among its output. The total tells.
  const isApart = tokens.total === all;
  const usage = {
    inputTokens: input ?? 0,
    cacheCreationTokens: write,
    cacheReadTokens: read,
    outputTokens: (output ?? 0) + (isApart ? (reasoning ?? 0) : 0),
  };
  const isSummary = info.summary === true;
  return { id, item, usage, timeMs: timeOf(message), ...(isSummary && { isSummary }) };
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
