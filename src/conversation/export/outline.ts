import { AGENTS, parseAgentName } from '../../agents/names.ts';
import type { ContentBlock, Message, MessageUsage, TurnStop } from '../../agents/shared/session/message.ts';
import { resultText, tokens, toolDetail } from '../../agents/shared/transcript/message-blocks.ts';
import { asObject, asText, describeJson } from '../../base/text/json.ts';
import { truncate } from '../../base/text/text.ts';
import { pairResults } from '../pair-results.ts';
import { isPrompt, textOf } from '../turn-messages.ts';
import type { ExportEnvelope } from './envelope.ts';
import { type FileChange, fileChanges } from './file-changes.ts';
import { shownLine } from './shown-text.ts';

/** A session as people read it. Texts are as they were said. */
export interface Outline {
  /** What the first prompt asks for, in one line. */
  readonly title: string;
  /** Name of the agent as people write it. */
  readonly agent: string;
  readonly sessionId: string;
  readonly parentId: string | undefined;
  /** In seconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly models: readonly string[];
  readonly usage: MessageUsage | undefined;
  readonly system: string | undefined;
  readonly turns: readonly OutlineTurn[];
}

export interface OutlineTurn {
  /** From 1 on; 0 for what was said before anybody asked. */
  readonly number: number;
  /** Its prompt in one line, to be listed. */
  readonly title: string;
  readonly startedAt: number | undefined;
  readonly items: readonly OutlineItem[];
  readonly usage: MessageUsage | undefined;
  readonly stopped: TurnStop | undefined;
}

export type OutlineItem =
  | { readonly kind: 'prompt' | 'steered' | 'answer' | 'thinking' | 'compacted'; readonly text: string }
  | ToolItem
  | {
      readonly kind: 'attachment';
      readonly mediaType: string;
      /** Base64; empty where only its place is known. */
      readonly data: string;
      /** Its name or place. */
      readonly name: string;
    }
  /** What this version does not know, or what neither side said: as it stands. */
  | { readonly kind: 'other'; readonly name: string; readonly text: string };

export interface ToolItem {
  readonly kind: 'tool';
  /** Of the call. */
  readonly id: string;
  readonly name: string;
  /** What it was used on, in one line; may be empty. */
  readonly detail: string;
  /** Its arguments, as text. */
  readonly input: string;
  /** Its arguments, as they were given. */
  readonly given: unknown;
  readonly changes: readonly FileChange[];
  /** What it returned; `undefined` where the session has no answer. */
  readonly result: string | undefined;
  readonly failed: boolean;
}

const TITLE_LENGTH = 120;

export function outlineOf({ cli_origin, session }: ExportEnvelope): Outline {
  const turns = turnsIn(session.messages);
  const asked = turns.find(({ number }) => number > 0);
  const agent = asText(session.metadata.agent) || cli_origin;
  const known = parseAgentName(agent);
  return {
    title: shorten(shownLine(asText(session.metadata.title))) || asked?.title || session.session_id,
    agent: known ? AGENTS[known].type : agent,
    sessionId: session.session_id,
    parentId: session.parent_id ?? undefined,
    createdAt: session.created_at,
    updatedAt: session.updated_at,
    models: [...new Set(session.messages.flatMap(({ model }) => asText(model) || []))],
    usage: turns.map(({ usage }) => usage).reduce(addUsage, undefined),
    system: session.system ?? undefined,
    turns,
  };
}

/** Messages by the turns that they are of, the oldest first. */
export function turnsIn(messages: readonly Message[]): OutlineTurn[] {
  const results = pairResults(messages);
  const placed = new Set(results.values());
  const turns: Draft[] = [];
  for (const message of messages) {
    const begins = isPrompt(message) && message.compacted !== true;
    if (begins || turns.length === 0) turns.push(newTurn(begins ? message : undefined, turns));
    const turn = turns.at(-1) as Draft;
    turn.items.push(...itemsOf(message, begins, { results, placed }));
    turn.usage = addUsage(turn.usage, message.usage);
    turn.stopped = message.stopped ?? turn.stopped;
  }
  return turns;
}

interface Draft extends OutlineTurn {
  readonly items: OutlineItem[];
  usage: MessageUsage | undefined;
  stopped: TurnStop | undefined;
}

function newTurn(prompt: Message | undefined, before: readonly Draft[]): Draft {
  const number = prompt ? (before.at(-1)?.number ?? 0) + 1 : 0;
  const line = prompt ? shownLine(textOf(prompt.content).slice(0, 10 * TITLE_LENGTH)) : '';
  const startedAt = typeof prompt?.timestamp === 'number' ? prompt.timestamp : undefined;
  return { number, title: shorten(line), startedAt, items: [], usage: undefined, stopped: undefined };
}

