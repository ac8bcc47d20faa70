import { asText } from '../../base/text/json.ts';
import { Conversation, costs } from '../shared/session/conversation.ts';
import type { Message } from '../shared/session/message.ts';
import { attachmentsIn, takeAnswer, takeResults, textBlocks } from '../shared/transcript/message-blocks.ts';
import {
  droidTranscript,
  isAnswer,
  isMessage,
  type Line,
  parseLine,
  promptOf,
  timeOf,
} from './transcript.ts';

/** The conversation, as the client wrote it down. A compaction begins a file of its own with the summary. */
export function readMessages(text: string): Message[] {
  const spent = costs(droidTranscript.readCalls(text));
  const conversation = new Conversation();
  const seen = new Set<string>();
  for (const [item, raw] of text.split('\n').entries()) {
    const line = parseLine(raw);
    const id = asText(line?.id);
    if (!line || (id !== '' && seen.has(id))) continue;
    seen.add(id);
    takeLine(conversation, line);
    const usage = spent.get(item);
    if (usage) conversation.spend(usage, id);
  }
  return conversation.messages();
}

function takeLine(conversation: Conversation, line: Line): void {
  const timeMs = timeOf(line);
  const { content, modelId } = line.message ?? {};
  if (line.type === 'compaction_state') conversation.compacted(asText(line.summaryText), timeMs);
  else if (line.type === 'agent_turn_outcome') takeOutcome(conversation, asText(line.reason));
  else if (!isMessage(line)) return;
  else if (isAnswer(line))
    takeAnswer(conversation, content, { timeMs, call: asText(line.id), model: asText(modelId) });
  else {
    takeResults(conversation, content, timeMs);
    const prompt = promptOf(line);
    if (prompt !== undefined) conversation.prompt([...textBlocks(prompt), ...attachmentsIn(content)], timeMs);
  }
}

/** As the client names the ends of turns; the others are failures of many kinds. */
const DONE: readonly string[] = ['completed', 'spec_handoff'];
const CANCELLED: readonly string[] = ['cancelled', 'permission_rejected', 'process_exit'];

function takeOutcome(conversation: Conversation, reason: string): void {
  if (!DONE.includes(reason)) conversation.stop(CANCELLED.includes(reason) ? 'cancelled' : 'failed', 0);
}
