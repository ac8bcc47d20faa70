import { describe, expect, test } from 'vitest';
import { isEvident } from './find.ts';
import { locateSecrets, redactJsonLines, redactText, redactTranscript } from './redact.ts';

// Joined here, so that the repository holds nothing that looks like a live key.
const join = (...parts: string[]): string => parts.join('');
const ANTHROPIC = join('sk-', 'ant-api03-xK9mZ2vL8nQ5rT1wY4bC7dF0gH3jE6pA');
const AWS = join('AKI', 'AYRWQG5EJLPZLBYNP');
const GITHUB = join('gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8');
const BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDJ8s1kQ2mVx0aZ';
const KEY_BLOCK = `-----BEGIN RSA ${'PRIVATE KEY'}-----\n${BODY}\n${BODY}\n-----END RSA ${'PRIVATE KEY'}-----`;

test.each([
  ['anthropic', `my key is ${ANTHROPIC} ok`, 'my key is REDACTED ok'],
  ['entropy takes the name along', `key=${ANTHROPIC}`, 'REDACTED'],
  ['aws id', `key=${AWS}`, 'key=REDACTED'],
  ['two keys', `${AWS} ${AWS}`, 'REDACTED REDACTED'],
  [
    'aws secret',
    `aws_secret_access_key = ${join('wJalr', 'XUtnFEMI/K7MDENG/bPxRfiCYzzzzz1KEY')}`,
    'aws_secret_access_key = REDACTED',
  ],
  ['github', `token ${GITHUB}.`, 'token REDACTED.'],
  [
    'github fine-grained',
    join('github', '_pat_', '11ABCDEFG0aaaaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaa'),
    'REDACTED',
  ],
  ['gitlab', `x ${join('glp', 'at-', 'aaaaaaaaaaaaaaaaaaaa')} y`, 'x REDACTED y'],
  ['slack', join('xox', 'b-', '111111111111-aaaaaaaaaaaa'), 'REDACTED'],
  ['slack hook', join('https://hooks.', 'slack.com/services/T1/B1/aaaaaaaaaaaaaaaaaaaaaaaa'), /REDACTED$/],
  ['google', `?key=${join('AI', 'za', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')}&x`, '?key=REDACTED&x'],
  ['stripe', join('sk_', 'live_', 'aaaaaaaaaaaaaaaaaaaaaaaa'), 'REDACTED'],
  ['openai', `"${join('sk-', 'proj-aaaaaaaaaaaaaaaaaaaaaaaaaaaa1')}"`, '"REDACTED"'],
  ['npm', join('np', 'm_', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'REDACTED'],
  [
    'npmrc',
    `//registry.npmjs.org/:_authToken=${'abcdefgh-1234'}`,
    '//registry.npmjs.org/:_authToken=REDACTED',
  ],
  ['pypi', join('py', 'pi-', 'AgEIcHlwaS5vcmcaaaaaaaaaaaaaaaaa'), 'REDACTED'],
  ['supabase', join('sb_', 'secret_', 'aaaaaaaaaaaaaaaaaaaaaa'), 'REDACTED'],
  ['shopify, by secretlint too', join('shp', 'at_', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), 'REDACTED'],
  ['private key', `a\n${KEY_BLOCK}\nb`, 'a\nREDACTED\nb'],
  ['private key cut off', `a\n${KEY_BLOCK.slice(0, 130)}\n\nSo it goes.`, 'a\nREDACTED\n\nSo it goes.'],
  ['jwt', `cookie: ${join('ey', 'JhbGciOiJ9.ey', 'JzdWIiOiIx.aaaaaaaaaa')};`, 'cookie: REDACTED;'],
  ['url', 'git clone https://me:hunter2@host.io/x', 'git clone https://me:REDACTED@host.io/x'],
  ['url token', `https://${GITHUB}@github.com/a/b`, 'https://REDACTED@github.com/a/b'],
  ['dsn', 'host=db user=app password=swordfish dbname=x', 'host=db user=app password=REDACTED dbname=x'],
  ['ado', 'Server=db;User Id=sa;Password=swordfish;', 'Server=db;User Id=sa;Password=REDACTED;'],
  ['jdbc', 'jdbc:mysql://db/x?user=app&password=swordfish', 'jdbc:mysql://db/x?user=app&password=REDACTED'],
  ['environment', 'export DB_PASSWORD=swordfish', 'export DB_PASSWORD=REDACTED'],
  ['yaml', 'api_key: a1b2c3d4e5', 'api_key: REDACTED'],
  ['code', `const apiKey: string = 'a1b2c3d4e5';`, `const apiKey: string = 'REDACTED';`],
  ['json in text', `{"client_secret": "a1b2c3d4e5"}`, `{"client_secret": "REDACTED"}`],
  [
    'escaped json in text',
    String.raw`{\"client_secret\": \"a1b2c3\"}`,
    String.raw`{\"client_secret\": \"REDACTED\"}`,
  ],
  ['flag', 'deploy --token a1b2c3d4', 'deploy --token REDACTED'],
  ['header', 'Authorization: Bearer a1b2c3d4e5f6a1b2c3d4', 'Authorization: Bearer REDACTED'],
  ['curl', 'curl -s -u me:hunter2 https://x.io', 'curl -s -u me:REDACTED https://x.io'],
  ['after an escape', `\\n${AWS}`, '\\nREDACTED'],
  ['next to an earlier one', `REDACTED${GITHUB}`, 'REDACTED'],
  [
    'repeated without its name',
    'API_KEY=swordfish1234 then swordfish1234x',
    'API_KEY=REDACTED then REDACTEDx',
  ],
])('replaced: %s', async (_, text, expected) => {
  const redacted = await redactText(text);
  if (typeof expected === 'string') expect(redacted).toBe(expected);
  else expect(redacted).toMatch(expected);
  expect(await redactText(redacted)).toBe(redacted);
});

test.each([
  'uuid 90357af5-0cd0-493f-b366-b66b79eea588',
  'commit 216c93f3a1d0be5b1e2f4c6d8a9b0c1d2e3f4a5b',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '"integrity": "sha512-z5bHwNbeIK9WXBOK2WlIR4ZyVmOd0bQtZx1qTlVbEHfV0JHkGvXzk2m8rUaX0yWq+NEpJ7C1zrIh3m8sQ5d1wA=="',
  'toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy',
  '/home/me/projects/some-long-project-name/src/components/AuthenticationProviderSettingsPage.test.tsx',
  "import { createDefaultModuleResolutionHost2 } from '../../language-server/module-resolution-v2.ts';",
  'mcp__pluginContextManager__list_design_tokens_for_workspace-v2 ERR_TOO_MANY_PARAMETERS_EXPECTED_STRING',
  '-home-user-projects-checkout-2965610a-9a34-4df6-9e1d-f03f163b5c46',
  'password: string; token?: Token; const secret = crypto.randomBytes(32); apiKey: config.apiKey2',
  'password = process.env.DB_PASSWORD; token = tokens[index2]; max_tokens: 32000; {"output_tokens": 123456}',
  'if (token === tokenAtLine2) secretName: my-secret-name, PWD=/home/me/x OLDPWD=/home/me2/y',
  'API_KEY=changeme SECRET=$SECRET TOKEN=<token> PASSWORD=******** PASSWORD=xxxxxxxx KEY=$KEY',
  'API_KEY=REDACTED API_KEY=your-api-key-here api_key: "sk-example-key"',
  'postgres://user:$PASSWORD@db/x postgres://user:%PASSWORD%@db https://user:changeme@host.io git@github.com:a/b.git http://localhost:80/@x',
  `-----BEGIN ${'PRIVATE KEY'}----- is how a key begins`,
  'task-management-and-scheduling-2024 risk-assessment disk-usage-analyzer-3000 sk-loading-spinner-12',
  'basic authentication and token replacement: bearer of bad news',
  'data.table: \u{1F600} ☃ 日本語 \ud800 lone',
  '',
  'REDACTED REDACTEDREDACTED',
])('left alone: %s', async (text) => {
  expect(await redactText(text)).toBe(text);
  const line = JSON.stringify({ text });
  expect(await redactJsonLines(line)).toBe(line);
});

const lines = (...values: unknown[]): string =>
  `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

test('only the string value changes', async () => {
  const line = `{ "a" : 1.50, "${GITHUB}": ["x ${AWS} y"],\t"n":null }\r\n\n  \nnot json ${AWS}\n`;
  expect(await redactJsonLines(line)).toBe(
    `{ "a" : 1.50, "${GITHUB}": ["x REDACTED y"],\t"n":null }\r\n\n  \nnot json REDACTED\n`,
  );
});

test.each([
  ['\\/', `{"v":"\\/usr\\/bin ${GITHUB}\\/x"}`, '{"v":"\\/usr\\/bin REDACTED\\/x"}'],
  [
    '\\u inside',
    `{"v":"caf\\u00e9 ${GITHUB.replace('a1', '\\u0061\\u0031')} \\u003c"}`,
    '{"v":"caf\\u00e9 REDACTED \\u003c"}',
  ],
  ['surrogates', `{"v":"\\ud83d\\ude00${AWS}😀\\n"}`, '{"v":"\\ud83d\\ude00REDACTED😀\\n"}'],
  ['quotes', `{"v":"\\"${AWS}\\"\\\\"}`, '{"v":"\\"REDACTED\\"\\\\"}'],
])('a secret is found under any escape: %s', async (_, line, expected) => {
  expect(await redactJsonLines(line)).toBe(expected);
});

test('fields that must not change keep even what is replaced elsewhere', async () => {
  const text = (secret: string, opaque = GITHUB): string =>
    lines(
      { signature: opaque, thinking: `see ${secret}`, encrypted_content: opaque },
      { toolUseID: opaque, uuids: [opaque], nested: { sessionId: { deep: opaque } } },
      { type: 'image', source: { type: 'base64', data: opaque } },
      [{ data: opaque, type: 'base64' }, { inlineData: { mimeType: 'image/png', data: opaque } }],
      { type: 'redacted_thinking', data: opaque },
      { type: 'text', data: secret },
    );
  expect(await redactJsonLines(text(GITHUB))).toBe(text('REDACTED'));
});

test('what only looks like such a field is looked at: words that end in id, and any text with a space', async () => {
  const text = (secret: string): string =>
    lines(
      { sendgrid: { api_key: secret }, plaid: secret, android: [secret] },
      { signature: `login(token = ${secret})`, paymentId: `see ${secret}` },
      { type: 'image_request', prompt: `draw ${secret}`, data: GITHUB },
    );
  expect(await redactJsonLines(text(GITHUB))).toBe(text('REDACTED'));
});

test('a secret that one line gives away is replaced in all lines', async () => {
  const before = lines(
    { input: { db_password: 'sword!fish77' } },
    { out: 'login sword!fish77 ok' },
    'sword!fish77',
  );
  expect(await redactJsonLines(before)).toBe(
    lines({ input: { db_password: 'REDACTED' } }, { out: 'login REDACTED ok' }, 'REDACTED'),
  );
});

test('a key block is found again as the lines of a patch', async () => {
  const patch = KEY_BLOCK.split('\n').map((line) => `+${line}`);
  const redacted = await redactJsonLines(lines({ content: KEY_BLOCK }, { lines: patch }));
  expect(redacted).not.toContain(BODY.slice(0, 30));
});

test('a secret never reaches from one value into the next', async () => {
  const text = lines({ a: 'password:', b: 'a1b2c3d4e5' }, { a: '-----BEGIN PRIVATE KEY-----', b: 'x' });
  expect(await redactJsonLines(text)).toBe(text);
});

test('a document over several lines keeps its form', async () => {
  const text = (secret: string): string =>
    JSON.stringify({ messages: [{ id: GITHUB, content: secret }] }, null, 2);
  expect(await redactJsonLines(text(GITHUB))).toBe(text('REDACTED'));
});

test('deep nesting and large values are no trouble', async () => {
  const deep = `${'['.repeat(50_000)}"${AWS}"${']'.repeat(50_000)}`;
  expect(await redactJsonLines(deep)).toBe(deep.replace(AWS, 'REDACTED'));
  const large = JSON.stringify({ v: `${'word "quoted"\n'.repeat(100_000)}${AWS}` });
  expect(await redactJsonLines(large)).toBe(large.replace(AWS, 'REDACTED'));
});

describe('what one part of a transcript knows for the next', () => {
  const learned = async (text: string) => (await redactTranscript(text, [])).learned;

  test('secrets that only their surroundings gave away', async () => {
    expect(await learned(lines('password=swordfish77'))).toEqual(['swordfish77']);
    expect(await learned(lines({ db_password: 'sword!fish77' }))).toEqual(['sword!fish77']);
    expect(await learned(lines('https://me:hunter2@host.io'))).toEqual(['hunter2']);
    expect(await learned(lines(`password: 'p\u00e4ss\\w0rd9'`))).toEqual(['p\u00e4ss\\w0rd9']);
  });

  test('those that would be found alone as well: in a word they would not be', async () => {
    expect(new Set(await learned(lines(`${AWS} and ${GITHUB}`, `API_KEY=${GITHUB}`)))).toEqual(
      new Set([AWS, GITHUB]),
    );
    expect((await redactTranscript(lines(`x${AWS}`), [AWS])).text).toBe(lines('xREDACTED'));
    expect([isEvident(AWS), isEvident(GITHUB), isEvident('hunter2222')]).toEqual([true, true, false]);
    expect(await learned(lines('nothing', ''))).toEqual([]);
  });

  test('a known one is replaced where it stands alone, as a word, under any escape', async () => {
    const known = ['sword"fish7', 'hunter2222'];
    const text = '{"a":"x sword\\"fish7 y","b":"s\\u0077ord\\u0022fish7","c":"xhunter2222"}\nhunter2222\n';
    expect((await redactTranscript(text, known)).text).toBe(
      '{"a":"x REDACTED y","b":"REDACTED","c":"xhunter2222"}\nREDACTED\n',
    );
    expect(await redactText('x hunter2222', known)).toBe('x REDACTED');
  });

  test('a known one is not learned again', async () => {
    expect(await redactTranscript(lines('swordfish77'), ['swordfish77'])).toEqual({
      text: lines('REDACTED'),
      learned: [],
      counts: { 'seen-before': 1 },
    });
  });
});

test.each([
  ['plain text', 'x swordfish77 y', 'swordfish77', 'swordfish77'],
  ['a value', '{"swordfish77":1,"b":"x swordfish77"}', 'swordfish77', 'swordfish77'],
  ['escapes', '\n{"a":"\\n\\"s\\u0077ord\\"fish"}\n', 'sword"fish', 's\\u0077ord\\"fish'],
  ['surrogates', '{"a":"\\ud83d\\ude00😀é swordfish77"}', '😀é sword', '😀é sword'],
  ['a second line', '{"a":"nothing"}\n{"a":"swordfish77"}', 'swordfish77', 'swordfish77'],
  ['a key alone', '{"swordfish77":"nothing"}', 'swordfish77', undefined],
  ['a field that must not change', '{"signature":"swordfish77"}', 'swordfish77', undefined],
  ['two values', '{"a":"swordf","b":"ish77"}', 'swordfish77', undefined],
])('where a secret stands: %s', (_, text, secret, raw) => {
  const found = locateSecrets(text, [secret, 'elsewhere']).get(secret);
  expect(found && text.slice(found.start, found.end)).toBe(raw);
});