const shorten = (line: string): string => truncate(line, TITLE_LENGTH, '…');

interface Results {
  readonly results: ReadonlyMap<ContentBlock, ContentBlock>;
  readonly placed: ReadonlySet<ContentBlock>;
}

const LONE_RESULT = 'Result of a call that is not on record';

function itemsOf(message: Message, begins: boolean, { results, placed }: Results): OutlineItem[] {
  const kind = kindOf(message, begins);
  const { role, content } = message;
  const said = (text: string): OutlineItem[] => {
    if (text === '') return [];
    return [kind === undefined ? { kind: 'other', name: role, text } : { kind, text }];
  };
  if (typeof content === 'string') return said(content);
  return content.flatMap((block): OutlineItem[] => {
    switch (block.type) {
      case 'text':
        return said(asText(block.text));
      case 'thinking':
        return thinking(asText(block.text) || asText(block.thinking));
      case 'tool_use':
        return [toolItem(block, results.get(block))];
      case 'tool_result':
        // One that has a call stands with it; the calls of others were compacted, or nobody wrote them down.
        return placed.has(block) ? [] : [{ kind: 'other', name: LONE_RESULT, text: returned(block) }];
      case 'image':
      case 'file':
        return [attachment(block)];
      default:
        return [{ kind: 'other', name: block.type, text: asJson(block) }];
    }
  });
}

function kindOf(
  { role, steered, compacted }: Message,
  begins: boolean,
): 'prompt' | 'steered' | 'answer' | 'compacted' | undefined {
  if (compacted === true) return 'compacted';
  if (begins) return 'prompt';
  if (role === 'user') return steered ? 'steered' : 'prompt';
  return role === 'assistant' ? 'answer' : undefined;
}

const thinking = (text: string): OutlineItem[] => (text === '' ? [] : [{ kind: 'thinking', text }]);

function attachment(block: ContentBlock): OutlineItem {
  const source = asObject(block.source);
  return {
    kind: 'attachment',
    mediaType: asText(block.media_type) || asText(source.media_type),
    data: asText(block.data) || asText(source.data),
    name: asText(block.name) || asText(block.source) || asText(source.url),
  };
}

function toolItem(block: ContentBlock, result: ContentBlock | undefined): ToolItem {
  const name = asText(block.name) || 'tool';
  const { input } = block;
  const changes = fileChanges(name, input);
  const detail = toolDetail(name, input, ['cmd', 'filePath', 'path', 'query', 'url', 'prompt']);
  return {
    kind: 'tool',
    id: asText(block.id),
    name,
    detail: shownLine(detail || changes.map(({ path }) => path).join(', ')).slice(0, 300),
    input: typeof input === 'string' ? input : argumentsOf(input, detail),
    given: input,
    changes,
    result: result && returned(result),
    failed: result?.is_error === true,
  };
}

/** A command that is all there is to say reads better by itself; what the line above says already is left out. */
function argumentsOf(input: unknown, detail: string): string {
  const { command, description: _, ...others } = asObject(input);
  const rest = Object.values(others);
  if (typeof command === 'string' && rest.length === 0) return command;
  return command === undefined && rest.length === 1 && rest[0] === detail ? '' : asJson(input);
}

function returned(block: ContentBlock): string {
  if (typeof block.content === 'string') return block.content;
  return resultText(block) || (block.content === undefined ? '' : asJson(block.content));
}

/** What is nested without end is not written again. */
function asJson(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2) ?? '';
  } catch {
    return describeJson(value);
  }
}

const FIELDS = ['input_tokens', 'output_tokens', 'cache_creation_tokens', 'cache_read_tokens'] as const;

/** Nobody vouches for what a file says of tokens. */
function addUsage(sum: MessageUsage | undefined, more: MessageUsage | undefined): MessageUsage | undefined {
  if (typeof more !== 'object' || more === null) return sum;
  const [input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens] = FIELDS.map(
    (field) => tokens(more[field]) + (sum?.[field] ?? 0),
  ) as [number, number, number, number];
  const paid = typeof more.cost_usd === 'number' && more.cost_usd > 0 ? more.cost_usd : 0;
  const cost = paid + (sum?.cost_usd ?? 0);
  return {
    input_tokens,
    output_tokens,
    cache_creation_tokens,
    cache_read_tokens,
    ...(cost > 0 && Number.isFinite(cost) ? { cost_usd: cost } : {}),
  };
}
