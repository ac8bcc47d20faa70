import type { Message, MessageUsage } from '../agents/shared/session/message.ts';
import { filesOfMessages } from './called-files.ts';
import { shownNumber } from './export/shown-text.ts';
import { modelsIn } from './read-conversation.ts';
import { isPrompt } from './turn-messages.ts';

/** What messages come to. */
export interface MessageFacts {
  /** How often a person said something that began a turn. */
  readonly turns: number;
  /** Sums; `cost_usd` where some message tells it. */
  readonly usage: MessageUsage;
  /** In the order of their first answer. */
  readonly models: readonly string[];
  /** Files that tools wrote, as they were named, in the order of their first call; those of calls that failed are left out. */
  readonly files: readonly string[];
}

export const NO_USAGE: MessageUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_tokens: 0,
  cache_read_tokens: 0,
};

/** @param sum what all of it has cost, where messages do not tell */
export const measureMessages = (messages: readonly Message[], sum?: MessageUsage): MessageFacts => ({
  turns: messages.filter(isPrompt).length,
  usage: sum ?? messages.reduce((all, { usage }) => (usage ? addUsage(all, usage) : all), NO_USAGE),
  models: modelsIn(messages),
  files: filesOfMessages(messages).toMetadata().modifiedFiles,
});

/** The sum; its cost is told where one of the two tells it. */
export function addUsage(one: MessageUsage, other: MessageUsage): MessageUsage {
  const isPriced = one.cost_usd !== undefined || other.cost_usd !== undefined;
  return {
    input_tokens: one.input_tokens + count(other.input_tokens),
    output_tokens: one.output_tokens + count(other.output_tokens),
    cache_creation_tokens: one.cache_creation_tokens + count(other.cache_creation_tokens),
    cache_read_tokens: one.cache_read_tokens + count(other.cache_read_tokens),
    ...(isPriced ? { cost_usd: count(one.cost_usd) + count(other.cost_usd) } : {}),
  };
}

/** What was imported may hold anything. */
const count = (value: unknown): number =>
  typeof value === 'number' && value > 0 && value < 1e15 ? value : 0;

/** `1,200 tokens in (1,000 from the cache), 80 out, $0.02`. */
export function shownUsage(usage: MessageUsage): string {
  const { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens, cost_usd } = usage;
  const cached = cache_read_tokens > 0 ? ` (${shownNumber(cache_read_tokens)} cached)` : '';
  const input = input_tokens + cache_creation_tokens + cache_read_tokens;
  const cost = cost_usd === undefined ? '' : `, $${cost_usd.toFixed(2)}`;
  return `${shownNumber(input)} tokens in${cached}, ${shownNumber(output_tokens)} out${cost}`;
}
