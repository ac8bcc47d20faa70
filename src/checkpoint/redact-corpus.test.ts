import { expect, test } from 'vitest';
import { measureCorpus, readCorpus, totalRate } from '../../integration/support/redaction-corpus.ts';

test('the corpus is as large as it says, and each sample stands in it once', () => {
  for (const name of ['positive', 'negative'] as const) {
    const texts = readCorpus(name, 1).map(({ text }) => text);
    expect(texts.length).toBeGreaterThanOrEqual(150);
    expect(new Set(texts).size).toBe(texts.length);
  }
  expect(readCorpus('positive', 1).filter(({ secrets }) => secrets.length === 0)).toEqual([]);
});

test('at least 99 % of the secrets in the corpus are found', async () => {
  expect(totalRate(await measureCorpus('positive', 2))).toBeGreaterThanOrEqual(0.99);
}, 120_000);

test('at most 1 % of the texts without a secret are changed', async () => {
  expect(totalRate(await measureCorpus('negative', 2))).toBeGreaterThanOrEqual(0.99);
}, 120_000);
