import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../base/ids.ts';
import { type ChangedFiles, type FileChange, followPatches } from './follow-patches.ts';

const GONE = '0'.repeat(40);

const commit = (oid: string, parents: string[], ...files: (Partial<FileChange> & { path: string })[]) =>
  ({
    commit: oid as ObjectId,
    parents: parents as ObjectId[],
    files: files.map((file) => ({
      ...{ formerPath: file.path, formerBlob: undefined, blob: undefined, added: [], removed: [] },
      ...file,
    })),
  }) satisfies ChangedFiles;

const make = (path: string, blob: string, count: number) => ({
  ...{ path, blob, formerPath: undefined, formerBlob: GONE },
  added: Array.from({ length: count }, (_, at) => at + 1),
});

/** Each line as its commit, file and number there. */
const tell = (commits: ChangedFiles[], path: string, blob: string) =>
  followPatches(commits)(path, blob)?.flatMap(({ from, line, count }) =>
    Array.from({ length: Math.min(count, 9) }, (_, at) =>
      from ? `${from.commit} ${from.path}:${line + at}` : 'before',
    ),
  );

describe('lines followed by patches', () => {
  test('put between others, taken out, and carried along with a file', () => {
    const commits = [
      commit('d', ['c'], { path: 'b', formerPath: 'a', formerBlob: '3' }),
      commit('c', ['b'], { path: 'a', formerBlob: '2', blob: '3', removed: [1, 4], added: [3] }),
      commit('b', ['a'], { path: 'a', formerBlob: '1', blob: '2', removed: [2], added: [2, 3] }),
      commit('a', [], make('a', '1', 3)),
    ];
    expect(tell(commits.slice(2), 'a', '2')).toEqual(['a a:1', 'b a:2', 'b a:3', 'a a:3']);
    expect(tell(commits, 'b', '3')).toEqual(['b a:2', 'b a:3', 'c a:3']);
    expect(tell(commits, 'a', '3')).toBeUndefined();
  });

  test('of a file from before the range, and not of one that a patch is missing of', () => {
    const change = commit('c', ['b'], { path: 'a', formerBlob: '2', blob: '3', added: [2] });
    expect(tell([change], 'a', '3')?.slice(0, 3)).toEqual(['before', 'c a:2', 'before']);
    expect(tell([change], 'a', '4')).toBeUndefined();
    expect(tell([change, commit('b', [], make('a', '1', 1))], 'a', '3')).toBeUndefined();
  });

  test('where branches were joined, by contents that one commit alone made', () => {
    const base = commit('a', [], make('a', '1', 1), make('b', '1', 1));
    const side = commit('s', ['a'], { path: 'a', formerBlob: '1', blob: '2', added: [2] });
    const other = commit('o', ['a'], { path: 'b', formerBlob: '1', blob: '3', added: [1] });
    expect(tell([other, side, base], 'a', '2')).toEqual(['a a:1', 's a:2']);
    expect(tell([other, side, base], 'b', '3')).toEqual(['o b:1', 'a b:1']);
    const same = commit('t', ['a'], { path: 'a', formerBlob: '1', blob: '2', added: [2] });
    expect(tell([same, side, base], 'a', '2')).toBeUndefined();
    const onMerge = commit('z', ['m'], { path: 'a', formerBlob: '9', blob: '8', added: [1] });
    expect(tell([onMerge, side, other, base], 'a', '8')).toBeUndefined();
  });
});
