import { asObject, asObjects, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { rememberLast } from '../shared/transcript/json-lines.ts';

/** A message of a transcript as the client wrote it: `type` is `user`, `gemini`, `info`, `error` or `warning`. */
export interface Message {
  /** Item of the text, from 0, that tells of it; of several with the same id the first. */
  readonly item: number;
  readonly id: string;
  readonly type: unknown;
  /** As the last item with its id has them. */
  readonly fields: JsonObject;
}

/** One call of a tool, as the client noted it when the tool was done. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** It ended, and not well: a tool that failed or was refused wrote nothing. */
  readonly failed: boolean;
  readonly fields: JsonObject;
}

/** A transcript that is one JSON document: its messages are the items. */
interface GeminiDocument extends JsonObject {
  readonly messages: readonly unknown[];
}

/** Reads what versions before 0.30 wrote; `undefined` for JSON Lines, and for what is broken. */
export const parseDocument: (text: string) => GeminiDocument | undefined = rememberLast((text) => {
  if (!looksWhole(text)) return undefined;
  const value = parseJson(text);
  return isObject(value) && Array.isArray(value.messages) ? (value as GeminiDocument) : undefined;
});

/**
 * Whether a text is a document, or was one before it broke. Those are written over several lines; on a single line one has
 * its messages in it, which no line of the newer format has.
 */
export function isDocument(text: string): boolean {
  return looksWhole(text) && (/^\s*\{\s*\n/.test(text) || parseDocument(text) !== undefined);
}

/** A line of JSON Lines is a whole object: a text whose first line is none, or that has no other, is not of them. */
function looksWhole(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return false;
  const end = trimmed.indexOf('\n');
  return end === -1 || parseJson(trimmed.slice(0, end)) === undefined;
}

let parsed: { readonly text: string; readonly messages: readonly Message[] } = { text: '', messages: [] };

/**
 * What was said and done, in order, each message once. The last text is remembered: its readers come one after the other.
 *
 * A message counts where an item of its own tells of it. `$set` with `messages` repeats what is there already (at the
 * start, on resuming and compressing, in part under new ids), and what `$rewindTo` takes back was said all the same.
 */
export function readMessages(text: string): readonly Message[] {
  if (parsed.text !== text) parsed = { text, messages: merge(items(text)) };
  return parsed.messages;
}

/** The items of a text; what cannot be read is there, and says nothing. */
export function items(text: string): readonly unknown[] {
  if (isDocument(text)) return parseDocument(text)?.messages ?? [];
  return text.split('\n').map((line) => (line.trim() === '' ? undefined : parseJson(line)));
}

/** A later message replaces an earlier one with its id: tool calls, and in some versions tokens, come with the second. */
function merge(all: readonly unknown[]): Message[] {
  const found = new Map<string, Message>();
  all.forEach((fields, item) => {
    if (!isObject(fields) || !('type' in fields)) return;
    const id = asText(fields.id);
    const key = id === '' ? `\0${item}` : id;
    found.set(key, { item: found.get(key)?.item ?? item, id, type: fields.type, fields });
  });
  return [...found.values()];
}

/** The text of a message: older versions have a string, newer ones a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .map((part) => (isObject(part) ? part.text : part))
    .filter((part) => typeof part === 'string')
    .join('\n');
}

/** Tool calls of a message, in order. */
export function toolCalls({ type, fields }: Message): ToolCall[] {
  if (type !== 'gemini') return [];
  return asObjects(fields.toolCalls).map((call) => ({
    id: asText(call.id),
    name: asText(call.name),
    args: asObject(call.args),
    failed: call.status === 'error' || call.status === 'cancelled',
    fields: call,
  }));
}

/**
 * An answer without a word and without a call. The client notes calls when their tools are done: it was stopped before
 * that, and the tools may have done their work.
 */
export const isPending = (message: Message): boolean =>
  message.type === 'gemini' && textOf(message.fields.content) === '' && toolCalls(message).length === 0;

/** In milliseconds since 1970; 0 for what is no time. */
export const parseTime = (value: unknown): number => (typeof value === 'string' && Date.parse(value)) || 0;

/** What the client says in the user's name when it thinks that the model has more to do. */
const NUDGE = 'Please continue.';

/** What a person typed in a message; `undefined` for answers of tools, and for what the client says itself. */
export function promptOf({ type, fields }: Message): string | undefined {
  if (type !== 'user') return undefined;
  if (asObjects(fields.content).some((part) => 'functionResponse' in part)) return undefined;
  const said = textOf(fields.content);
  if (said.trim() === NUDGE) return undefined;
  // Where files were named with `@`, their contents are in the message, and what was typed stands beside it.
  const typed = fields.displayContent === undefined ? '' : textOf(fields.displayContent);
  return cleanPrompt(typed || said) || undefined;
}

const FILES_BEGIN = '--- Content from referenced files ---';
const FILES_END = '--- End of content ---';

/** A prompt without what the client adds to it: the folder and its files, contents of files, and what hooks had to say. */
export function cleanPrompt(text: string): string {
  return ['session_context', 'hook_context'].reduce(withoutElement, withoutFiles(text)).trim();
}

function withoutFiles(text: string): string {
  const start = text.indexOf(FILES_BEGIN);
  if (start === -1 || (start > 0 && text[start - 1] !== '\n')) return text;
  const end = text.lastIndexOf(FILES_END);
  return text.slice(0, start) + (end < start ? '' : text.slice(end + FILES_END.length));
}

/** Without the complete elements of that name. */
function withoutElement(text: string, name: string): string {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const kept: string[] = [];
  let at = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start);
    if (end === -1) break;
    kept.push(text.slice(at, start));
    at = end + close.length;
  }
  return [...kept, text.slice(at)].join('');
}
