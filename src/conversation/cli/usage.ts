import type { Headless } from '../../agents/shared/headless/headless.ts';
import type { MessageUsage } from '../../agents/shared/session/message.ts';
import { asObject, isObject } from '../../base/text/json.ts';

/** What an agent's own session has taken so far, of agents that tell the sum; kept from turn to turn. Names are those on disk. */
export interface Sums {
  /** In US dollars. */
  readonly cost_usd?: number;
  readonly tokens?: TokenCounts;
}

type TokenCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

const COUNTS = ['input_tokens', 'output_tokens', 'cache_creation_tokens', 'cache_read_tokens'] as const;

/** What is remembered of earlier turns; what is none is left out. */
export function readSums({ cost_usd, tokens }: Readonly<Record<string, unknown>>): Sums {
  const isTokens = isObject(tokens) && COUNTS.every((name) => Number.isSafeInteger(tokens[name]));
  return {
    ...(typeof cost_usd === 'number' ? { cost_usd } : {}),
    ...(isTokens ? { tokens: countsOf(tokens) } : {}),
  };
}

/** What a turn has taken, and the sums with it. A sum that is less than the earlier one has begun anew. */
export function splitUsage(
  { sumsCost, sumsTokens }: Pick<Headless, 'sumsCost' | 'sumsTokens'>,
  told: MessageUsage,
  earlier: Sums | undefined,
): { readonly usage: MessageUsage; readonly sums: Sums } {
  const { cost_usd: cost } = told;
  const isCost = sumsCost === true && cost !== undefined;
  const before = earlier?.cost_usd ?? 0;
  const tokens = sumsTokens === true ? countsOf(told) : undefined;
  return {
    usage: {
      ...told,
      ...(tokens ? withoutEarlier(tokens, earlier?.tokens) : {}),
      ...(isCost && cost >= before ? { cost_usd: cost - before } : {}),
    },
    sums: { ...(isCost ? { cost_usd: cost } : {}), ...(tokens ? { tokens } : {}) },
  };
}

function withoutEarlier(tokens: TokenCounts, earlier: TokenCounts | undefined): TokenCounts {
  if (!earlier || COUNTS.some((name) => tokens[name] < earlier[name])) return tokens;
  return mapCounts((name) => tokens[name] - earlier[name]);
}

function countsOf(value: object): TokenCounts {
  const counts = asObject(value);
  return mapCounts((name) => Number(counts[name]));
}

const mapCounts = (count: (name: keyof TokenCounts) => number): TokenCounts => ({
  input_tokens: count('input_tokens'),
  output_tokens: count('output_tokens'),
  cache_creation_tokens: count('cache_creation_tokens'),
  cache_read_tokens: count('cache_read_tokens'),
});
