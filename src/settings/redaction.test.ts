import { expect, test } from 'vitest';
import { parseRedaction } from './redaction.ts';

const categories = (...sections: unknown[]) => {
  const { email, phone, address } = parseRedaction(sections);
  return [email, phone, address];
};

test('nothing personal is replaced unless it is asked for', () => {
  expect(categories()).toEqual([false, false, false]);
  expect(categories({})).toEqual([false, false, false]);
  expect(categories({ pii: { email: true } })).toEqual([false, false, false]);
  expect(categories({ pii: { enabled: true } })).toEqual([true, true, false]);
  expect(categories({ pii: { enabled: true, email: false, address: true } })).toEqual([false, true, true]);
});

test('a local file can ask for more than the project, and never for less', () => {
  const project = { pii: { enabled: true }, custom_redactions: { a: 'A+' } };
  expect(categories(project, { pii: { enabled: false, email: false, address: true } })).toEqual([
    true,
    true,
    true,
  ]);
  expect(parseRedaction([project, { custom_redactions: { a: 'B+' } }]).expressions).toEqual([
    { label: 'a', expression: 'A+', kind: 'secret' },
    { label: 'a', expression: 'B+', kind: 'secret' },
  ]);
});

test('what is of no use is said, and the rest holds', () => {
  const { problems, expressions, email } = parseRedaction([
    { pii: { enabled: true, phone: 'yes', custom_patterns: ['x'] }, custom_redactions: { n: 5, ok: 'OK+' } },
    'everything',
    null,
  ]);
  expect(problems).toEqual([
    'redaction.pii.phone is neither true nor false',
    'redaction.custom_redactions.n is not an expression',
    'redaction.pii.custom_patterns is not an object',
    'redaction is not an object',
  ]);
  expect(expressions.map(({ label }) => label)).toEqual(['ok']);
  expect(email).toBe(true);
});

test('the fingerprint tells settings apart that replace other things', () => {
  const prints = [{}, { pii: { enabled: true } }, { custom_redactions: { a: 'x' } }].map(
    (section) => parseRedaction([section]).fingerprint,
  );
  expect(new Set(prints).size).toBe(3);
  expect(parseRedaction([{ externalize_images: true }]).fingerprint).toBe(prints[0]);
});
