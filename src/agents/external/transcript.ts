import type { JsonObject } from '../../base/text/json.ts';
import { countLines, sliceLines } from '../transcript/json-lines.ts';
import { toolDetail } from '../transcript/message-blocks.ts';
import { stripTags } from '../transcript/prompt-tags.ts';
import type { TranscriptEntry, TranscriptFormat } from '../transcript/transcript.ts';
import { callIn, messagesOf, openMessage, readDocument, timeOf, wordsOf } from './messages.ts';

/**
 * The transcript of an agent whose format nobody has told us: what most have in common. JSON Lines, an item a line, or one
 * JSON document with a list of messages; a message has a role, and a text or blocks. What is written otherwise is stored
 * as it is, and says nothing. Which files tools wrote, only the agent's executable knows.
 */
export const externalTranscript: TranscriptFormat = {
  // What it looks like only the agent's executable knows, which the user of this machine has let in; but it is a text.
  looksLike: (head) => !head.includes('\0'),
  isDocument: (text) => readDocument(text) !== undefined,
  readPrompts: (text) =>
    entriesOf(text).flatMap((entry) => (entry.kind === 'user' ? stripTags(entry.text) || [] : [])),
  cleanPrompt: stripTags,
  readEntries: (text) => entriesOf(text),

  sliceItems(text, item) {
    const document = readDocument(text);
    if (document === undefined) return sliceLines(text, item);
    const { whole, key, messages } = document;
    return messages.length <= item ? '' : JSON.stringify({ ...whole, [key]: messages.slice(item) });
  },

  countItems: (text) => readDocument(text)?.messages.length ?? countLines(text),
  readSummary: (text) =>
    entriesOf(text)
      .flatMap((entry) => (entry.kind === 'assistant' ? entry.text : []))
      .at(-1),
  readFilesTouched: () => [],
  readEdits: () => ({ edits: [], agents: [], isComplete: false }),
  ranShell: (text) => text.trim() !== '', // it may have
  readCalls: () => [],
  readSubagents: () => [],
  subagentTranscripts: () => [],
  subagentNote: () => '',
  parseSubagentNote: () => undefined,

  readTime(text) {
    for (const message of messagesOf(text)) {
      const time = timeOf(message);
      if (!Number.isNaN(time)) return time;
    }
    return undefined;
  },

  readLastIdentifier(text) {
    const id = messagesOf(text).findLast((message) => typeof (message.id ?? message.uuid) === 'string');
    return id === undefined ? '' : String(id.id ?? id.uuid);
  },

  findToolResult: () => '',
  fork: () => undefined,
  holdsMessage: (text, message) =>
    entriesOf(text).some((entry) => entry.kind === 'assistant' && entry.text.trim() === message.trim()),
};

const entriesOf = (text: string): TranscriptEntry[] => messagesOf(text).flatMap(entriesOfMessage);

function entriesOfMessage(message: JsonObject): TranscriptEntry[] {
  const { role: kind, blocks } = openMessage(message);
  if (kind === undefined) return [];
  return blocks.flatMap((block): TranscriptEntry[] => {
    const words = wordsOf(block);
    if (words !== undefined) return words.trim() === '' ? [] : [{ kind, text: words }];
    const tool = kind === 'assistant' ? toolOf(block) : undefined;
    return tool ? [tool] : [];
  });
}

function toolOf(block: unknown): TranscriptEntry | undefined {
  const call = callIn(block);
  return call && { kind: 'tool', name: call.name, detail: toolDetail(call.name, call.input, ['path']) };
}
