import { describe, expect, test } from 'vitest';
import { judgeStuck } from './stuck.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');
const HOUR = 60 * 60 * 1000;
const ago = (ms: number): string => new Date(NOW - ms).toISOString();

describe('stuck sessions (specification §1.7)', () => {
  test.each([
    ['active', ago(HOUR + 1), 0, false, { kind: 'silent', quietMs: HOUR + 1 }],
    ['active', ago(HOUR), 3, true, undefined],
    ['active', undefined, 0, false, { kind: 'never-heard' }],
    ['active', 'yesterday', 0, false, { kind: 'never-heard' }],
    ['active', '2026-01-02T12:00:00+02:00', 0, false, { kind: 'silent', quietMs: 2 * HOUR }],
    ['ended', ago(100 * HOUR), 1, true, { kind: 'uncondensed' }],
    ['ended', ago(0), 1, false, undefined],
    ['ended', ago(0), 0, true, undefined],
    ['idle', ago(100 * HOUR), 5, true, undefined],
    ['idle', undefined, 5, true, undefined],
  ] as const)(
    '%s, heard of at %s, %i steps, branch %s',
    (phase, lastInteractionTime, count, exists, reason) => {
      expect(judgeStuck({ phase, lastInteractionTime, checkpointCount: count }, exists, NOW)).toEqual(reason);
    },
  );
});
