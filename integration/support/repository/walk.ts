import { expect } from 'vitest';
import type { AgentSession } from '../agent/session.ts';
import type { TestRepo } from './test-repo.ts';

export interface Walk {
  readonly session: AgentSession;
  /** Checkpoints of the two commits. */
  readonly first: string;
  readonly second: string;
}

interface Route {
  /** Folder of the files, with its slash. */
  readonly folder?: string;
  readonly session?: AgentSession;
}

/**
 * The whole line in the repository as it stands, whatever its layout: prompt, two edits, stop, a commit that takes one
 * file, and a commit that takes the file that was carried forward.
 */
export function walkTheLine(repo: TestRepo, { folder = '', session = repo.session() }: Route = {}): Walk {
  const [one, two] = [`${folder}one.txt`, `${folder}two.txt`];
  session.prompt('write one and two');
  expect(repo.state(session.id)).toMatchObject({
    phase: 'active',
    base_commit: repo.git('rev-parse', 'HEAD'),
  });
  session.edit(one, 'one\n');
  session.edit(two, 'two\n');
  expect(repo.tracked(session.id)).toEqual([one, two]);
  session.stop();
  expect(repo.state(session.id)).toMatchObject({
    phase: 'idle',
    checkpoint_count: 1,
    files_touched: [one, two],
  });
  expectStep(repo, one, two);

  const first = commitLinked(repo, session, one);
  expect(repo.state(session.id)).toMatchObject({
    files_touched: [two],
    base_commit: repo.git('rev-parse', 'HEAD'),
  });
  expectStep(repo, two);

  const second = commitLinked(repo, session, two);
  expect(second).not.toBe(first);
  expect(repo.state(session.id).files_touched ?? []).toEqual([]);
  return { session, first, second };
}

/** Commits one path of the session's and expects a checkpoint that holds it and the whole transcript. */
export function commitLinked(repo: TestRepo, session: AgentSession, path: string): string {
  const id = repo.commit(`Add ${path}`, path) as string;
  expect(id, `${path}: ${JSON.stringify(repo.verdict())}\n${repo.logText()}`).toMatch(/^[0-9a-f]{12}$/);
  expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
  expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
    session_id: session.id,
    files_touched: [path],
  });
  expect(repo.stored(id, '0/full.jsonl')).toBe(session.read().trimEnd());
  return id;
}

/** The newest step holds the files as `git add` would store them. */
export function expectStep(repo: TestRepo, ...paths: string[]): void {
  const base = repo.git('rev-parse', 'HEAD').slice(0, 7);
  const branch = repo.shadowBranches().find((name) => name.startsWith(`entire/${base}-`));
  expect(branch, `no shadow branch on ${base}: ${repo.shadowBranches()}`).toBeDefined();
  for (const path of paths) {
    expect(repo.git('rev-parse', `${branch}:${path}`), path).toBe(repo.git('hash-object', '--', path));
  }
}
