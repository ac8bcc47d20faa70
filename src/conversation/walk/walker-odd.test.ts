/** What lies where sessions are looked for, and is not as it should be. */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { listSessions } from './walker.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'entire-walker-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const TIME = Date.parse('2026-05-08T11:00:00Z') / 1000;

/** A file that was written at eleven. */
function put(path: string, text: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, TIME, TIME);
  return file;
}

function putRun(runId: string, more: object = {}): void {
  put(`.entire/eventlog/${runId}/run.json`, JSON.stringify({ version: 1, run_id: runId, ...more }));
}

const ids = async (options: object = {}): Promise<string[]> =>
  (await listSessions({ env: { HOME: home }, ...options })).map(({ sessionId }) => sessionId);

test('a file that is dated where no calendar reaches hides no other', async () => {
  putRun('pi-2026-05-08-abc12345');
  const text = '{"type":"user","message":{"role":"user","content":"Hi"}}\n';
  const late = put('.claude/projects/p/late.jsonl', text);
  const early = put('.entire/sessions/early.json', '{"session_id":"early"}');
  const events = put('.entire/eventlog/pi-2026-05-08-abc12345/events.jsonl', '{}\n');
  const { lstatSync } = disk;
  const dated = new Map([
    [late, 9e18],
    [early, -9e18],
    [events, 9e18],
  ]);
  const restore = replaceDisk({
    lstatSync: ((path: string, options: object) => {
      const stat = lstatSync(path, options);
      return dated.has(path) ? Object.assign(stat, { mtimeMs: dated.get(path) }) : stat;
    }) as typeof disk.lstatSync,
  });
  try {
    const found = await listSessions({ env: { HOME: home } });
    expect(found.map(({ sessionId, updatedAt }) => [sessionId, updatedAt])).toEqual([
      ['late', '9999-12-31T23:59:59.999Z'],
      ['pi-2026-05-08-abc12345', '9999-12-31T23:59:59.999Z'],
      ['early', '1970-01-01T00:00:00.000Z'],
    ]);
  } finally {
    restore();
  }
});

test('what OpenCode handed over of sub-agents, and what others keep beside it, is no session', async () => {
  const folder = join(home, 'repo');
  const run = 'opencode-2026-05-08-abc12345';
  putRun(run, { folder });
  const hand = (info: { id: string; parentID?: string }) =>
    put(`repo/.entire/tmp/${info.id}.jsonl`, `${JSON.stringify({ info })}\n`);
  hand({ id: 'ses_own' });
  hand({ id: 'ses_child', parentID: 'ses_own' });
  put('repo/.entire/tmp/document.jsonl', '{\n  "info": {\n    "id": "document"\n  },\n  "messages": []\n}\n');
  put('repo/.entire/tmp/of-a-plugin.jsonl', '{"role":"user","text":"Hi"}\n');
  const agents = ['opencode'];
  expect((await ids({ agents })).sort()).toEqual(['document', run, 'ses_own']);
  expect((await ids({ agents, folder })).sort()).toEqual(['document', run, 'ses_own']);
});

test('a folder by two names holds its sessions of OpenCode once', async () => {
  put('repo/.entire/tmp/ses_own.jsonl', '{"info":{"id":"ses_own"}}\n');
  symlinkSync(join(home, 'repo'), join(home, 'link'));
  putRun('opencode-2026-05-08-abc12345', { folder: join(home, 'repo') });
  putRun('opencode-2026-05-08-abc12346', { folder: join(home, 'link') });
  expect((await ids()).filter((id) => id === 'ses_own')).toHaveLength(1);
});

test('what agents keep and nobody may read is said: a folder by its name, files by their number', async () => {
  const text = '{"type":"user","message":{"role":"user","content":"Hi"}}\n';
  put('.claude/projects/p/read.jsonl', text);
  put('.claude/projects/p/first.jsonl', text);
  put('.claude/projects/p/second.jsonl', text);
  const locked = join(home, '.codex/sessions');
  const denied = () => Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const { readdirSync, openSync } = disk;
  const restore = replaceDisk({
    readdirSync: ((dir: string) => {
      if (dir === locked) throw denied();
      return readdirSync(dir);
    }) as typeof disk.readdirSync,
    openSync: ((path: string, flags: string) => {
      if (/(first|second)\.jsonl$/.test(path)) throw denied();
      return openSync(path, flags);
    }) as typeof disk.openSync,
  });
  const problems: string[] = [];
  try {
    expect(await ids({ onProblem: (problem: string) => problems.push(problem) })).toEqual(['read']);
  } finally {
    restore();
  }
  expect(problems).toEqual([
    expect.stringMatching(/^2 transcripts cannot be read, as .*\.claude.projects.p.(first|second)\.jsonl$/),
    `${locked} cannot be read: EACCES: permission denied`,
  ]);
});

test('a folder that a transcript names is no store that anybody would miss', async () => {
  const cwd = `/${'x'.repeat(300)}`; // no path may be as long
  put('.claude/projects/p/one.jsonl', `{"type":"user","cwd":"${cwd}","message":{"content":"Hi"}}\n`);
  const problems: string[] = [];
  await ids({ onProblem: (problem: string) => problems.push(problem) });
  expect(problems).toEqual([]);
});
