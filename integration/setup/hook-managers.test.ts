import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { root } from '../support/process/builds.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { walkTheLine } from '../support/repository/walk.ts';

/**
 * The scripts that Lefthook and pre-commit write, captured, with stand-ins for the programs. The real ones are in
 * `integration/hook-managers`, Husky's scripts in `git-hooks.test.ts`.
 */

const HOOKS = ['prepare-commit-msg', 'commit-msg', 'post-commit'] as const;
const ONE_COMMIT = HOOKS.map((hook) => `theirs ${hook}`);
const TWO_COMMITS = [...ONE_COMMIT, ...ONE_COMMIT];

interface StandIn {
  readonly name: 'lefthook' | 'pre-commit';
  /** Name of a foreign script that it moves out of its way, beside its own. */
  readonly aside: '.old' | '.legacy';
  readonly isOwn: RegExp;
  readonly program: readonly string[];
}

const STAND_INS: readonly StandIn[] = [
  {
    name: 'lefthook',
    aside: '.old',
    isOwn: /LEFTHOOK/,
    program: ['[ "$1" = -h ] && exit 0', 'echo "theirs $2" >>"$CALLS"'],
  },
  {
    name: 'pre-commit',
    aside: '.legacy',
    isOwn: /pre-commit\.com/,
    program: [
      'if [ -n "$PRE_COMMIT_RUNNING_LEGACY" ]; then echo "bug: installed in migration mode"; exit 1; fi',
      // hook-impl --config=… --hook-type=… --hook-dir DIR -- ARGUMENTS
      'hook=$(echo "$3" | cut -d= -f2); legacy=$5/$hook.legacy; shift 6',
      'status=0; if [ -x "$legacy" ]; then PRE_COMMIT_RUNNING_LEGACY=1 "$legacy" "$@" || status=$?; fi',
      'echo "theirs $hook" >>"$CALLS"; exit $status',
    ],
  },
];

function withStandIn(repo: TestRepo, { name, program }: StandIn): { calls(): string[] } {
  const bin = join(repo.scratch, 'bin');
  const file = join(repo.scratch, 'calls');
  mkdirSync(bin);
  writeFileSync(join(bin, name), `${['#!/bin/sh', ...program].join('\n')}\n`);
  chmodSync(join(bin, name), 0o755);
  repo.init().git('commit', '--quiet', '--allow-empty', '-m', 'init');
  repo.variables = { PATH: `${repo.env.PATH}:${bin}`, CALLS: file };
  return {
    calls() {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      writeFileSync(file, '');
      return text.split('\n').filter(Boolean);
    },
  };
}

/** What their install command does; `version` is a change that comes with a new release or another machine. */
function install(repo: TestRepo, { name, aside, isOwn }: StandIn, version = ''): void {
  const captured = join(root, 'integration', 'fixtures', 'hook-managers', `${name}-commit-msg`);
  for (const hook of HOOKS) {
    const file = join(repo.dir, '.git', 'hooks', hook);
    if (existsSync(file) && !isOwn.test(readFileSync(file, 'utf8'))) {
      if (name === 'lefthook') expect(existsSync(file + aside), `${hook}${aside} is in the way`).toBe(false);
      renameSync(file, file + aside);
    }
    const text = readFileSync(captured, 'utf8')
      .replaceAll('commit-msg', hook)
      .replaceAll('/home/user', `/home/user${version}`);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
}

const hooksIn = (repo: TestRepo) =>
  readdirSync(join(repo.dir, '.git', 'hooks'))
    .filter((name) => !name.endsWith('.sample'))
    .sort();

for (const standIn of STAND_INS) {
  describe(`beside ${standIn.name}`, () => {
    variation('whoever comes first, both run, once for each commit', (repo) => {
      const { calls } = withStandIn(repo, standIn);
      for (const order of ['theirs, ours', 'ours, theirs']) {
        if (order.startsWith('theirs')) install(repo, standIn);
        repo.entire('enable', '--agent', 'claude-code');
        if (order.startsWith('ours')) install(repo, standIn);
        walkTheLine(repo, { folder: `${order}/` });
        expect(calls(), order).toEqual(TWO_COMMITS);
        repo.entire('disable', '--uninstall', '--force');
      }
      expect(hooksIn(repo)).toEqual([...HOOKS].sort());
    });

    variation(
      'installed again and again, by other releases too: nothing blocks, doubles or piles up',
      (repo) => {
        const { calls } = withStandIn(repo, standIn);
        repo.entire('enable', '--agent', 'claude-code');
        for (const version of ['', '', '-2', '-3']) {
          install(repo, standIn, version);
          const between = repo.run('git', ['commit', '--allow-empty', '--quiet', '-m', 'between']);
          expect(between.code, between.stdout + between.stderr).toBe(0);
          expect(calls(), 'before the prompt').toEqual(ONE_COMMIT);
          repo.session().prompt('hello');
          repo.git('commit', '--allow-empty', '--quiet', '-m', 'after');
          expect(calls(), 'after it').toEqual(ONE_COMMIT);
          const backups = HOOKS.map((hook) => `${hook}.pre-entire`);
          expect(hooksIn(repo)).toEqual(
            [...HOOKS, 'pre-push', 'post-rewrite', 'post-merge', ...backups].sort(),
          );
        }
        expect(repo.read('.git/hooks/commit-msg.pre-entire')).toContain('/home/user-3');
      },
    );

    variation('installed in the middle of a commit, it costs no link', (repo) => {
      const { calls } = withStandIn(repo, standIn);
      repo.entire('enable', '--agent', 'claude-code');
      const session = repo.session();
      session.prompt('write');
      session.edit('a.txt', 'one\n');
      session.stop();
      install(repo, standIn);
      session.prompt('more');
      writeFileSync(
        join(repo.dir, '.git', 'hooks', 'prepare-commit-msg.pre-entire'),
        '#!/bin/sh\ncd .git/hooks; cp commit-msg.pre-entire commit-msg; cp post-commit.pre-entire post-commit\n',
      );
      expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
      expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [session.id] });
      expect(calls()).toEqual(ONE_COMMIT.slice(1));
      expect(repo.read('.git/hooks/post-commit')).toContain('Entire CLI hooks');
    });
  });
}
