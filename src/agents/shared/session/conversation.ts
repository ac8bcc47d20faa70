import { isShallow } from '../../../base/text/json.ts';
import type { ModelCall, TokenTotals } from '../transcript/transcript.ts';
import type { ContentBlock, Message, MessageUsage, ToolResultBlock, TurnStop } from './message.ts';

/** What is known of a message beside what it says. */
export interface Said {
  /** In milliseconds since 1970; 0 where nothing says so. */
  readonly timeMs: number;
  /** The model's call that it is part of: what has another one is another message. Empty where nothing says so. */
  readonly call?: string;
  /** The model that said it; empty where nothing says so. */
  readonly model?: string;
}

/** What a tool returned. */
export interface Returned {
  readonly text: string;
  readonly failed: boolean;
  /** Pictures and files that came with it. */
  readonly attachments?: readonly ContentBlock[];
}

interface Draft {
  readonly role: 'user' | 'assistant';
  readonly blocks: ContentBlock[];
  readonly call: string;
  readonly marks: { -readonly [Key in keyof Message]?: Message[Key] };
}

/** Nobody nests what a tool is called with as deep; what goes on to be written as JSON must have an end. */
const MAX_DEPTH = 64;

/**
 * Puts the messages of a conversation together from what a transcript tells one after the other: what belongs to one call of the
 * model becomes one message, and what its tools returned another. A result stands behind its call, or is left out; two calls have two
 * ids, whatever the transcript calls them.
 */
export class Conversation {
  private readonly drafts: Draft[] = [];
  /** By the id in the transcript: our ids of its calls, and how many of them have returned, the oldest first. */
  private waiting = new Map<string, { readonly ids: string[]; returned: number }>();
  private readonly ids = new Set<string>();
  private readonly counts = new Map<string, number>();
  private unpaid: MessageUsage | undefined;
  private isClosed = false;

  /** What a person said; left out where it is nothing. */
  prompt(blocks: readonly ContentBlock[], timeMs: number, steered = false): void {
    if (blocks.length === 0) return;
    this.open('user', { timeMs }, steered ? { steered: true } : {}).blocks.push(...blocks);
  }

  /** What went before was summed up, and the agent goes on with that. */
  compacted(summary: string, timeMs: number): void {
    const draft = this.open('user', { timeMs }, { compacted: true });
    if (summary !== '') draft.blocks.push({ type: 'text', text: summary });
  }

  /** A block of an answer. A text that is empty says nothing. */
  say(block: ContentBlock, said: Said): void {
    if ((block.type === 'text' || block.type === 'thinking') && !block.text) return;
    this.answer(said).blocks.push(block);
  }

  /** A call of a tool. */
  use(id: string, name: string, input: unknown, said: Said): void {
    const own = this.freshId(id);
    const waiting = this.waiting.get(id);
    if (waiting) waiting.ids.push(own);
    else this.waiting.set(id, { ids: [own], returned: 0 });
    const given = isShallow(input, MAX_DEPTH) ? (input ?? {}) : '(nested too deep)';
    this.answer(said).blocks.push({ type: 'tool_use', id: own, name, input: given });
  }

  /** What a call returned; the second time, and where no call waits for it, it is left out. */
  result(id: string, { text, failed, attachments = [] }: Returned, timeMs: number): void {
    const waiting = this.waiting.get(id);
    const own = waiting?.ids[waiting.returned];
    if (!waiting || own === undefined) return;
    waiting.returned += 1;
    const last = this.drafts.at(-1);
    const draft = last && isResults(last) ? last : this.open('user', { timeMs }, {});
    draft.blocks.push({
      type: 'tool_result',
      tool_use_id: own,
      content: text,
      ...(failed ? { is_error: true } : {}),
    } satisfies ToolResultBlock);
    for (const block of attachments) draft.blocks.push({ ...block, tool_use_id: own });
  }

  /**
   * Tokens of a call of the model. They belong to the last answer, or to the next where that is of another call.
   *
   * @param call as in {@link Said}
   */
  spend(totals: TokenTotals, call = '', costUsd = 0): void {
    const usage = asMessageUsage(totals, costUsd);
    const last = this.drafts.findLast((draft) => !isResults(draft));
    const isOwn = last?.role === 'assistant' && (call === '' || last.call === call);
    if (isOwn || last?.marks.compacted) last.marks.usage = sum(last.marks.usage, usage);
    else this.unpaid = sum(this.unpaid, usage);
  }

