import { asObject, asText, type JsonObject } from '../../base/text/json.ts';
import { Conversation, costs } from '../shared/session/conversation.ts';
import type { Message } from '../shared/session/message.ts';
import { type LinkedRow, readLinkedRows } from '../shared/transcript/json-lines.ts';
import { attachmentsIn, takeAnswer, takeResults, textBlocks } from '../shared/transcript/message-blocks.ts';
import {
  blocks,
  claudeTranscript,
  isInterruption,
  isPrompt,
  isSummary,
  type Line,
  promptText,
  timeOf,
} from './transcript.ts';

/** The conversation as it now is: what somebody went back before is left out, what was compacted is not. */
export function readMessages(text: string): Message[] {
  const calls = costs(claudeTranscript.readCalls(text));
  const conversation = new Conversation();
  const seen = new Set<string>();
  for (const { item, value } of currentRows(text)) {
    const uuid = asText(value.uuid);
    if (uuid !== '' && seen.has(uuid)) continue;
    seen.add(uuid);
    if (value.type === 'assistant') takeAssistant(conversation, value);
    else if (value.type === 'attachment') takeQueued(conversation, value);
    else takeUser(conversation, value);
    const usage = calls.get(item);
    if (usage) conversation.spend(usage, answerId(value));
  }
  return conversation.messages();
}

/**
 * Rows of the branch that the session is on. Results hang below the call they answer, each its own, and of several calls at once only
 * one is followed by what comes next: they are part of the branch all the same. Sub-agents had rows in the same file once; a
 * transcript with no others is a sub-agent's own.
 */
function currentRows(text: string): LinkedRow[] {
  const known = new Set<string>();
  let before: string | null = null;
  const rows = readLinkedRows(text, (value) => {
    const id = asText(value.uuid);
    if (id === '' || value.isSidechain === true) return undefined;
    const parent = parentOf(value, known, before);
    known.add(id);
    before = id;
    return { id, parent };
  });
  const main = rows.filter(({ value }) => value.isSidechain !== true);
  const own = main.some(isSaid) ? main : rows;
  const branch = own.filter(({ isCurrent }) => isCurrent);
  const answers = new Set(branch.map(({ value }) => answerId(value)).filter(Boolean));
  const isPart = ({ value }: LinkedRow): boolean => answers.has(answerId(value));
  const parts = own.filter((row) => row.isCurrent || isPart(row));
  const uses = new Set(parts.filter(isAnswerRow).flatMap(({ value }) => idsIn(value, 'tool_use', 'id')));
  const answered = ({ value }: LinkedRow): boolean =>
    value.type === 'user' && idsIn(value, 'tool_result', 'tool_use_id').some((id) => uses.has(id));
  return own.filter((row) => row.isCurrent || isPart(row) || answered(row));
}

/** A compaction begins a new tree; what was said before it was said all the same. */
function parentOf(value: JsonObject, known: ReadonlySet<string>, before: string | null): string | null {
  const parent = asText(value.parentUuid) || null;
  if (parent !== null || (value.subtype !== 'compact_boundary' && value.isCompactSummary !== true))
    return parent;
  const logical = asText(value.logicalParentUuid);
  return known.has(logical) ? logical : before;
}

const isSaid = ({ value }: LinkedRow): boolean => value.type === 'user' || value.type === 'assistant';
const isAnswerRow = ({ value }: LinkedRow): boolean => value.type === 'assistant';
const answerId = (value: JsonObject): string =>
  value.type === 'assistant' ? asText(asObject(value.message).id) : '';
const idsIn = (value: JsonObject, type: string, key: 'id' | 'tool_use_id'): string[] =>
  blocks(value as Line).flatMap((block) => (block.type === type ? asText(block[key]) || [] : []));

function takeAssistant(conversation: Conversation, value: JsonObject): void {
  const message = asObject(value.message);
  const model = asText(message.model);
  takeAnswer(conversation, message.content, {
    timeMs: timeOf(value),
    call: asText(message.id) || asText(value.uuid),
    model: model.startsWith('<') ? '' : model, // what the client says in the model's name
  });
  if (value.isApiErrorMessage === true) conversation.stop('failed', timeOf(value));
}

function takeUser(conversation: Conversation, value: JsonObject): void {
  const line = value as Line;
  const timeMs = timeOf(line);
  const { content } = asObject(value.message);
  if (value.type === 'user') takeResults(conversation, content, timeMs);
  const text = promptText(line) ?? '';
  if (isSummary(line)) conversation.compacted(text, timeMs);
  else if (isInterruption(line)) conversation.stop('cancelled', timeMs);
  else if (isPrompt(line)) conversation.prompt([...textBlocks(text), ...attachmentsIn(content)], timeMs);
}

/** What was typed while the agent worked waits until it can be told, and then stands among what the client tells it. */
function takeQueued(conversation: Conversation, value: JsonObject): void {
  const { type, prompt, origin, isMeta } = asObject(value.attachment);
  const kind = asObject(origin).kind;
  if (type !== 'queued_command' || isMeta === true || (kind !== undefined && kind !== 'human')) return;
  const text = promptText({ message: { content: prompt } }) ?? '';
  conversation.prompt([...textBlocks(text), ...attachmentsIn(prompt)], timeOf(value), true);
}
