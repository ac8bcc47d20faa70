import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession, HookResult } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';

/** A turn of a session that writes a file, and the user's commit of it. */
export function turn(repo: TestRepo, session: AgentSession, path: string, prompt = `Add ${path}`): string {
  session.prompt(prompt);
  session.edit(path, `${path}\n`);
  session.stop();
  return repo.commit(prompt, path) as string;
}

/** A branch `feature` with one checkpoint of a session; `main` is checked out. */
export function withFeature(repo: TestRepo): { session: AgentSession; id: string } {
  repo.ready();
  repo.git('switch', '--quiet', '-c', 'feature');
  const session = repo.session();
  const id = turn(repo, session, 'a.txt');
  repo.git('switch', '--quiet', 'main');
  return { session, id };
}

/** One line of a transcript, as the client writes it. */
export const line = (text: string, time: string): string =>
  `${JSON.stringify({ type: 'user', uuid: text, timestamp: time, message: { role: 'user', content: text } })}\n`;

export const FUTURE = '2099-01-01T00:00:00.000Z';
export const PAST = '2001-01-01T00:00:00.000Z';

/** Goes on with the session behind our back. */
export const goOn = (session: AgentSession, text = 'said since'): void =>
  appendFileSync(session.transcript, line(text, FUTURE));

/** Logs that were replaced, by what they hold. */
export function replacedLogs(repo: TestRepo, id: string): string[] {
  const dir = join(repo.commonDir, 'entire', 'replaced-logs', id);
  if (!existsSync(dir)) return [];
  return readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
}

/** Runs a command of ours in a terminal, with keys typed into it. */
export const inTerminal = (
  repo: TestRepo,
  command: string,
  keys: string,
  env: Record<string, string> = { ACCESSIBLE: '1' },
): HookResult =>
  repo.run('script', ['--quiet', '--return', '--command', `sleep 0.3; exec entire ${command}`, '/dev/null'], {
    input: keys,
    env,
  });

/** A program of that name that says how it was called, and ends with a code. */
export function fakeProgram(
  repo: TestRepo,
  name: string,
  code = 0,
): { env: Record<string, string>; calls(): string } {
  const bin = join(repo.scratch, 'fake-bin');
  const log = join(repo.scratch, `${name}.calls`);
  repo.run('mkdir', ['-p', bin]);
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\n{ pwd -P; printf '%s\\n' "$@"; cat; } >> '${log}'\necho "out of ${name}"\nexit ${code}\n`,
    { mode: 0o755 },
  );
  return {
    env: { PATH: `${bin}:${repo.env.PATH}` },
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
  };
}
