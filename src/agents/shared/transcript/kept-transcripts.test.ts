import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, replaceDisk } from '../../../base/file/disk.ts';
import type { SessionId } from '../../../base/ids.ts';
import { AGENT_NAMES, type AgentName } from '../../names.ts';
import { agentOf } from '../../registry.ts';

const IDS = Array.from({ length: 9 }, (_, at) => `01a1fdb${at}-f11c-77c3-9696-5a653ee2f2f1` as SessionId);
const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../integration/fixtures', name), 'utf8');

let base: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'entire-kept-'));
  env = { HOME: join(base, 'home') };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Agents whose transcripts say where they were begun: one of the real client's, and the session that it is of. */
const TOLD: readonly (readonly [AgentName, string, string])[] = [
  ['claude-code', 'claude-code/transcripts/basic.jsonl', 'f947edb3-1e50-4344-8bf1-34bcf22d5471'],
  ['codex', 'codex/transcripts/basic.jsonl', '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1'],
  ['copilot-cli', 'copilot-cli/transcripts/basic.jsonl', 'c14ef695-955a-4e31-92a0-a1b7a1d1c46a'],
  ['factoryai-droid', 'factoryai-droid/transcripts/basic.jsonl', '73f0ce3e-b4f8-4362-a024-16405cec645c'],
  ['gemini', 'gemini/transcripts/basic.jsonl', '00a32fd7-867b-4b9b-8db9-2726221f39c0'],
  ['pi', 'pi/transcripts/basic.jsonl', '01a20476-43e3-7733-907e-e5a341f66cba'],
  ['qwen-code', 'qwen-code/transcripts/basic.jsonl', 'abcb8c0a-34a5-47c2-9293-d240a2b1e622'],
];

/** Writes `text` to `path`, so many minutes ago. */
function put(path: string, text: string | Buffer, minutes: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const at = Date.now() / 1000 - minutes * 60;
  utimesSync(path, at, at);
  return path;
}

/** Projects that Gemini CLI has heard of: its names are made up as it meets them. */
function introduce(folders: readonly string[]): void {
  const projects = Object.fromEntries(folders.map((folder, at) => [folder, `project-${at}`]));
  put(join(base, 'home/.gemini/projects.json'), JSON.stringify({ projects }), 0);
}

/** A session of an agent in a folder: the real one, as if it had been there, and under another id. */
function begin(agent: AgentName, source: string, was: string, folder: string, id: string, minutes: number) {
  const text = fixture(source).replaceAll('"/repo"', JSON.stringify(folder)).replaceAll(was, id);
  const startedAt = new Date(Date.now() - minutes * 60_000);
  return put(agentOf(agent).home.transcript(env, folder, id as SessionId, startedAt), text, minutes);
}

describe.each(TOLD)('%s', (agent, source, was) => {
  const home = agentOf(agent).home;

  test('lists the sessions of a folder and of those below it, newest first', () => {
    introduce(['/repo', '/repo/sub', '/repo-two', '/other']);
    const [own = '', below = '', beside = '', other = '', old = ''] = IDS;
    const files = {
      old: begin(agent, source, was, '/repo', old, 50),
      other: begin(agent, source, was, '/other', other, 5),
      beside: begin(agent, source, was, '/repo-two', beside, 4),
      below: begin(agent, source, was, '/repo/sub', below, 30),
      own: begin(agent, source, was, '/repo', own, 20),
    };
    const kept = home.list(env, 10, '/repo');
    expect(kept.map(({ sessionId, path, folder }) => [sessionId, path, folder])).toEqual([
      [own, files.own, '/repo'],
      [below, files.below, '/repo/sub'],
      [old, files.old, '/repo'],
    ]);
    expect(Math.abs((kept[0]?.writtenMs ?? 0) - (Date.now() - 20 * 60_000))).toBeLessThan(10_000);
    expect(home.list(env, 2, '/repo').map(({ sessionId }) => sessionId)).toEqual([own, below]);
    expect(home.list(env, 10).map(({ sessionId }) => sessionId)).toEqual([beside, other, own, below, old]);
    expect(home.list(env, 10).map(({ folder }) => folder)).toContain('/other');
    expect([home.list(env, 0), home.list(env, 10, '/nowhere')]).toEqual([[], []]);
  });
});

test('every agent: any bytes, links, folders in the place of files, and disks that fail', () => {
  introduce(['/repo']);
  for (const agent of AGENT_NAMES) {
    const home = agentOf(agent).home;
    const place = (at: number) => home.transcript(env, '/repo', IDS[at] as SessionId, new Date());
    if (agent === 'opencode') continue; // in the worktree: see its own tests
    put(place(0), Buffer.from([0xff, 0xfe, 0, 0x22, 0x63]), 1);
    put(place(1), '{"type":"session_meta","payload":{"cwd":"/rep\\u0000o","id":7}}\n', 1);
    put(place(2), '', 1);
    put(place(3), `{"cwd":"${'x'.repeat(10_000)}`, 1);
    mkdirSync(place(4), { recursive: true });
    mkdirSync(dirname(place(5)), { recursive: true });
    symlinkSync(place(5), place(5)); // leads to itself
    const found = home.list(env, 10, '/repo').map(({ sessionId }) => sessionId);
    for (const at of [2, 4, 5]) expect(found, agent).not.toContain(IDS[at]);
    home.list(env, 10);
    const fail = () => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    };
    for (const call of ['readdirSync', 'lstatSync', 'openSync', 'readSync', 'readFileSync'] as const) {
      const restore = replaceDisk({ [call]: fail });
      try {
        expect(home.list(env, 10, '/repo').length, agent).toBeLessThanOrEqual(found.length);
      } finally {
        restore();
      }
    }
  }
});

