import { basename, join, normalize } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newCheckpointId, parseCheckpointId, parseObjectId, parseSessionId, parseToolUseId } from './ids.ts';

test.each(['f947edb3-1e50-4344-8bf1-34bcf22d5471', 'a', '_x', 'A.b_c-d', 'x'.repeat(128)])(
  '%s names a session',
  (id) => {
    expect(parseSessionId(id)).toBe(id);
  },
);

test.each([
  '',
  '.',
  '..',
  '.hidden',
  '-rf',
  'a..b',
  'a/b',
  'a\\b',
  'a b',
  'a@b',
  'a\n',
  'a\0',
  'é',
  'x'.repeat(129),
  undefined,
  null,
  7,
  ['a'],
  { toString: () => 'a' },
])('%j names no session', (id) => {
  expect(parseSessionId(id)).toBeUndefined();
});

test('a session id is one part of a path, and no option', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w.\-/\\]{1,12}$/)), (text) => {
      const id = parseSessionId(text);
      if (id === undefined) return;
      expect(basename(id)).toBe(id);
      expect(normalize(join('/d', `${id}.json`))).toBe(`/d/${id}.json`);
      expect(id.startsWith('-')).toBe(false);
    }),
  );
});

test('ids of tool uses and sub-agents', () => {
  expect(parseToolUseId('toolu_01a33f1703bb5130b59cb44107')).toBe('toolu_01a33f1703bb5130b59cb44107');
  expect(parseToolUseId('a-b')).toBe('a-b');
  for (const bad of ['', 'a.b', '../a', 'a/b', 'a\n', 'x'.repeat(129), undefined, 3]) {
    expect(parseToolUseId(bad)).toBeUndefined();
  }
});

test('checkpoint ids are twelve lowercase hex digits', () => {
  expect(parseCheckpointId('0a1b2c3d4e5f')).toBe('0a1b2c3d4e5f');
  for (const bad of [
    '0A1B2C3D4E5F',
    '0a1b2c3d4e5',
    '0a1b2c3d4e5f0',
    '0a1b2c3d4e5g',
    '0a1b2c3d4e5f\n',
    '',
    null,
  ])
    expect(parseCheckpointId(bad)).toBeUndefined();
});

test('object ids are SHA-1 or SHA-256', () => {
  for (const good of ['a'.repeat(40), '0'.repeat(64)]) expect(parseObjectId(good)).toBe(good);
  for (const bad of ['a'.repeat(39), 'a'.repeat(41), 'A'.repeat(40), '(initial)', undefined])
    expect(parseObjectId(bad)).toBeUndefined();
});

test('new ids are well formed and differ', () => {
  const ids = Array.from({ length: 1000 }, newCheckpointId);
  expect(ids.filter((id) => parseCheckpointId(id) === undefined)).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});
