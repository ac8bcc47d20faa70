import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceClock } from '../base/clock.ts';
import type { CheckpointId } from '../base/ids.ts';
import { recordVerdict, type VerdictReason } from '../session/record/verdicts.ts';
import { countAttempt, listPending, selectPending, settle } from './pending-summaries.ts';

const NOW = Date.parse('2026-02-10T12:00:00Z');
const id = (number: number) => String(number).padStart(12, '0') as CheckpointId;
const verdict = (number: number, reason: VerdictReason = 'linked', at = '2026-02-10T11:00:00Z') => ({
  commit: `c${number}`,
  at,
  reason,
  checkpoint: id(number),
  sessions: [],
});

describe('which checkpoints wait for a summary', () => {
  test('those of new linked commits, each once, at most five', () => {
    const verdicts = [1, 1, 2, 3, 4, 5, 6].map((number) => verdict(number));
    expect(selectPending(verdicts, new Map(), NOW)).toEqual([1, 2, 3, 4, 5].map(id));
    expect(selectPending([verdict(1, 'kept'), verdict(2, 'merge')], new Map(), NOW)).toEqual([]);
    expect(selectPending([verdict(1, 'linked', '2026-02-09T12:00:00Z')], new Map(), NOW)).toEqual([]);
    expect(selectPending([verdict(1, 'linked', 'no time')], new Map(), NOW)).toEqual([]);
    expect(selectPending([{ ...verdict(1), checkpoint: '../x' }], new Map(), NOW)).toEqual([]);
  });

  test('one that was tried twice makes room for no older one', () => {
    const verdicts = [1, 2, 3, 4, 5, 6].map((number) => verdict(number));
    expect(selectPending(verdicts, new Map([[id(1), 2]]), NOW)).toEqual([2, 3, 4, 5].map(id));
    expect(selectPending(verdicts, new Map([[id(1), 1]]), NOW)[0]).toBe(id(1));
  });
});

describe('what was tried', () => {
  let dir: string;
  let restore: () => void;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'entire-summaries-'));
    mkdirSync(join(dir, 'entire'));
    restore = replaceClock(() => new Date(NOW));
    for (const number of [1, 2]) recordVerdict(dir, verdict(number));
  });
  afterEach(() => {
    restore();
    rmSync(dir, { recursive: true });
  });

  test('is remembered', () => {
    expect(listPending(dir, NOW)).toEqual([id(2), id(1)]);
    settle(dir, id(2));
    countAttempt(dir, id(1));
    expect(listPending(dir, NOW)).toEqual([id(1)]);
    countAttempt(dir, id(1));
    expect(listPending(dir, NOW)).toEqual([]);
  });

  test('a broken file counts as none', () => {
    for (const text of [
      '',
      '{',
      'null',
      '7',
      '{"attempts":null}',
      '{"attempts":{"x":1,"000000000001":"2"}}',
    ]) {
      writeFileSync(join(dir, 'entire', 'summaries.json'), text);
      expect(listPending(dir, NOW), text).toHaveLength(2);
    }
  });
});
