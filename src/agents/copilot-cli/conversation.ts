import { asObject, asObjects, asText } from '../../base/text/json.ts';
import { Conversation, costs, type Said } from '../shared/session/conversation.ts';
import type { ContentBlock, Message } from '../shared/session/message.ts';
import { attachment, textBlocks } from '../shared/transcript/message-blocks.ts';
import { parseEvents, promptOf, readCalls, type SessionEvent } from './events.ts';
import { parseArguments } from './tools.ts';

/**
 * The conversation as it now is: the client takes out of its file what somebody goes back before. What a call of the model has cost
 * stands before what it answered.
 *
 * @see https://github.com/github/copilot-sdk/blob/main/nodejs/src/generated/session-events.ts
 */
export function readMessages(text: string): Message[] {
  const spent = costs(readCalls(text));
  const conversation = new Conversation();
  const seen = new Set<string>();
  for (const event of parseEvents(text)) {
    if (event.agentId !== '' || (event.id !== '' && seen.has(event.id))) continue;
    seen.add(event.id);
    takeEvent(conversation, event);
    const usage = spent.get(event.item);
    if (usage) conversation.spend(usage, callOf(event));
  }
  return conversation.messages();
}

const callOf = ({ type, data }: SessionEvent): string => {
  if (type === 'session.usage_record') return asText(asObject(data.usage).apiCallId);
  return type === 'assistant.message' ? asText(data.apiCallId) || asText(data.messageId) : '';
};

function takeEvent(conversation: Conversation, event: SessionEvent): void {
  const { type, data, timeMs } = event;
  if (type === 'user.message') takePrompt(conversation, event);
  if (type === 'assistant.message') takeAnswer(conversation, event);
  if (type === 'tool.execution_complete') {
    const { content } = asObject(data.result);
    const said = typeof content === 'string' ? content : asText(asObject(data.error).message);
    conversation.result(asText(data.toolCallId), { text: said, failed: data.success !== true }, timeMs);
  }
  if (type === 'session.compaction_complete' && data.success === true)
    conversation.compacted(asText(data.summaryContent), timeMs);
  if (type === 'abort') conversation.stop('cancelled', timeMs);
  if (type === 'session.error') conversation.stop('failed', timeMs);
}

function takePrompt(conversation: Conversation, event: SessionEvent): void {
  const prompt = promptOf(event);
  if (prompt === undefined) return;
  const { attachments, delivery } = event.data;
  const files = asObjects(attachments).map((file): ContentBlock => {
    const [data, source] = [asText(file.data), asText(file.path) || asText(file.filePath)];
    return attachment({ mediaType: asText(file.mimeType), data, source, name: asText(file.displayName) });
  });
  conversation.prompt([...textBlocks(prompt), ...files], event.timeMs, delivery === 'steering');
}

function takeAnswer(conversation: Conversation, event: SessionEvent): void {
  const { data, timeMs } = event;
  const said: Said = { timeMs, call: callOf(event), model: asText(data.model) };
  conversation.say({ type: 'thinking', text: asText(data.reasoningText) }, said);
  conversation.say({ type: 'text', text: asText(data.content) }, said);
  for (const { toolCallId, name, arguments: given } of asObjects(data.toolRequests)) {
    const members = parseArguments(given);
    const isFree = typeof given === 'string' && Object.keys(members).length === 0;
    conversation.use(asText(toolCallId), asText(name), isFree ? { input: given } : members, said);
  }
}
