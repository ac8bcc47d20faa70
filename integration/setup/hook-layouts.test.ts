import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../support/process/builds.ts';
import { withProgram } from '../support/process/programs.ts';
import { variation } from '../support/repository/scenario.ts';
import { withCommit } from '../support/repository/set-up.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/**
 * Every way in which repositories keep their git hooks, in a worktree and in a clone that are new, before and after what their
 * `npm install` does: what hooks of ours write does not show in `git status`, so that no `git add -A` takes it along.
 */

const HOOKS = ['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-push', 'post-rewrite', 'post-merge'];

interface Layout {
  readonly name: string;
  /** What a commit of the project brings along. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is set and written when the project is installed in a checkout. */
  install?(repo: TestRepo): void;
  /** Where git looks for hooks, once that was done; from the top of the checkout, or absolute. */
  readonly folder: string;
  /** Git tracks it, or would: agents' hooks write nothing there. */
  readonly isShared?: true;
  /** Not even what `enable` writes there shows. */
  readonly isHidden?: true;
}

function script(repo: TestRepo, path: string, ...lines: string[]): void {
  repo.write(path, `${['#!/usr/bin/env sh', ...lines].join('\n')}\n`);
  chmodSync(join(repo.dir, path), 0o755);
}

/** As Husky 9 installs itself. */
function husky(repo: TestRepo): void {
  repo.git('config', 'core.hooksPath', '.husky/_');
  repo.write('.husky/_/.gitignore', '*');
  repo.write('.husky/_/h', 'n=$(basename "$0")\n[ ! -f .husky/$n ] || sh -e ".husky/$n" "$@"\n');
  for (const hook of [...HOOKS, 'pre-commit']) script(repo, `.husky/_/${hook}`, '. "$(dirname "$0")/h"');
}

const captured = (name: string, hook: string): string =>
  readFileSync(
    join(root, 'integration', 'fixtures', 'hook-managers', `${name}-commit-msg`),
    'utf8',
  ).replaceAll('commit-msg', hook);

/** Scripts in git's own folder, of programs that no test has. */
function generated(name: string): (repo: TestRepo) => void {
  return (repo) => {
    for (const hook of HOOKS) {
      const file = join(repo.commonDir, 'hooks', hook);
      repo.run('sh', ['-c', 'cat >"$1"; chmod +x "$1"', 'sh', file], { input: captured(name, hook) });
    }
  };
}

const LAYOUTS: readonly Layout[] = [
  { name: 'nothing', folder: '.git/hooks' },
  { name: 'Husky', files: { '.husky/pre-commit': 'true\n' }, install: husky, folder: '.husky/_' },
  {
    name: 'Husky, in a folder of the project',
    files: { 'web/.husky/pre-commit': 'true\n' },
    install(repo) {
      repo.git('config', 'core.hooksPath', 'web/.husky/_');
      repo.write('web/.husky/_/.gitignore', '*');
    },
    folder: 'web/.husky/_',
  },
  {
    name: 'Husky 8',
    files: { '.husky/commit-msg': '#!/usr/bin/env sh\ntrue\n' },
    install(repo) {
      repo.git('config', 'core.hooksPath', '.husky');
      repo.write('.husky/_/.gitignore', '*');
    },
    folder: '.husky',
    isShared: true,
  },
  { name: 'Lefthook', files: { 'lefthook.yml': '' }, install: generated('lefthook'), folder: '.git/hooks' },
  {
    name: 'pre-commit',
    files: { '.pre-commit-config.yaml': 'repos: []\n' },
    install: generated('pre-commit'),
    folder: '.git/hooks',
  },
  {
    name: 'Rush',
    files: { 'common/git-hooks/commit-msg': '#!/bin/sh\ntrue\n' },
    install(repo) {
      // It empties the folder, and puts there what it has.
      const hooks = join(repo.commonDir, 'hooks');
      repo.run('sh', ['-c', `rm -rf '${hooks}' && mkdir '${hooks}' && cp common/git-hooks/* '${hooks}'`]);
    },
    folder: '.git/hooks',
  },
  {
    name: 'core.hooksPath to a folder that git tracks',
    files: { '.githooks/pre-commit': '#!/bin/sh\ntrue\n' },
    install: (repo) => void repo.git('config', 'core.hooksPath', '.githooks'),
    folder: '.githooks',
    isShared: true,
  },
  {
    name: 'core.hooksPath to a folder that nobody has made',
    install: (repo) => void repo.git('config', 'core.hooksPath', 'hooks'),
    folder: 'hooks',
    isShared: true,
  },
  {
    name: 'core.hooksPath to a folder that git ignores',
    files: { '.gitignore': '/build/\n' },
    install: (repo) => void repo.git('config', 'core.hooksPath', 'build/hooks'),
    folder: 'build/hooks',
  },
  {
    name: 'core.hooksPath to a folder where git ignores what is ours',
    files: {
      '.githooks/pre-commit': '#!/bin/sh\ntrue\n',
      '.gitignore': HOOKS.map((hook) => `/.githooks/${hook}*\n`).join(''),
    },
    install: (repo) => void repo.git('config', 'core.hooksPath', '.githooks'),
    folder: '.githooks',
    isShared: true,
    isHidden: true,
  },
  {
    name: 'a link from git’s own folder to one that git tracks',
    files: { '.githooks/pre-commit': '#!/bin/sh\ntrue\n' },
    install(repo) {
      const hooks = join(repo.commonDir, 'hooks');
      repo.run('rm', ['-rf', hooks]);
      symlinkSync(join(repo.dir, '.githooks'), hooks);
    },
    folder: '.githooks',
    isShared: true,
  },
];

