import { expect, test } from 'vitest';
import { findNameFault, labelOf } from './manifest.ts';

test.each(['fix', 'fix-login', 'fix_2', 'v1.2', 'größe', '日本', 'a'.repeat(100)])('%j is a name', (name) => {
  expect(findNameFault(name)).toBeUndefined();
});

test.each([
  ['', 'missing'],
  ['a/b', 'one folder'],
  ['a\\b', 'one folder'],
  ['..', 'begin with a dot'],
  ['.git', 'begin with a dot'],
  ['-f', 'begin with a dash'],
  ['a..b', 'two dots'],
  ['a.', 'end with a dot'],
  ['a.lock', 'end with a dot or with .lock'],
  ['a b', 'made of letters'],
  ['a\n', 'made of letters'],
  ['a\u202eb', 'made of letters'],
  ['a:b', 'made of letters'],
  ['é'.repeat(101), 'at most 100'],
])('%j is none', (name, reason) => {
  expect(findNameFault(name)).toContain(reason);
});

test.each([
  ['größe', 'größe'],
  ['my fix', 'my-fix'],
  ['../../refs', 'refs'],
  ['.bare', 'bare'],
  ['a..b', 'a-b'],
  ['a.lock', 'worktree'],
  ['~^:?*', 'worktree'],
])('what is called %j is kept as %j', (name, label) => expect(labelOf(name)).toBe(label));
