import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const PYTHON = 'def add(a, b):\n    total = a + b\n    return total\n';

function withSources(repo: TestRepo): void {
  repo.ready();
  repo.write('src/sum.py', PYTHON).write('notes.md', '# Notes\n\nSome words.\n');
}

const build = (repo: TestRepo, ...args: string[]) => repo.entire('context', 'build', ...args);

describe('entire context build', () => {
  onBothBuilds('puts files together as they are to be shown, and writes under the next number', (repo) => {
    withSources(repo);
    const text = build(repo, 'src/**/*.py', 'notes.md', '--stdout').stdout;
    expect(text).toContain(PYTHON);
    expect(text).toContain('Some words.');
    const skeleton = build(repo, 'src/sum.py', '--view', 'skeleton', '--stdout').stdout;
    expect(skeleton).toContain('def add(a, b):');
    expect(skeleton).not.toContain('total');
    const report = JSON.parse(build(repo, 'src/sum.py', '--json').stdout);
    expect(report.files).toMatchObject([{ path: 'src/sum.py', view_mode: 'full', error: null }]);
    expect(report.output_file).toBe(join(repo.dir, '.entire/tmp/context/context_001.md'));
    expect(build(repo, 'notes.md').stdout).toMatch(
      /^\.entire\/tmp\/context\/context_002\.md: 1 file, about \d+ tokens\n$/,
    );
    build(repo, 'notes.md', '--out', 'context.md');
    expect(readFileSync(join(repo.dir, 'context.md'), 'utf8')).toContain('Some words.');
    const taken = repo.tryEntire('context', 'build', 'notes.md', '--out', 'src/sum.py');
    expect(taken.stderr).toContain('src/sum.py is there already.');
    expect(repo.read('src/sum.py')).toBe(PYTHON);
    build(repo, 'src/sum.py', '--out', 'context.md', '--force');
    expect(repo.read('context.md')).toContain('def add');
    build(repo, '*.md', '--out', 'context.md', '--force');
    expect(repo.read('context.md')).toContain('Some words.');
    expect(repo.read('context.md')).not.toContain('def add');
    expect(repo.git('status', '--porcelain', '--untracked-files=all')).not.toContain('.entire');
  });

  variation('takes the files of a session, what it modified first', (repo) => {
    withSources(repo);
    const session = repo.session('work-1');
    session.prompt('Work');
    session.hook('post-file-read', 'PostToolUse-Read', {
      tool_input: { file_path: join(repo.dir, 'notes.md') },
    });
    session.edit('src/new.py', PYTHON);
    session.stop();
    const { files } = JSON.parse(build(repo, '--session', 'work', '--json').stdout);
    expect(files.map(({ path }: { path: string }) => path)).toEqual(['src/new.py', 'notes.md']);
  });

  variation('stays within a budget, and says what it shows less of', (repo) => {
    withSources(repo);
    const long = Array.from({ length: 300 }, (_, at) => `def f${at}():\n    return ${'1 + '.repeat(30)}1\n`);
    repo.write('src/long.py', long.join('\n'));
    const { stdout, stderr } = build(repo, 'src/*.py', '--budget', '6000', '--json');
    const { tokens, files } = JSON.parse(stdout);
    expect(tokens).toBeLessThanOrEqual(6000);
    expect(files.map(({ view_mode: view }: { view_mode: string }) => view)).toEqual(['skeleton', 'full']);
    expect(stderr).toBe('src/long.py: skeleton instead of full, to stay within the budget\n');
    const refused = repo.tryEntire('context', 'build', 'src/*.py', '--budget', '10');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('more than the budget of 10');
  });

  variation('writes nothing where its folder is a link, and says so', (repo) => {
    withSources(repo);
    rmSync(join(repo.dir, '.entire', 'tmp'), { recursive: true, force: true });
    mkdirSync(join(repo.scratch, 'elsewhere'));
    symlinkSync(join(repo.scratch, 'elsewhere'), join(repo.dir, '.entire', 'tmp'));
    const { code, stderr } = repo.tryEntire('context', 'build', 'notes.md');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.entire/tmp is a link, not a folder.'),
    });
    expect(readdirSync(join(repo.scratch, 'elsewhere'))).toEqual([]);
  });

  variation('refuses what means nothing, and says what is not there', (repo) => {
    withSources(repo);
    expect(repo.tryEntire('context', 'build').stderr).toContain('nothing to build a context of');
    expect(repo.tryEntire('context', 'paint').stderr).toContain(
      'unknown command "paint" for "entire context"',
    );
    expect(repo.tryEntire('context', 'build', 'a', '--stdout', '--json').code).toBe(2);
    expect(repo.tryEntire('context', 'build', 'a', '--budget', '0').code).toBe(2);
    const nothing = repo.tryEntire('context', 'build', 'missing.py');
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toMatch(
      /^Error: file not found: missing\.py\nHint: Nothing of this could be read/,
    );
    const { stdout, stderr } = build(repo, 'missing.py', 'none/*.py', 'notes.md', '--stdout');
    expect(stderr).toBe('ERROR: file not found: missing.py\nERROR: no files matched: none/*.py\n');
    expect(stdout).toContain('ERROR: file not found: missing.py');
  });
});