const shown = (repo: TestRepo): string[] =>
  repo.git('status', '--porcelain', '-uall').split('\n').filter(Boolean);

/** A turn with an edit and a commit by the user; the work is on record, with a trailer or linked afterwards. */
function workIn(repo: TestRepo, what: string): void {
  const session = repo.session();
  session.prompt('write');
  session.edit(`${what}.txt`, `${what}\n`);
  session.stop();
  expect(shown(repo), `${what}: after the turn`).toEqual([`?? ${what}.txt`]);
  repo.commit(`Add ${what}`, `${what}.txt`);
  session.prompt('go on');
  expect(shown(repo), `${what}: after the commit`).toEqual([]);
  expect(JSON.parse(repo.entire('why', '--json').stdout), what).toMatchObject({
    sessions: [{ session_id: session.id }],
  });
}

/** Whether `git commit` calls us: all of them stand where git looks. */
const stands = (repo: TestRepo, folder: string): boolean =>
  HOOKS.every(
    (hook) =>
      existsSync(join(repo.dir, folder, hook)) &&
      readFileSync(join(repo.dir, folder, hook), 'utf8').includes(`hooks git ${hook}`),
  );

/** The first prompt after something was installed. */
function promptIn(repo: TestRepo): void {
  repo.session().prompt('hello');
  expect(shown(repo)).toEqual([]);
}

function at(repo: TestRepo, dir: string, act: () => void): void {
  const before = repo.dir;
  repo.dir = dir;
  try {
    act();
  } finally {
    repo.dir = before;
  }
}

describe('what hooks write does not show in git status', () => {
  for (const { name, files = {}, install, folder, isShared, isHidden } of LAYOUTS) {
    variation(`${name}: here, in a new worktree and in a fresh clone`, (repo) => {
      withCommit(repo).write('README.md', 'base\n');
      for (const [path, text] of Object.entries(files))
        if (text.startsWith('#!')) script(repo, path, ...text.trim().split('\n').slice(1));
        else repo.write(path, text);
      repo.git('add', '-A');
      repo.git('commit', '--quiet', '-m', 'Project');
      repo.variables = withProgram(repo, 'pre-commit', 'exit 0');
      install?.(repo);
      const { stdout } = repo.entire('enable', '--agent', 'claude-code');
      const toCommit = shown(repo).map((line) => line.slice(3));
      const listed = Array.from(stdout.matchAll(/^ {2}(\S+)$/gm), ([, path]) => path);
      expect(listed.sort()).toEqual(toCommit.sort());
      expect(toCommit.some((path) => path.startsWith(`${folder}/`))).toBe(isShared === true && !isHidden);
      repo.git('add', '-A');
      repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Enable entire');
      promptIn(repo);
      expect(stands(repo, folder)).toBe(true);

      const tree = join(repo.scratch, 'tree');
      repo.git('worktree', 'add', '--quiet', tree);
      at(repo, tree, () => {
        workIn(repo, 'tree');
        install?.(repo);
        promptIn(repo);
      });

      const clone = join(repo.scratch, 'clone');
      repo.git('clone', '--quiet', `file://${repo.dir}`, clone);
      at(repo, clone, () => {
        repo.git('config', 'user.name', 'Bo');
        repo.git('config', 'user.email', 'bo@example.com');
        workIn(repo, 'clone');
        install?.(repo);
        promptIn(repo);
        if (!isShared) expect(stands(repo, folder)).toBe(true);
      });
    });
  }
});

