import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { isProtected, type PathFacts, planRewind } from './plan.ts';

const entry = (letter: string, mode = '100644'): TreeEntry => ({ mode, oid: letter.repeat(40) as ObjectId });
const [A, B] = [entry('a'), entry('b')];
const file = (found: TreeEntry) => ({ kind: 'file', entry: found }) as const;
const MISSING = { kind: 'missing' } as const;

const plan = (facts: Partial<PathFacts>) =>
  planRewind([
    {
      path: 'a.txt' as RepoPath,
      target: A,
      standing: file(B),
      isTracked: false,
      isIgnored: false,
      wasThere: false,
      other: undefined,
      ...facts,
    },
  ]);

describe('planRewind', () => {
  test('what is as it was has no verdict', () => {
    expect(plan({ standing: file(A) })).toEqual([]);
    expect(plan({ target: undefined, standing: MISSING })).toEqual([]);
    expect(plan({ standing: file(A), isIgnored: true, other: 'x' })).toEqual([]);
  });

  test('what differs is restored: other bytes, another mode, a link for a file, a file that is gone', () => {
    const link = entry('c', '120000');
    const run = entry('a', '100755');
    for (const [target, standing] of [
      [A, file(B)],
      [run, file(A)],
      [link, file(A)],
      [A, { kind: 'link', entry: link } as const],
      [A, MISSING],
    ] as const)
      expect(plan({ target, standing })).toEqual([{ kind: 'restore', path: 'a.txt', to: target }]);
  });

  test('what the step does not have goes, tracked or not; not what was there before the session', () => {
    expect(plan({ target: undefined })).toEqual([{ kind: 'delete', path: 'a.txt', isTracked: false }]);
    expect(plan({ target: undefined, isTracked: true })).toEqual([
      { kind: 'delete', path: 'a.txt', isTracked: true },
    ]);
    expect(plan({ target: undefined, wasThere: true })).toEqual([
      { kind: 'leave', path: 'a.txt', reason: 'was-there' },
    ]);
    expect(plan({ wasThere: true })).toEqual([{ kind: 'restore', path: 'a.txt', to: A }]);
  });

  test.each([
    [{ isIgnored: true }, 'ignored'],
    [{ isIgnored: true, standing: MISSING }, 'ignored'],
    [{ isIgnored: true, target: undefined }, 'ignored'],
    [{ standing: { kind: 'folder' } }, 'folder'],
    [{ standing: { kind: 'folder' }, target: undefined }, 'folder'],
    [{ standing: { kind: 'special' } }, 'special'],
    [{ standing: { kind: 'unreadable' } }, 'unreadable'],
    [{ standing: { kind: 'beyond-link' } }, 'beyond-link'],
    [{ standing: { kind: 'beyond-file' } }, 'beyond-file'],
    [{ standing: { kind: 'in-repository' } }, 'in-repository'],
    [{ target: entry('d', '160000') }, 'submodule'],
    [{ path: '.claude/settings.json' as RepoPath }, 'protected'],
    [{ path: 'sub/.git/config' as RepoPath }, 'protected'],
  ] as ReadonlyArray<[Partial<PathFacts>, string]>)('%j is left', (facts, reason) => {
    expect(plan(facts)).toEqual([expect.objectContaining({ kind: 'leave', reason })]);
  });

  test("another session's work is left, and whose it is", () => {
    expect(plan({ other: 'theirs' })).toEqual([
      { kind: 'leave', path: 'a.txt', reason: 'other-session', other: 'theirs' },
    ]);
    expect(plan({ other: 'theirs', isIgnored: true })).toEqual([
      { kind: 'leave', path: 'a.txt', reason: 'ignored' },
    ]);
  });
});

test.each([
  ['.git/config', true],
  ['.entire/settings.json', true],
  ['.claude/commands/x.md', true],
  ['.gemini/settings.json', true],
  ['.claude', true], // a link to a folder
  ['.claude~', false],
  ['.claude-notes/x', false],
  ['.Claude/settings.json', true], // the same folder on many disks
  ['.ENTIRE/settings.json', true],
  ['claude/x', false],
  ['src/.claude/x', false],
  ['.github/workflows/x.yml', false],
])('whether %s is protected: %s', (path, expected) => {
  expect(isProtected(path)).toBe(expected);
});
