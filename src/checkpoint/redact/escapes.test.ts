import { expect, test } from 'vitest';
import { redactJsonLines, redactText } from './redact.ts';

// Joined here, so that the repository holds nothing that looks like a live key.
const GITHUB = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
const BODY = [
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDJ8s1kQ2mVx0aZ',
  'k2bX0t1u/3v4w5x6y7z8A9B0C1D2E3F4G5H6I7J8K9L0M1N2O3P4Q5R6S7T8U9V0',
];
const HEAD = `-----BEGIN RSA ${'PRIVATE KEY'}-----`;
const END = `-----END RSA ${'PRIVATE KEY'}-----`;
const line = (value: unknown): string => JSON.stringify(value);
const nested = (value: unknown): string => line({ text: JSON.stringify(value) });

test.each([
  ['a URL with \\/ in a result', { out: '{"url":"https:\\/\\/me:hunter2222@host.io\\/x"}' }, 'hunter2222'],
  ['a name and \\u003d', { out: 'TOKEN\\u003da1b2c3d4e5f6' }, 'a1b2c3d4e5f6'],
  ['a query that is encoded', { out: 'next=%2Fx%3Ftoken%3Da1b2c3d4e5f6' }, 'a1b2c3d4e5f6'],
  ['colours around it', { out: `\u001b[32m${GITHUB}\u001b[0m` }, GITHUB],
  ['colours that are escaped', { out: `\\u001b[1;31m${GITHUB}\\u001b[0m` }, GITHUB],
  ['a pair of name and value', { env: [{ name: 'DB_PASSWORD', value: 'sword7fish77' }] }, 'sword7fish77'],
])('found: %s', async (_, value, secret) => {
  for (const form of [line(value), nested(value)]) {
    const redacted = await redactJsonLines(form);
    expect(redacted).not.toContain(secret);
    expect(redacted).toContain('REDACTED');
    expect(() => JSON.parse(redacted)).not.toThrow();
  }
});

test.each([
  ['JSON in a result', 'p"a\\ss/7word', JSON.stringify({ v: 'p"a\\ss/7word' })],
  ['JSON with \\/', 'pa/ss/7word', '{"v":"pa\\/ss\\/7word"}'],
  ['a URL', 'pa/ss?7word', `https://x.io/?p=${encodeURIComponent('pa/ss?7word')}&q`],
])('a secret that a name gave away is found again, spelt as in %s', async (_, secret, text) => {
  const redacted = await redactJsonLines(`${line({ input: { db_password: secret } })}\n${line({ text })}`);
  const [, second = ''] = redacted.split('\n');
  expect(second).toContain('REDACTED');
  expect(second).not.toContain('7word');
});

test.each([
  ['in an array', { lines: [HEAD, ...BODY, 'Ab3dEf==', END, 'after that'] }],
  ['in objects', { lines: [HEAD, ...BODY, END].map((text, at) => ({ kind: 'added', no: at, text })) }],
  ['with signs of a patch', { lines: [` ${HEAD}`, ...BODY.map((text) => `+${text}`), ` ${END}`] }],
  ['cut off before its end', { lines: [HEAD, ...BODY] }],
])('a key whose lines are values of their own: %s', async (_, value) => {
  const redacted = await redactJsonLines(line(value));
  for (const part of BODY) expect(redacted).not.toContain(part.slice(0, 12));
  expect(redacted).not.toContain('Ab3dEf');
  expect(redacted.includes('after that')).toBe(line(value).includes('after that'));
  expect(await redactJsonLines(redacted)).toBe(redacted);
});

test('what follows the head of a key and is none stays', async () => {
  const text = line({ lines: [HEAD, 'is how a key begins', 'loadConfiguration', 'src/index.ts', END] });
  expect(await redactJsonLines(text)).toBe(text);
  const two = `${line({ a: HEAD })}\n${line({ hash: 'a'.repeat(40), n: 'name' })}`;
  expect(await redactJsonLines(two)).toBe(two);
});

test('a name in one line does not make a secret of a value in the next', async () => {
  const text = `${line({ name: 'DB_PASSWORD' })}\n${line({ value: 'sword7fish77' })}`;
  expect(await redactJsonLines(text)).toBe(text);
});

test('documents and sounds stay as they are, and text beside them does not', async () => {
  const text = (secret: string): string =>
    line([
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: GITHUB } },
      { inlineData: { mimeType: 'audio/wav', data: GITHUB } },
      { inlineData: { mimeType: 'text/plain', data: secret } },
      { b64_json: GITHUB, revised_prompt: secret },
    ]);
  expect(await redactJsonLines(text(GITHUB))).toBe(text('REDACTED'));
});

test('a block of a key under numbers of lines', async () => {
  const text = [HEAD, ...BODY, END].map((row, at) => `     ${at + 1}\t${row}`).join('\n');
  const redacted = await redactText(text);
  for (const part of BODY) expect(redacted).not.toContain(part.slice(0, 12));
});