describe('what hooks write does not show in git status', () => {
  variation(
    'what an older release left of Husky’s folder in a new worktree is hidden at the next prompt',
    (repo) => {
      withCommit(repo).git('config', 'core.hooksPath', '.husky/_');
      repo.entire('enable', '--agent', 'claude-code');
      repo.git('add', '-A');
      repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'Enable entire');
      rmSync(join(repo.dir, '.husky/_/.gitignore'));
      expect(shown(repo)).toHaveLength(HOOKS.length);
      promptIn(repo);
      expect(stands(repo, '.husky/_')).toBe(true);
    },
  );

  variation('where git tracks the folder, the repair of doctor says that it shows', (repo) => {
    withCommit(repo).entire('enable', '--agent', 'claude-code');
    repo.git('add', '-A');
    repo.git('commit', '--quiet', '-m', 'Enable entire');
    repo.git('config', 'core.hooksPath', '.githooks');
    promptIn(repo);
    expect(repo.exists('.githooks')).toBe(false);
    const { stdout } = repo.run('entire', ['doctor', '--fix']);
    expect(stdout).toContain('git hooks installed; git shows them there, for you to commit');
    expect(stands(repo, '.githooks')).toBe(true);
  });

  variation(
    'in a worktree that follows the settings of the main one, and where nothing of ours is committed',
    (repo) => {
      withCommit(repo).entire('enable', '--agent', 'claude-code');
      const tree = join(repo.scratch, 'tree');
      repo.git('worktree', 'add', '--quiet', tree);
      at(repo, tree, () => workIn(repo, 'tree'));
    },
  );

  variation('where a commit is checked out that has nothing of ours; and the way back is free', (repo) => {
    withCommit(repo).entire('enable', '--agent', 'claude-code', '--local');
    repo.git('add', '-A');
    repo.git('commit', '--quiet', '-m', 'Enable entire');
    repo.session().prompt('hello');
    repo.git('checkout', '--quiet', 'HEAD^');
    expect(repo.exists('.entire/.gitignore')).toBe(false);
    expect(repo.exists('.entire/settings.local.json')).toBe(true);
    workIn(repo, 'older');
    repo.git('checkout', '--quiet', 'main');
    expect(shown(repo)).toEqual([]);
  });

  variation(
    'uninstalling takes hooks out of every folder of the repository, and our lines out of info/exclude',
    (repo) => {
      withCommit(repo).write('.git/info/exclude', '# mine\n*.log');
      repo.entire('enable', '--agent', 'claude-code');
      repo.git('add', '-A');
      repo.git('commit', '--quiet', '-m', 'Enable entire');
      repo.git('config', 'core.hooksPath', '.husky/_'); // set when the project is installed
      const tree = join(repo.scratch, 'tree');
      repo.git('worktree', 'add', '--quiet', tree);
      promptIn(repo);
      at(repo, tree, () => promptIn(repo));
      for (const folder of ['.git/hooks', '.husky/_', '../tree/.husky/_'])
        expect(stands(repo, folder)).toBe(true);
      expect(repo.read('.git/info/exclude')).toContain('# mine\n*.log\n/.entire/tmp/\n');
      repo.entire('disable', '--uninstall', '--force');
      for (const folder of ['.git/hooks', '.husky/_', '../tree/.husky/_'])
        for (const hook of HOOKS) expect(repo.exists(`${folder}/${hook}`), `${folder}/${hook}`).toBe(false);
      expect(repo.read('.git/info/exclude')).toBe('# mine\n*.log\n');
    },
  );
});
