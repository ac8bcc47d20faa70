import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import { settings, withCommit } from '../support/repository/set-up.ts';

const HOOK_FILES = [
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'pre-push',
  'post-rewrite',
  'post-merge',
].map((hook) => `.git/hooks/${hook}`);

describe('enable', () => {
  onBothBuilds('sets up a repository without asking where there is no terminal', (repo) => {
    withCommit(repo);
    const { stdout, stderr } = repo.entire('enable');
    expect(stdout).toMatchInlineSnapshot(`
      "Agent: Claude Code (use --agent to change)

      Installed 15 hooks for Claude Code - Anthropic's CLI coding assistant
      ✓ Hooks installed
      ✓ Project configured (.entire/settings.json)

      Session logs stay on this machine. To push them along with your own pushes:
        entire enable --push-sessions

      To share this with your team, commit:
        .claude/settings.json
        .entire/.gitignore
        .entire/settings.json

      Ready.
      "
    `);
    expect(stderr).toBe("✓ Created orphan branch 'entire/checkpoints/v1' for session metadata\n");
    expect(repo.read('.entire/settings.json')).toBe(
      '{\n  "strategy": "manual-commit",\n  "enabled": true\n}\n',
    );
    // Whether session logs leave is nothing that is shared.
    expect(settings(repo, 'settings.local.json')).toEqual({ strategy_options: { push_sessions: false } });
    expect(repo.git('config', '--local', '--get-regexp', '^entire\\.')).toBe('entire.pushsessions false');
    for (const file of HOOK_FILES) expect(statSync(join(repo.dir, file)).mode & 0o777).toBe(0o755);
    expect(repo.git('log', '--format=%an <%ae>%n%B', 'entire/checkpoints/v1')).toBe(
      'Ada <ada@example.com>\nInitialize metadata branch\n\nThis branch stores session metadata for the auto-commit strategy.',
    );
    expect(repo.git('rev-parse', 'entire/checkpoints/v1^{tree}')).toBe(
      repo.git('hash-object', '-t', 'tree', '/dev/null'),
    );
    expect(repo.git('status', '--porcelain', '-uall').split('\n')).toEqual([
      '?? .claude/settings.json',
      '?? .entire/.gitignore',
      '?? .entire/settings.json',
    ]);
  });

  variation('a second time changes nothing, `install` is the same, from a sub-directory too', (repo) => {
    withCommit(repo).entire('install');
    const files = ['.claude/settings.json', '.entire/settings.json', '.entire/.gitignore', ...HOOK_FILES];
    const before = files.map((file) => statSync(join(repo.dir, file)).mtimeMs);
    const branch = repo.git('rev-parse', 'entire/checkpoints/v1');
    mkdirSync(join(repo.dir, 'sub'));
    const { stdout } = repo.run('entire', ['enable'], { cwd: join(repo.dir, 'sub') });
    expect(stdout).toBe(
      'Already enabled. Everything looks good.\n\n  Agent: Claude Code\n  Config: .entire/settings.local.json\n',
    );
    expect(files.map((file) => statSync(join(repo.dir, file)).mtimeMs)).toEqual(before);
    expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toBe(branch);
    expect(repo.exists('sub/.entire')).toBe(false);
  });

  variation('says what to do outside of a repository, in a bare one, and before the first commit', (repo) => {
    const outside = repo.tryEntire('enable');
    expect(outside).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "Error: Not a git repository. Please run 'entire enable' from within a git repository.\nHint: Change to a repository, or make one with `git init`.\n",
    });
    repo.git('init', '--quiet', '--bare', 'bare.git');
    const bare = repo.run('entire', ['enable'], { cwd: join(repo.dir, 'bare.git') });
    expect(bare.code).toBe(1);
    expect(bare.stderr).toContain('bare repository');
    repo.init();
    const unborn = repo.entire('enable', '--agent', 'claude-code');
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'first');
    expect(unborn.stdout).toMatchInlineSnapshot(`
      "Note: This repository has no commits yet. What agents do is recorded, and stored with your
      first commit.

      Agent: Claude Code

      Installed 15 hooks for Claude Code - Anthropic's CLI coding assistant
      ✓ Hooks installed
      ✓ Project configured (.entire/settings.json)

      Session logs stay on this machine. To push them along with your own pushes:
        entire enable --push-sessions

      To share this with your team, commit:
        .claude/settings.json
        .entire/.gitignore
        .entire/settings.json

      Ready.
      "
    `);
  });

  variation('wrong flags are exit 2 and write nothing', (repo) => {
    withCommit(repo);
    for (const [args, stderr] of [
      [['--agent', 'foo'], 'Error: Unknown agent "foo". Available agents:\n\n  claude-code    (default)\n'],
      [['--agent'], 'Error: Missing agent name.'],
      [['--strategy', 'x'], 'Error: unknown strategy: x (use manual-commit or auto-commit)'],
      [['--local', '--project'], 'Error: cannot specify both --project and --local'],
      [['--push-sessions', '--skip-push-sessions'], 'Error: cannot specify both'],
      [['--bogus'], 'Error: Invalid usage: unknown flag: --bogus\nHint: See `entire help enable`.\n'],
    ] as const) {
      const result = repo.tryEntire('enable', ...args);
      expect(result.code, args.join(' ')).toBe(2);
      expect(result.stderr).toContain(stderr);
      expect(result.stdout).toBe('');
    }
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  variation('the strategy is that of the settings, as status says', (repo) => {
    withCommit(repo).entire('enable', '--strategy', 'auto-commit');
    expect(settings(repo).strategy).toBe('auto-commit');
    expect(repo.entire('status').stdout).toMatch(/^Enabled \(auto-commit\)\n/);
    expect(JSON.parse(repo.entire('status', '--json').stdout).strategy).toBe('auto-commit');
    const local = repo.entire('enable', '--local', '--strategy', 'manual-commit');
    expect(local.stderr).not.toContain('Warning');
    const overridden = repo.entire('enable', '--project', '--strategy', 'auto-commit');
    expect(overridden.stderr).toContain('settings.local.json sets strategy to manual-commit, and it wins');
    expect(repo.entire('status').stdout).toMatch(/^Enabled \(manual-commit\)\n/);
  });

  variation('the target is the file named, else the local one where the project has settings', (repo) => {
    withCommit(repo).entire('enable', '--agent', 'claude-code', '--local', '--skip-push-sessions');
    expect(settings(repo, 'settings.local.json')).toEqual({
      enabled: true,
      strategy_options: { push_sessions: false },
    });
    expect(repo.exists('.entire/settings.json')).toBe(false);
    repo.entire('enable', '--project', '--strategy', 'manual-commit', '--telemetry=false');
    expect(settings(repo)).toEqual({ strategy: 'manual-commit', enabled: true, telemetry: false });
    const { stdout } = repo.entire('enable', '--push-sessions');
    expect(stdout).toContain('Info: Project settings exist. Saving to settings.local.json instead.\n');
    expect(settings(repo, 'settings.local.json').strategy_options).toEqual({ push_sessions: true });
    // For everybody: a no that stands above what each of them says, until it is taken back.
    repo.entire('enable', '--project', '--skip-push-sessions');
    expect(settings(repo).strategy_options).toEqual({ push_sessions: false });
    expect(settings(repo, 'settings.local.json').strategy_options).toEqual({ push_sessions: false });
    repo.git('add', '.entire');
    repo.git('commit', '--quiet', '-m', 'Nobody shares');
    const refused = repo.entire('enable', '--push-sessions');
    expect(refused.stderr).toContain('session logs stay on this machine: refused by .entire/settings.json.');
    expect(repo.entire('status').stdout).toContain('stay on this machine (refused by .entire/settings.json)');
    expect(repo.entire('enable', '--project', '--push-sessions').stderr).not.toContain('refused');
    expect(settings(repo).strategy_options).toEqual({ push_sessions: null });
  });

  variation('keeps what it does not own, and warns about keys nobody knows', (repo) => {
    withCommit(repo).write(
      '.entire/settings.json',
      '{ "agent": "x",\n  "strategy_options": { "push_sessions": false, "mine": 1 } }\n',
    );
    const { stderr, stdout } = repo.entire('enable', '--agent', 'claude-code');
    expect(stderr).toContain('Warning: .entire/settings.json: unknown key "agent" (kept as it is)\n');
    expect(stdout).not.toContain('--push-sessions');
    expect(repo.read('.entire/settings.json')).toBe(
      '{ "agent": "x",\n  "strategy_options": { "push_sessions": false, "mine": 1 },\n  "enabled": true }\n',
    );
  });

  variation('refuses files it cannot read, by name and line, before anything is written', (repo) => {
    withCommit(repo).write('.claude/settings.json', '{\n  "hooks": []\n}');
    const agent = repo.tryEntire('enable');
    expect(agent).toMatchObject({ code: 1, stdout: '' });
    expect(agent.stderr).toContain('Error: .claude/settings.json, line 2: "hooks" is not an object.');
    repo.write('.claude/settings.json', '{}').write('.entire/settings.json', '{\n  "enabled": tru\n}');
    for (const command of [['enable'], ['disable', '--project']]) {
      const own = repo.tryEntire(...command);
      expect(own.code).toBe(1);
      expect(own.stderr).toContain('Error: .entire/settings.json, line 2: not valid JSON');
    }
    expect(repo.read('.claude/settings.json')).toBe('{}');
    expect(repo.exists('.git/hooks/post-commit')).toBe(false);
    expect(repo.branches()).toEqual(['main']);
  });

  variation('a settings file that cannot be read keeps nobody from switching off', (repo) => {
    withCommit(repo).entire('enable');
    repo.write('.entire/settings.json', '{');
    expect(repo.entire('disable').stdout).toContain('disabled');
    expect(repo.entire('status').stdout).toContain('Disabled');
  });

  variation('in a linked worktree: its own files, the shared hooks', (repo) => {
    withCommit(repo).git('worktree', 'add', '--quiet', '../tree');
    const cwd = join(repo.scratch, 'tree');
    expect(repo.run('entire', ['enable'], { cwd }).code).toBe(0);
    expect(repo.exists('.git/hooks/post-commit')).toBe(true);
    expect(repo.exists('.entire')).toBe(false);
    expect(repo.gitWith({ cwd }, 'status', '--porcelain').split('\n')).toEqual([
      '?? .claude/',
      '?? .entire/',
    ]);
    expect(repo.run('entire', ['enable'], { cwd }).stdout).toContain('Already enabled');
    expect(repo.run('entire', ['disable', '--uninstall', '--force'], { cwd }).code).toBe(0);
    expect(repo.gitWith({ cwd }, 'status', '--porcelain')).toBe('');
  });

  variation('in a linked worktree that follows the settings of the main one: they go on to hold', (repo) => {
    withCommit(repo).entire(
      'enable',
      '--agent',
      'claude-code',
      '--strategy',
      'auto-commit',
      '--push-sessions',
    );
    const values = { ...settings(repo), redaction: { pii: { enabled: true } } };
    repo.write('.entire/settings.json', JSON.stringify(values));
    repo.git('worktree', 'add', '--quiet', '../tree');
    const cwd = join(repo.scratch, 'tree');
    const here = () => JSON.parse(readFileSync(join(cwd, '.entire/settings.json'), 'utf8'));
    expect(repo.run('entire', ['enable'], { cwd }).stdout).not.toContain('stay on this machine');
    expect(here()).toEqual(values);
    repo.run('entire', ['enable', '--project', '--strategy', 'manual-commit'], { cwd });
    expect(here()).toEqual({ ...values, strategy: 'manual-commit' });
    expect(settings(repo)).toEqual(values);

    repo.git('worktree', 'add', '--quiet', '../other');
    const other = join(repo.scratch, 'other');
    repo.run('entire', ['disable'], { cwd: other });
    expect(repo.run('entire', ['status', '--json'], { cwd: other }).stdout).toContain('"enabled": false');
    repo.run('entire', ['enable'], { cwd: other });
    expect(JSON.parse(readFileSync(join(other, '.entire/settings.json'), 'utf8'))).toEqual(values);
  });

  variation('a sha256 repository gets its branch, a missing identity stands for itself', (repo) => {
    repo.git('init', '--quiet', '--object-format=sha256');
    repo.entire('enable');
    expect(repo.git('rev-parse', 'entire/checkpoints/v1')).toMatch(/^[0-9a-f]{64}$/);
    expect(repo.git('log', '-1', '--format=%an <%ae>', 'entire/checkpoints/v1')).toBe(
      'Unknown <unknown@local>',
    );
    repo.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'x');
  });

  variation('a failure half-way leaves hooks that do nothing, and a second run completes it', (repo) => {
    withCommit(repo).git('branch', 'entire');
    const failed = repo.tryEntire('enable');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('Hint: If a branch is named `entire`');
    expect(repo.exists('.entire/settings.json')).toBe(false);
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'still fine');
    repo.git('branch', '-m', 'entire', 'other');
    expect(repo.entire('enable').stdout).toContain('already installed');
  });

  variation('names hook managers and what they may do, once', (repo) => {
    withCommit(repo).write('.husky/pre-commit', 'npm test\n').write('lefthook.yml', '');
    const { stdout } = repo.entire('enable');
    expect(stdout).toContain("Note: Husky (.husky/) writes its git hooks over Entire's");
    expect(stdout).toContain("Note: Lefthook (lefthook.yml) writes its git hooks over Entire's");
    const again = repo.entire('enable', '--agent', 'codex');
    expect(again.stdout).toContain('Installed');
    expect(again.stdout).not.toContain('Husky');
  });
});

variation('in a clone of a repository that has session metadata, which it begins with', (repo) => {
  repo.ready();
  const clone = join(repo.scratch, 'clone');
  repo.git('clone', '--quiet', repo.dir, clone);
  repo.dir = clone;
  expect(repo.entire('enable', '--agent', 'claude-code').stderr).toBe(
    "✓ Branch 'entire/checkpoints/v1' begins with the session metadata that origin has\n",
  );
});

variation('a command that was mistyped: the one that was meant is named', (repo) => {
  const { code, stderr } = repo.tryEntire('undoo');
  expect(code).toBe(2);
  expect(stderr).toContain('unknown command "undoo" for "entire"; did you mean "undo"?');
  expect(repo.tryEntire('frobnicate').stderr).toMatch(
    /unknown command "frobnicate" for "entire"\nHint: See `entire help`\.\n$/,
  );
});
