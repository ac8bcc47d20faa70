import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import { emptyAttribution } from '../session/record/prompt-attribution.ts';
import { parseState } from '../session/state.ts';
import { filesAt, rollBackState, rollBackUserLines, subtractUsage } from './rollback.ts';

const usage = (count: number) => ({
  inputTokens: count,
  cacheCreationTokens: count,
  cacheReadTokens: count,
  outputTokens: count,
  apiCallCount: count,
});

describe('rollBackState', () => {
  const state = {
    ...parseState('{"session_id": "s", "base_commit": "b", "checkpoint_count": 3, "files_touched": ["x"]}'),
    promptAttributions: [1, 2, 3].map(emptyAttribution),
    pendingPromptAttribution: emptyAttribution(4),
    tokenUsage: usage(9),
  };

  test('counts, files, attributions and tokens are those of the step; the rest stays', () => {
    const next = rollBackState(state, { steps: 2, usage: usage(4), files: ['b', 'a', 'b'] as RepoPath[] });
    expect(next).toMatchObject({
      sessionId: 's',
      baseCommit: 'b',
      checkpointCount: 1,
      filesTouched: ['a', 'b'],
      promptAttributions: [{ checkpointNumber: 1 }],
      tokenUsage: usage(5),
    });
    expect(next.pendingPromptAttribution).toBeUndefined();
  });

  test('never less than nothing; what is not known stays', () => {
    const next = rollBackState(state, { steps: 7, usage: undefined, files: [] });
    expect(next).toMatchObject({ checkpointCount: 0, filesTouched: [], tokenUsage: usage(9) });
    expect(subtractUsage(usage(1), usage(2))).toEqual(usage(0));
    expect(subtractUsage(undefined, usage(2))).toBeUndefined();
    const both = { ...usage(5), subagentTokens: usage(3) };
    expect(subtractUsage(both, { ...usage(1), subagentTokens: usage(1) })).toEqual({
      ...usage(4),
      subagentTokens: usage(2),
    });
  });
});

test('filesAt: what the step has otherwise than HEAD, and what could not be put back', () => {
  const entry = (letter: string): TreeEntry => ({ mode: '100644', oid: letter.repeat(40) as ObjectId });
  const paths = ['new', 'changed', 'same', 'later', 'stuck', 'foreign'] as RepoPath[];
  const target = new Map([
    ['new', entry('a')],
    ['changed', entry('b')],
    ['same', entry('c')],
  ]);
  const head = new Map([
    ['changed', entry('a')],
    ['same', entry('c')],
  ]);
  const left = {
    touched: ['stuck', 'later'] as RepoPath[],
    paths: new Set(['stuck', 'foreign'] as RepoPath[]),
  };
  expect(filesAt(paths, { target, head }, left)).toEqual(['changed', 'new', 'stuck']);
});

describe('rollBackUserLines', () => {
  const lines = (added: number, removed = 0) => ({ added, removed });
  const record = {
    since: 'b',
    files: new Map([
      [
        'a.txt',
        {
          reference: 'r',
          fingerprint: 'f',
          measured: lines(10, 2),
          user: lines(6, 1),
          taken: lines(5, 1),
          settled: lines(2),
        },
      ],
    ]),
  };

  test('without attributions all of it is to be measured again', () => {
    expect(rollBackUserLines(record, []).files.get('a.txt')).toEqual({
      reference: 'r',
      fingerprint: '',
      measured: lines(4, 1),
      user: lines(0),
      taken: lines(0),
      settled: lines(0),
    });
  });

  test('what the attributions that are left have stays counted', () => {
    const known = { ...emptyAttribution(1), userLinesAdded: 3, userAddedPerFile: new Map([['a.txt', 3]]) };
    expect(rollBackUserLines(record, [known]).files.get('a.txt')).toEqual({
      reference: 'r',
      fingerprint: '',
      measured: lines(5, 1),
      user: lines(1),
      taken: lines(1),
      settled: lines(2),
    });
  });
});
