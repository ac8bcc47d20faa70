import { describe, expect, test } from 'vitest';
import { judgeStuck } from './stuck.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');
const HOUR = 60 * 60 * 1000;
const ago = (ms: number): string => new Date(NOW - ms).toISOString();

describe('stuck sessions', () => {
  test.each([
    ['active', ago(HOUR + 1), 0, false, { kind: 'silent', quietMs: HOUR + 1 }],
    ['active', ago(HOUR), 3, true, undefined],
    ['active', undefined, 0, false, { kind: 'never-heard' }],
    ['active', 'yesterday', 0, false, { kind: 'never-heard' }],
    ['active', '2026-01-02T12:00:00+02:00', 0, false, { kind: 'silent', quietMs: 2 * HOUR }],
    ['ended', ago(100 * HOUR), 1, true, { kind: 'uncondensed' }],
    ['ended', undefined, 1, true, { kind: 'uncondensed' }],
    ['ended', ago(0), 1, true, undefined],
    ['ended', ago(100 * HOUR), 1, false, undefined],
    ['ended', ago(100 * HOUR), 0, true, undefined],
    ['idle', ago(100 * HOUR), 5, true, undefined],
    ['idle', undefined, 5, true, undefined],
  ] as const)(
    '%s, heard of at %s, %i steps, branch %s',
    (phase, lastInteractionTime, count, exists, reason) => {
      const state = { phase, lastInteractionTime, checkpointCount: count };
      expect(
        judgeStuck(state, { shadowExists: exists, isAtWork: false, isGone: false, waits: () => false }, NOW),
      ).toEqual(reason);
    },
  );

  test('a turn whose client writes goes on, however long it takes; what is over is not brought back by that', () => {
    const judge = (state: Parameters<typeof judgeStuck>[0]) =>
      judgeStuck(state, { shadowExists: true, isAtWork: true, isGone: false, waits: () => false }, NOW);
    expect(
      judge({ phase: 'active', lastInteractionTime: ago(9 * HOUR), checkpointCount: 1 }),
    ).toBeUndefined();
    expect(judge({ phase: 'active', lastInteractionTime: undefined, checkpointCount: 1 })).toBeUndefined();
    expect(judge({ phase: 'ended', lastInteractionTime: ago(2 * HOUR), checkpointCount: 1 })).toEqual({
      kind: 'uncondensed',
    });
  });

  test('a turn whose client has ended is over at once, and a session between turns is healthy all the same', () => {
    const judge = (phase: 'active' | 'idle') =>
      judgeStuck(
        { phase, lastInteractionTime: ago(0), checkpointCount: 0 },
        { shadowExists: false, isAtWork: true, isGone: true, waits: () => false },
        NOW,
      );
    expect([judge('active'), judge('idle')]).toEqual([{ kind: 'client-gone' }, undefined]);
  });

  test('what is over and waits for a commit is healthy, however long ago that was', () => {
    const state = { phase: 'ended', lastInteractionTime: ago(1000 * HOUR), checkpointCount: 1 } as const;
    expect(
      judgeStuck(state, { shadowExists: true, isAtWork: false, isGone: false, waits: () => true }, NOW),
    ).toBeUndefined();
  });
});
