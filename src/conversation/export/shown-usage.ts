import type { MessageUsage } from '../../agents/session/message.ts';
import { shownNumber } from './shown-text.ts';

/** `1,200 tokens in (1,000 from the cache), 80 out, $0.02`. */
export function shownUsage(usage: MessageUsage): string {
  const { input_tokens, output_tokens, cache_creation_tokens, cache_read_tokens, cost_usd } = usage;
  const cached = cache_read_tokens > 0 ? ` (${shownNumber(cache_read_tokens)} from the cache)` : '';
  const input = input_tokens + cache_creation_tokens + cache_read_tokens;
  const cost = cost_usd === undefined ? '' : `, $${cost_usd.toFixed(2)}`;
  return `${shownNumber(input)} tokens in${cached}, ${shownNumber(output_tokens)} out${cost}`;
}
