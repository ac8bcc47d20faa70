import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { age } from './doctor.ts';

/** Changes some keys of a session's state, as if time had passed; `undefined` takes one out. */
export function changeState(
  repo: TestRepo,
  { id }: Pick<AgentSession, 'id'>,
  values: Record<string, unknown>,
): void {
  const file = join(repo.commonDir, 'entire-sessions', `${id}.json`);
  const state = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, `${JSON.stringify({ ...state, ...values }, undefined, 2)}\n`);
}

export const minutesAgo = (minutes: number): string =>
  `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`;

/** Makes a session look as if nobody had heard of it for so long: neither its hooks nor its client. */
export function silence(repo: TestRepo, session: AgentSession, minutes: number): void {
  changeState(repo, session, { last_interaction_time: minutesAgo(minutes) });
  if (existsSync(session.transcript)) age(session.transcript, minutes);
}

/** A session with one step whose turn had no end, and that nobody heard of for two hours and five minutes. */
export function leaveStuck(repo: TestRepo, session = repo.session()): AgentSession {
  session.prompt('write a.txt');
  session.edit('a.txt', 'one\n');
  session.stop();
  session.prompt('and more');
  silence(repo, session, 125);
  return session;
}
