import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import {
  ensureGitHooks,
  findGitHooks,
  holdsGitHooks,
  installGitHooks,
  missingGitHooks,
  removeGitHooks,
} from './install.ts';
import { GIT_HOOKS } from './shims.ts';

let dir: string;
const read = (name: string) => readFileSync(join(dir, name), 'utf8');
const put = (name: string, text: string, mode = 0o755) => {
  writeFileSync(join(dir, name), text);
  chmodSync(join(dir, name), mode);
};
const names = () => readdirSync(dir).sort();
const ours = [...GIT_HOOKS].sort();

beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'entire-hooks-')), 'hooks');
});
afterEach(() => rmSync(join(dir, '..'), { recursive: true, force: true }));

test('six scripts, executable; a second time nothing is written', () => {
  expect(missingGitHooks(dir)).toEqual([...GIT_HOOKS]);
  expect(installGitHooks(dir)).toEqual({ count: 6, notices: [] });
  expect(names()).toEqual(ours);
  for (const hook of GIT_HOOKS) expect(statSync(join(dir, hook)).mode & 0o777).toBe(0o755);
  expect(missingGitHooks(dir)).toEqual([]);
  const restore = replaceDisk({
    writeSync: (() => {
      throw new Error('written');
    }) as never,
  });
  expect(installGitHooks(dir)).toEqual({ count: 0, notices: [] });
  expect(ensureGitHooks(dir)).toEqual({ count: 0, notices: [] });
  restore();
  expect(removeGitHooks(dir)).toEqual({ count: 6, notices: [] });
  expect(names()).toEqual([]);
});

test('a foreign hook that another process keeps at the same moment is kept once', () => {
  mkdirSync(dir);
  put('commit-msg', '#!/bin/sh\necho mine\n');
  const { readdirSync: list } = disk;
  const restore = replaceDisk({
    readdirSync: ((folder: string) => {
      const seen = list(folder);
      const another = join(dir, 'commit-msg.pre-entire');
      const isItsTurn = seen.includes('prepare-commit-msg') && !seen.includes('commit-msg.pre-entire');
      if (isItsTurn) writeFileSync(another, read('commit-msg'), { mode: 0o755 });
      return seen;
    }) as never,
  });
  installGitHooks(dir);
  restore();
  expect(names()).toEqual([...ours, 'commit-msg.pre-entire'].sort());
});

test('a foreign hook is kept, chained, and put back with its mode', () => {
  mkdirSync(dir);
  put('commit-msg', '#!/bin/sh\nexit 1\n', 0o775);
  expect(installGitHooks(dir)).toEqual({
    count: 6,
    notices: [{ kind: 'backed-up', hook: 'commit-msg', backup: 'commit-msg.pre-entire' }],
  });
  expect(read('commit-msg')).toContain('"$_entire_hook_dir/commit-msg.pre-entire" "$@"');
  expect(installGitHooks(dir)).toEqual({ count: 0, notices: [] });
  expect(removeGitHooks(dir)).toEqual({ count: 6, notices: [] });
  expect(names()).toEqual(['commit-msg']);
  expect(statSync(join(dir, 'commit-msg')).mode & 0o777).toBe(0o775);
  expect(read('commit-msg')).toBe('#!/bin/sh\nexit 1\n');
});

test('a manager that overwrites our hooks is wrapped again; equal texts share a backup, others get a number', () => {
  mkdirSync(dir);
  put('post-commit', 'one');
  installGitHooks(dir);
  put('post-commit', 'one');
  expect(ensureGitHooks(dir)).toEqual({ count: 1, notices: [] });
  put('post-commit', 'two');
  rmSync(join(dir, 'pre-push'));
  expect(ensureGitHooks(dir)).toEqual({
    count: 2,
    notices: [{ kind: 'backed-up', hook: 'post-commit', backup: 'post-commit.pre-entire.1' }],
  });
  const chain = Array.from(read('post-commit').matchAll(/^ {4}.*$/gm), ([line]) => line.trim());
  expect(chain).toEqual([
    '"$_entire_hook_dir/post-commit.pre-entire" "$@" || exit $?',
    '"$_entire_hook_dir/post-commit.pre-entire.1" "$@"',
  ]);
  expect(removeGitHooks(dir).notices).toEqual([
    { kind: 'backup-left', hook: 'post-commit', backup: 'post-commit.pre-entire' },
  ]);
  expect(read('post-commit')).toBe('two');
  expect(read('post-commit.pre-entire')).toBe('one');
});

