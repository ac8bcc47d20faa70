import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Disk, disk, replaceDisk } from '../base/file/disk.ts';
import { locateRepo, locateRepoForGitHook, physicalPath, WrittenFiles, writtenFile } from './locate.ts';

let dir: string;
const at = (...parts: string[]) => join(dir, ...parts);
const put = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const main = () => ({
  worktreeRoot: at('repo'),
  gitDir: at('repo/.git'),
  commonDir: at('repo/.git'),
  worktreeId: '',
});

/** A repository with one commit's worth of skeleton, as git lays it out. */
const makeRepo = (path: string) => {
  put(`${path}/.git/HEAD`, 'ref: refs/heads/main\n');
  mkdirSync(at(path, '.git/objects'));
  mkdirSync(at(path, '.git/refs'));
};
const makeWorktree = (path: string, gitDir: string, commonDir = '../..') => {
  put(`${path}/.git`, `gitdir: ${at(gitDir)}\n`);
  put(`${gitDir}/HEAD`, 'ref: refs/heads/side\n');
  put(`${gitDir}/commondir`, `${commonDir}\n`);
};

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-locate-')));
  makeRepo('repo');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('a path that no system opens costs what its length says', () => {
  const long = at('repo', 'a/'.repeat(100_000));
  let looks = 0;
  const counted = (call: (...args: unknown[]) => unknown) =>
    Object.assign((...args: unknown[]) => {
      looks++;
      return call(...args);
    }, call);
  const calls = Object.entries(disk).map(([name, call]) => [name, counted(call as () => unknown)]);
  const native = counted(disk.realpathSync.native as never);
  const restore = replaceDisk({
    ...Object.fromEntries(calls),
    realpathSync: Object.assign(counted(disk.realpathSync as never), { native }) as never,
  });
  try {
    expect(physicalPath(long)).toBe(long.slice(0, -1));
    expect(locateRepo(long)).toBeUndefined();
    expect(writtenFile(long)).toBe(long.slice(0, -1));
    expect(looks).toBeLessThan(4); // one for each of them at most, and none for each folder
    expect(locateRepo(at('repo'))).toEqual(main());
    expect(looks).toBeGreaterThan(0);
  } finally {
    restore();
  }
});

describe('from a folder', () => {
  test('the root, a sub-directory, a path that does not exist', () => {
    mkdirSync(at('repo/src/deep'), { recursive: true });
    for (const start of ['repo', 'repo/src/deep', 'repo/src/new/new.ts', 'repo/.git/hooks'])
      expect(locateRepo(at(start))).toEqual(main());
  });

  test('what git itself would wait at for ever is no repository, and what can be no path is refused', () => {
    rmSync(at('repo/.git/HEAD'));
    symlinkSync('/dev/zero', at('repo/.git/HEAD'));
    expect(locateRepo(at('repo'))).toBeUndefined();
    rmSync(at('repo/.git/HEAD'));
    symlinkSync('refs/heads/main', at('repo/.git/HEAD')); // as old gits have it, before the first commit
    expect(locateRepo(at('repo'))).toEqual(main());
    makeWorktree('side', 'repo/.git/worktrees/side', 'a\0b');
    expect(() => locateRepo(at('side'))).toThrow('commondir is not read: it is no path');
    put('side/.git', 'gitdir: a\0b\n');
    expect(() => locateRepo(at('side'))).toThrow('.git is not read: it is no path');
  });

  test('through a link the root is the physical one', () => {
    symlinkSync('repo', at('link'));
    expect(locateRepo(at('link'))).toEqual(main());
  });

  test('outside of every repository, and in a folder whose .git is none', () => {
    mkdirSync(at('plain'));
    mkdirSync(at('odd/.git'), { recursive: true });
    put('text/.git', 'not what git writes\n');
    for (const start of ['plain', 'odd', 'text']) expect(locateRepo(at(start))).toBeUndefined();
  });

  test.each(['EIO', 'EMFILE', 'EACCES'])('a look that fails with %s is no answer', (code) => {
    const { statSync } = disk;
    const failing = ((path: string, options?: never) => {
      if (path === at('repo/.git/HEAD')) throw Object.assign(new Error(`${code}: ${path}`), { code });
      return statSync(path, options);
    }) as Disk['statSync'];
    const putBack = replaceDisk({ statSync: failing });
    try {
      expect(() => locateRepo(at('repo/sub'))).toThrow(code);
      expect(() => locateRepo(at('repo'), { GIT_DIR: at('repo/.git') })).toThrow(code);
    } finally {
      putBack();
    }
  });

  test('a repository that may not be looked at hides none above it, nor does one whose `.git` leads in a circle', () => {
    makeRepo('repo/theirs');
    mkdirSync(at('repo/circle'));
    symlinkSync('.git', at('repo/circle/.git'));
    const { statSync } = disk;
    const refusing = ((path: string, options?: never) => {
      if (path === at('repo/theirs/.git/HEAD')) throw Object.assign(new Error(path), { code: 'EACCES' });
      return statSync(path, options);
    }) as Disk['statSync'];
    const putBack = replaceDisk({ statSync: refusing });
    try {
      for (const start of ['repo/theirs', 'repo/circle'])
        expect(locateRepo(at(start))?.worktreeRoot, start).toBe(at('repo'));
    } finally {
      putBack();
    }
  });

  test('a bare repository has no worktree', () => {
    put('bare.git/HEAD', 'ref: refs/heads/main\n');
    expect(locateRepo(at('bare.git'))).toBeUndefined();
    expect(locateRepo(at('bare.git/refs'))).toBeUndefined();
  });

  test('the innermost repository wins', () => {
    makeRepo('repo/vendor/lib');
    expect(locateRepo(at('repo/vendor/lib/src'))?.worktreeRoot).toBe(at('repo/vendor/lib'));
    expect(locateRepo(at('repo/vendor'))?.worktreeRoot).toBe(at('repo'));
  });
});