  /** What is said next is another message. */
  close(): void {
    this.isClosed = true;
  }

  /** Whether the agent was the last to say something. */
  get isAnswered(): boolean {
    return this.drafts.at(-1)?.role === 'assistant';
  }

  /** The turn did not come to its end; where the agent was not the last to say something, it says nothing now. */
  stop(reason: TurnStop, timeMs: number): void {
    const last = this.drafts.at(-1);
    if (!last) return;
    const answer = last.role === 'assistant' ? last : this.open('assistant', { timeMs }, {});
    answer.marks.stopped = reason;
  }

  /** The last turns were taken back: what a person said to begin them, and all that followed. */
  rollBack(turns: number): void {
    for (let left = turns; left > 0 && this.drafts.length > 0; ) {
      const draft = this.drafts.pop();
      if (draft && isPromptDraft(draft)) left -= 1;
    }
    this.waiting = new Map();
  }

  messages(): Message[] {
    if (this.unpaid) this.open('assistant', { timeMs: 0 }, { usage: this.unpaid });
    this.unpaid = undefined;
    return this.drafts.map(({ role, blocks, marks }) => {
      const [first, ...more] = blocks;
      const isText = first?.type === 'text' && more.length === 0 && Object.keys(first).length === 2;
      const content = first === undefined ? '' : isText ? (first.text ?? '') : blocks;
      return { role, content, ...marks };
    });
  }

  private answer(said: Said): Draft {
    const last = this.drafts.at(-1);
    const call = said.call ?? '';
    const goesOn = last?.role === 'assistant' && !this.isClosed && last.call === call && !last.marks.stopped;
    if (last && goesOn) return last;
    const draft = this.open('assistant', said, said.model ? { model: said.model } : {});
    if (this.unpaid) draft.marks.usage = this.unpaid;
    this.unpaid = undefined;
    return draft;
  }

  private open(role: Draft['role'], { timeMs, call = '' }: Said, marks: Draft['marks']): Draft {
    const timed = timeMs > 0 ? { timestamp: timeMs / 1000, ...marks } : { ...marks };
    const draft: Draft = { role, blocks: [], call, marks: timed };
    this.drafts.push(draft);
    this.isClosed = false;
    return draft;
  }

  /** The id as it is, unless another call has it, or there is none. */
  private freshId(id: string): string {
    let own = id;
    for (let count = this.counts.get(id) ?? 1; own === '' || this.ids.has(own); ) {
      own = id === '' ? `call-${count}` : `${id}#${count + 1}`;
      count += 1;
      this.counts.set(id, count);
    }
    this.ids.add(own);
    return own;
  }
}

/** What calls of the model have cost, by the item that tells of them. */
export function costs(calls: readonly ModelCall[]): ReadonlyMap<number, TokenTotals> {
  const found = new Map<number, TokenTotals>();
  for (const { item, usage } of calls) {
    const known = found.get(item);
    if (Object.values(usage).some((count) => count > 0)) found.set(item, known ? plus(known, usage) : usage);
  }
  return found;
}

const plus = (one: TokenTotals, other: TokenTotals): TokenTotals => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cacheCreationTokens: one.cacheCreationTokens + other.cacheCreationTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});

const isResults = ({ role, blocks }: Draft): boolean => role === 'user' && blocks[0]?.type === 'tool_result';

const isPromptDraft = (draft: Draft): boolean =>
  draft.role === 'user' && !isResults(draft) && !draft.marks.steered && !draft.marks.compacted;

/** Tokens and cost as they stand on disk. @param costUsd 0 where nobody says */
export function asMessageUsage(totals: TokenTotals, costUsd = 0): MessageUsage {
  return {
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    cache_creation_tokens: totals.cacheCreationTokens,
    cache_read_tokens: totals.cacheReadTokens,
    ...(costUsd > 0 && Number.isFinite(costUsd) ? { cost_usd: costUsd } : {}),
  };
}

function sum(one: MessageUsage | undefined, other: MessageUsage): MessageUsage {
  if (!one) return other;
  const cost = (one.cost_usd ?? 0) + (other.cost_usd ?? 0);
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_creation_tokens: one.cache_creation_tokens + other.cache_creation_tokens,
    cache_read_tokens: one.cache_read_tokens + other.cache_read_tokens,
    ...(cost > 0 ? { cost_usd: cost } : {}),
  };
}
