import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { goBack, listPoints } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A repository where stops commit, on a branch of its own, with two such commits. */
function onFeature(repo: TestRepo) {
  repo.ready();
  repo.entire('enable', '--strategy', 'auto-commit', '--agent', 'claude-code');
  repo.git('switch', '--quiet', '--create', 'feature');
  const session = addWork(repo, { 'a.txt': 'v1\n' });
  addWork(repo, { 'a.txt': 'v2\n', 'b.txt': 'b\n' }, session);
  return session;
}

describe('going back with auto-commit', () => {
  scenario(
    "a branch's own commits: reset, when nothing is uncommitted; the transcript as it was there",
    (repo) => {
      const session = onFeature(repo);
      const points = listPoints(repo);
      expect(points).toHaveLength(2);
      for (const point of points) {
        const id = point.condensation_id as string;
        expect(point).toMatchObject({
          is_logs_only: false,
          metadata_dir: `${id.slice(0, 2)}/${id.slice(2)}`,
        });
      }
      const first = repo.git('rev-parse', 'HEAD~');
      const head = repo.git('rev-parse', 'HEAD');
      repo.write('a.txt', 'mine\n').write('loose.txt', 'loose\n');
      const refused = repo.tryEntire('rewind', '--to', first);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('Error: You have uncommitted changes:\n  modified:   a.txt\n');
      expect(refused.stderr).toContain('Hint: Please commit or stash your changes before rewinding.');
      expect([repo.git('rev-parse', 'HEAD'), repo.read('a.txt')]).toEqual([head, 'mine\n']);

      repo.git('checkout', '--quiet', '--', 'a.txt');
      const { stdout } = goBack(repo, first);
      expect(stdout).toContain(`\nReset to commit ${first.slice(0, 7)}\n\n`);
      expect(stdout).toContain(`claude -r ${session.id}`);
      expect(repo.git('rev-parse', 'HEAD')).toBe(first);
      expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('feature');
      expect([repo.read('a.txt'), repo.exists('b.txt'), repo.read('loose.txt')]).toEqual([
        'v1\n',
        false,
        'loose\n',
      ]);
      expect(session.read()).not.toContain('write a.txt and b.txt');
    },
  );

  variation('what the default branch has gives its logs alone', (repo) => {
    const session = onFeature(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--ff-only', 'feature');
    const points = listPoints(repo);
    expect(points.map(({ is_logs_only: isLogsOnly }) => isLogsOnly)).toEqual([true, true]);
    const head = repo.git('rev-parse', 'HEAD');
    goBack(repo, repo.git('rev-parse', 'HEAD~'));
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.read('a.txt')).toBe('v2\n');
    expect(session.read()).not.toContain('write a.txt and b.txt');
  });

  variation('nothing is moved where no transcript could be restored', (repo) => {
    const session = onFeature(repo);
    rmSync(session.transcript);
    mkdirSync(session.transcript);
    const head = repo.git('rev-parse', 'HEAD');
    const { code, stderr } = repo.tryEntire('rewind', '--to', repo.git('rev-parse', 'HEAD~'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('can be restored')]);
    expect([repo.git('rev-parse', 'HEAD'), repo.read('a.txt')]).toEqual([head, 'v2\n']);
  });
});
