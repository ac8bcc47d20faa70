import { expect, test } from 'vitest';
import { PARTS, textsOf } from '../../../integration/support/redaction/corpus.ts';
import { isAside } from '../../../integration/support/redaction/draw.ts';
import { stringsIn, survives } from '../../../integration/support/redaction/judge.ts';
import { POSITIONS } from '../../../integration/support/redaction/kind.ts';
import { measure, THRESHOLDS, totalOf } from '../../../integration/support/redaction/measure.ts';

const namesOf = (part: 'known' | 'aside') => PARTS[part].map(({ name }) => name);
const secretsOf = (seed: number) =>
  [...textsOf('known', seed), ...textsOf('aside', seed)].flatMap(({ secrets }) => secrets);

test('a corpus has at least 1,000 secrets of 150 kinds and 1,500 harmless texts of 60', () => {
  expect(namesOf('known').length + namesOf('aside').length).toBeGreaterThanOrEqual(150);
  expect(new Set([...namesOf('known'), ...namesOf('aside')]).size).toBe(
    PARTS.known.length + PARTS.aside.length,
  );
  expect(secretsOf(1).length).toBeGreaterThanOrEqual(1000);
  const harmless = [...textsOf('harmless', 1)];
  expect(PARTS.harmless.length).toBeGreaterThanOrEqual(60);
  expect(harmless.length).toBeGreaterThanOrEqual(1500);
  expect(harmless.filter(({ secrets }) => secrets.length > 0)).toEqual([]);
});

test('half of the kinds of secrets are kept aside, by lot', () => {
  expect(namesOf('known').filter(isAside)).toEqual([]);
  expect(namesOf('aside').filter((name) => !isAside(name))).toEqual([]);
  const share = PARTS.aside.length / (PARTS.aside.length + PARTS.known.length);
  expect(Math.abs(share - 0.5)).toBeLessThan(0.02);
});

test('each text holds its secrets, in every position, and no placeholder', () => {
  const met = new Set<string>();
  for (const part of ['known', 'aside', 'harmless'] as const) {
    for (const { secrets, position, rendered, texts, kind } of textsOf(part, 2)) {
      met.add(position);
      expect(`${kind.name}: ${texts.join('')}`).not.toMatch(/[«»]|\[\[«|␞/);
      if (part !== 'harmless') expect([kind.name, secrets.length > 0]).toEqual([kind.name, true]);
      for (const secret of secrets) {
        expect(secret.length, `${kind.name}: ${secret}`).toBeGreaterThanOrEqual(5);
        const lines = rendered.lines.replaceAll('\\', '');
        const isThere = lines.includes(secret.replaceAll('\\', '')) || lines.includes(JSON.stringify(secret));
        expect([kind.name, position, secret, isThere]).toEqual([kind.name, position, secret, true]);
      }
    }
  }
  expect(POSITIONS.filter((position) => !met.has(position))).toEqual([]);
});

test('a seed makes the same corpus again, another one other secrets in other surroundings', () => {
  expect(secretsOf(3)).toEqual(secretsOf(3));
  const [one, other] = [new Set(secretsOf(3)), secretsOf(4)];
  expect(other.filter((secret) => one.has(secret)).length).toBeLessThan(other.length / 50);
  const textOf = (seed: number) => [...textsOf('harmless', seed)].map(({ rendered }) => rendered.lines);
  expect(textOf(3)).toEqual(textOf(3));
  expect(new Set(textOf(3)).size).toBe(textOf(3).length);
});

test('what is asked for of known kinds and of their vendors’ keys holds of a seed', async () => {
  const { rates } = await measure('known', 5);
  const keys = rates.filter(({ kind }) => kind.family === 'vendor key');
  expect(totalOf(rates).share).toBeGreaterThanOrEqual(THRESHOLDS.known);
  expect(totalOf(keys).share).toBeGreaterThanOrEqual(THRESHOLDS.vendorKeys);
}, 60_000);

test('what is asked for of false alarms holds of a seed', async () => {
  const { rates } = await measure('harmless', 5);
  expect(1 - totalOf(rates).share).toBeLessThanOrEqual(THRESHOLDS.falseAlarms);
}, 60_000);

test('a secret counts as found when no run of half of its characters is left', () => {
  expect(survives('abcdefghij', 'x abcde y')).toBe(true);
  expect(survives('abcdefghij', 'x abcd fghi y')).toBe(false);
  expect(survives('abcdef', 'cdef')).toBe(true);
  expect(survives('abcdef', 'abc')).toBe(false);
  const nested = JSON.stringify({ a: JSON.stringify({ b: 'tab\there', c: ['deep'] }) });
  expect(stringsIn(`${nested}\nplain`)).toEqual(expect.arrayContaining(['tab\there', 'deep', 'plain']));
});