test('a backup is put back even when our script was deleted by hand, not over a foreign one', () => {
  mkdirSync(dir);
  put('commit-msg', 'mine');
  put('pre-push', 'mine too');
  installGitHooks(dir);
  rmSync(join(dir, 'commit-msg'));
  put('pre-push', 'new');
  expect(removeGitHooks(dir)).toEqual({
    count: 4,
    notices: [{ kind: 'backup-left', hook: 'pre-push', backup: 'pre-push.pre-entire' }],
  });
  expect(names()).toEqual(['commit-msg', 'pre-push', 'pre-push.pre-entire']);
  expect(read('pre-push')).toBe('new');
});

test('scripts of v0.4.4 are brought up to date and its backup is chained', () => {
  mkdirSync(dir);
  put('commit-msg.pre-entire', '#!/bin/sh\n');
  put(
    'commit-msg',
    '#!/bin/sh\n# Entire CLI hooks\n# Commit-msg hook: strip trailer if no user content (allows aborting empty commits)\nentire hooks git commit-msg "$1" || exit 1\n\n# Chain: run pre-existing hook\n_entire_hook_dir="$(dirname "$0")"\nif [ -x "$_entire_hook_dir/commit-msg.pre-entire" ]; then\n    "$_entire_hook_dir/commit-msg.pre-entire" "$@"\nfi\n',
  );
  expect(ensureGitHooks(dir)).toEqual({ count: 6, notices: [] });
  expect(names()).toEqual([...ours, 'commit-msg.pre-entire'].sort());
  expect(read('commit-msg')).not.toContain('exit 1');
});

test('our script with lines of the user is left alone, by install and by removal', () => {
  installGitHooks(dir);
  const text = `${read('post-commit')}notify-send committed\n`;
  put('post-commit', text);
  expect(ensureGitHooks(dir)).toEqual({ count: 0, notices: [] });
  expect(installGitHooks(dir)).toEqual({ count: 0, notices: [{ kind: 'extended', hook: 'post-commit' }] });
  expect(removeGitHooks(dir).notices).toEqual([{ kind: 'extended', hook: 'post-commit' }]);
  expect(read('post-commit')).toBe(text);
});

test('a script that only mentions us is foreign', () => {
  mkdirSync(dir);
  put('post-commit', '#!/bin/sh\n# runs before the Entire CLI hooks\nmake\n');
  installGitHooks(dir);
  expect(read('post-commit.pre-entire')).toContain('make');
});

test('a hook git would have skipped is kept, and said to be skipped', () => {
  mkdirSync(dir);
  put('post-commit', 'make', 0o644);
  expect(installGitHooks(dir).notices).toEqual([
    { kind: 'backed-up', hook: 'post-commit', backup: 'post-commit.pre-entire' },
    { kind: 'not-executable', hook: 'post-commit', backup: 'post-commit.pre-entire' },
  ]);
  expect(statSync(join(dir, 'post-commit')).mode & 0o777).toBe(0o755);
  expect(statSync(join(dir, 'post-commit.pre-entire')).mode & 0o777).toBe(0o644);
});

test('a script of ours that lost its mode gets it back', () => {
  installGitHooks(dir);
  chmodSync(join(dir, 'pre-push'), 0o644);
  expect(missingGitHooks(dir)).toEqual(['pre-push']);
  expect(ensureGitHooks(dir).count).toBe(1);
  expect(missingGitHooks(dir)).toEqual([]);
});

test('symbolic links are moved, dangling ones too, and nothing is written through them', () => {
  mkdirSync(dir);
  writeFileSync(join(dir, '../shared.sh'), 'shared');
  symlinkSync('../shared.sh', join(dir, 'post-commit'));
  symlinkSync('../nowhere', join(dir, 'pre-push'));
  installGitHooks(dir);
  expect(readFileSync(join(dir, '../shared.sh'), 'utf8')).toBe('shared');
  removeGitHooks(dir);
  expect(readlinkSync(join(dir, 'post-commit'))).toBe('../shared.sh');
  expect(readlinkSync(join(dir, 'pre-push'))).toBe('../nowhere');
});

