import { expect } from 'vitest';
import type { AgentSession, HookResult } from '../agent/session.ts';
import { realGit, withProgram } from '../process/programs.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { owed } from './work.ts';

/** A ready repository whose strategy is auto-commit, on `main`, with nothing to commit. */
export const autoReady = (repo: TestRepo): TestRepo => useAuto(repo.ready());

/** Makes auto-commit the strategy of a ready repository, and commits that. */
export function useAuto(repo: TestRepo): TestRepo {
  switchTo(repo, 'auto-commit');
  repo.git('commit', '--quiet', '--all', '-m', 'Use auto-commit');
  return repo;
}

/** Sets the strategy in the project's settings. */
export function switchTo(repo: TestRepo, strategy: string): void {
  repo.entire('enable', '--project', '--strategy', strategy);
}

/** How many commits HEAD has. */
export const count = (repo: TestRepo): number => Number(repo.git('rev-list', '--count', 'HEAD'));

/** Names a commit changed, with git's letter for each. */
export const changesOf = (repo: TestRepo, commit = 'HEAD'): string[] =>
  repo.git('diff-tree', '-r', '--no-commit-id', '--name-status', '--no-renames', commit).split('\n');

/** What git says is not committed. */
export const status = (repo: TestRepo): string[] =>
  repo.git('status', '--porcelain').split('\n').filter(Boolean);

/**
 * HEAD was made by auto-commit of exactly `changes`, its checkpoint is the session's, nothing of it is left to do, and
 * the index has the committed paths as HEAD has them. Returns the id.
 */
export function expectAutoCommit(repo: TestRepo, session: AgentSession, ...changes: string[]): string {
  const id = repo.checkpointOf('HEAD') as string;
  expect(id, repo.message('HEAD')).toMatch(/^[0-9a-f]{12}$/);
  expect(changesOf(repo)).toEqual(changes);
  expect(repo.verdict()).toEqual({
    at: expect.any(String),
    commit: repo.git('rev-parse', 'HEAD'),
    reason: 'linked',
    checkpoint: id,
    sessions: [session.id],
  });
  const paths = changes.map((line) => line.slice(2));
  expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
    checkpoint_id: id,
    session_id: session.id,
    strategy: 'auto-commit',
    agent: 'Claude Code',
    checkpoints_count: 1,
    files_touched: [...paths].sort(),
  });
  const staged = repo.git('diff', '--cached', '--name-only', 'HEAD', '--', ...paths);
  expect(staged).toBe('');
  expect(owed(repo)).toEqual([]);
  expect(repo.git('for-each-ref', 'refs/entire')).toBe('');
  return id;
}

/** What the client tells the stop hook. */
export const stopInput = (repo: TestRepo, { id, transcript }: AgentSession): string =>
  JSON.stringify({
    hook_event_name: 'Stop',
    session_id: id,
    transcript_path: transcript,
    cwd: repo.dir,
    last_assistant_message: '',
  });

/** An environment in which git runs a shell script where we run one of its commands; `$git` is the real one. */
function insteadOf(repo: TestRepo, command: string, act: string): { PATH: string } {
  return withProgram(
    repo,
    'git',
    `git='${realGit(repo)}'`,
    `for word; do [ "$word" = ${command} ] && { ${act}; }; done`,
    'exec "$git" "$@"',
  );
}

/** The stop hook, with {@link insteadOf}. */
export function stopWith(repo: TestRepo, session: AgentSession, command: string, act: string): HookResult {
  session.say('Done.');
  const env = insteadOf(repo, command, act);
  return repo.run('entire', ['hooks', 'claude-code', 'stop'], { input: stopInput(repo, session), env });
}

/**
 * The stop hook, killed when it runs a command of git's: before that does anything, or after it is done. Returns
 * whether it was killed.
 */
export function stopKilled(
  repo: TestRepo,
  session: AgentSession,
  command: string,
  when: 'before' | 'after',
): boolean {
  const kill = 'kill -9 $PPID; exit 1';
  const act = when === 'before' ? kill : `"$git" "$@"; ${kill}`;
  return stopWith(repo, session, command, act).code !== 0;
}
