import { expect, test } from 'vitest';
import type { Act } from '../../conversation/acts.ts';
import { placesOf } from './places.ts';

const edits = (...paths: readonly string[]): Act[] => paths.map((path) => ({ kind: 'edit', path }));

test('paths are from the top of the worktree, also of one that was elsewhere', () => {
  const { shorten } = placesOf('/r', edits('/bob/p/src/a.ts', '/bob/p/b.ts'), ['src/a.ts', 'b.ts']);
  expect(['/r/x', '/bob/p/src/a.ts', '/bob/p/c', '/bob/p', '/bob/other', 'src/a.ts'].map(shorten)).toEqual([
    ...['x', 'src/a.ts', 'c', '.', '/bob/other', 'src/a.ts'],
  ]);
});

test('of a home they begin with ~', () => {
  expect(placesOf('/r', [], []).shorten(`${process.env.HOME}/notes.md`)).toBe('~/notes.md');
});

test('a command is as it would be typed at the top', () => {
  const { inCommand } = placesOf('/r', [], []);
  expect(inCommand('cd /r && npm test')).toBe('npm test');
  expect(inCommand('cd "/r"; npm test')).toBe('npm test');
  expect(inCommand('cat "/r/a b" /r/c --dir=/r/d')).toBe('cat "a b" c --dir=d');
  expect(inCommand('ls /r /root /x/r/y')).toBe('ls /r /root /x/r/y');
});