describe('.git as a file', () => {
  test('a linked worktree shares the common folder and has an id', () => {
    makeWorktree('side', 'repo/.git/worktrees/side1');
    expect(locateRepo(at('side/src'))).toEqual({
      worktreeRoot: at('side'),
      gitDir: at('repo/.git/worktrees/side1'),
      commonDir: at('repo/.git'),
      worktreeId: 'side1',
    });
  });

  test('a bare repository with worktrees', () => {
    put('bare.git/HEAD', 'ref: refs/heads/main\n');
    makeWorktree('x', 'bare.git/worktrees/x', at('bare.git'));
    expect(locateRepo(at('x'))).toMatchObject({ commonDir: at('bare.git'), worktreeId: 'x' });
  });

  test('a submodule is the main worktree of its own repository', () => {
    put('repo/.git/modules/sub/HEAD', 'ref: refs/heads/main\n');
    put('repo/sub/.git', 'gitdir: ../.git/modules/sub\n');
    const gitDir = at('repo/.git/modules/sub');
    expect(locateRepo(at('repo/sub'))).toEqual({
      worktreeRoot: at('repo/sub'),
      gitDir,
      commonDir: gitDir,
      worktreeId: '',
    });
  });

  test.each(['gitdir: GIT_DIR', 'gitdir: GIT_DIR\r\n', 'gitdir: GIT_DIR  \n'])('%j is read', (text) => {
    put('real.git/HEAD', 'ref: refs/heads/main\n');
    put('w/.git', text.replace('GIT_DIR', '../real.git'));
    expect(locateRepo(at('w'))?.gitDir).toBe(at('real.git'));
  });

  test('one that points to nothing is no repository', () => {
    put('stale/.git', `gitdir: ${at('gone/.git/worktrees/stale')}\n`);
    expect(locateRepo(at('stale'))).toBeUndefined();
  });
});

