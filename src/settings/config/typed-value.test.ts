import { expect, test } from 'vitest';
import { KEYS, type Key, type KeyName } from '../keys.ts';
import { parseTyped, renderSetting } from './typed-value.ts';

const parse = (name: KeyName, text: string, isLabelled = false): unknown => {
  const { takes }: Key = KEYS[name];
  return takes && parseTyped(takes, text, isLabelled);
};

test.each<[KeyName, string, unknown]>([
  ['enabled', 'true', true],
  ['enabled', 'TRUE', undefined],
  ['enabled', '', undefined],
  ['strategy', 'auto-commit', 'auto-commit'],
  ['strategy', 'auto', undefined],
  ['snapshotBudget', '64', 64],
  ['snapshotBudget', '63.9', undefined],
  ['snapshotBudget', '1.5GB', 1536],
  ['snapshotBudget', '100s', undefined],
  ['snapshotBudget', '-100', undefined],
  ['snapshotBudget', '1e3', undefined],
  ['pushTimeout', '0', undefined],
  ['pushTimeout', '600', 600],
  ['pushTimeout', '601', undefined],
  ['pushTimeout', '2 min', 120],
  ['pushTimeout', `${'9'.repeat(400)}`, undefined],
  ['checkpointPushRemote', 'backup', 'backup'],
  ['checkpointPushRemote', '--upload-pack=x', undefined],
  ['checkpointRemote', 'github:a/b', { provider: 'github', repo: 'a/b' }],
  [
    'checkpointRemote',
    '{"provider": "gitlab", "repo": "a/b/c", "more": 1}',
    { provider: 'gitlab', repo: 'a/b/c' },
  ],
  ['checkpointRemote', 'svn:a/b', undefined],
  ['checkpointRemote', 'https://github.com/a/b', undefined],
  ['redactSecrets', '{"a": "b"}', { a: 'b' }],
  ['redactSecrets', '{"a": ""}', undefined],
  ['redactSecrets', 'a', undefined],
])('%s from %j', (name, text, value) => expect(parse(name, text)).toEqual(value));

test('an expression for its label is any text', () => {
  expect(parse('redactSecrets', '{"a": 1}', true)).toBe('{"a": 1}');
  expect(parse('redactSecrets', '', true)).toBeUndefined();
});

test('what is typed comes back as it is told', () => {
  for (const [name, text] of [
    ['checkpointRemote', 'github:a/b'],
    ['snapshotBudget', '100'],
    ['enabled', 'false'],
  ] as const)
    expect(renderSetting(KEYS[name].takes, parse(name, text))).toBe(text);
  expect(renderSetting(undefined, undefined)).toBe('');
});
