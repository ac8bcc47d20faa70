import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RepoPath } from '../../base/repo-path.ts';
import { readOpenLedgers } from './ledger.ts';
import { recordEdit } from './record-edit.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-record-edit-')));
  mkdirSync(join(root, 'store'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const EDIT = { tool: 'apply_patch', agentId: undefined, isShell: false, before: undefined };

test('of a call that writes many files the first ones are read, and of the others what the system tells', () => {
  const paths = Array.from({ length: 502 }, (_, no) => `${no}.txt` as RepoPath);
  for (const path of paths) writeFileSync(join(root, path), `${path}\n`);
  recordEdit(join(root, 'store'), root, paths, EDIT);
  const { edits, shells } = readOpenLedgers(join(root, 'store'));
  expect(edits.map(({ path }) => path)).toEqual(paths);
  expect(edits[499]?.after.kind).toBe('file');
  expect(edits[500]?.after).toMatchObject({ kind: 'unkept', size: 8 });
  expect(shells).toBe(0);
});

test('of a call that writes more files than are noted the rest counts as what a shell wrote', () => {
  const paths = Array.from({ length: 20_001 }, (_, no) => `gone/${no}` as RepoPath);
  recordEdit(join(root, 'store'), root, paths, EDIT);
  const { edits, shells } = readOpenLedgers(join(root, 'store'));
  expect(edits).toHaveLength(20_000);
  expect(shells).toBe(1);
});
