import type { AgentSession } from '../agent/session.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { debris, pathsInCheckpoints } from './observe.ts';

/**
 * What comes after: the next prompt, edit, stop and commit, with the real build. Returns what is wrong, in words.
 *
 * `expected` are paths that must be in checkpoints in the end.
 */
export function goOn(
  repo: TestRepo,
  session: AgentSession,
  { expected, next }: { expected: readonly string[]; next: ((repo: TestRepo) => void) | undefined },
): string[] {
  const problems: string[] = [];
  next?.(repo);
  const unlinked = next ? pathsOfReportedCommit(repo) : [];
  session.prompt('Write later.txt');
  session.edit('later.txt', 'later\n');
  session.stop();
  repo.git('add', '--all');
  const before = repo.git('write-tree');
  const commit = repo.tryGit('commit', '--quiet', '-m', 'Later');
  if (commit.code !== 0) problems.push(`the next commit fails: ${commit.stderr}`);
  if (repo.git('rev-parse', 'HEAD^{tree}') !== before) problems.push('the next commit has another tree');

  const { paths, ids } = pathsInCheckpoints(repo);
  const id = repo.checkpointOf('HEAD');
  if (id === undefined || !ids.has(id)) problems.push(`the next commit is not linked (${id})`);
  const unsettled = checkpointsOfCommits(repo).filter((named) => !ids.has(named));
  if (unsettled.length > 0) problems.push(`commits without their checkpoint: ${unsettled.join(', ')}`);
  const lost = [...expected, 'later.txt'].filter((path) => !paths.has(path) && !unlinked.includes(path));
  if (lost.length > 0) problems.push(`in no checkpoint: ${lost.join(', ')}`);

  const staged = repo.git('for-each-ref', 'refs/entire');
  if (staged !== '') problems.push(`refs are left: ${staged}`);

  // The session that goes on has taken over a lock that a dead hook of its own left.
  if (debris(repo).includes(`entire-sessions/${session.id}.lock`))
    problems.push('the lock is left at the end');
  const fsck = repo.tryGit('fsck', '--strict', '--no-dangling');
  if (fsck.code !== 0 || fsck.stderr.replace(/^notice: .*\n/gm, '') !== '')
    problems.push(`fsck: ${fsck.stderr}`);
  return problems;
}

/** What a commit took that got no trailer, because the hook that adds it failed; its verdict says so. */
function pathsOfReportedCommit(repo: TestRepo): string[] {
  if (repo.checkpointOf('HEAD') !== undefined || repo.verdict().reason !== 'trailer-missing') return [];
  return repo.git('diff-tree', '-r', '--no-commit-id', '--name-only', 'HEAD').split('\n');
}

/** The ids that the trailers of the branch's commits name. */
export function checkpointsOfCommits(repo: TestRepo): string[] {
  const format = '--format=%(trailers:key=Entire-Checkpoint,valueonly,separator=%x2C)';
  return [...new Set(repo.git('log', format, 'HEAD').split(/[\n,]/).filter(Boolean))];
}