describe('where there is no .git', () => {
  const named = () => ({ GIT_DIR: at('repo/.git'), GIT_WORK_TREE: at('home') });
  beforeEach(() => mkdirSync(at('home/sub'), { recursive: true }));

  test('the repository that the environment names counts, in its worktree', () => {
    const found = { worktreeRoot: at('home'), gitDir: at('repo/.git'), isNamed: true };
    expect(locateRepo(at('home'), named())).toMatchObject(found);
    expect(locateRepo(at('home/sub/new.txt'), named())).toMatchObject(found);
    expect(locateRepo(at('elsewhere'), named())).toBeUndefined();
    expect(locateRepo(at('repo'), named())).toEqual(main());
  });

  test('half a name, a relative one, and one of no repository count for nothing', () => {
    for (const more of [
      { GIT_DIR: '' },
      { GIT_WORK_TREE: '' },
      { GIT_DIR: '../repo/.git' },
      { GIT_WORK_TREE: '.' },
      { GIT_DIR: at('nowhere') },
    ])
      expect(locateRepo(at('home'), { ...named(), ...more })).toBeUndefined();
  });
});

describe('inside a git hook', () => {
  test('without GIT_DIR the folder decides', () => {
    expect(locateRepoForGitHook(at('repo'), {})).toEqual(main());
  });

  test('a relative GIT_DIR belongs to the folder', () => {
    expect(locateRepoForGitHook(at('repo'), { GIT_DIR: '.git' })).toEqual(main());
  });

  test('GIT_DIR of a linked worktree', () => {
    makeWorktree('side', 'repo/.git/worktrees/side1');
    expect(locateRepoForGitHook(at('side'), { GIT_DIR: at('repo/.git/worktrees/side1') })).toMatchObject({
      worktreeRoot: at('side'),
      commonDir: at('repo/.git'),
      worktreeId: 'side1',
    });
  });

  test('GIT_WORK_TREE names the root', () => {
    mkdirSync(at('tree'));
    const env = { GIT_DIR: at('repo/.git'), GIT_WORK_TREE: at('tree') };
    expect(locateRepoForGitHook(at('repo'), env)).toMatchObject({
      worktreeRoot: at('tree'),
      gitDir: at('repo/.git'),
    });
  });

  test('a GIT_DIR that is none counts for nothing', () => {
    expect(locateRepoForGitHook(at('repo'), { GIT_DIR: at('nowhere') })).toEqual(main());
  });
});

describe('physical paths', () => {
  test('links are resolved as far as the path exists', () => {
    symlinkSync('repo', at('link'));
    expect(physicalPath(at('link/new/file'))).toBe(at('repo/new/file'));
    expect(physicalPath(at('link'))).toBe(at('repo'));
    expect(physicalPath('/')).toBe('/');
  });

  test('a link in a circle, and one to nothing, are kept as they are', () => {
    symlinkSync('circle', at('circle'));
    symlinkSync('nothing', at('dangling'));
    expect(physicalPath(at('circle/x'))).toBe(at('circle/x'));
    expect(physicalPath(at('dangling'))).toBe(at('dangling'));
  });

  test('what was written through links is the file behind them', () => {
    put('repo/AGENTS.md', 'x');
    mkdirSync(at('repo/docs'));
    for (const [target, link] of [
      ['AGENTS.md', 'CLAUDE.md'],
      ['CLAUDE.md', 'GEMINI.md'],
      ['../GEMINI.md', 'docs/agents.md'],
      ['docs', 'documents'],
      ['circle', 'circle'],
      ['nothing', 'dangling'],
    ] as const)
      symlinkSync(target, at('repo', link));
    const behind = (path: string) => writtenFile(at('repo', path)).slice(at('repo').length + 1);
    expect(
      ['CLAUDE.md', 'GEMINI.md', 'docs/agents.md', 'documents/agents.md', 'AGENTS.md'].map(behind),
    ).toEqual(Array(5).fill('AGENTS.md'));
    for (const path of ['documents', 'circle', 'dangling', 'new.md', 'docs/new/file.md'])
      expect(behind(path)).toBe(path);
  });
});

test('of thousands of files that one call wrote each folder is looked at once', () => {
  let looks = 0;
  const native = (path: string) => {
    looks++;
    return realpathSync.native(path);
  };
  const putBack = replaceDisk({ realpathSync: { native } as unknown as Disk['realpathSync'] });
  try {
    const written = new WrittenFiles();
    for (let no = 0; no < 2000; no++)
      expect(written.locate(at('repo', `file${no}`))).toEqual({
        file: at('repo', `file${no}`),
        repo: main(),
      });
  } finally {
    putBack();
  }
  expect(looks).toBeLessThan(5);
});