test('with the path of the program, other paths count as out of date', () => {
  installGitHooks(dir, ["/opt/it's/entire"]);
  expect(read('post-commit')).toContain("'/opt/it'\\''s/entire' hooks git post-commit || true");
  expect(missingGitHooks(dir, ["/opt/it's/entire"])).toEqual([]);
  expect(missingGitHooks(dir)).toEqual([...GIT_HOOKS]);
  expect(findGitHooks(dir)).toEqual([...GIT_HOOKS]);
  expect(installGitHooks(dir)).toEqual({ count: 6, notices: [] });
  installGitHooks(dir, ['/usr/bin/node', '/x/entire.mjs']);
  expect(missingGitHooks(dir, ['/usr/bin/node', '/x/entire.mjs'])).toEqual([]);
  expect(installGitHooks(dir)).toEqual({ count: 6, notices: [] });
});

test('a file in place of the folder is said, a failure names its hook and lets the others go on', () => {
  writeFileSync(dir, '');
  expect(() => installGitHooks(dir)).toThrow(/is not a folder/);
  rmSync(dir);
  mkdirSync(join(dir, 'post-commit'), { recursive: true });
  expect(() => installGitHooks(dir)).toThrow(/failed to install git hooks: post-commit: /);
  expect(names()).toEqual(ours);
});

test.each(['openSync', 'writeSync', 'renameSync', 'chmodSync'] as const)(
  'a disk on which any %s fails loses no hook of the user, and a second run completes it',
  (call) => {
    for (let failing = 0; failing < 6; failing++) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(dir);
      put('commit-msg', 'mine', 0o700);
      let count = 0;
      const real = disk[call] as (...args: unknown[]) => unknown;
      const restore = replaceDisk({
        [call]: (...args: unknown[]) => {
          if (count++ === failing) throw new Error('disk full');
          return real(...args);
        },
      });
      try {
        installGitHooks(dir);
      } catch (error) {
        expect((error as Error).message).toContain('disk full');
      } finally {
        restore();
      }
      expect([
        read('commit-msg'),
        names().includes('commit-msg.pre-entire') && read('commit-msg.pre-entire'),
      ]).toContain('mine');
      installGitHooks(dir);
      expect(missingGitHooks(dir)).toEqual([]);
      removeGitHooks(dir);
      expect(names()).toEqual(['commit-msg']);
      expect(read('commit-msg')).toBe('mine');
    }
  },
);

const PRE_COMMIT = (python: string) =>
  `#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\nINSTALL_PYTHON=${python}\n`;

test('a script of ours that a hook manager moved aside goes when ours stands again', () => {
  installGitHooks(dir);
  for (const [hook, aside] of [
    ['commit-msg', 'commit-msg.legacy'],
    ['post-commit', 'post-commit.old'],
  ] as const) {
    put(aside, read(hook));
    put(hook, PRE_COMMIT('/a'));
  }
  put('pre-push.old', '#!/bin/sh\nmine\n'); // not ours to delete
  expect(missingGitHooks(dir)).toEqual(['commit-msg', 'post-commit']);
  expect(ensureGitHooks(dir).count).toBe(2);
  expect(names()).toEqual(
    [...ours, 'commit-msg.pre-entire', 'post-commit.pre-entire', 'pre-push.old'].sort(),
  );
});

test('a newer script of a hook manager replaces its older one, and nothing else', () => {
  mkdirSync(dir);
  put('commit-msg', '#!/bin/sh\nmine\n');
  installGitHooks(dir);
  put('commit-msg', PRE_COMMIT('/a'));
  expect(installGitHooks(dir).notices).toHaveLength(1);
  put('commit-msg', PRE_COMMIT('/b'));
  expect(installGitHooks(dir).notices).toEqual([]);
  expect(read('commit-msg.pre-entire')).toBe('#!/bin/sh\nmine\n');
  expect(read('commit-msg.pre-entire.1')).toBe(PRE_COMMIT('/b'));
  expect(names()).toEqual([...ours, 'commit-msg.pre-entire', 'commit-msg.pre-entire.1'].sort());
});

test('removing gives pre-commit back what ours called', () => {
  mkdirSync(dir);
  put('commit-msg', '#!/bin/sh\nmine\n');
  installGitHooks(dir);
  put('commit-msg.legacy', read('commit-msg'));
  put('commit-msg', PRE_COMMIT('/a'));
  expect(holdsGitHooks(dir)).toBe(true);
  removeGitHooks(dir);
  expect(names()).toEqual(['commit-msg', 'commit-msg.legacy']);
  expect(read('commit-msg')).toBe(PRE_COMMIT('/a'));
  expect(read('commit-msg.legacy')).toBe('#!/bin/sh\nmine\n');
  expect(holdsGitHooks(dir)).toBe(false);
});
