import {
  asList,
  asObject,
  asObjects,
  asText,
  isObject,
  type JsonObject,
  parseJson,
} from '../../base/text/json.ts';
import { Conversation, costs, type Said } from '../shared/session/conversation.ts';
import type { ContentBlock, Message } from '../shared/session/message.ts';
import { attachment, attachmentAt, returnedOf } from '../shared/transcript/message-blocks.ts';
import { contentTexts, parseRows, promptOf, type Row, toolCall, toolOutput } from './rows.ts';
import { codexTranscript } from './transcript.ts';

/** The conversation as it now is: turns that were rolled back are left out. */
export function readMessages(text: string): Message[] {
  const calls = costs(codexTranscript.readCalls(text));
  const reader = new Reader();
  for (const row of parseRows(text)) {
    reader.take(row);
    const usage = calls.get(row.item);
    if (usage) reader.conversation.spend(usage);
    if (usage) reader.conversation.close(); // what is said next comes from another call of the model
  }
  return reader.conversation.messages();
}

/**
 * Reads row after row.
 *
 * @see https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs `EventMsg`
 */
class Reader {
  readonly conversation = new Conversation();
  private model = '';
  /** Prompts since a turn began; `undefined` outside of turns, and where the client does not tell when they begin. */
  private prompts: number | undefined;
  /** Calls that the client notes as failed, by their ids. */
  private readonly failed = new Map<string, boolean>();

  take(row: Row): void {
    const { type, kind, payload } = row;
    if (type === 'turn_context') this.model = asText(payload.model);
    else if (type === 'compacted') this.conversation.compacted(asText(payload.message), row.timeMs);
    else if (type === 'response_item') this.takeItem(row);
    else if (type === 'item_completed') this.takeCompleted(row);
    else if (type === 'event_msg') this.takeEvent(kind, row);
  }

  private takeEvent(kind: string, row: Row): void {
    const { payload } = row;
    if (kind === 'user_message') this.takePrompt(row);
    if (kind === 'task_started' || kind === 'turn_started') this.prompts = 0;
    if (kind === 'task_complete' || kind === 'turn_complete') this.prompts = undefined;
    if (kind === 'turn_aborted') this.stop('cancelled', row.timeMs);
    if (kind === 'error') this.stop('failed', row.timeMs);
    if (kind === 'thread_rolled_back') this.conversation.rollBack(Number(payload.num_turns) || 0);
    if (kind === 'exec_command_end') this.note(payload, payload.exit_code !== 0);
    if (kind === 'patch_apply_end') this.note(payload, payload.success !== true);
  }

  private note(payload: JsonObject, failed: boolean): void {
    this.failed.set(asText(payload.call_id) || asText(payload.id), failed);
  }

  private stop(reason: 'cancelled' | 'failed', timeMs: number): void {
    this.conversation.stop(reason, timeMs);
    this.prompts = undefined;
  }

  private takeCompleted(row: Row): void {
    if (row.kind === 'UserMessage') this.takePrompt(row);
    const { status } = row.payload;
    if (typeof status === 'string') this.note(row.payload, status === 'failed' || status === 'declined');
  }

  private takePrompt(row: Row): void {
    const said = promptOf(row);
    const blocks = [
      ...(said === undefined ? [] : [{ type: 'text', text: said }]),
      ...picturesIn(row.payload),
    ];
    this.conversation.prompt(blocks, row.timeMs, (this.prompts ?? 0) > 0);
    if (this.prompts !== undefined && blocks.length > 0) this.prompts += 1;
  }

  private takeItem(row: Row): void {
    const { kind, payload, timeMs } = row;
    const said: Said = { timeMs, model: this.model };
    const call = toolCall(row);
    const returned = toolOutput(row);
    if (call) this.conversation.use(call.id, call.name, inputOf(call.input, kind), said);
    else if (returned)
      this.conversation.result(returned.id, this.readOutput(returned, payload.output), timeMs);
    else if (kind === 'web_search_call')
      this.conversation.use(asText(payload.id), 'web_search', asObject(payload.action), said);
    else if (kind === 'reasoning') this.conversation.say({ type: 'thinking', text: thoughts(payload) }, said);
    else if (kind === 'message' && payload.role === 'assistant')
      for (const text of contentTexts(payload)) this.conversation.say({ type: 'text', text }, said);
  }

  private readOutput(
    { id, output }: { id: string; output: string },
    raw: unknown,
  ): ReturnType<typeof returnedOf> {
    const told = isObject(raw) && typeof raw.success === 'boolean' ? !raw.success : this.failed.get(id);
    const content = isObject(raw) ? raw.content : raw;
    const { attachments = [] } = returnedOf(content, false);
    return { text: output, failed: told ?? saysFailed(output), attachments };
  }
}

/** Functions are called with the JSON text of their members, other tools with free text. */
function inputOf(input: string, kind: string): unknown {
  const members = kind === 'custom_tool_call' ? undefined : parseJson(input);
  return isObject(members) ? members : { input };
}

/** What the client writes above the output of a command; older ones wrapped it in JSON. */
const EXIT_CODE =
  /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?(?:Exit code: |Process exited with code )(-?\d+)$/m;
const MAX_HEAD = 400;

function saysFailed(output: string): boolean {
  const code = EXIT_CODE.exec(output.slice(0, MAX_HEAD))?.[1];
  if (code !== undefined) return code !== '0';
  const wrapped = output.startsWith('{"output"') ? asObject(parseJson(output)) : {};
  const { exit_code: exitCode } = asObject(wrapped.metadata);
  return typeof exitCode === 'number' && exitCode !== 0;
}

/** The summary that the model gives of what it thought; the thoughts themselves where a provider tells them. */
function thoughts(payload: JsonObject): string {
  const summary = contentTexts({ content: payload.summary });
  return (summary.length > 0 ? summary : contentTexts(payload)).join('\n\n');
}

/** Pictures beside a prompt: an address, or a file on the user's disk. */
function picturesIn({ content, images, local_images: files }: JsonObject): ContentBlock[] {
  const inItem = asObjects(content).flatMap((part) => {
    if (part.type === 'image') return attachmentAt(part.image_url ?? part.url, 'image/*');
    if (part.type === 'local_image') return fileAt(part.path);
    return [];
  });
  const inEvent = [
    ...asList(images).map((address) => attachmentAt(address, 'image/*')),
    ...asList(files).map(fileAt),
  ];
  return [...inItem, ...inEvent];
}

const fileAt = (path: unknown): ContentBlock => attachment({ mediaType: 'image/*', source: asText(path) });
