/** What `entire session show` says of a session's commits and lines, whatever became of these. */
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { turn } from '../support/command/resume.ts';
import { commitWithout } from '../support/command/why.ts';
import { withoutProgress } from '../support/process/progress.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

interface Work {
  readonly commits: readonly string[];
  readonly surviving_lines: number | null;
}

function workOf(repo: TestRepo, id: string, cwd = repo.dir): Work {
  const { stdout, stderr } = repo.run('entire', ['session', 'show', id, '--json'], { cwd });
  expect(withoutProgress(stderr)).toBe('');
  const { commits, surviving_lines } = JSON.parse(stdout) as Work;
  return { commits, surviving_lines };
}

/** A session that has committed ten lines, on a branch of its own. */
function withTen(repo: TestRepo): string {
  repo.ready();
  repo.git('switch', '--quiet', '-c', 'feature');
  const session = repo.session();
  session.prompt('Ten lines');
  session.edit('ten.txt', Array.from({ length: 10 }, (_, at) => `line number ${at} of ten\n`).join(''));
  session.stop();
  repo.commit('Ten', 'ten.txt');
  return session.id;
}

describe('lines that survive', () => {
  variation('in a file that was renamed since, folders and all', (repo) => {
    const id = withTen(repo);
    expect(workOf(repo, id)).toMatchObject({ surviving_lines: 10 });
    repo.git('mv', 'ten.txt', 'ten.md');
    repo.commit('Rename');
    repo.write('docs/x', 'x\n');
    repo.git('mv', 'ten.md', 'docs/ten.md');
    repo.commit('Move');
    expect(workOf(repo, id)).toMatchObject({ surviving_lines: 10 });
    repo.git('rm', '--quiet', 'docs/ten.md');
    repo.commit('Gone');
    expect(workOf(repo, id)).toMatchObject({ surviving_lines: 0 });
  });

  variation('after an amended message, a rebase and a squash each is counted once', (repo) => {
    const id = withTen(repo);
    repo.git(
      'commit',
      '--quiet',
      '--amend',
      '-m',
      `Better\n\n${repo.git('log', '-1', '--format=%(trailers)')}`,
    );
    expect(workOf(repo, id)).toEqual({ commits: [repo.git('rev-parse', 'HEAD')], surviving_lines: 10 });
    repo.git('switch', '--quiet', 'main');
    repo.write('other.txt', 'other\n');
    repo.commit('Other', 'other.txt');
    repo.git('switch', '--quiet', 'feature');
    repo.git('rebase', '--quiet', 'main');
    expect(workOf(repo, id)).toEqual({ commits: [repo.git('rev-parse', 'HEAD')], surviving_lines: 10 });
    const session = repo.session();
    turn(repo, session, 'b.txt');
    const editor = { GIT_SEQUENCE_EDITOR: 'sed -i 2s/pick/squash/', GIT_EDITOR: 'true' };
    repo.run('git', ['rebase', '--quiet', '-i', 'main'], { env: editor });
    const head = repo.git('rev-parse', 'HEAD');
    expect(repo.git('log', '--oneline', 'main..').split('\n')).toHaveLength(1);
    expect(workOf(repo, id)).toEqual({ commits: [head], surviving_lines: 10 });
    expect(workOf(repo, session.id)).toEqual({ commits: [head], surviving_lines: 1 });
  });

  variation('a merge --squash', (repo) => {
    const id = withTen(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--squash', '--quiet', 'feature');
    repo.git('commit', '--quiet', '--no-edit');
    repo.git('branch', '-D', 'feature');
    expect(workOf(repo, id)).toEqual({ commits: [repo.git('rev-parse', 'HEAD')], surviving_lines: 10 });
  });

  variation('none after a revert', (repo) => {
    const id = withTen(repo);
    repo.git('revert', '--no-edit', 'HEAD');
    expect(workOf(repo, id)).toMatchObject({ surviving_lines: 0 });
  });

  variation('where history is cut off nobody knows who brought the lines at the cut', (repo) => {
    const id = withTen(repo);
    const copy = join(repo.scratch, 'shallow');
    repo.run('git', ['clone', '--quiet', '--depth', '1', '--no-single-branch', `file://${repo.dir}`, copy]);
    repo.run('git', [
      '-C',
      copy,
      'branch',
      '--quiet',
      'entire/checkpoints/v1',
      'origin/entire/checkpoints/v1',
    ]);
    expect(workOf(repo, id, copy)).toEqual({
      commits: [repo.git('rev-parse', 'HEAD')],
      surviving_lines: null,
    });
  });
});

variation(
  'a commit with a copied id is no commit of the session: show says why, lists and sums leave it out',
  (repo) => {
    const id = withTen(repo);
    const own = repo.git('rev-parse', 'HEAD');
    const checkpoint = repo.checkpointOf('HEAD') as string;
    repo.write('other.txt', 'by somebody else\n');
    repo.write('ten.txt.old', 'by somebody else\n');
    commitWithout(repo, `Other\n\nEntire-Checkpoint: ${checkpoint}`, 'other.txt', 'ten.txt.old');
    expect(workOf(repo, id)).toEqual({ commits: [own], surviving_lines: 10 });
    const told = `${checkpoint}: commit ${repo.git('rev-parse', '--short=7', 'HEAD')} names it, and it does not fit: none of the files in that checkpoint are in this commit`;
    expect(JSON.parse(repo.entire('session', 'show', id, '--json').stdout).problems).toEqual([told]);
    const shown = repo.entire('session', 'show', id).stdout;
    expect(shown).toMatch(new RegExp(`^Commits: +1 ${own.slice(0, 7)}$`, 'm'));
    expect(shown).toContain(told);
    const [listed] = JSON.parse(repo.entire('session', 'list', '--all-clis', '--json').stdout);
    expect(listed).toMatchObject({ session_id: id, commits: [own], surviving_lines: 10, problems: [told] });
    expect(JSON.parse(repo.entire('session', 'stats', '--json').stdout)).toMatchObject({ commits: 1 });
  },
);
