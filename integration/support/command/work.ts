import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { VerdictReason } from '../../../src/session/record/verdicts.ts';
import type { AgentSession } from '../agent/session.ts';
import { withProgram } from '../process/programs.ts';
import type { TestRepo } from '../repository/test-repo.ts';

type Files = Readonly<Record<string, string>>;

/** A ready repository, and a session that wrote `files` in one turn, which is over. */
export function withWork(repo: TestRepo, files: Files = { 'a.txt': 'one\n' }): AgentSession {
  repo.ready();
  return addWork(repo, files);
}

/** One more turn that writes `files`, of a new session unless one is given. */
export function addWork(repo: TestRepo, files: Files, session = repo.session()): AgentSession {
  session.prompt(`write ${Object.keys(files).join(' and ')}`);
  for (const [path, content] of Object.entries(files)) session.edit(path, content);
  session.stop();
  return session;
}

/** HEAD is linked to the session, has one trailer, and its checkpoint lists `files`. Returns the id. */
export function expectLinked(repo: TestRepo, session: AgentSession, ...files: string[]): string {
  const id = repo.checkpointOf('HEAD') as string;
  expect(id, repo.message('HEAD')).toMatch(/^[0-9a-f]{12}$/);
  expect(repo.verdict()).toMatchObject({
    commit: repo.git('rev-parse', 'HEAD'),
    reason: 'linked',
    checkpoint: id,
    sessions: [session.id],
  });
  const slot = repo.storedJson(id, '0/metadata.json');
  expect(slot.session_id).toBe(session.id);
  if (files.length > 0) expect(slot.files_touched).toEqual(files);
  return id;
}

/** Git's times are whole seconds: whatever comes next is later than this commit for sure. */
export function commitBefore(repo: TestRepo, message: string, ...paths: string[]): void {
  const date = `@${Math.floor(Date.now() / 1000) - 2} +0000`;
  repo.git('add', '--', ...paths);
  const env = { ENTIRE_TEST_TTY: '1', GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  repo.gitWith({ env }, 'commit', '--quiet', '-m', message);
}

/** HEAD has no trailer, and the newest verdict is about it and says why. */
export function expectNotLinked(repo: TestRepo, reason: VerdictReason): void {
  expect(repo.message('HEAD')).not.toContain('Entire-Checkpoint');
  expect(repo.verdict()).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), reason });
}

/** A program for `GIT_EDITOR` or `GIT_SEQUENCE_EDITOR`: a shell script that gets the file as `$1`. */
export function editor(repo: TestRepo, script: string, name = 'editor'): string {
  const file = join(repo.scratch, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Commits, and the hook after the commit is killed at its very start. */
export function commitWithoutPostCommit(repo: TestRepo, ...paths: string[]): string {
  const entire = `exec ${join(repo.build.bin, 'entire')} "$@"`;
  const env = withProgram(repo, 'entire', '[ "$3" = post-commit ] && kill -9 $$', entire);
  repo.git('add', '--', ...paths);
  repo.gitWith({ env }, 'commit', '--quiet', '-m', 'Killed');
  return repo.checkpointOf('HEAD') as string;
}

/** Checkpoints and commits that are promised and not complete. */
export function owed(repo: TestRepo): string[] {
  const dir = join(repo.commonDir, 'entire', 'owed');
  return existsSync(dir) ? readdirSync(dir) : [];
}

/** A commit of the index, made at a terminal. */
export const commitStaged = (repo: TestRepo): string =>
  repo.gitWith({ env: { ENTIRE_TEST_TTY: '1' } }, 'commit', '--quiet', '-m', 'Staged');
