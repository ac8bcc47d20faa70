import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, disk, replaceDisk } from '../../base/file/disk.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readOpenLedgers } from './ledger.ts';
import { recordShell } from './note-shell.ts';
import { recordEdit } from './record-edit.ts';

let [root, store]: [string, string] = ['', ''];
const at = (path: string) => join(root, path);
const long = () => new Promise((resolve) => setTimeout(resolve, 40));

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'shell-'));
  store = at('.store');
  fs.mkdirSync(at('d'));
});
afterEach(() => fs.rmSync(root, { recursive: true }));

async function edited(...paths: string[]) {
  for (const path of paths) fs.writeFileSync(at(path), `by a tool: ${path}\n`);
  await long();
  const edit = { tool: 'Write', agentId: undefined, isShell: false, before: null };
  recordEdit(store, root, paths as RepoPath[], edit);
}

/** The files of the worktree that a shell command's hook reads. */
function readBy(act: () => void): string[] {
  const read: string[] = [];
  const putBack = replaceDisk({
    readFileSync: ((file: string) => {
      read.push(file);
      return fs.readFileSync(file);
    }) as Disk['readFileSync'],
  });
  try {
    act();
  } finally {
    putBack();
  }
  return read.map((file) => file.slice(root.length + 1));
}

const looks = () => readOpenLedgers(store).edits.flatMap(({ isLook, path }) => (isLook ? path : []));

describe('what a shell command made of files that tools had written', () => {
  it('costs a look at each, and reads only what looks otherwise', async () => {
    const paths = Array.from({ length: 50 }, (_, number) => `d/f${number}`);
    await edited(...paths);
    expect(readBy(() => recordShell(store, root))).toEqual([]);
    fs.writeFileSync(at('d/f7'), 'by a shell\n');
    await long();
    expect(readBy(() => recordShell(store, root))).toEqual(['d/f7']);
    expect(readBy(() => recordShell(store, root))).toEqual([]);
    expect(looks()).toEqual(['d/f7']);
    expect(readOpenLedgers(store).shells).toBe(3);
  });

  it('is read once where a file was written again as it was', async () => {
    await edited('a');
    fs.writeFileSync(at('a'), fs.readFileSync(at('a')));
    await long();
    expect(readBy(() => recordShell(store, root))).toEqual(['a']);
    expect(readBy(() => recordShell(store, root))).toEqual([]);
    expect(looks()).toEqual([]);
  });

  it('is seen though size and time of the file are as they were', async () => {
    await edited('a');
    const { atime, mtime, size } = fs.statSync(at('a'));
    fs.writeFileSync(at('a'), 'x'.repeat(size));
    fs.utimesSync(at('a'), atime, mtime);
    recordShell(store, root);
    expect(looks()).toEqual(['a']);
  });

  it('is seen where a file was noted in the moment in which it was written', () => {
    fs.writeFileSync(at('a'), 'one\n');
    const look = fs.lstatSync(at('a'));
    // A clock that stands still.
    const putBack = replaceDisk({
      lstatSync: ((file: string, options: object) =>
        file === at('a') ? look : fs.lstatSync(file, options)) as Disk['lstatSync'],
    });
    try {
      recordEdit(store, root, ['a' as RepoPath], {
        tool: 'Write',
        agentId: undefined,
        isShell: false,
        before: null,
      });
      fs.writeFileSync(at('a'), 'two\n');
      recordShell(store, root);
    } finally {
      putBack();
    }
    expect(looks()).toEqual(['a']);
  });

  it('is seen where a file is gone, a link, or behind one', async () => {
    await edited('a', 'b', 'd/c');
    fs.rmSync(at('a'));
    fs.rmSync(at('b'));
    fs.symlinkSync('a', at('b'));
    fs.renameSync(at('d'), at('e'));
    fs.symlinkSync('e', at('d'));
    recordShell(store, root);
    expect(
      readOpenLedgers(store).edits.flatMap(({ isLook, path, after }) =>
        isLook ? `${path} ${after.kind}` : [],
      ),
    ).toEqual(['a missing', 'b link', 'd/c other']);
    expect(readBy(() => recordShell(store, root))).toEqual([]);
  });

  it('is nothing where nothing is kept of the session', () => {
    recordShell(store, root);
    expect(disk.existsSync(store)).toBe(false);
  });
});