describe('presets', () => {
  variation('of a repository show no file outside of it', (repo) => {
    withSources(repo);
    writeFileSync(join(repo.home, 'secret.txt'), 'a secret\n');
    symlinkSync(join(repo.home, 'secret.txt'), join(repo.dir, 'link.md'));
    const files = ['src/sum.py', join(repo.home, 'secret.txt'), '../home/*.txt', 'link.md'];
    writeFileSync(
      join(repo.dir, '.entire', 'context.toml'),
      `[presets.core]\nfiles = ${JSON.stringify(files)}\n`,
    );
    const { stdout, stderr } = build(repo, 'core', '--stdout');
    expect(stdout).toContain(PYTHON);
    expect(stdout).not.toContain('a secret');
    expect(stderr.match(/leads out of the repository, and is left out/g)).toHaveLength(3);
    expect(build(repo, join(repo.home, 'secret.txt'), '--stdout').stdout).toContain('a secret');
  });

  variation(
    'of a repository show nothing that git ignores and no environment, but for what is named',
    (repo) => {
      withSources(repo);
      repo
        .write('.gitignore', 'private.txt\n')
        .write('private.txt', 'a secret\n')
        .write('.env', 'KEY=a secret\n');
      repo.git('add', '--force', '.env');
      const files = ['src/sum.py', 'private.txt', '*.txt', '.env*'];
      repo.write('.entire/context.toml', `[presets.core]\nfiles = ${JSON.stringify(files)}\n`);
      const { stdout, stderr } = build(repo, 'core', '--stdout');
      expect(stdout).toContain(PYTHON);
      expect(stdout).not.toContain('a secret');
      expect(stderr).toContain('private.txt: is ignored by git or an environment, and is left out');
      expect(stderr).toContain('.env: is ignored by git or an environment, and is left out');
      expect(repo.entire('context', 'show', 'core').stdout).not.toContain('private');
      expect(build(repo, 'private.txt', '.env', '--stdout').stdout.match(/a secret/g)).toHaveLength(2);
    },
  );

  variation('may be called as a folder is', (repo) => {
    withSources(repo);
    writeFileSync(join(repo.dir, '.entire', 'context.toml'), '[presets.src]\nfiles = ["src/sum.py"]\n');
    expect(build(repo, 'src', '--stdout').stdout).toContain(PYTHON);
  });

  scenario('are listed, shown and built; those of the repository outrank those of its user', (repo) => {
    withSources(repo);
    expect(repo.entire('context', 'presets').stdout).toContain('No presets.');
    const preset = (name: string, files: string) =>
      `[presets.${name}]\ndescription = "${name} of ours"\nfiles = ${files}\n`;
    writeFileSync(
      join(repo.dir, '.entire', 'context.toml'),
      `version = 1\n${preset('core', '[{ path = "src/*.py", view_mode = "outline" }]')}${preset('gone', '["gone.txt"]')}`,
    );
    const { stdout, stderr } = repo.entire('context', 'presets');
    expect(stdout).toBe('core  1 entry  core of ours\ngone  1 entry  gone of ours\n');
    expect(stderr).toContain('gone.txt');
    expect(repo.entire('context', 'show', 'core').stdout).toBe(
      'core: core of ours\n  src/*.py  outline\n    src/sum.py, 3 lines, 1 symbol\n',
    );
    expect(build(repo, 'core', '--stdout').stdout).toContain('[function] add (lines 1-3)');
    const report = JSON.parse(build(repo, 'core', '--json').stdout);
    expect(report.output_file).toContain('/core_001.md');
    expect(repo.tryEntire('context', 'show', 'nobody').stderr).toContain('There is no preset nobody.');
  });

  variation('say of each file and image that is not there, or is not shown, that it is so', (repo) => {
    withSources(repo);
    writeFileSync(
      join(repo.dir, '.entire', 'context.toml'),
      'version = 1\n[presets.p]\nfiles = ["gone.txt", "none/*.py", "history.toml", "b.bin", "src", "src/sum.py"]\nscreenshots = ["a.png"]\n',
    );
    writeFileSync(join(repo.dir, 'b.bin'), Uint8Array.of(0, 1));
    expect(repo.entire('context', 'show', 'p').stdout).toBe(`p
  gone.txt  full
    not there
  none/*.py  full  not there
  history.toml  full  a conversation, left out
  b.bin  full
    not shown: binary; 2 bytes
  src  full
    not shown: a folder
  src/sum.py  full
    3 lines, 1 symbol
  a.png  screenshot  not there
`);
  });

  variation('and views that cannot be had are summaries, which is said', (repo) => {
    withSources(repo);
    for (const [view, why] of [
      ['masked', 'needs a mask, and there is none'],
      ['custom', 'needs slices, and there are none'],
    ] as const) {
      const { stdout, stderr } = build(repo, 'src/sum.py', 'README.md', '--view', view, '--stdout');
      expect(stdout).toContain(`[a summary, because the view ${view} ${why}]`);
      expect(stderr).toBe(`src/sum.py and 1 other file: a summary, because the view ${view} ${why}\n`);
    }
    const { stderr } = build(repo, 'src/sum.py', 'README.md', '--view', 'skeleton', '--stdout');
    expect(stderr).toBe('README.md: a summary, because the view skeleton knows no such language\n');
  });
});
