import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceDisk } from '../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { parseState, renderState } from './state.ts';
import {
  archiveState,
  hasState,
  listStateFiles,
  listStates,
  readState,
  readStateOrSetAside,
  writeState,
} from './state-store.ts';

const id = (text: string) => parseSessionId(text) as SessionId;
const state = (sessionId: string, firstPrompt = '') =>
  parseState(
    JSON.stringify({
      session_id: sessionId,
      base_commit: 'b',
      started_at: 't',
      phase: 'idle',
      first_prompt: firstPrompt,
    }),
  );

let root: string;
let dir: string;
const put = (name: string, text: string) => writeFileSync(join(dir, name), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-states-'));
  dir = join(root, 'entire-sessions');
  mkdirSync(dir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('what is written is read back, from a private file, without leftovers', () => {
  writeState(dir, state('s1', 'first'));
  writeState(dir, state('s1', 'second'));
  expect(readState(dir, id('s1'))).toEqual(state('s1', 'second'));
  expect(readdirSync(dir)).toEqual(['s1.json']);
  expect(statSync(join(dir, 's1.json')).mode & 0o777).toBe(0o600);
});

test('the folder is made when the first state is written', () => {
  rmSync(dir, { recursive: true });
  writeState(dir, state('s1'));
  expect(existsSync(join(dir, 's1.json'))).toBe(true);
});

test('a session without a file has no state', () => {
  expect(readState(dir, id('none'))).toBeUndefined();
  expect(readState(join(dir, 'no-folder'), id('none'))).toBeUndefined();
  expect(readStateOrSetAside(dir, id('none'))).toBeUndefined();
  expect(readdirSync(dir)).toEqual([]);
});

describe.each([
  ['empty', ''],
  ['all NUL, as after a power cut', '\0'.repeat(512)],
  ['half of it', renderState(state('s1', 'x')).slice(0, 40)],
  ['another kind of JSON', '[1, 2]'],
])('a state file that is %s', (_, text) => {
  test('is an error for a reader, and stays', () => {
    put('s1.json', text);
    expect(() => readState(dir, id('s1'))).toThrow(expect.objectContaining({ code: 'STATE_UNREADABLE' }));
    expect(readFileSync(join(dir, 's1.json'), 'utf8')).toBe(text);
  });

  test('is set aside whole by a hook, and the session goes on', () => {
    put('s1.json', text);
    expect(readStateOrSetAside(dir, id('s1'))).toBeUndefined();
    const [aside, ...others] = readdirSync(dir);
    expect(aside).toMatch(/^s1\.json\.corrupt-\d+$/);
    expect(others).toEqual([]);
    expect(readFileSync(join(dir, String(aside)), 'utf8')).toBe(text);
    writeState(dir, state('s1'));
    expect(listStates(dir)).toEqual({ states: [state('s1')], unreadable: [] });
  });
});

test('a file that cannot be read at all is not taken for a corrupt one', () => {
  writeState(dir, state('s1'));
  const restore = replaceDisk({
    openSync: (() => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'open' });
    }) as never,
  });
  try {
    expect(() => readStateOrSetAside(dir, id('s1'))).toThrow('EIO');
  } finally {
    restore();
  }
  expect(readdirSync(dir)).toEqual(['s1.json']);
});

test('a disk that is full leaves the old state', () => {
  writeState(dir, state('s1', 'old'));
  const restore = replaceDisk({
    writeSync: (() => {
      throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    }) as never,
  });
  try {
    expect(() => writeState(dir, state('s1', 'new'))).toThrow('ENOSPC');
  } finally {
    restore();
  }
  expect(readState(dir, id('s1'))).toEqual(state('s1', 'old'));
  expect(readdirSync(dir)).toEqual(['s1.json']);
});

test('listing: in order of name, other files passed over, the unreadable named; nothing is touched', () => {
  for (const name of ['b', 'a', 'c']) writeState(dir, state(name));
  put('broken.json', '{');
  put('a.files', 'x.txt\n');
  put('a.json.123.tmp', renderState(state('a')));
  put('a.json.corrupt-1', '');
  put('.hidden.json', renderState(state('hidden')));
  mkdirSync(join(dir, 'folder.json'));
  const before = readdirSync(dir);
  const { states, unreadable } = listStates(dir);
  expect(states.map(({ sessionId }) => sessionId)).toEqual(['a', 'b', 'c']);
  expect(unreadable).toEqual([join(dir, 'broken.json'), join(dir, 'folder.json')]);
  expect(readdirSync(dir)).toEqual(before);
});

test('where no session ever was the list is empty', () => {
  expect(listStates(join(root, 'nowhere'))).toEqual({ states: [], unreadable: [] });
});

test.each(['a', '../a'])('a state that names another session (%s) is not written over it', (other) => {
  put('mine.json', renderState(state(other, 'a copy')));
  const found = readStateOrSetAside(dir, id('mine'));
  if (found) writeState(dir, found);
  expect(existsSync(join(dir, `${other}.json`))).toBe(false);
});

describe('an archived state', () => {
  const archived = () => join(root, 'entire', 'archive', 's1.json');
  const archive = (isOver = true) => archiveState(dir, id('s1'), () => isOver);

  test('is out of the folder, and read and listed as before', () => {
    writeState(dir, state('s1'));
    writeState(dir, state('s2'));
    archive();
    expect(readdirSync(dir)).toEqual(['s2.json']);
    expect(readState(dir, id('s1'))).toEqual(state('s1'));
    expect(hasState(dir, id('s1'))).toBe(true);
    expect(listStates(dir)).toEqual({ states: [state('s1'), state('s2')], unreadable: [] });
  });

  test('comes back when it is written, and is nowhere twice', () => {
    writeState(dir, state('s1'));
    archive();
    writeState(dir, state('s1', 'again'));
    expect(readdirSync(dir)).toEqual(['s1.json']);
    expect(existsSync(archived())).toBe(false);
    expect(listStateFiles(dir)).toEqual([join(dir, 's1.json')]);
  });

  test('is not made of a session that goes on, nor of one that has none', () => {
    writeState(dir, state('s1'));
    archive(false);
    archiveState(dir, id('s2'), () => true);
    expect(readdirSync(dir)).toEqual(['s1.json']);
  });

  test('that is broken is set aside like any other', () => {
    put('s1.json', renderState(state('s1')));
    archive();
    writeFileSync(archived(), '{');
    expect(listStates(dir).unreadable).toEqual([archived()]);
    expect(readStateOrSetAside(dir, id('s1'))).toBeUndefined();
    expect(existsSync(archived())).toBe(false);
    expect(readdirSync(dir)).toEqual([expect.stringMatching(/^s1\.json\.corrupt-\d+$/)]);
  });
});
