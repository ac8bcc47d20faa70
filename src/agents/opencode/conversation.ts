import { asObject, asObjects, asText, type JsonObject } from '../../base/text/json.ts';
import { Conversation, type Said } from '../shared/session/conversation.ts';
import type { ContentBlock, Message as ConversationMessage } from '../shared/session/message.ts';
import { attachmentAt } from '../shared/transcript/message-blocks.ts';
import { isTime, type Message, promptOf, readMessages as readOwn, textsOf } from './messages.ts';
import { opencodeTranscript } from './transcript.ts';

/** The conversation as it now is; messages that were taken back are none of the transcript any more. */
export function readMessages(text: string): ConversationMessage[] {
  const calls = new Map(opencodeTranscript.readCalls(text).map((call) => [call.id, call.usage]));
  const conversation = new Conversation();
  let busyUntil = 0;
  for (const message of readOwn(text)) {
    const { created, completed } = asObject(message.info.time);
    const timeMs = isTime(created) ? created : 0;
    if (message.info.role === 'user')
      conversation.prompt(promptBlocks(message), timeMs, timeMs > 0 && timeMs < busyUntil);
    if (message.info.role !== 'assistant') continue;
    if (message.info.summary === true) conversation.compacted(textsOf(message).join('\n\n'), timeMs);
    else takeAnswer(conversation, message, timeMs);
    const usage = calls.get(message.id);
    if (usage) conversation.spend(usage, message.id, Number(message.info.cost));
    takeError(conversation, message.info.error, timeMs);
    busyUntil = isTime(completed) ? completed : 0;
  }
  return conversation.messages();
}

const promptBlocks = (message: Message): ContentBlock[] => {
  const said = promptOf(message);
  return [...(said === '' ? [] : [{ type: 'text', text: said }]), ...filesIn(message.parts)];
};

/** Pictures and files; contents of text files stand in parts of the client's own. */
const filesIn = (parts: readonly JsonObject[]): ContentBlock[] =>
  parts
    .filter(({ type }) => type === 'file')
    .map(({ url, mime, filename }) => attachmentAt(url, asText(mime), asText(filename)));

/** What tools return stands in their calls; it follows when all calls of a step are there. */
function takeAnswer(conversation: Conversation, { info, parts, id }: Message, timeMs: number): void {
  const said: Said = { timeMs, call: id, model: asText(info.modelID) };
  let returned: JsonObject[] = [];
  const settle = (): void => {
    for (const part of returned) takeResult(conversation, part);
    returned = [];
  };
  for (const part of parts) {
    if (part.type !== 'tool') settle();
    if (part.type === 'text')
      for (const text of textsOf({ parts: [part] })) conversation.say({ type: 'text', text }, said);
    if (part.type === 'reasoning') conversation.say({ type: 'thinking', text: asText(part.text) }, said);
    if (part.type !== 'tool') continue;
    conversation.use(asText(part.callID), asText(part.tool), asObject(part.state).input, said);
    returned.push(part);
  }
  settle();
}

function takeResult(conversation: Conversation, part: JsonObject): void {
  const { status, output, error, attachments, time } = asObject(part.state);
  if (status !== 'completed' && status !== 'error') return;
  const { end } = asObject(time);
  const failed = status === 'error';
  const text = failed ? asText(error) : asText(output);
  const files = filesIn(asObjects(attachments));
  conversation.result(asText(part.callID), { text, failed, attachments: files }, isTime(end) ? end : 0);
}

/** @see https://github.com/sst/opencode/blob/dev/packages/opencode/src/session/message-v2.ts `AbortedError` */
function takeError(conversation: Conversation, error: unknown, timeMs: number): void {
  const name = asText(asObject(error).name);
  if (name !== '') conversation.stop(name === 'MessageAbortedError' ? 'cancelled' : 'failed', timeMs);
}
