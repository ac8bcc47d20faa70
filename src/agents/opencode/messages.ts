import { asList, asObject, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import { rememberLast } from '../shared/transcript/json-lines.ts';
import { stripTags } from '../shared/transcript/prompt-tags.ts';

/** One message of a session, as OpenCode itself hands it out. */
export interface Message {
  /** Line of the text, or message of the document, from 0. */
  readonly item: number;
  /** Empty where it has none. */
  readonly id: string;
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
}

/** What a text holds of a session, by whichever of its two forms. */
export interface Conversation {
  /** What the client notes of the session itself; `undefined` in a part that does not say. */
  readonly session: JsonObject | undefined;
  readonly messages: readonly Message[];
}

/** The document that `opencode export` prints; `undefined` for lines, and for anything else. */
export const parseDocument: (transcript: string) => JsonObject | undefined = rememberLast((transcript) => {
  const start = transcript.trimStart();
  if (!start.startsWith('{')) return undefined;
  const end = start.indexOf('\n');
  const first = end === -1 ? undefined : parseJson(start.slice(0, end));
  const value = isObject(first) ? first : parseJson(start);
  return isObject(value) && Array.isArray(value.messages) ? value : undefined;
});

/** Reads either form; the last text is remembered, since its readers come one after the other. */
export const readConversation: (transcript: string) => Conversation = rememberLast((transcript) => {
  const document = parseDocument(transcript);
  return document ? ofDocument(document) : ofLines(transcript);
});

export const readMessages = (transcript: string): readonly Message[] => readConversation(transcript).messages;

function ofDocument(document: JsonObject): Conversation {
  const messages = asList(document.messages).flatMap((value, item) => toMessage(value, item) ?? []);
  return { session: isObject(document.info) ? document.info : undefined, messages };
}

/** A message that is told of again replaces what was there; one that was taken back is none. */
function ofLines(transcript: string): Conversation {
  const messages = new Map<string, Message>();
  let session: JsonObject | undefined;
  transcript.split('\n').forEach((raw, item) => {
    const line = readLine(raw);
    if (line === undefined) return;
    const message = toMessage(line, item);
    if (message) messages.set(message.id || `${item}`, message);
    else if (isObject(line.info)) session = line.info;
    for (const id of asList(line.removed)) messages.delete(asText(id));
  });
  return { session, messages: [...messages.values()] };
}

export function readLine(raw: string): JsonObject | undefined {
  const value = raw === '' ? undefined : parseJson(raw);
  return isObject(value) ? value : undefined;
}

/** `undefined` for what is no message: the line about the session, or what somebody else wrote. */
export function toMessage(value: unknown, item: number): Message | undefined {
  if (!isObject(value) || !isObject(value.info) || !Array.isArray(value.parts)) return undefined;
  return { item, id: asText(value.info.id), info: value.info, parts: value.parts.filter(isObject) };
}

/** In milliseconds since 1970; 0 where the message does not say. */
export function timeOf({ info }: Pick<Message, 'info'>): number {
  const { completed, created } = asObject(info.time);
  return [completed, created].find(isTime) ?? 0;
}

/** Later than any date can be is none. */
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= 8.64e15;

/** A call of a tool, and what is known of how it went. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly status: string;
  readonly input: JsonObject;
  readonly metadata: JsonObject;
}

export function toolCalls({ info, parts }: Message): ToolCall[] {
  if (info.role !== 'assistant') return [];
  return parts
    .filter((part) => part.type === 'tool')
    .map((part) => {
      const state = asObject(part.state);
      return {
        id: asText(part.callID),
        tool: asText(part.tool),
        status: asText(state.status),
        input: asObject(state.input),
        metadata: asObject(state.metadata),
      };
    });
}

/** A message in which the model sums up what went before, for itself, is no answer. */
export const isAnswer = ({ info }: Message): boolean => info.role === 'assistant' && info.summary !== true;

/** Texts of a message without those that the client put into it. */
export const textsOf = ({ parts }: Pick<Message, 'parts'>): string[] =>
  parts
    .filter((part) => part.type === 'text' && part.synthetic !== true && part.ignored !== true)
    .map((part) => asText(part.text))
    .filter((said) => said !== '');

/** What a person typed; empty for an answer, and where nobody typed anything. */
export const promptOf = (message: Message): string =>
  message.info.role === 'user' ? stripTags(textsOf(message).join('\n\n')) : '';
