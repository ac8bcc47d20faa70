import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import { writeTurnBegin } from '../turn/turn-begin.ts';
import { newRecord, newRecordId, removeRecord, writeRecord } from './record.ts';
import { hasRecordsOf, listMarks, markAgain, markStep, splitRecords, trimMarks } from './step-marks.ts';

const STEP = 'a'.repeat(40) as ObjectId;
let store: string;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'entire-marks-'));
});
afterEach(() => rmSync(store, { recursive: true, force: true }));

function record(after?: string): string {
  const id = newRecordId(after);
  writeRecord(store, newRecord({ id, kind: 'turn' }));
  return id;
}

function beginAfter(last: string): void {
  const transcript = { path: '', items: 0, last: '' };
  writeTurnBegin(store, { turnId: 't', at: '', head: '', transcript, files: new Map(), last });
}

/** Marks a step, and counts the folders that were listed for it. */
function mark(closed: string | undefined): number {
  const { readdirSync: read } = disk;
  let count = 0;
  const list = (...args: unknown[]) => {
    count++;
    return (read as (...args: unknown[]) => unknown)(...args);
  };
  const undo = replaceDisk({ readdirSync: list as typeof read });
  try {
    markStep(store, STEP, closed);
  } finally {
    undo();
  }
  return count;
}

const split = () => splitRecords(store, (step) => step === STEP);

describe('a step that is marked', () => {
  it('lists no records, whether its turn became one or none', () => {
    const first = record();
    const second = record(first);
    expect(mark(second)).toBe(0);
    beginAfter(second);
    expect(mark(undefined)).toBe(0);
    const third = record(second);
    expect(split()).toMatchObject({ upTo: [first, second], since: [third] });
  });

  it('does not rely on a record that is gone', () => {
    const first = record();
    const second = record(first);
    beginAfter(second);
    removeRecord(store, second);
    expect(mark(undefined)).toBe(1);
    expect(split()).toMatchObject({ upTo: [first], since: [] });
  });

  it('is known by each name that it had, and counts once', () => {
    const [later, again, unknown] = ['b', 'c', 'd'].map((digit) => digit.repeat(40) as ObjectId);
    const first = record();
    mark(first);
    const second = record(first);
    markStep(store, later as ObjectId, second);
    markAgain(store, [{ step: again as ObjectId, old: STEP }]);
    markAgain(store, [{ step: again as ObjectId, old: STEP }]);
    markAgain(store, [{ step: STEP, old: again as ObjectId }]);
    markAgain(store, [{ step: 'e'.repeat(40) as ObjectId, old: unknown as ObjectId }]);
    expect(listMarks(store).map(({ step }) => step)).toEqual([STEP, again, later]);
    expect(splitRecords(store, (step) => step === again)).toMatchObject({ upTo: [first], since: [second] });
    expect(hasRecordsOf(store, 2, new Set([first, second]))).toBe(true);
    expect(hasRecordsOf(store, 2, new Set([second]))).toBe(false);
    expect(hasRecordsOf(store, 3, new Set([first, second]))).toBe(false);
  });

  it('is told from older ones whose records are gone', () => {
    const older = 'b'.repeat(40) as ObjectId;
    const first = record();
    markStep(store, older, first);
    mark(record(first));
    expect(split()?.isForgotten(older)).toBe(false);
    removeRecord(store, first);
    expect([older, STEP, 'c'.repeat(40) as ObjectId].map((step) => split()?.isForgotten(step))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is forgotten behind a thousand others', () => {
    const lines = Array.from({ length: 1500 }, (_, at) => `${String(at).padStart(40, '0')} -`);
    writeFileSync(join(store, 'steps'), `${lines.join('\n')}\n`);
    trimMarks(store);
    expect(readFileSync(join(store, 'steps'), 'utf8')).toBe(`${lines.slice(500).join('\n')}\n`);
  });

  it('is forgotten together with its other names, and stays in its place', () => {
    const stepOf = (at: number) => String(at).padStart(40, '0') as ObjectId;
    const first = record();
    const last = record(first);
    for (let at = 1; at <= 600; at++) markStep(store, stepOf(at), at === 600 ? last : first);
    const again = Array.from({ length: 600 }, (_, at) => ({ step: stepOf(at + 1001), old: stepOf(at + 1) }));
    markAgain(store, again);
    trimMarks(store);
    expect(listMarks(store)).toHaveLength(1000);
    const isAgain = (step: ObjectId) => Number(step) > 1000;
    expect(splitRecords(store, isAgain)).toMatchObject({ upTo: [first, last], since: [] });
  });
});

it('marks are for their owner alone, whatever the umask is', () => {
  const mask = process.umask(0);
  try {
    markStep(join(store, 'session'), STEP, record());
  } finally {
    process.umask(mask);
  }
  expect(statSync(join(store, 'session', 'steps')).mode & 0o777).toBe(0o600);
  expect(statSync(join(store, 'session')).mode & 0o7).toBe(0);
});
