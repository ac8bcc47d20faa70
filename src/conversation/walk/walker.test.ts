import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentName } from '../../agents/names.ts';
import { agentOf } from '../../agents/registry.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { findSessionDir, iterAllSessions, iterSessionsForCli, listSessions } from './walker.ts';

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../integration/fixtures', name), 'utf8');

let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'entire-walker-')));
  env = { HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (path: string): string => join(home, path);

function put(path: string, text: string, time: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const seconds = Date.parse(time) / 1000;
  utimesSync(path, seconds, seconds);
  return path;
}

/** A run as a chat leaves it. */
function putRun(runId: string, more: object = {}, writtenAt = '2026-01-01T00:00:00Z'): string {
  const folder = at(`.entire/eventlog/${runId}`);
  put(join(folder, 'run.json'), JSON.stringify({ version: 1, run_id: runId, ...more }), writtenAt);
  put(join(folder, 'events.jsonl'), '{"at":"x","type":"text"}\n', writtenAt);
  return folder;
}

/** A session as `FileStorage` keeps it. */
function putStored(id: string, metadata: object, messages: readonly object[], time: string): string {
  const data = {
    ...{
      session_id: id,
      messages,
      system: null,
      parent_id: null,
      created_at: 1779264000,
      updated_at: 1779264001,
    },
    metadata,
  };
  return put(at(`.entire/sessions/${id}.json`), `${JSON.stringify(data)}\n`, time);
}

const IDS: Partial<Record<AgentName, string>> = {
  'claude-code': 'f947edb3-1e50-4344-8bf1-34bcf22d5471',
  pi: '01a20476-43e3-7733-907e-e5a341f66cba',
  'qwen-code': 'abcb8c0a-34a5-47c2-9293-d240a2b1e622',
};

/** A real transcript in the agent's own store. */
function putOwn(agent: AgentName, id: string, time: string, folder = '/repo'): string {
  const text = fixture(`${agent}/transcripts/basic.jsonl`)
    .replaceAll('"/repo"', JSON.stringify(folder))
    .replaceAll(IDS[agent] ?? 'none', id);
  const file = agentOf(agent).home.transcript(env, folder, id as SessionId, new Date(time));
  return put(file, text, time);
}

const ids = async (options: object = {}): Promise<string[]> =>
  (await listSessions({ env, ...options })).map(({ sessionId }) => sessionId);

test('runs stand by the time in their ids, whatever the agent is called; what is unknown is passed over', async () => {
  putRun('qwen-code-2026-05-08T10-00-00-000Z-00000000');
  putRun('claude-code-2026-05-08T11-00-00-000Z-ffffffff');
  putRun('pi-2026-05-08-abc12345');
  putRun('backup-2026-05-09-abc12345');
  putRun('shares-codex-2026-05-09-abc12345');
  putRun('codex-notes');
  put(at('.entire/eventlog/codex-2026-05-10-abc12345'), 'a file', '2026-05-10T00:00:00Z');
  symlinkSync(
    at('.entire/eventlog/backup-2026-05-09-abc12345'),
    at('.entire/eventlog/pi-2026-05-11-abc12345'),
  );
  expect(await ids()).toEqual([
    'claude-code-2026-05-08T11-00-00-000Z-ffffffff',
    'qwen-code-2026-05-08T10-00-00-000Z-00000000',
    'pi-2026-05-08-abc12345',
  ]);
});

test("agents' own sessions stand among them by when they were last written, with origin, folder and first prompt", async () => {
  putRun('codex-2026-05-08T10-00-00-000Z-00000000', { title: 'Paint it blue', folder: '/repo' });
  const path = putOwn('claude-code', 'f947edb3-1e50-4344-8bf1-000000000001', '2026-05-08T11:00:00Z');
  putOwn('pi', '01a20476-43e3-7733-907e-000000000002', '2026-05-08T09:00:00Z', '/other');
  const records = await listSessions({ env });
  expect(
    records.map(({ cliOrigin, kind, folder, updatedAt, summary }) => [
      cliOrigin,
      kind,
      folder,
      updatedAt,
      summary.title,
    ]),
  ).toEqual([
    ['claude-code', 'agent', '/repo', '2026-05-08T11:00:00.000Z', 'TURN-ONE: please create hello.txt'],
    ['codex', 'run', '/repo', '2026-05-08T10:00:00.000Z', 'Paint it blue'],
    ['pi', 'agent', '/other', '2026-05-08T09:00:00.000Z', 'PI-ONE go'],
  ]);
  expect(records[0]).toMatchObject({ path, transcript: path, runId: undefined });
  expect(await ids({ folder: '/repo', limit: 1 })).toEqual(['f947edb3-1e50-4344-8bf1-000000000001']);
  expect(await ids({ agents: [] })).toEqual(['codex-2026-05-08T10-00-00-000Z-00000000']);
  expect(await ids({ folder: '/nowhere' })).toEqual([]);
});

test('runs of one session, the file it is stored in and the session of its agent are one record', async () => {
  const own = 'f947edb3-1e50-4344-8bf1-000000000001';
  const first = 'claude-code-2026-05-08T10-00-00-000Z-00000000';
  const path = putOwn('claude-code', own, '2026-05-08T12:00:30Z');
  putRun(first, { session_id: first, title: 'First words', folder: '/repo' });
  const newest = putRun(
    'claude-code-2026-05-08T12-00-00-000Z-00000001',
    { session_id: first, agent_session_id: own },
    '2026-05-08T12:00:20Z',
  );
  putStored(
    first,
    { agent: 'claude-code', agent_memory: { session_id: own, cwd: '/repo' } },
    [],
    '2026-05-08T12:00:20Z',
  );
  expect(await listSessions({ env })).toEqual([
    {
      sessionId: first,
      runId: 'claude-code-2026-05-08T12-00-00-000Z-00000001',
      runs: [newest, at(`.entire/eventlog/${first}`)],
      isStored: true,
      cliOrigin: 'claude-code',
      kind: 'run',
      path: newest,
      agentSessionId: own,
      transcript: path,
      folder: '/repo',
      startedAt: '2026-05-20T08:00:00.000Z',
      updatedAt: '2026-05-08T12:00:30.000Z',
      summary: { title: 'First words' },
    },
  ]);
  expect(await findSessionDir(own, { env })).toBe(newest);
  expect(await findSessionDir(first, { env })).toBe(at(`.entire/eventlog/${first}`));
  expect(await findSessionDir('claude-code-2026-05-08T12-00-00-000Z-00000001', { env })).toBe(newest);
});

test('a run is a log alone only where there is no file of its session, whatever that holds', async () => {
  const id = 'codex-2026-05-08T10-00-00-000Z-00000000';
  putRun(id);
  put(at(`.entire/sessions/${id}.json`), '', '2026-05-08T10:00:00Z');
  expect(await listSessions({ env })).toMatchObject([{ sessionId: id, kind: 'run', isStored: true }]);
});

test('a session that went on in the agent itself stands where it went on', async () => {
  const own = 'f947edb3-1e50-4344-8bf1-000000000001';
  putRun('claude-code-2026-05-08T10-00-00-000Z-00000000', { agent_session_id: own }, '2026-05-08T10:05:00Z');
  putRun('pi-2026-05-08T11-00-00-000Z-00000000');
  putOwn('claude-code', own, '2026-05-08T10:05:30Z');
  expect((await ids())[0]).toBe('pi-2026-05-08T11-00-00-000Z-00000000');
  putOwn('claude-code', own, '2026-05-08T11:30:00Z');
  expect((await ids())[0]).toBe('claude-code-2026-05-08T10-00-00-000Z-00000000');
});

test('sessions without runs are found in their files, however long these are', async () => {
  const long = [{ role: 'user', content: `Say "hello"\n${'x'.repeat(9000)}` }];
  putStored('imported-1', { agent: 'pi', title: 'Named', cwd: '/a' }, long, '2026-05-08T10:00:00Z');
  putStored('imported-2', {}, long, '2026-05-08T09:00:00Z');
  const files = { files: 'y'.repeat(9000) };
  putStored(
    'imported-3',
    { ...files, agent: 'pi', agent_memory: { session_id: 'p3', cwd: '/b' } },
    [],
    '2026-05-08T08:00:00Z',
  );
  put(at('.entire/sessions/broken.json'), '{"session_id": "bro', '2026-05-08T07:00:00Z');
  put(at('.entire/sessions/empty.json'), '', '2026-05-08T07:00:00Z');
  put(at('.entire/sessions/..json'), '{}', '2026-05-08T07:00:00Z');
  const records = await listSessions({ env });
  expect(
    records.map(({ sessionId, cliOrigin, folder, summary }) => [
      sessionId,
      cliOrigin,
      folder,
      summary.title?.slice(0, 14),
    ]),
  ).toEqual([
    ['imported-1', 'pi', '/a', 'Named'],
    ['imported-2', '', undefined, 'Say "hello" xx'],
    ['imported-3', 'pi', '/b', undefined],
    ['broken', '', undefined, undefined],
  ]);
  expect(records[2]?.agentSessionId).toBe('p3');
  expect(await findSessionDir('imported-2', { env })).toBe(at('.entire/sessions'));
});

test('a run whose file is broken, from a later version or missing is listed by what its id says', async () => {
  const [broken, later, none] = [
    'codex-2026-05-08-00000001',
    'codex-2026-05-08-00000002',
    'codex-2026-05-08-00000003',
  ];
  put(join(putRun(broken), 'run.json'), '{"session_id": "x', '2026-05-08T10:00:00Z');
  putRun(later, { version: 2, session_id: 'else', title: 'other meaning' });
  rmSync(join(putRun(none), 'run.json'));
  writeFileSync(at(`.entire/eventlog/${none}/events.jsonl`), '');
  const records = await listSessions({ env });
  expect(
    records.map(({ sessionId, cliOrigin, startedAt, summary }) => [sessionId, cliOrigin, startedAt, summary]),
  ).toEqual([none, later, broken].map((id) => [id, 'codex', '2026-05-08T00:00:00.000Z', {}]));
});

test('one agent: its own and ours, newest first, and none of an agent that nobody knows', async () => {
  putRun('claude-code-2026-05-08T10-00-00-000Z-00000000');
  putRun('pi-2026-05-08T12-00-00-000Z-00000000');
  putOwn('claude-code', 'f947edb3-1e50-4344-8bf1-000000000001', '2026-05-08T11:00:00Z');
  putOwn('pi', '01a20476-43e3-7733-907e-000000000002', '2026-05-08T13:00:00Z');
  const found: string[] = [];
  for await (const { sessionId } of iterSessionsForCli('claude-code', { env })) found.push(sessionId);
  expect(found).toEqual([
    'f947edb3-1e50-4344-8bf1-000000000001',
    'claude-code-2026-05-08T10-00-00-000Z-00000000',
  ]);
  for await (const record of iterSessionsForCli('mink', { env })) expect(record).toBeUndefined();
  const first: string[] = [];
  for await (const { sessionId } of iterSessionsForCli('claude-code', { env, limit: 1 }))
    first.push(sessionId);
  expect(first).toEqual(found.slice(0, 1));
});

test('ids with separators and those of nobody lead nowhere', async () => {
  put(at('.entire/secret/run.json'), '{}', '2026-05-08T10:00:00Z');
  for (const id of [
    '../secret',
    'codex-2026-05-08-00000001/../../secret',
    '',
    '.',
    'codex-2026-05-08-00000001',
  ])
    expect(await findSessionDir(id, { env })).toBeUndefined();
});

test('a home that cannot be read is said once for each place, and the rest is listed', async () => {
  putRun('pi-2026-05-08-abc12345');
  putStored('kept', {}, [], '2026-05-08T10:00:00Z');
  const { readdirSync } = disk;
  const restore = replaceDisk({
    readdirSync: ((dir: string) => {
      if (dir.endsWith('eventlog'))
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      return readdirSync(dir);
    }) as typeof disk.readdirSync,
  });
  const problems: string[] = [];
  const found = await ids({ onProblem: (problem: string) => problems.push(problem) });
  restore();
  expect(found).toEqual(['kept']);
  expect(problems).toEqual([`${at('.entire/eventlog')} cannot be read: EACCES: permission denied`]);
});

test('transcripts that vanish, and hundreds that are broken, hide none of the others', async () => {
  const sessions = at('.claude/projects/-repo');
  for (let n = 0; n < 700; n++)
    put(
      join(sessions, `f947edb3-1e50-4344-8bf1-${String(n).padStart(12, '0')}.jsonl`),
      '\0\0{',
      '2026-05-08T12:00:00Z',
    );
  const kept = putOwn('pi', '01a20476-43e3-7733-907e-000000000002', '2026-05-07T00:00:00Z');
  const there = putOwn('qwen-code', 'abcb8c0a-34a5-47c2-9293-000000000001', '2026-05-06T00:00:00Z');
  expect(await ids({ folder: '/repo' })).toContain('01a20476-43e3-7733-907e-000000000002');
  const { openSync } = disk;
  const restore = replaceDisk({
    openSync: ((file: string, ...more: [string]) => {
      if (file === kept) rmSync(kept);
      return openSync(file, ...more);
    }) as typeof disk.openSync,
  });
  const found: string[] = [];
  for await (const { path } of iterAllSessions({ env })) found.push(path);
  restore();
  expect(found).toContain(there);
  expect(found).not.toContain(kept);
});
