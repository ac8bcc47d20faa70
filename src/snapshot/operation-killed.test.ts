import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killAt } from '../../integration/support/process/killed.ts';
import { replaceDisk } from '../base/file/disk.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { abortOperation, applyOperation, finishOperation, readJournal } from './operation.ts';
import { captureAll, type Place } from './place.ts';
import { listRecordIds, newRecord, newRecordId, writeRecord } from './record/record.ts';
import type { PathChange, SnapshotRecord } from './record/snapshot-record.ts';
import { blobFile } from './store/blobs.ts';
import { MISSING } from './store/file-state.ts';
import { readTurnBegin, writeTurnBegin } from './turn/turn-begin.ts';

let place: Place;
let record: SnapshotRecord;
let [from, to]: [View, View] = [{}, {}];

/** What a folder holds: files by mode and content, links, empty folders. */
type View = Readonly<Record<string, string>>;

function viewOf(root: string, below = ''): View {
  const names = fs.readdirSync(join(root, below)).sort();
  if (names.length === 0) return below === '' ? {} : { [`${below}/`]: 'empty' };
  return Object.assign(
    {},
    ...names.map((name) => {
      const path = below === '' ? name : `${below}/${name}`;
      const stat = fs.lstatSync(join(root, path));
      if (stat.isDirectory()) return viewOf(root, path);
      if (stat.isSymbolicLink()) return { [path]: `-> ${fs.readlinkSync(join(root, path))}` };
      return { [path]: `${(stat.mode & 0o777).toString(8)} ${fs.readFileSync(join(root, path), 'utf8')}` };
    }),
  );
}

/** A file of each kind: changed, made, removed, of another mode, a link, one that becomes a folder. */
function fill(root: string, isAfter: boolean): void {
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(root);
  const write = (path: string, text: string, mode = 0o644) => {
    fs.mkdirSync(join(root, path, '..'), { recursive: true });
    fs.writeFileSync(join(root, path), text);
    fs.chmodSync(join(root, path), mode);
  };
  write('stays.txt', 'stays\n');
  write('changed.txt', isAfter ? 'after\n' : 'before\n', 0o600);
  write('run.sh', 'echo\n', isAfter ? 0o755 : 0o644);
  if (isAfter) write('made/deep/new.txt', 'new\n');
  else write('gone/old.txt', 'old\n');
  write(isAfter ? '1/deep/inner.txt' : '1', 'a folder after\n');
  fs.symlinkSync(isAfter ? 'elsewhere' : 'changed.txt', join(root, 'link'));
}

const PATHS = [
  'changed.txt',
  'gone/old.txt',
  'link',
  'made/deep/new.txt',
  'run.sh',
  '1',
  '1/deep/inner.txt',
] as RepoPath[];

let restoreDisk: () => void;

beforeEach(() => {
  restoreDisk = replaceDisk({ fsyncSync: () => {} }); // against power cuts, not kills; and slow
  const scratch = fs.mkdtempSync(join(tmpdir(), 'entire-operation-'));
  place = { root: join(scratch, 'root'), store: join(scratch, 'store') };
  const capture = () =>
    new Map(
      PATHS.map((path) => {
        const state = captureAll(place, path);
        return [path, state.kind === 'other' ? MISSING : state];
      }),
    );
  fill(place.root, true);
  const states = capture();
  to = viewOf(place.root);
  fill(place.root, false);
  from = viewOf(place.root);
  const files = [...capture()].map(([path, before]): [RepoPath, PathChange] => [
    path,
    { before, after: states.get(path) ?? { kind: 'missing' }, source: 'tool' },
  ]);
  record = newRecord({ id: newRecordId(undefined), kind: 'undo', files: new Map(files) });
});

afterEach(() => {
  restoreDisk();
  fs.rmSync(join(place.root, '..'), { recursive: true, force: true });
});

const apply = () => applyOperation(place, { record });
const goOn = () => finishOperation(place, readJournal(place.store) as SnapshotRecord);
const goBack = () =>
  expect([...abortOperation(place, readJournal(place.store) as SnapshotRecord)]).toEqual([]);

function begin(): void {
  fill(place.root, false);
  for (const name of fs.readdirSync(place.store))
    if (name !== 'blobs') fs.rmSync(join(place.store, name), { recursive: true });
}

