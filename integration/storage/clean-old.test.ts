import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { aged, turn } from '../support/repository/leftovers.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Since when something is there, so many days ago. */
const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

/** A commit that no branch holds, as old as it says. */
function lonely(repo: TestRepo, days: number): string {
  const date = `${Math.floor(daysAgo(days).getTime() / 1000)} +0000`;
  const env = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  return repo.run('git', ['commit-tree', '-m', `${days} days`, 'HEAD^{tree}'], { env }).stdout.trim();
}

scenario(
  'refs that keep what stands nowhere else go after a month, packed or not; each comes back',
  (repo) => {
    repo.ready();
    const [old, young] = [lonely(repo, 31), lonely(repo, 29)];
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'Of this moment');
    const head = repo.git('rev-parse', 'HEAD');
    repo.git('update-ref', 'refs/entire/auto/0123456789ab/commit', young);
    repo.git('update-ref', 'refs/entire/auto/0123456789ac/commit', old);
    repo.git('update-ref', 'refs/entire/staged/0123456789ad', young);
    repo.git('update-ref', 'refs/entire/staged/0123456789ae', old);
    repo.git('update-ref', 'refs/entire/rewind/0123456789af', old);
    repo.git('update-ref', 'refs/entire/scrub/0123456789ba', head); // of this moment
    repo.git('pack-refs', '--all');
    repo.git('update-ref', 'refs/entire/auto/0123456789ad/commit', old); // the file is new

    const { stdout, stderr } = repo.entire('clean', '--force');
    expect(stdout).toBe(`Deleted 3 items:

  Refs (3):
    refs/entire/auto/0123456789ac/commit
    refs/entire/rewind/0123456789af
    refs/entire/staged/0123456789ae

To bring them back, until \`git gc\` removes what no branch has:
  git update-ref refs/entire/auto/0123456789ac/commit ${old}
  git update-ref refs/entire/rewind/0123456789af ${old}
  git update-ref refs/entire/staged/0123456789ae ${old}
`);
    expect(stderr.match(/stays: no branch holds what it leads to; it goes 30 days/g)).toHaveLength(2);
    expect(repo.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/entire').split('\n')).toEqual([
      'auto/0123456789ab/commit',
      'auto/0123456789ad/commit',
      'scrub/0123456789ba',
      'staged/0123456789ad',
    ]);
    repo.git('update-ref', 'refs/entire/staged/0123456789ae', old);
    expect(repo.git('show', '-s', '--format=%s', 'refs/entire/staged/0123456789ae')).toBe('31 days');
  },
);

variation(
  'the working copy of a transcript stays for a month, since a checkpoint may hold its beginning only',
  (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    repo.commit('Add a', 'a.txt');
    session.prompt('and more');
    session.edit('b.txt', 'two\n');
    session.stop();
    repo.entire('reset', '--force', '--session', session.id);
    const copy = join(repo.dir, '.entire', 'metadata', session.id);
    const files = [
      copy,
      ...readdirSync(copy, { recursive: true, encoding: 'utf8' }).map((name) => join(copy, name)),
      aged(join(repo.dir, '.entire', 'tmp', `${session.id}.jsonl`), 0, '{}\n'), // of an agent with a database
    ];
    const text = readFileSync(join(copy, 'full.jsonl'), 'utf8');
    expect(text).toContain('and more');
    for (const days of [2, 29]) {
      for (const file of files) aged(file, days * 24);
      const { stdout, stderr } = repo.entire('clean', '--force');
      expect(stdout).not.toContain('Records of sessions');
      expect(stderr).toContain(
        `Note: .entire/metadata/${session.id} stays: checkpoints hold the session, but perhaps not its last turns;`,
      );
      expect(readFileSync(join(copy, 'full.jsonl'), 'utf8')).toBe(text);
    }
    for (const file of files) aged(file, 31 * 24);
    expect(repo.entire('clean', '--force').stdout).toContain(`Records of sessions (1):\n    ${session.id}\n`);
    expect(files.filter(existsSync)).toEqual([]);
  },
);

variation(
  'a ref that a rewind or scrub makes of old commits stays while its lock is held, packed or not',
  (repo) => {
    repo.ready();
    const old = lonely(repo, 31);
    const refs = ['refs/entire/rewind/0123456789af', 'refs/entire/scrub/0123456789ba'];
    for (const ref of refs) repo.git('update-ref', ref, old);
    repo.git('pack-refs', '--all');
    const locks = ['restore', 'scrub'].map((name) => join(repo.commonDir, 'entire', `${name}.lock`));
    for (const lock of locks) {
      mkdirSync(lock, { recursive: true });
      writeFileSync(join(lock, `pid-${process.pid}-of-a-container`), ''); // of a process that lives
    }
    expect(repo.entire('clean', '--force').stdout).toBe('Nothing to clean up.\n');
    const scrubbed = repo.tryEntire('scrub');
    expect(scrubbed).toMatchObject({ code: 1, stdout: '' });
    expect(scrubbed.stderr).toContain('scrub.lock');
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/entire').split('\n')).toEqual(refs);
    for (const lock of locks) rmSync(lock, { recursive: true });
    expect(repo.entire('clean', '--force').stdout).toContain(`  Refs (2):\n    ${refs.join('\n    ')}\n`);
  },
);

variation('logs that were replaced go a month after that, however old they were', (repo) => {
  repo.ready();
  const dir = join(repo.commonDir, 'entire', 'replaced-logs', 'some-session');
  const file = (days: number, writtenDays: number, id: string): string => {
    const stamp = daysAgo(days).toISOString().slice(0, 19).replace(/[-:]/g, '');
    return aged(join(dir, `${stamp}Z-${id}.jsonl`), writtenDays * 24, '{}\n');
  };
  const kept = [
    file(29, 90, '0123456789aa'),
    file(31, 0, '0123456789ab'), // its agent writes still
    aged(join(dir, 'notes.jsonl'), 90 * 24, 'of the user'),
  ];
  const gone = file(31, 90, '0123456789ac');
  const listed = `Logs replaced over a month ago (1):\n  .git/entire/replaced-logs/some-session/`;
  expect(repo.entire('clean').stdout).toContain(listed);
  expect(repo.entire('clean', '--force').stdout).toContain('Replaced logs (1):\n');
  expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  expect(existsSync(gone)).toBe(false);
});
