import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ObjectId } from '../../src/base/ids.ts';
import { readPatches } from '../../src/git/commit/patch.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

type Step = (put: (path: string, data: string | Uint8Array) => void, repo: TestRepo) => void;

/** Commits that git prints in every way it has. */
const STEPS: Record<string, Step> = {
  'a root commit, names that are quoted': (put) => {
    put('plain.txt', 'one\ntwo\nthree\n');
    put('tä b.txt', 'umlaut\n');
    put('quoted "name"\t.txt', 'odd\n');
    put('latin1.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
    put('--- a/trap', 'trap\n');
  },
  'lines that look like headers': (put) => {
    put(
      'plain.txt',
      'one\n-- a/plain.txt\n++ b/plain.txt\n@@ -1,2 +1,2 @@\ndiff --git a/x b/x\ncommit:no\nthree\n',
    );
    put('--- a/trap', '-- a\n++ b\n');
  },
  'no line end, then one': (put) => put('plain.txt', 'one\ntwo\nlast without end'),
  'white space alone': (put) => put('plain.txt', 'one\n\ttwo  \nlast without end\n'),
  'binary, and NUL in a text': (put) => {
    put('picture.png', Buffer.from([0, 1, 2, 3, 255]));
    put('long.txt', `${'x'.repeat(79)}\n`.repeat(120).concat('with \0 inside\n'));
  },
  'binary again': (put) => put('picture.png', Buffer.from([0, 9, 9])),
  'a mode, a link, an empty file': (put, repo) => {
    chmodSync(join(repo.dir, 'plain.txt'), 0o755);
    symlinkSync('plain.txt', join(repo.dir, 'link'));
    put('empty.txt', '');
  },
  'a link becomes a file': (put, repo) => {
    rmSync(join(repo.dir, 'link'));
    put('link', 'a file now\n');
  },
  'a rename and a deletion': (_, repo) => {
    repo.git('mv', 'long.txt', 'longer.txt');
    repo.git('rm', '--quiet', 'picture.png', 'empty.txt');
  },
  'two hunks': (put) => {
    const rows = Array.from(
      { length: 120 },
      (_, at) => `${'x'.repeat(79)}${at === 10 || at === 90 ? 'y' : ''}`,
    );
    put('longer.txt', `${rows.join('\n')}\n`);
  },
};

function story(repo: TestRepo, ...format: string[]): void {
  repo.init(...format);
  repo.git('config', 'diff.noprefix', 'true');
  repo.git('config', 'diff.context', '9');
  repo.git('config', 'diff.suppressBlankEmpty', 'true');
  for (const [subject, step] of Object.entries(STEPS)) {
    step((path, data) => {
      mkdirSync(dirname(join(repo.dir, path)), { recursive: true });
      writeFileSync(join(repo.dir, path), data);
    }, repo);
    repo.git('add', '--all');
    repo.git('commit', '--quiet', '--no-verify', '-m', subject);
  }
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'nothing');
  const log = repo.git('rev-list', '--reverse', 'HEAD').trim().split('\n') as ObjectId[];
  const git = { cwd: repo.dir, env: { ...process.env, ...repo.env } };
  const asked = log.map((commit, at) => ({ commit, parent: log[at - 1] }));
  const patches = readPatches(git, asked);
  expect(patches.map(({ commit }) => commit)).toEqual(log);
  for (const [at, { commit, tree, parents, files, ids }] of patches.entries()) {
    const subject = repo.git('log', '-1', '--format=%s', commit).trim();
    expect(tree, subject).toBe(repo.git('rev-parse', `${commit}^{tree}`).trim());
    expect(parents, subject).toEqual(log[at - 1] ? [log[at - 1]] : []);
    const raw = repo.git(
      'diff-tree',
      '-r',
      '--root',
      '--no-commit-id',
      '--no-renames',
      '-z',
      '--raw',
      '--no-abbrev',
      commit,
    );
    const named = raw.split('\0').filter((field) => field !== '' && !field.startsWith(':'));
    // A file of another kind is shown as one that goes and one that comes.
    expect([...new Set(files.map(({ path }) => path))].sort(), subject).toEqual(
      commit === log[0]
        ? expect.arrayContaining(named.filter((name) => !name.startsWith('latin')))
        : named.sort(),
    );
    expect(ids(), subject).toEqual(idsByGit(repo, commit));
    for (const { path, after, added } of files) {
      if (!after || path === 'link') continue;
      const lines = repo.git('cat-file', 'blob', after).split('\n');
      for (const run of added) {
        expect(lines.slice(run.line - 1, run.line - 1 + run.lines.length), subject).toEqual([...run.lines]);
        expect(run.above, subject).toBe(run.line === 1 ? undefined : lines[run.line - 2]);
      }
    }
  }
  const two = patches.find(({ files }) =>
    files.some(({ path, removed }) => path === 'longer.txt' && removed.length > 0),
  );
  expect(two?.files[0]?.added.map(({ line, lines }) => [line, lines.length])).toEqual([
    [11, 1],
    [91, 1],
  ]);
}

/** By real git, from what the same plumbing prints. */
function idsByGit(repo: TestRepo, commit: string): { stable: string; verbatim: string } | undefined {
  const env = { ...process.env, ...repo.env };
  const of = (how: string) => {
    const script = `git -c core.quotepath=false -c core.bigFileThreshold=1m -c diff.suppressBlankEmpty=false diff-tree -r --root --patch --full-index --no-renames --src-prefix=a/ --dst-prefix=b/ ${commit} | git patch-id ${how}`;
    return (
      spawnSync('sh', ['-c', script], { cwd: repo.dir, env, encoding: 'utf8' }).stdout.split(' ')[0] ?? ''
    );
  };
  return of('--stable') === '' ? undefined : { stable: of('--stable'), verbatim: of('--verbatim') };
}

variation('patches are read as git has them, and have the ids that git gives them', (repo) => story(repo));

variation('patches in a repository with SHA-256', (repo) => story(repo, '--object-format=sha256'));
