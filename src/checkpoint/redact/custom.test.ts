import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { parseRedaction, useRedaction } from '../../settings/redaction.ts';
import { compileCustomRules, RULES_VERSION } from './custom.ts';
import { redactJsonLines, redactText, redactTranscript } from './redact.ts';

afterEach(() => useRedaction());

const ask = (redaction: unknown): void => useRedaction(parseRedaction([redaction]));
const PII = { enabled: true, address: true };

test.each([
  ['write to ada@acme.dev.', 'write to [REDACTED_EMAIL].'],
  ['Ada <ada.l+x@mail.acme.co.uk>', 'Ada <[REDACTED_EMAIL]>'],
  ['call (555) 123-4567 or +49 30 1234567', 'call [REDACTED_PHONE] or [REDACTED_PHONE]'],
  ['at 12 Old Mill Road, Springfield, IL 62704 now', 'at [REDACTED_ADDRESS] now'],
  ['noreply@github.com 1+ada@users.noreply.github.com', 'noreply@github.com 1+ada@users.noreply.github.com'],
  ['git@github.com:a/b.git left-pad@1.3.0 @types/node', 'git@github.com:a/b.git left-pad@1.3.0 @types/node'],
  ['2026-01-05 192.168.100.200 v1.2.3 1767607872000', '2026-01-05 192.168.100.200 v1.2.3 1767607872000'],
])('personal: %s', async (text, expected) => {
  expect(await redactText(text)).toBe(text);
  ask({ pii: PII });
  expect(await redactText(text)).toBe(expected);
  expect(await redactText(expected)).toBe(expected);
});

test('expressions replace by their kind, in values of any length', async () => {
  ask({
    custom_redactions: { codename: '(?i)falcon' },
    pii: { ...PII, custom_patterns: { 'emp id': 'E-[0-9]+' } },
  });
  const line = JSON.stringify({ id: 'falcon', falcon: 1, a: 'E-7', b: ['Falcon', 'x E-12 falcon'] });
  const { text, counts } = await redactTranscript(line, []);
  expect(text).toBe(
    '{"id":"falcon","falcon":1,"a":"[REDACTED_EMP_ID]","b":["REDACTED","x [REDACTED_EMP_ID] REDACTED"]}',
  );
  expect(counts).toEqual({ 'custom:emp id': 2, 'custom:codename': 2 });
});

test('one that cannot be used is skipped, and named without what it says', async () => {
  const { rules, problems } = await compileCustomRules(
    parseRedaction([
      { custom_redactions: { bad: 'sesame(', ahead: '(?=sesame)', huge: '(?:a?){900}a{900}', ok: 'sesame' } },
    ]),
  );
  expect(rules.map(({ source }) => source.label)).toEqual(['ok']);
  expect(problems).toEqual([
    'redaction.custom_redactions.bad is skipped: missing closing )',
    'redaction.custom_redactions.ahead is skipped: invalid or unsupported Perl syntax',
    'redaction.custom_redactions.huge is skipped: too large',
  ]);
});

test('an expression on which others hang takes its time and no more', async () => {
  ask({ custom_redactions: { nested: '(x+x+)+y', dots: '(.*)(.*)(.*)(.*)=z' } });
  const text = `${'x'.repeat(200_000)} z`;
  expect(await redactText(text)).toBe(text);
});

test('whatever the expressions are, a second time changes nothing', async () => {
  const expression = fc.constantFrom(
    '\\w+',
    '.',
    'RED',
    'E',
    '[A-Z_]+',
    '\\[',
    '_EMAIL',
    '[a-z]+@',
    '^.*$',
    'x*',
  );
  const word = fc.constantFrom(
    'ada@acme.dev',
    ' ',
    'REDACTED',
    '[REDACTED_X]',
    'x',
    '\n',
    '"',
    'token=a1b2c3d4e5',
  );
  await fc.assert(
    fc.asyncProperty(expression, expression, fc.array(word), async (secret, personal, words) => {
      ask({ custom_redactions: { s: secret }, pii: { ...PII, custom_patterns: { p: personal } } });
      const text = words.join('');
      for (const redact of [redactText, redactJsonLines]) {
        for (const before of [text, JSON.stringify({ text, more: words })]) {
          const once = await redact(before);
          expect(await redact(once)).toBe(once);
        }
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('the version of the rules was raised when they were changed', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/test\.ts$|rules-version|custom|^redact\.ts$/.test(name))
    .sort();
  const code = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
  const withoutComments = code.join('\n').replaceAll(/^import [^;]*;|\/\*\*.*?\*\/|\s\/\/ [^\n]*|\s+/gms, '');
  const digest = createHash('sha256').update(withoutComments).digest('hex').slice(0, 16);
  // Text in caches that older rules redacted is used as long as the version is the same: raise it, then this digest.
  expect([RULES_VERSION, digest]).toEqual([7, '07450d0b4617a6cb']);
});
