import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';

describe('undo of what git ignores', () => {
  variation('a file that git ignores is left, unless it is named', (repo) => {
    repo.ready();
    repo.write('.gitignore', '.env\n').write('.env', 'KEY=1\n');
    repo.commit('Ignore', '.gitignore');
    const session = repo.session();
    session.prompt('write');
    session.readFile('.env');
    session.edit('.env', 'KEY=2\n');
    session.edit('a.txt', 'a\n');
    session.stop();
    expect(repo.tryEntire('undo').stdout).toContain('left      .env: git ignores it');
    expect(repo.read('.env')).toBe('KEY=2\n');
    repo.entire('undo', '--files', '.env');
    expect(repo.read('.env')).toBe('KEY=1\n');
  });

  variation('an ignored file that a shell command changed is named where the client says so', (repo) => {
    repo.ready();
    repo.write('.gitignore', '.env\ndist/\n').write('.env', 'KEY=1\n').write('dist/a.js', '1\n');
    repo.commit('Ignore', '.gitignore');
    const session = repo.session();
    session.prompt('build');
    repo.write('.env', 'KEY=2\n').write('dist/a.js', '2\n').write('made.txt', 'made\n');
    const file = { filePath: join(repo.dir, '.env'), hunks: [{ lines: ['-KEY=1', '+KEY=2'] }] };
    session.hook('post-file-edit', 'PostToolUse-Bash', {
      tool_response: { bashEditDiff: { files: [file], moreFiles: 1, changedFiles: [file.filePath] } },
    });
    session.tool('Bash', { command: 'make' });
    session.stop();
    const { stdout } = repo.tryEntire('undo');
    expect(stdout).toContain('left      .env: ');
    expect(stdout).not.toContain('dist');
    expect([repo.read('dist/a.js'), repo.exists('made.txt')]).toEqual(['2\n', false]);
  });

  variation('a path that is ignored now, and was not when the agent wrote it', (repo) => {
    repo.ready();
    addWork(repo, { 'build.log': 'by the agent\n', 'a.txt': 'a\n' });
    repo.write('.gitignore', 'build.log\n');
    expect(repo.tryEntire('undo').stdout).toContain('left      build.log: git ignores it');
    expect([repo.read('build.log'), repo.exists('a.txt')]).toEqual(['by the agent\n', false]);
    repo.entire('redo');
    repo.entire('undo', '--files', 'build.log');
    expect([repo.exists('build.log'), repo.read('a.txt')]).toEqual([false, 'a\n']);
    repo.entire('redo');
    expect(repo.read('build.log')).toBe('by the agent\n');
  });
});
