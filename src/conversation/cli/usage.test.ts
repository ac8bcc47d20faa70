import { expect, test } from 'vitest';
import { readSums, splitUsage } from './usage.ts';

const usage = (input: number, output: number, cost?: number) => ({
  input_tokens: input,
  output_tokens: output,
  cache_creation_tokens: 0,
  cache_read_tokens: 5,
  ...(cost === undefined ? {} : { cost_usd: cost }),
});

test('an agent that tells what a turn has taken is believed', () => {
  expect(splitUsage({}, usage(10, 2, 0.5), { cost_usd: 0.25, tokens: usage(1, 1) })).toEqual({
    usage: usage(10, 2, 0.5),
    sums: {},
  });
});

test('of sums only what came with this turn counts, and the sums are remembered', () => {
  const agent = { sumsCost: true, sumsTokens: true } as const;
  const first = splitUsage(agent, usage(10, 2, 0.5), undefined);
  expect(first).toEqual({ usage: usage(10, 2, 0.5), sums: { cost_usd: 0.5, tokens: usage(10, 2) } });
  const second = splitUsage(agent, usage(17, 3, 0.75), readSums({ ...first.sums }));
  expect(second.usage).toEqual({ ...usage(7, 1, 0.25), cache_read_tokens: 0 });
});

test('sums that are less than before have begun anew', () => {
  const agent = { sumsCost: true, sumsTokens: true } as const;
  const { usage: taken } = splitUsage(agent, usage(3, 9, 0.1), { cost_usd: 0.5, tokens: usage(4, 2) });
  expect(taken).toEqual(usage(3, 9, 0.1));
});

test('what is no sum is not remembered', () => {
  expect(readSums({ cost_usd: '1', tokens: { input_tokens: 1 } })).toEqual({});
  expect(readSums({ tokens: null })).toEqual({});
});
