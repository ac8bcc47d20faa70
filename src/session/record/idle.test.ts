import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dropIdle, markIdle } from './idle.ts';

const HEAD = { commit: 'a'.repeat(40), reason: 'no-session', settings: '/home/me/.config/entire' } as const;
let commonDir: string;
const at = (...names: string[]) => join(commonDir, ...names);
const place = () => ({ commonDir, worktreeId: '' });
const isMarked = (name = '@') => existsSync(at('entire/idle', name, 'mark'));
const copyTime = async (from: string, to: string) => {
  utimesSync(to, statSync(from).atime, statSync(from).mtime);
  return true;
};

beforeEach(() => {
  commonDir = mkdtempSync(join(tmpdir(), 'idle-'));
  mkdirSync(at('entire-sessions'));
  writeFileSync(at('entire-sessions/a.json'), '{}');
  changedBefore(60);
});
afterEach(() => rmSync(commonDir, { recursive: true, force: true }));

function changedBefore(seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  utimesSync(at('entire-sessions'), then, then);
}

it('leaves a mark as old as the last change of the sessions, with HEAD and why it has no link', async () => {
  await markIdle(place(), HEAD, () => true, copyTime);
  expect(statSync(at('entire/idle/@/mark')).mtime).toEqual(statSync(at('entire-sessions')).mtime);
  expect(readFileSync(at('entire/idle/@/head'), 'utf8')).toBe(
    `${HEAD.commit} 200 no-session ${HEAD.settings}\n`,
  );
  await markIdle({ commonDir, worktreeId: 'beside' }, HEAD, () => true, copyTime);
  dropIdle(place());
  expect([isMarked(), isMarked('beside')]).toEqual([false, true]);
});

it('asks whether nobody is at work once the time is taken, and leaves no mark where somebody is', async () => {
  const seen: Date[] = [];
  const draft = () => readdirSync(at('entire/idle/@')).find((name) => name.startsWith('mark.')) ?? '';
  const look = () => seen.push(statSync(at('entire/idle/@', draft())).mtime) === 0;
  await markIdle(place(), HEAD, look, copyTime);
  expect(seen).toEqual([statSync(at('entire-sessions')).mtime]);
  expect(readdirSync(at('entire/idle/@'))).toEqual(['head']);
});

it.each(['a.files', 'a.files.claim', 'a.lock'])(
  'leaves none beside %s, which can be appended to',
  async (name) => {
    writeFileSync(at('entire-sessions', name), '');
    changedBefore(60);
    await markIdle(place(), HEAD, () => true, copyTime);
    expect(isMarked()).toBe(false);
  },
);

it.each([
  ['while sessions are changing', () => changedBefore(1)],
  ['where they change in the future', () => changedBefore(-60)],
])('leaves none %s', async (_, change) => {
  change();
  await markIdle(place(), HEAD, () => true, copyTime);
  expect(isMarked()).toBe(false);
});

it('leaves none where its time cannot be set, or a session begins meanwhile', async () => {
  await markIdle(
    place(),
    HEAD,
    () => true,
    async () => false,
  );
  expect(isMarked()).toBe(false);
  await markIdle(
    place(),
    HEAD,
    () => true,
    async (from, to) => {
      await copyTime(from, to);
      writeFileSync(at('entire-sessions/b.files'), 'a.txt\n');
      return true;
    },
  );
  expect(isMarked()).toBe(false);
});
