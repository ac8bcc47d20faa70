import { asObject, asObjects, asText, isObject, type JsonObject } from '../../base/text/json.ts';
import { Conversation, costs, type Said } from '../shared/session/conversation.ts';
import type { Message } from '../shared/session/message.ts';
import type { LinkedRow } from '../shared/transcript/json-lines.ts';
import { fileIn, responseOf, textBlocks } from '../shared/transcript/message-blocks.ts';
import { answersIn, isAnswer, isPrompt, partsOf, promptOf, readRows, timeOf } from './rows.ts';
import { qwenTranscript } from './transcript.ts';

/** The conversation as it now is: what was taken back with `/rewind` is left out, what was compressed is not. */
export function readMessages(text: string): Message[] {
  const spent = costs(qwenTranscript.readCalls(text));
  const conversation = new Conversation();
  const seen = new Set<string>();
  for (const row of readRows(text)) {
    const id = asText(row.value.uuid);
    if (!row.isCurrent || (id !== '' && seen.has(id))) continue;
    seen.add(id);
    if (isAnswer(row)) takeAnswer(conversation, row);
    else if (row.value.type === 'tool_result') takeResults(conversation, row);
    else if (row.value.subtype === 'chat_compression') takeCompression(conversation, row);
    else if (isPrompt(row)) takePrompt(conversation, row);
    const usage = spent.get(row.item);
    if (usage) conversation.spend(usage, id);
  }
  return conversation.messages();
}

function takePrompt(conversation: Conversation, row: LinkedRow): void {
  const files = partsOf(row).flatMap((part) => fileIn(part) ?? []);
  const isSteered = row.value.subtype === 'mid_turn_user_message';
  conversation.prompt([...textBlocks(promptOf(row) ?? ''), ...files], timeOf(row), isSteered);
}

function takeAnswer(conversation: Conversation, row: LinkedRow): void {
  const said: Said = { timeMs: timeOf(row), call: asText(row.value.uuid), model: asText(row.value.model) };
  for (const part of partsOf(row)) {
    const type = part.thought === true ? 'thinking' : 'text';
    conversation.say({ type, text: asText(part.text) }, said);
    const { functionCall: call } = part;
    if (isObject(call)) conversation.use(asText(call.id), asText(call.name), call.args, said);
  }
}

function takeResults(conversation: Conversation, row: LinkedRow): void {
  const failed = new Map(answersIn(row).map((answer) => [answer.id, answer.failed]));
  for (const { functionResponse: answer } of partsOf(row)) {
    if (!isObject(answer)) continue;
    const id = asText(answer.id);
    const returned = responseOf(answer.response, answer.parts, failed.get(id) === true);
    conversation.result(id, returned, timeOf(row));
  }
}

/** The new history stands beside it whole: before the first answer in it, which the client wrote, is the summary. */
function takeCompression(conversation: Conversation, row: LinkedRow): void {
  const { compressedHistory } = asObject(row.value.systemPayload);
  const history = asObjects(compressedHistory);
  const answer = history.findIndex(({ role }) => role === 'model');
  const summary = history[answer > 0 ? answer - 1 : 0];
  conversation.compacted(summary ? wordsIn(summary) : '', timeOf(row));
}

const wordsIn = ({ parts }: JsonObject): string =>
  asObjects(parts)
    .map(({ text }) => asText(text))
    .filter(Boolean)
    .join('\n');
