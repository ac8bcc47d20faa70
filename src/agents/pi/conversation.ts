import { asObject, asText, type JsonObject } from '../../base/text/json.ts';
import { Conversation, costs, type Said } from '../shared/session/conversation.ts';
import type { Message } from '../shared/session/message.ts';
import type { LinkedRow } from '../shared/transcript/json-lines.ts';
import { attachmentsIn, returnedOf, textBlocks } from '../shared/transcript/message-blocks.ts';
import { partsOf, promptOf, readRows, saidBy, timeOf } from './rows.ts';
import { piTranscript } from './transcript.ts';

/** The conversation as it now is: what somebody went back before is left out, but for the summary that was made of it. */
export function readMessages(text: string): Message[] {
  const spent = costs(piTranscript.readCalls(text));
  const conversation = new Conversation();
  const seen = new Set<string>();
  let isMidTurn = false;
  for (const row of readRows(text)) {
    const id = asText(row.value.id);
    if (!row.isCurrent || (id !== '' && seen.has(id))) continue;
    seen.add(id);
    const timeMs = timeOf(row);
    const answer = saidBy(row, 'assistant');
    const result = saidBy(row, 'toolResult');
    const { type, summary } = row.value;
    if (answer) takeAnswer(conversation, answer, { timeMs, call: id, model: asText(answer.model) });
    else if (result) takeResult(conversation, result, timeMs);
    else if (type === 'compaction' || type === 'branch_summary')
      conversation.compacted(asText(summary), timeMs);
    // What is typed meanwhile is told to the model with what the tools returned.
    else takePrompt(conversation, row, timeMs, isMidTurn);
    const usage = spent.get(row.item);
    if (usage) conversation.spend(usage, id, Number(asObject(asObject(answer?.usage).cost).total));
    if (type === 'message') isMidTurn = result !== undefined;
  }
  return conversation.messages();
}

function takePrompt(conversation: Conversation, row: LinkedRow, timeMs: number, isMidTurn: boolean): void {
  const { content } = saidBy(row, 'user') ?? {};
  conversation.prompt([...textBlocks(promptOf(row) ?? ''), ...attachmentsIn(content)], timeMs, isMidTurn);
}

function takeAnswer(conversation: Conversation, message: JsonObject, said: Said): void {
  for (const { type, text, thinking, id, name, arguments: given } of partsOf(message)) {
    if (type === 'text') conversation.say({ type: 'text', text: asText(text) }, said);
    if (type === 'thinking') conversation.say({ type: 'thinking', text: asText(thinking) }, said);
    if (type === 'toolCall') conversation.use(asText(id), asText(name), given, said);
  }
  if (message.stopReason === 'aborted') conversation.stop('cancelled', said.timeMs);
  if (message.stopReason === 'error') conversation.stop('failed', said.timeMs);
}

function takeResult(conversation: Conversation, result: JsonObject, timeMs: number): void {
  const returned = returnedOf(result.content, result.isError === true);
  conversation.result(asText(result.toolCallId), returned, timeMs);
}