test('Codex: a sub-agent is no session, and sessions of other projects are passed by', () => {
  const home = agentOf('codex').home;
  const [main, child] = ['01a1fdce-ff0b-7822-9029-58faed340bb0', '01a1fdcf-0140-71e1-995c-7e1d32754be4'];
  for (const [name, id] of [
    ['main', main],
    ['child', child],
  ] as const)
    put(
      home.transcript(env, '/repo', id as SessionId),
      fixture(`codex/transcripts/subagent-${name}.jsonl`),
      1,
    );
  expect(home.list(env, 10, '/repo').map(({ sessionId }) => sessionId)).toEqual([main]);
});

test('Codex: reads no more of a long history than it has to', () => {
  const home = agentOf('codex').home;
  const text = fixture('codex/transcripts/basic.jsonl');
  for (let day = 1; day <= 28; day++)
    for (let at = 0; at < 20; at++) {
      const two = (value: number) => String(value).padStart(2, '0');
      const name = `rollout-2026-01-${two(day)}T10-00-${two(at)}-s-${day}-${at}.jsonl`;
      put(join(base, `home/.codex/sessions/2026/01/${two(day)}`, name), text, 1000 - day);
    }
  let opened = 0;
  const { openSync } = disk;
  const restore = replaceDisk({
    openSync: ((...args: Parameters<typeof openSync>) => {
      opened += 1;
      return openSync(...args);
    }) as typeof openSync,
  });
  try {
    expect(home.list(env, 5, '/repo').map(({ sessionId }) => sessionId.split('-')[1])).toEqual(
      Array(5).fill('28'),
    );
    expect(opened).toBe(5);
    expect(home.list(env, 5, '/elsewhere')).toEqual([]);
    expect(opened).toBe(505);
  } finally {
    restore();
  }
});

test('Gemini CLI: two files of one session are one, and older documents count', () => {
  introduce(['/repo']);
  const home = agentOf('gemini').home;
  const chats = dirname(home.transcript(env, '/repo', 'x' as SessionId));
  const text = fixture('gemini/transcripts/basic.jsonl');
  const large = put(join(chats, 'session-2026-11-21T10-33-00a32fd7.jsonl'), text, 20);
  put(join(chats, 'session-2026-11-21T11-00-00a32fd7.jsonl'), `${text.split('\n')[0]}\n`, 1);
  const document = JSON.stringify({ sessionId: 'deadbeef-1', messages: [] }, null, 2);
  const old = put(join(chats, 'session-2025-01-01T10-00-deadbeef.json'), document, 60);
  const kept = home.list(env, 10, '/repo');
  expect(kept.map(({ path }) => path)).toEqual([large, old]);
  expect(kept[0]?.writtenMs).toBeGreaterThan(Date.now() - 10 * 60_000);
  const unnamed = put(
    join(base, 'home/.gemini/tmp/lost/chats/session-2026-11-21T10-33-0.jsonl'),
    text.replaceAll('00a3', 'ffff'),
    2,
  );
  put(join(base, 'home/.gemini/tmp/lost/.project_root'), '/lost\n', 2);
  expect(home.list(env, 10)).toContainEqual(expect.objectContaining({ path: unnamed, folder: '/lost' }));
});

test('Cursor: transcripts tell of no folder, their place does; both layouts', () => {
  const home = agentOf('cursor').home;
  const [own = '', older = '', other = ''] = IDS as string[];
  const text = fixture('cursor/transcripts/basic.jsonl');
  const nested = put(home.transcript(env, '/repo', own as SessionId), text, 1);
  const flat = put(join(dirname(dirname(nested)), `${older}.jsonl`), text, 2);
  put(home.transcript(env, '/repo-two', other as SessionId), text, 3);
  expect(home.list(env, 10, '/repo')).toMatchObject([
    { sessionId: own, path: nested, folder: '/repo' },
    { sessionId: older, path: flat, folder: '/repo' },
  ]);
  expect(home.list(env, 10).map(({ sessionId }) => sessionId)).toEqual([own, older, other]);
});

test('OpenCode: what was handed over in the worktree', () => {
  const home = agentOf('opencode').home;
  const folder = join(base, 'repo');
  const path = put(home.transcript(env, folder, 'ses_1' as SessionId), '{"info":{}}\n', 1);
  put(join(dirname(path), 'pre-prompt-ses_1.json'), '{}', 1);
  expect(home.list(env, 10, folder)).toMatchObject([{ sessionId: 'ses_1', path, folder }]);
  expect(home.list(env, 10)).toEqual([]);
});

test('Claude Code: what does not say is of the folder it lies for; sub-agents of older versions are none', () => {
  const home = agentOf('claude-code').home;
  const path = put(home.transcript(env, '/repo', 's1' as SessionId), '{"type":"user"}\n', 1);
  put(join(dirname(path), 'agent-1234.jsonl'), '{"type":"user"}\n', 1);
  put(home.transcript(env, '/repo/sub', 's2' as SessionId), '{"type":"user"}\n', 1);
  expect(home.list(env, 10, '/repo').map(({ sessionId }) => sessionId)).toEqual(['s1']);
});
