import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentName } from '../../agents/names.ts';
import { agentOf } from '../../agents/registry.ts';
import type { SessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { findLaunchFolder } from './resume.ts';

const ID = '01a1fdb4-f11c-77c3-9696-5a653ee2f2f1' as SessionId;

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'entire-folder-')));
  for (const dir of ['repo/sub', 'home']) mkdirSync(join(base, dir), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Where an agent finds the session from that lies in `file`, when somebody stands in the top of the worktree. */
function launchFolder(agent: AgentName, file: (env: NodeJS.ProcessEnv) => string): string | undefined {
  const root = join(base, 'repo');
  const env = { HOME: join(base, 'home') };
  const repo = { worktreeRoot: root, commonDir: join(root, '.git') } as Repo;
  const bytes = Buffer.from(`{"cwd":${JSON.stringify(join(root, 'sub'))}}\n`);
  const found = findLaunchFolder({ repo, env }, { agent, sessionId: ID, file: file(env), bytes }, root);
  return found?.slice(root.length);
}

const at = (agent: AgentName, folder: string, startedAt?: Date) => (env: NodeJS.ProcessEnv) =>
  agentOf(agent).home.transcript(env, join(base, folder), ID, startedAt);

test('the folder that the agent keeps the session for', () => {
  expect(launchFolder('claude-code', at('claude-code', 'repo'))).toBe('');
  expect(launchFolder('claude-code', at('claude-code', 'repo/sub'))).toBe('/sub');
  expect(launchFolder('claude-code', at('claude-code', 'other'))).toBeUndefined();
  expect(
    launchFolder('claude-code', (env) => join(dirname(at('claude-code', 'repo')(env)), 'x.jsonl')),
  ).toBeUndefined();
});

test('a name that holds the time of the session is as good as one without', () => {
  const then = new Date('2026-11-21T10:44:16Z');
  expect(launchFolder('pi', at('pi', 'repo', then))).toBe('');
  expect(launchFolder('pi', at('pi', 'repo/sub', then))).toBe('/sub');
  expect(launchFolder('codex', (env) => at('codex', 'any')(env).replace(/-\d\d(?=-01a1)/, '-59'))).toBe('');
});

test('the home may be a link', () => {
  symlinkSync(join(base, 'home'), join(base, 'link'));
  mkdirSync(dirname(at('pi', 'repo')({ HOME: join(base, 'home') })), { recursive: true });
  expect(launchFolder('pi', () => at('pi', 'repo')({ HOME: join(base, 'link') }))).toBe('');
});