/** What a kill may leave: each path as before or after, and every content stored. */
function expectNothingLost(at: string): void {
  const now = viewOf(place.root);
  for (const [path, what] of Object.entries(now))
    if (!path.endsWith('/')) expect([from[path], to[path]], `${at}: ${path}`).toContain(what);
  for (const { before } of record.files.values())
    if (before?.kind === 'file' || before?.kind === 'link')
      expect(fs.existsSync(blobFile(place.store, before.sha256)), at).toBe(true);
}

/** One end or the other, and nothing left of the way to it. */
function expectEnd(isDone: boolean, at: string): void {
  expect(viewOf(place.root), at).toEqual(isDone ? to : from);
  expect(listRecordIds(place.store), at).toEqual(isDone ? [record.id] : []);
  expect(fs.readdirSync(place.store).sort(), at).toEqual(
    fs.existsSync(join(place.store, 'snaps')) ? ['blobs', 'snaps'] : ['blobs'],
  );
  const snaps = join(place.store, 'snaps');
  if (fs.existsSync(snaps)) expect(fs.readdirSync(snaps), at).toEqual(isDone ? [`${record.id}.json`] : []);
}

/** After a kill: the journal decides whether there is something to finish. */
function end(how: 'continue' | 'abort', at: string): void {
  if (readJournal(place.store)) {
    if (how === 'continue') goOn();
    else goBack();
    return expectEnd(how === 'continue', `${at}, ${how}`);
  }
  if (listRecordIds(place.store).length > 0) return expectEnd(true, `${at}, over`);
  expect(viewOf(place.root), `${at}, not begun`).toEqual(from);
  apply();
  expectEnd(true, `${at}, begun again`);
}

describe('an operation that is killed', { timeout: 120_000 }, () => {
  it('at any moment can be finished, and be taken back', () => {
    for (let at = 1, isKilled = true; isKilled; at++)
      for (const how of ['continue', 'abort'] as const) {
        begin();
        ({ isKilled } = killAt(at, apply));
        expectNothingLost(`at ${at}`);
        end(how, `at ${at}`);
      }
  });

  it.each(['continue', 'abort'] as const)(
    'and killed again at any moment while it is made to %s',
    (first) => {
      begin();
      const { operations } = killAt(Number.MAX_SAFE_INTEGER, apply);
      for (let at = 1; at <= operations; at += 11)
        for (let again = 1, isKilled = true; isKilled; again += 9) {
          begin();
          killAt(at, apply);
          if (!readJournal(place.store)) break;
          ({ isKilled } = killAt(again, first === 'continue' ? goOn : goBack));
          expectNothingLost(`at ${at} and ${again}`);
          for (const how of again % 2 === 1 ? (['continue'] as const) : (['abort'] as const))
            if (readJournal(place.store)) end(how, `at ${at} and ${again}`);
        }
    },
  );

  it('is, finished after a turn, the newest there is, and once, wherever that is killed', () => {
    let [turn, ends] = ['', 0];
    for (let again = 1, isKilled = true; isKilled; again += 3) {
      begin();
      killAt(150, apply);
      expect(readJournal(place.store)).toBeDefined();
      turn = newRecordId(record.id);
      writeRecord(place.store, newRecord({ id: turn, kind: 'turn' }));
      const transcript = { path: '', items: 0, last: '' };
      writeTurnBegin(place.store, { turnId: '', at: '', head: '', transcript, files: new Map(), last: turn });
      ({ isKilled } = killAt(again, goOn));
      if (readJournal(place.store)) goOn();
      const ids = listRecordIds(place.store);
      expect([ids.length, ids[0], viewOf(place.root)], `at ${again}`).toEqual([2, turn, to]);
      expect(readTurnBegin(place.store)?.last).toBe(ids[1]);
      ends++;
    }
    expect(ends).toBeGreaterThan(20);
  });

  it('and taken back after a turn is not what the next turn is told of', () => {
    begin();
    killAt(150, apply);
    const transcript = { path: '', items: 0, last: '' };
    writeTurnBegin(place.store, {
      turnId: '',
      at: '',
      head: '',
      transcript,
      files: new Map(),
      last: undefined,
    });
    goBack();
    expect(readTurnBegin(place.store)?.last).toBe(undefined);
  });
});
