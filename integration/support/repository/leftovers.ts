import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentSession } from '../agent/session.ts';
import type { TestRepo } from './test-repo.ts';

/** One finished turn of a session: a step on the shadow branch. */
export function turn(repo: TestRepo, path: string, session = repo.session()): AgentSession {
  session.prompt(`write ${path}`);
  session.edit(path, `${path}\n`);
  session.stop();
  return session;
}

export const stateFile = (repo: TestRepo, id: string): string =>
  join(repo.commonDir, 'entire-sessions', `${id}.json`);

/** Makes a session's state say something else. */
export function editState(repo: TestRepo, id: string, values: Readonly<Record<string, unknown>>): void {
  const file = stateFile(repo, id);
  const state = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ session_id: id, ...state, ...values }));
}

const HOUR_MS = 60 * 60 * 1000;
export const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

/** The state of a session that nobody heard of for two hours and that has nothing. */
export function silentState(
  repo: TestRepo,
  id: string,
  values: Readonly<Record<string, unknown>> = {},
): void {
  editState(repo, id, {
    base_commit: repo.git('rev-parse', 'HEAD'),
    worktree_path: repo.dir,
    started_at: hoursAgo(3),
    last_interaction_time: hoursAgo(2),
    phase: 'idle',
    checkpoint_count: 0,
    ...values,
  });
}

/** Makes a file, or what is there, look as if it was written hours ago. */
export function aged(file: string, hours: number, text?: string): string {
  mkdirSync(dirname(file), { recursive: true });
  if (text !== undefined) writeFileSync(file, text);
  const time = new Date(Date.now() - hours * HOUR_MS);
  utimesSync(file, time, time);
  return file;
}
