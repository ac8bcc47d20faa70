import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { agentOf } from '../../../src/agents/registry.ts';
import type { SessionId } from '../../../src/base/ids.ts';
import type { TestRepo } from '../repository/test-repo.ts';

export const CLAUDE = 'f947edb3-1e50-4344-8bf1-34bcf22d5471';
export const PI = '01a20476-43e3-7733-907e-e5a341f66cba';
export const DROID = '73f0ce3e-b4f8-4362-a024-16405cec645c';
export const FIXTURES = resolve(import.meta.dirname, '../../fixtures');
export const RUN = 'codex-2026-11-23T07-10-00-123Z-7f3a91c2';

export function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A real transcript where its client has it. */
export function putOwn(repo: TestRepo, agent: 'claude-code' | 'pi' | 'factoryai-droid', id: string): string {
  const text = readFileSync(join(FIXTURES, agent, 'transcripts/basic.jsonl'), 'utf8');
  const begun = new Date('2026-11-22T18:13:09Z');
  const file = agentOf(agent).home.transcript({ HOME: repo.home }, repo.dir, id as SessionId, begun);
  return put(file, text.replaceAll('"/repo"', JSON.stringify(repo.dir)));
}

/** A run that was killed in its first turn: nothing of it is stored. @returns its id */
export function putRun(
  repo: TestRepo,
  events: readonly object[],
  more: object = {},
  agent: 'codex' | 'claude-code' = 'codex',
): string {
  const id = RUN.replace('codex', agent);
  const folder = join(repo.home, '.entire/eventlog', id);
  const run = {
    ...{ version: 1, run_id: id, session_id: id, cli_origin: agent },
    ...{ folder: repo.dir, title: 'Paint', ...more },
  };
  put(join(folder, 'run.json'), JSON.stringify(run));
  const at = '2026-11-23T07:10:01Z';
  const lines = events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join('');
  put(join(folder, 'events.jsonl'), `${lines}{"at":"2026-11-23T07:10:02Z","type":"te`);
  return id;
}

/** What `entire session` prints for programs. */
// biome-ignore lint/suspicious/noExplicitAny: JSON as a program sees it
export const json = (repo: TestRepo, ...args: string[]): any =>
  JSON.parse(repo.entire('session', ...args, '--json').stdout);
