import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { create, list, noted, placeOf, refusal, rowOf, within } from './worktrees.ts';

describe('entire worktree create', () => {
  onBothBuilds('a branch and a worktree beside the repository, and how to start the agent there', (repo) => {
    repo.ready();
    const root = placeOf(repo, 'fix-login');
    const head = repo.git('rev-parse', '--short=7', 'HEAD');
    const { stdout, stderr } = repo.entire('worktree', 'create', 'fix-login');
    expect(stdout).toBe(
      [
        '✓ Created worktree fix-login',
        `  Folder: ${root}`,
        `  Branch: fix-login, made at ${head}`,
        '  Carried over: .entire/settings.local.json',
        '',
        'To start an agent there:',
        `  cd ${root} && claude`,
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.gitWith({ cwd: root }, 'status', '--porcelain', '--branch')).toBe('## fix-login');
    expect(noted(repo)).toEqual(['fix-login']);
    expect(repo.entire('worktree', 'list').stdout).toBe(
      [
        '* repo       main: clean (main worktree)',
        `    ${repo.dir}`,
        '  fix-login  fix-login: clean',
        `    ${root}`,
        '',
      ].join('\n'),
    );
  });

  variation('from another commit, on another branch, in another folder', (repo) => {
    repo.ready();
    const first = repo.git('rev-list', '--max-parents=0', 'HEAD');
    const root = create(repo, 'old', '--from', first, '--branch', 'topic/old', '--path', '../here/old');
    expect(root).toBe(join(repo.scratch, 'here', 'old'));
    expect(repo.gitWith({ cwd: root }, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD')).toBe(
      `${first}\ntopic/old`,
    );
    expect(rowOf(repo, 'old')).toMatchObject({ branch: 'topic/old', from: first, managed: true, path: root });
  });

  variation('a branch that is there, or that only origin has, is named', (repo) => {
    repo.ready();
    repo.git('branch', 'topic');
    repo.git('clone', '--quiet', '--bare', '.', '../origin.git');
    repo.git('branch', '--quiet', '-D', 'topic');
    repo.git('remote', 'add', 'origin', join(repo.scratch, 'origin.git'));
    repo.git('fetch', '--quiet');
    create(repo, 'one', '--branch', 'topic');
    expect(repo.git('rev-parse', '--abbrev-ref', 'topic@{upstream}')).toBe('origin/topic');
    repo.git('branch', 'local');
    expect(refusal(repo, 'create', 'local')).toContain('there is a branch local already');
    expect(refusal(repo, 'create', 'two', '--branch', 'local', '--from', 'HEAD')).toContain(
      'branch local exists',
    );
    create(repo, 'local', '--branch', 'local');
    expect(refusal(repo, 'create', 'two', '--branch', 'local')).toContain(
      `branch local is checked out in ${placeOf(repo, 'local')}`,
    );
    // What begins at a branch of a remote does not follow it: its own name is pushed.
    create(repo, 'three', '--from', 'origin/topic');
    expect(repo.tryGit('rev-parse', '--abbrev-ref', 'three@{upstream}').code).not.toBe(0);
  });

  variation('settings that git does not track come along, and so does what the project lists', (repo) => {
    repo.ready();
    repo.write('.claude/settings.local.json', '{"permissions":{}}\n');
    repo.write('.entire/settings.local.json', '{"log_level":"debug"}\n');
    repo
      .write('.gitignore', '.env*\nnotes/\n')
      .write('.worktreeinclude', '.env\nnotes/*.md\nuntracked.txt\n');
    repo.git('add', '.gitignore', '.worktreeinclude');
    repo.commit('Lists');
    repo.write('.env', 'A=1\n').write('.env.other', 'B=1\n').write('untracked.txt', 'x\n');
    repo.write('notes/a.md', 'a\n').write('notes/b.txt', 'b\n');
    const { stdout } = repo.entire('worktree', 'create', 'task');
    expect(stdout).toContain(
      '  Carried over: .claude/settings.local.json, .env, notes/a.md, .entire/settings.local.json\n',
    );
    const root = placeOf(repo, 'task');
    expect(readFileSync(join(root, '.env'), 'utf8')).toBe('A=1\n');
    for (const name of ['.env.other', 'untracked.txt', 'notes/b.txt'])
      expect(existsSync(join(root, name))).toBe(false);
    expect(repo.entire('worktree', 'remove', 'task').stderr).toBe('');
    expect(existsSync(root)).toBe(false);
  });

  variation(
    'settings that a branch has are nobody’s own: they are not carried into one that has them not',
    (repo) => {
      repo.ready();
      for (const file of ['.entire/settings.local.json', '.claude/settings.local.json'])
        repo.write(file, '{"external_agents": true, "hooks": {}}\n').git('add', '--force', file);
      const before = repo.git('rev-parse', 'HEAD');
      repo.commit('Mine is yours');
      const created = repo.entire('worktree', 'create', 'old', '--from', before);
      expect(created.stdout).not.toContain('Carried over');
      expect(created.stderr).toContain(
        '.entire/settings.local.json could not be carried over: a branch has it',
      );
      const roots = [placeOf(repo, 'old'), join(repo.scratch, 'by-git'), join(repo.scratch, 'follows')];
      repo.git('worktree', 'add', '--quiet', '-b', 'by-git', roots[1] as string, before);
      // It has no settings of its own, and follows those of the main one until a command writes some.
      repo.git('worktree', 'add', '--quiet', '-b', 'follows', roots[2] as string, `${before}~`);
      expect(repo.run('entire', ['disable'], { cwd: roots[2] as string }).code).toBe(0);
      expect(readFileSync(join(roots[2] as string, '.entire/settings.local.json'), 'utf8')).not.toContain(
        'agents',
      );
      rmSync(join(roots[2] as string, '.entire'), { recursive: true });
      for (const cwd of roots) {
        const file = join(cwd, '.entire/settings.local.json');
        expect(repo.run('entire', ['enable', '--local', '--strategy', 'manual-commit'], { cwd }).code).toBe(
          0,
        );
        expect(readFileSync(file, 'utf8')).not.toContain('external_agents');
        // Somebody puts it there by hand: it is still what a branch has.
        writeFileSync(file, '{"external_agents": true}');
        const { external_agents: agents } = JSON.parse(
          repo.run('entire', ['status', '--json'], { cwd }).stdout,
        );
        expect(agents.setting).toBe('shared');
        repo.gitWith({ cwd }, 'config', 'entire.externalAgents', 'true');
        expect(repo.run('entire', ['status', '--json'], { cwd }).stdout).toContain('"setting": "on"');
        repo.gitWith({ cwd }, 'config', '--unset', 'entire.externalAgents');
      }
    },
  );

  variation('settings that a branch has are nobody’s own in a worktree of that branch either', (repo) => {
    repo.ready().write('.entire/settings.local.json', '{"external_agents": true}\n');
    repo.git('add', '--force', '.entire/settings.local.json');
    repo.commit('Mine is yours');
    const cwd = join(repo.scratch, 'tracks-it');
    repo.git('worktree', 'add', '--quiet', '-b', 'tracks-it', cwd);
    const setting = () =>
      JSON.parse(repo.run('entire', ['status', '--json'], { cwd }).stdout).external_agents.setting;
    expect(setting()).toBe('shared');
    expect(repo.run('entire', ['enable', '--local', '--strategy', 'manual-commit'], { cwd }).code).toBe(0);
    expect(setting()).toBe('shared');
    // Nor by a change that no commit has, nor when only other branches have it.
    writeFileSync(join(cwd, '.entire/settings.local.json'), '{"external_agents": true, "log_level": "info"}');
    repo.gitWith({ cwd }, 'rm', '--quiet', '--cached', '.entire/settings.local.json');
    repo.gitWith({ cwd, env: { ENTIRE: '0' } }, 'commit', '--quiet', '-m', 'Mine is mine');
    expect(setting()).toBe('shared');
  });

  variation('nothing is written through a link that a branch has in place of a folder', (repo) => {
    repo.ready();
    repo.write('.gitignore', '.env\n').write('.worktreeinclude', '.env\n').write('conf/x', 'x\n');
    repo.commit('Lists', '.gitignore', '.worktreeinclude', 'conf/x');
    const outside = join(repo.scratch, 'outside');
    mkdirSync(outside);
    repo.git('checkout', '--quiet', '-b', 'theirs');
    repo.git('rm', '--quiet', '-r', 'conf');
    symlinkSync(outside, join(repo.dir, 'conf'));
    repo.commit('A link', 'conf');
    repo.git('checkout', '--quiet', 'main');
    repo.write('conf/.env', 'SECRET=1\n');
    const { stderr } = repo.entire('worktree', 'create', 'review', '--branch', 'theirs');
    expect(stderr).toContain('conf/.env could not be carried over: a folder on the way is a link');
    expect(readdirSync(outside)).toEqual([]);
  });

  variation('hooks in settings that git ignores work there: what an agent does is recorded', (repo) => {
    repo.init().write('README.md', 'x\n').write('.gitignore', '.claude/\n.entire/\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'init');
    repo.entire('enable', '--agent', 'claude-code');
    expect(repo.git('status', '--porcelain')).toBe('');
    const root = create(repo, 'task');
    expect(repo.gitWith({ cwd: root }, 'status', '--porcelain')).toBe('');
    expect(readFileSync(join(root, '.claude/settings.json'), 'utf8')).toBe(
      repo.read('.claude/settings.json'),
    );
    const session = repo.session();
    within(repo, root, () => {
      session.start();
      session.prompt('Write it');
      session.edit('a.txt', 'a\n');
      session.stop();
      expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
    });
  });

  variation('hooks that are not committed yet are missed', (repo) => {
    repo.init().write('.claude/settings.json', '{}\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'init');
    repo.entire('enable', '--agent', 'claude-code');
    expect(repo.entire('worktree', 'create', 'task').stderr).toContain(
      'the hooks of Claude Code are not in what was checked out there',
    );
  });

  variation('beside a submodule there is no room: its worktrees lie in the folder of entire', (repo) => {
    repo.ready();
    repo.git('clone', '--quiet', '--bare', '.', '../lib.git');
    repo.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      join(repo.scratch, 'lib.git'),
      'lib',
    );
    repo.commit('Add lib');
    const root = within(repo, join(repo.dir, 'lib'), () => create(repo, 'task'));
    expect(root).toMatch(/\/home\/\.entire\/worktrees\/lib-[0-9a-f]{6}\/task$/);
    expect(repo.git('status', '--porcelain')).toBe('');
    within(repo, root, () => expect(list(repo).map(({ name }) => name)).toContain('task'));
  });

  variation('a folder that git status of the repository shows is made when asked for, and said', (repo) => {
    repo.ready();
    const { stderr } = repo.entire('worktree', 'create', 'in', '--path', 'trees/in');
    expect(stderr).toContain(`Note: it lies in the worktree ${repo.dir}, where \`git status\` shows it`);
    repo.write('.git/info/exclude', 'trees/\n');
    expect(repo.entire('worktree', 'create', 'in2', '--path', 'trees/in2').stderr).toBe('');
  });

  variation('from a linked worktree and a sub-directory it lies beside the repository as well', (repo) => {
    repo.ready();
    const one = create(repo, 'one');
    mkdirSync(join(one, 'sub'));
    within(repo, join(one, 'sub'), () => expect(create(repo, 'two')).toBe(join(dirname(one), 'two')));
    expect(list(repo).map(({ name }) => name)).toEqual(['repo', 'one', 'two']);
  });

  variation('of a bare repository, also from within it', (repo) => {
    repo.ready();
    const bare = join(repo.scratch, 'bare.git');
    repo.git('clone', '--quiet', '--bare', '.', bare);
    const root = within(repo, bare, () => create(repo, 'work'));
    expect(root).toBe(join(repo.scratch, 'bare.worktrees', 'work'));
    within(repo, bare, () => expect(list(repo).map(({ name }) => name)).toEqual(['work']));
    within(repo, root, () => expect(refusal(repo, 'remove', bare)).toContain('it is the repository itself'));
    // A bare repository hidden in a folder has its worktrees around it.
    const hidden = join(repo.scratch, 'project', '.bare');
    repo.git('clone', '--quiet', '--bare', '.', hidden);
    writeFileSync(join(dirname(hidden), '.git'), 'gitdir: ./.bare\n');
    within(repo, dirname(hidden), () => {
      expect(create(repo, 'task')).toBe(join(dirname(hidden), 'task'));
      repo.entire('worktree', 'remove', 'task', '--delete-branch');
      expect(list(repo)).toEqual([]);
    });
  });

  variation('a post-checkout hook runs; one that fails leaves a worktree that stands', (repo) => {
    repo.ready();
    writeFileSync(
      join(repo.commonDir, 'hooks/post-checkout'),
      '#!/bin/sh\ntouch ran\necho no luck >&2\nexit 3\n',
      {
        mode: 0o755,
      },
    );
    const { stderr } = repo.entire('worktree', 'create', 'task');
    expect(stderr).toMatch(/^Warning: the worktree was created, but a later step failed: [\s\S]*no luck/);
    expect(existsSync(join(placeOf(repo, 'task'), 'ran'))).toBe(true);
    expect(noted(repo)).toEqual(['task']);
  });
});
