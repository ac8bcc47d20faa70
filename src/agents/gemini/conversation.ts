import { asObject, asObjects, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import { Conversation, costs, type Returned, type Said } from '../shared/session/conversation.ts';
import type { ContentBlock, Message as ConversationMessage } from '../shared/session/message.ts';
import { fileIn, responseOf, returnedOf, textBlocks } from '../shared/transcript/message-blocks.ts';
import {
  cleanPrompt,
  items,
  type Message,
  parseTime,
  promptOf,
  readMessages as readOwn,
  textOf,
  toolCalls,
} from './messages.ts';
import { geminiTranscript } from './transcript.ts';

/** The conversation as it now is: what was taken back is left out, what was compressed is not. */
export function readMessages(text: string): ConversationMessage[] {
  const calls = costs(geminiTranscript.readCalls(text));
  const conversation = new Conversation();
  for (const step of currentSteps(text)) {
    if ('summary' in step) conversation.compacted(step.summary, step.timeMs);
    else takeMessage(conversation, step);
    const usage = calls.get(step.item);
    if (usage && 'fields' in step) conversation.spend(usage, callOf(step));
  }
  return conversation.messages();
}

/** A summary that took the place of what went before. */
interface Compression {
  readonly item: number;
  readonly summary: string;
  readonly timeMs: number;
}

type Step = Message | Compression;

/**
 * Messages and compressions of the session as it now is. A rewind takes back the message it names, and all behind it; one that names
 * none that is there takes back everything, as the client does. A new history names messages that have no item of their own: to go
 * back to one of those is to go back to that history.
 *
 * @see https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingService.ts
 */
function currentSteps(text: string): Step[] {
  const messages = new Map(readOwn(text).map((message) => [message.item, message]));
  const steps: Step[] = [];
  const places = new Map<string, number>();
  for (const [item, fields] of items(text).entries()) {
    if (!isObject(fields)) continue;
    const message = messages.get(item);
    if (message) {
      places.set(message.id, steps.length);
      steps.push(message);
    } else if (typeof fields.$rewindTo === 'string') {
      steps.length = Math.min(steps.length, places.get(fields.$rewindTo) ?? 0);
    } else if (isObject(fields.$set)) {
      const history = asObjects(fields.$set.messages);
      const summary = summaryIn(history, places);
      if (summary) steps.push({ item, ...summary });
      for (const { id } of history) if (!places.has(asText(id))) places.set(asText(id), steps.length);
    }
  }
  return steps;
}

/** The message before the first answer that nothing told of: the client puts the summary there, and answers it itself. */
function summaryIn(
  history: readonly JsonObject[],
  places: ReadonlyMap<string, number>,
): Omit<Compression, 'item'> | undefined {
  const answer = history.findIndex(({ type, id }) => type === 'gemini' && !places.has(asText(id)));
  const summary = answer > 0 ? history[answer - 1] : undefined;
  return summary && { summary: textOf(summary.content), timeMs: parseTime(summary.timestamp) };
}

const callOf = ({ id, item }: Message): string => id || `${item}`;

function takeMessage(conversation: Conversation, message: Message): void {
  const { type, fields } = message;
  const timeMs = parseTime(fields.timestamp);
  if (type === 'user') takeUser(conversation, message, timeMs);
  if (type === 'gemini') takeAnswer(conversation, message, timeMs);
  // Interactive sessions keep what the client shows beside the conversation.
  if (type === 'info' && textOf(fields.content) === 'Request cancelled.')
    conversation.stop('cancelled', timeMs);
  if (type === 'error' && !conversation.isAnswered) conversation.stop('failed', timeMs);
}

function takeUser(conversation: Conversation, message: Message, timeMs: number): void {
  const parts = asObjects(message.fields.content);
  const prompt = promptOf(message);
  const files = parts.flatMap((part) => fileIn(part) ?? []);
  const answers = parts.map(({ functionResponse }) => functionResponse).filter(isObject);
  for (const { id, response, parts: more } of answers)
    conversation.result(asText(id), responseOf(response, more, 'error' in asObject(response)), timeMs);
  if (answers.length === 0) conversation.prompt([...textBlocks(prompt ?? ''), ...files], timeMs);
  else conversation.prompt(steeringIn(parts), timeMs, true);
}

/** What was typed while the agent worked comes behind what its tools returned, in words of the client's. */
const STEERING = /^User steering update:\n<user_input>\n([\s\S]*)\n<\/user_input>\n/;

const steeringIn = (parts: readonly JsonObject[]): ContentBlock[] =>
  parts.flatMap(({ text }) => {
    const hint = cleanPrompt(STEERING.exec(asText(text))?.[1] ?? '');
    return hint === '' ? [] : [{ type: 'text', text: hint }];
  });

function takeAnswer(conversation: Conversation, message: Message, timeMs: number): void {
  const { fields } = message;
  const said: Said = { timeMs, call: callOf(message), model: asText(fields.model) };
  for (const { subject, description } of asObjects(fields.thoughts))
    conversation.say(
      { type: 'thinking', text: [asText(subject), asText(description)].filter(Boolean).join('\n\n') },
      said,
    );
  conversation.say({ type: 'text', text: textOf(fields.content) }, said);
  const calls = toolCalls(message);
  for (const { id, name, args } of calls) conversation.use(id, name, args, said);
  for (const { id, failed, fields: call } of calls) {
    const returned = resultOf(call, failed);
    if (returned) conversation.result(id, returned, parseTime(call.timestamp));
  }
}

/** What the client noted of a result; `undefined` where the tool has not returned. */
function resultOf(call: JsonObject, failed: boolean): Returned | undefined {
  const parts = asObjects(call.result);
  const answer = parts.find(({ functionResponse }) => isObject(functionResponse))?.functionResponse;
  const attachments = parts.flatMap((part) => fileIn(part) ?? []);
  if (isObject(answer)) {
    const returned = responseOf(answer.response, answer.parts, failed);
    return { ...returned, attachments: [...(returned.attachments ?? []), ...attachments] };
  }
  if (call.result == null && !failed) return undefined;
  return { ...returnedOf(call.result ?? call.resultDisplay, failed), failed };
}
