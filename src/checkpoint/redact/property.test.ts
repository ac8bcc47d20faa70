import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { EntireError } from '../../base/errors.ts';
import { redactJsonLines, redactText } from './redact.ts';
import { findRepeats } from './regions.ts';

const secret = fc.constantFrom(
  ['AKI', 'AYRWQG5EJLPZLBYNP'].join(''),
  ['gh', 'p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join(''),
  ['sk-', 'ant-api03-xK9mZ2vL8nQ5rT1wY4bC7dF0gH3jE6pA'].join(''),
);
const word = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'token=',
      ' ',
      '\n',
      '\\n',
      '"',
      'REDACTED',
      'RED',
      'password: ',
      '://a:',
      '@h',
      '-',
      '\ud83d',
      '\ude00',
      '-----BEGIN PRIVATE KEY-----',
    ),
  },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 2, arbitrary: fc.base64String({ maxLength: 48 }) },
  { weight: 1, arbitrary: secret },
);
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('id', 'text', 'password', 'signature', 'type', 'data'), tie('value')),
  ),
})).value;

test('a second time changes nothing', async () => {
  const check = async (redact: (text: string) => Promise<string>, value: string): Promise<void> => {
    const once = await redact(value);
    expect(await redact(once)).toBe(once);
  };
  await fc.assert(
    fc.asyncProperty(text, fc.array(json, { maxLength: 4 }), async (plain, values) => {
      await check(redactText, plain);
      await check(redactJsonLines, `${values.map((value) => JSON.stringify(value)).join('\n')}\n${plain}`);
    }),
    { numRuns: 200 },
  );
});

test('JSON stays JSON of the same shape, and clean lines stay byte for byte', async () => {
  const shape = (value: unknown): string =>
    JSON.stringify(value, (_, part) => (typeof part === 'string' ? '' : part));
  await fc.assert(
    fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 4 }), async (values) => {
      const before = values.map((value) => JSON.stringify(value));
      const after = (await redactJsonLines(before.join('\n'))).split('\n');
      expect(after.length).toBe(before.length);
      before.forEach((line, index) => {
        expect(shape(JSON.parse(after[index] ?? ''))).toBe(shape(JSON.parse(line)));
        if (!after[index]?.includes('REDACTED')) expect(after[index]).toBe(line);
      });
    }),
    { numRuns: 200 },
  );
});

test('a known secret never survives', async () => {
  await fc.assert(
    fc.asyncProperty(secret, fc.string(), fc.string(), async (key, before, after) => {
      const redacted = await redactJsonLines(JSON.stringify({ text: `${before} ${key} ${after}` }));
      expect(redacted).not.toContain(key);
    }),
  );
});

test('repeats are found as a plain search finds them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 12, maxLength: 14 }), {
        minLength: 1,
      }),
      fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 80 }),
      (secrets, hay) => {
        const first = secrets.map((one) => hay.indexOf(one)).filter((at) => at >= 0);
        const found = findRepeats(hay, new Map(secrets.map((one) => [one, one])));
        expect(found.filter(({ start, end }) => !secrets.includes(hay.slice(start, end)))).toEqual([]);
        expect(found.filter(({ end }) => end > hay.length)).toEqual([]);
        expect(found[0]?.start).toBe(first.length > 0 ? Math.min(...first) : undefined);
      },
    ),
  );
});

test('what could not be looked at is not returned', async () => {
  vi.resetModules();
  const broken = { meta: { id: 'broken' }, create: () => ({ file: () => Promise.reject(new Error('no')) }) };
  vi.doMock('@secretlint/secretlint-rule-preset-recommend', () => ({ rules: [broken] }));
  const fresh = await import('./redact.ts');
  await expect(fresh.redactText('x')).rejects.toMatchObject({
    code: 'REDACTION_FAILED',
  } satisfies Partial<EntireError>);
});
