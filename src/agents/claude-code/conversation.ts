import { asObject, asObjects, asText, type JsonObject } from '../../base/json.ts';
import { attachment, attachmentAt } from '../attachments.ts';
import { Conversation } from '../conversation.ts';
import { type LinkedRow, readLinkedRows } from '../linked-rows.ts';
import type { ContentBlock, Message } from '../message.ts';
import { returnedOf } from '../returned.ts';
import { blocks, isPrompt, type Line, promptText, timeOf } from './lines.ts';
import { claudeTranscript } from './transcript.ts';

/** The conversation as it now is: what somebody went back before is left out, what was compacted is not. */
export function readMessages(text: string): Message[] {
  const calls = new Map(claudeTranscript.readCalls(text).map((call) => [call.item, call.usage]));
  const conversation = new Conversation();
  const seen = new Set<string>();
  for (const { item, value } of currentRows(text)) {
    const uuid = asText(value.uuid);
    if (uuid !== '' && seen.has(uuid)) continue;
    seen.add(uuid);
    if (value.type === 'assistant') takeAnswer(conversation, value);
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

function takeAnswer(conversation: Conversation, value: JsonObject): void {
  const message = asObject(value.message);
  const model = asText(message.model);
  const said = {
    timeMs: timeOf(value),
    call: asText(message.id) || asText(value.uuid),
    model: model.startsWith('<') ? '' : model, // what the client says in the model's name
  };
  if (typeof message.content === 'string') conversation.say({ type: 'text', text: message.content }, said);
  for (const block of asObjects(message.content)) {
    if (block.type === 'tool_use') conversation.use(asText(block.id), asText(block.name), block.input, said);
    else if (block.type === 'text') conversation.say({ type: 'text', text: asText(block.text) }, said);
    else if (block.type === 'thinking')
      conversation.say({ type: 'thinking', text: asText(block.thinking) }, said);
  }
  if (value.isApiErrorMessage === true) conversation.stop('failed');
}

/** What the client writes in the user's name when a turn was stopped; a second form ends in "for tool use]". */
const INTERRUPTED = '[Request interrupted by user';

function takeUser(conversation: Conversation, value: JsonObject): void {
  const line = value as Line;
  const timeMs = timeOf(line);
  for (const block of asObjects(asObject(value.message).content))
    if (value.type === 'user' && block.type === 'tool_result')
      conversation.result(
        asText(block.tool_use_id),
        returnedOf(block.content, block.is_error === true),
        timeMs,
      );
  if (!isPrompt(line)) return;
  const text = promptText(line) ?? '';
  if (value.isCompactSummary === true) conversation.compacted(text, timeMs);
  else if (text.startsWith(INTERRUPTED)) conversation.stop('cancelled');
  else conversation.prompt([...textBlock(text), ...attachmentsIn(asObject(value.message).content)], timeMs);
}

/** What was typed while the agent worked waits until it can be told, and then stands among what the client tells it. */
function takeQueued(conversation: Conversation, value: JsonObject): void {
  const { type, prompt, origin, isMeta } = asObject(value.attachment);
  const kind = asObject(origin).kind;
  if (type !== 'queued_command' || isMeta === true || (kind !== undefined && kind !== 'human')) return;
  const text = promptText({ message: { content: prompt } }) ?? '';
  conversation.prompt([...textBlock(text), ...attachmentsIn(prompt)], timeOf(value), true);
}

const textBlock = (text: string): ContentBlock[] => (text === '' ? [] : [{ type: 'text', text }]);

/** Pictures and documents, as Anthropic's API has them. */
const attachmentsIn = (content: unknown): ContentBlock[] =>
  asObjects(content).flatMap(({ type, source, title }) => {
    if (type !== 'image' && type !== 'document') return [];
    const { type: kind, media_type, data, url } = asObject(source);
    if (kind === 'url') return [attachmentAt(url)];
    return [attachment({ mediaType: asText(media_type), data: asText(data), name: asText(title) })];
  });
