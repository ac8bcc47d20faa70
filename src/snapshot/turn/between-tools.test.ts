import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RepoPath } from '../../base/repo-path.ts';
import { betweenTools, type ToolTimes } from './between-tools.ts';

const path = 'a.txt' as RepoPath;
let [root, store, nowMs]: [string, string, number] = ['', '', 0];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'between-'));
  store = join(root, '.store');
  mkdirSync(store);
  nowMs = Date.now();
  writeFileSync(join(root, path), 'a');
});
afterEach(() => rmSync(root, { recursive: true }));

/** A turn of the last minute with one call, given in seconds before now, and a hook that noted something behind it. */
function isBetween(call: readonly [number, number], { hook = call[1], written = 0, ...more }: Turn = {}) {
  const ms = (seconds: number) => nowMs - seconds * 1000;
  const ledger = join(store, 'edits.jsonl');
  writeFileSync(ledger, `${JSON.stringify({ at: new Date(ms(hook)).toISOString(), shell: true })}\n`);
  utimesSync(ledger, ms(hook + written) / 1000, ms(hook + written) / 1000);
  const calls = [{ fromMs: ms(call[0]), toMs: ms(call[1]) }];
  return betweenTools({ store, root }, { sinceMs: ms(60), calls, ...more }, undefined)(path);
}

interface Turn extends Partial<ToolTimes> {
  readonly hook?: number;
  /** How far behind the ledger's file was written, by the clock of the file system. */
  readonly written?: number;
}

it('is so for what changed well before or after a call', () => {
  expect(isBetween([20, 10])).toBe(true);
  expect(isBetween([20, 0.5])).toBe(false);
  expect(isBetween([20, -5])).toBe(false);
  expect(isBetween([-5, -10], { hook: -6 })).toBe(true);
});

it('is not so where the content is as old as a call: something else of the file changed since', () => {
  utimesSync(join(root, path), nowMs / 1000 - 15, nowMs / 1000 - 15);
  expect(isBetween([20, 10])).toBe(false);
});

it('is not known without times, before the turn, or of a file that is gone', () => {
  expect(betweenTools({ store, root }, undefined, undefined)(path)).toBe(false);
  expect(isBetween([20, 10], { sinceMs: 0 })).toBe(false);
  expect(isBetween([20, 10], { sinceMs: nowMs + 5_000 })).toBe(false);
  rmSync(join(root, path));
  expect(isBetween([20, 10])).toBe(false);
});

it('is not known where hooks noted something at another time than tools ran, or the clocks differ', () => {
  expect(isBetween([20, 10], { hook: 30 })).toBe(false);
  expect(isBetween([40, 30], { hook: 10 })).toBe(false);
  expect(isBetween([20, 10], { written: 5 })).toBe(false);
  rmSync(join(store, 'edits.jsonl'));
  expect(betweenTools({ store, root }, { sinceMs: nowMs - 9_000, calls: [] }, undefined)(path)).toBe(false);
});
