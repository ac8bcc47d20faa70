import { describe, expect, test } from 'vitest';
import type { CheckpointId } from '../../base/ids.ts';
import type { VerdictReason } from '../../session/record/verdicts.ts';
import type { StoredSlot } from './checkpoint.ts';
import { findMisfit } from './fit.ts';

const ID = 'a1b2c3d4e5f6' as CheckpointId;
const stored = (createdAt: string, ...filesTouched: string[]) => ({
  id: ID,
  slots: [{ metadata: { createdAt } } as StoredSlot],
  filesTouched,
});
const commit = (
  authoredAt: string,
  changed: readonly string[],
  reason?: VerdictReason,
  checkpoint?: string,
) => ({
  authoredAt,
  changed: new Set(changed),
  verdict: reason && { reason, checkpoint },
});
const MADE = '2026-03-01T12:00:00Z';
const SAME = '2026-03-01T12:59:00+01:00';
const LATER = '2026-03-05T12:00:00Z';

describe('a checkpoint fits its commit', () => {
  test('as it was made, amended, replayed or squashed', () => {
    expect(findMisfit(commit(SAME, ['a', 'b']), stored(MADE, 'a'))).toBeUndefined();
    expect(findMisfit(commit(SAME, ['b', 'c']), stored(MADE, 'a', 'b'))).toBeUndefined(); // amended, or half of it
    expect(findMisfit(commit(LATER, ['a', 'b']), stored(MADE, 'a', 'b'))).toBeUndefined(); // squashed by a server
    expect(findMisfit(commit(SAME, ['lib/a.ts']), stored(MADE, 'src/a.ts'))).toBeUndefined(); // rebased onto a move
  });

  test('where nothing is known of the files', () => {
    expect(findMisfit(commit(LATER, ['a']), stored(MADE))).toBeUndefined();
    expect(findMisfit(commit(LATER, []), stored(MADE, 'a'))).toBeUndefined();
    expect(findMisfit(commit(SAME, ['a']), { ...stored(MADE, 'a'), slots: [] })).toBeUndefined();
    expect(findMisfit(commit('?', ['a']), stored('?', 'a', 'b'))).toBeUndefined();
  });

  test('whose file lost in the list what looks like a key', () => {
    const kept = stored(MADE, 'x/REDACTED.json');
    expect(findMisfit(commit(LATER, ['x/any.json']), kept)).toBeUndefined();
    for (const other of ['y/any.json', 'x/any.txt', 'x/.json'])
      expect(findMisfit(commit(LATER, [other]), kept), other).toContain('none of the files');
  });

  test('where our own hook has linked or replayed it', () => {
    for (const reason of ['linked', 'sequence'] as const)
      expect(findMisfit(commit(LATER, ['z'], reason, ID), stored(MADE, 'a'))).toBeUndefined();
  });

  test('as a part of it, where a note names it', () => {
    const part = commit(LATER, ['a'], 'no-overlap');
    expect(findMisfit(part, stored(MADE, 'a', 'b'))).toContain('holds files that are not in it');
    expect(findMisfit({ ...part, place: 'note' }, stored(MADE, 'a', 'b'))).toBeUndefined();
  });
});

describe('a checkpoint does not fit a commit', () => {
  test('that has none of its files, whatever the dates and whoever kept the message', () => {
    for (const when of [SAME, LATER])
      for (const reason of [undefined, 'kept', 'unknown-checkpoint'] as const)
        expect(findMisfit(commit(when, ['z'], reason), stored(MADE, 'a'))).toContain('none of the files');
    expect(findMisfit(commit(LATER, ['lib/a.ts']), stored(MADE, 'src/a.ts'))).toContain('none of the files');
  });

  test('that was written when it was complete, and has not all of its files', () => {
    expect(findMisfit(commit(LATER, ['a', 'z']), stored(MADE, 'a', 'b'))).toBe(
      'that checkpoint was complete 4 days before this commit was written, and holds files that are not in it (b)',
    );
  });

  test('that our own hook has linked to another one', () => {
    const linked = commit(LATER, ['z'], 'linked', 'ffffffffffff');
    expect(findMisfit(linked, stored(MADE, 'a'))).toContain('none of the files');
    // Its own trailer is none, and its message names this one all the same.
    expect(findMisfit(commit(LATER, ['z'], 'sequence'), stored(MADE, 'a'))).toContain('none of the files');
    expect(findMisfit(commit(LATER, ['z'], 'linked', ID), stored(MADE, 'a'))).toBeUndefined();
  });

  test('that changes nothing, and names it in the middle of its message', () => {
    const empty = commit(SAME, []);
    expect(findMisfit({ ...empty, place: 'message' }, stored(MADE, 'a'))).toBe('this commit changes nothing');
  });

  test('to which our own hook added nothing', () => {
    expect(findMisfit(commit(SAME, ['a'], 'foreign-checkpoint', ID), stored(MADE, 'a'))).toContain(
      'nothing was added',
    );
  });
});
