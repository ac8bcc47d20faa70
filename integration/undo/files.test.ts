import {
  chmodSync,
  mkdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import { viewOf } from '../support/undo/view.ts';

describe('a step back', () => {
  variation('links and modes come back', (repo) => {
    repo.ready();
    symlinkSync('README.md', join(repo.dir, 'link'));
    repo.write('run.sh', 'echo\n').write('secret.txt', 's\n');
    repo.commit('Link', 'link', 'run.sh', 'secret.txt');
    chmodSync(join(repo.dir, 'secret.txt'), 0o600);
    const session = repo.session();
    session.prompt('links');
    session.shell(() => {
      unlinkSync(join(repo.dir, 'link'));
      writeFileSync(join(repo.dir, 'link'), 'a file now\n');
      chmodSync(join(repo.dir, 'run.sh'), 0o755);
      symlinkSync('nowhere', join(repo.dir, 'dangling'));
    });
    session.edit('secret.txt', 'changed\n');
    session.stop();
    repo.entire('undo');
    expect(readlinkSync(join(repo.dir, 'link'))).toBe('README.md');
    expect(statSync(join(repo.dir, 'run.sh')).mode & 0o777).toBe(0o644);
    expect(statSync(join(repo.dir, 'secret.txt')).mode & 0o777).toBe(0o600);
    expect(repo.git('status', '--porcelain')).toBe('');
    repo.entire('redo');
    expect(repo.read('link')).toBe('a file now\n');
    expect(readlinkSync(join(repo.dir, 'dangling'))).toBe('nowhere');
  });

  variation('a file that is a folder now, or lies behind a link, is left', (repo) => {
    repo.ready();
    addWork(repo, { 'README.md': 'by the agent\n', 'dir/file.txt': 'x\n' });
    unlinkSync(join(repo.dir, 'README.md'));
    mkdirSync(join(repo.dir, 'README.md'));
    repo.run('mv', ['dir', 'moved']);
    symlinkSync('moved', join(repo.dir, 'dir'));
    const result = repo.tryEntire('undo');
    expect(result.stderr).toContain('2 files left as they are');
    expect(result.stderr).not.toContain('--force'); // which leaves them, too
    expect(result.stdout).toMatch(/left {6}README.md: there is a folder/);
    expect(result.stdout).toMatch(
      /left {6}dir\/file.txt: there is a folder now, or a link or a file stands in its way/,
    );
    expect(repo.read('moved/file.txt')).toBe('x\n');
  });

  variation('a file that became a folder, and folders that became a file and a link, come back', (repo) => {
    repo.ready();
    repo.write('file.txt', 'mine, not committed\n').write('1', 'mine, too\n');
    repo.write('dir/a.txt', 'a\n').write('dir/deep/b.txt', 'b\n').write('linked/c.txt', 'c\n');
    repo.commit('Files', 'dir/a.txt');
    const before = viewOf(repo.dir);
    const session = repo.session();
    session.prompt('turn things around');
    session.shell(() => {
      for (const path of ['file.txt', '1', 'dir', 'linked'])
        rmSync(join(repo.dir, path), { recursive: true });
      repo.write('file.txt/inner.txt', 'inner\n').write('1/deep/one.txt', 'one\n').write('dir', 'a file\n');
      symlinkSync('elsewhere', join(repo.dir, 'linked'));
    });
    session.stop();
    const after = viewOf(repo.dir);
    for (const [command, view] of [
      ['undo', before],
      ['redo', after],
      ['undo', before],
    ] as const) {
      repo.entire(command);
      expect(viewOf(repo.dir), command).toEqual(view);
    }
  });

  variation('a file whose folder is a file of the user now is left, and the rest is undone', (repo) => {
    repo.ready();
    addWork(repo, { 'README.md': 'by the agent\n', 'dir/file.txt': 'x\n' });
    rmSync(join(repo.dir, 'dir'), { recursive: true });
    repo.write('dir', 'by the user\n');
    const { code, stdout } = repo.tryEntire('undo');
    const why = 'there is a folder now, or a link or a file stands in its way';
    expect([code, stdout]).toEqual([1, expect.stringContaining(`left      dir/file.txt: ${why}`)]);
    expect([repo.read('README.md'), repo.read('dir')]).toEqual(['# demo\n\nbase line\n', 'by the user\n']);
  });

  variation(
    'a file in whose place stands a folder with work of the user is left, and the work stays',
    (repo) => {
      repo.ready();
      repo.write('file.txt', 'mine\n');
      const session = repo.session();
      session.prompt('make it a folder');
      session.shell(() => {
        unlinkSync(join(repo.dir, 'file.txt'));
        repo.write('file.txt/inner.txt', 'inner\n');
      });
      session.stop();
      repo.write('file.txt/since.txt', 'by the user\n');
      const { code, stdout } = repo.tryEntire('undo');
      expect([code, stdout]).toEqual([
        1,
        expect.stringContaining('left      file.txt: there is a folder now'),
      ]);
      expect(repo.read('file.txt/since.txt')).toBe('by the user\n');
      unlinkSync(join(repo.dir, 'file.txt/since.txt'));
      rmdirSync(join(repo.dir, 'file.txt'));
      repo.entire('undo', '--files', 'file.txt');
      expect(repo.read('file.txt')).toBe('mine\n');
    },
  );

  variation('what changed during a turn of which everything is on record is somebody else’s', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n');
    const session = repo.session();
    session.prompt('one');
    session.edit('a.txt', 'a\n');
    repo.write('mine.txt', 'mine, and more\n').write('README.md', 'by the user\n');
    session.stop();
    const why = 'it changed during the turn, and no tool of the agent says so';
    expect(repo.entire('diff', '--stat').stdout).toContain(`    Not sure: mine.txt: ${why}\n`);
    const { stdout, code } = repo.tryEntire('undo');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'left      mine.txt: it changed during the turn, and no tool of the agent says so',
    );
    expect([repo.read('mine.txt'), repo.read('README.md')]).toEqual(['mine, and more\n', 'by the user\n']);
    expect(repo.exists('a.txt')).toBe(false);
  });

  variation('line ends that the client does not tell come back', (repo) => {
    repo.ready();
    repo.write('crlf.txt', 'one\r\ntwo\r\n');
    repo.commit('CRLF', 'crlf.txt');
    repo.write('dirty.txt', 'one\r\ntwo\r\n');
    const session = repo.session();
    session.prompt('change');
    for (const path of ['crlf.txt', 'dirty.txt']) {
      session.editWithoutHook(path, 'one\r\nTWO\r\n');
      session.reportEdit(path, {
        tool_response: { type: 'update', originalFile: 'one\ntwo\n' },
      });
    }
    session.stop();
    repo.entire('undo');
    expect([repo.read('crlf.txt'), repo.read('dirty.txt')]).toEqual(['one\r\ntwo\r\n', 'one\r\ntwo\r\n']);
  });

  variation('a turn that was interrupted: what was on record, and not what the user did since', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('one');
    session.edit('a.txt', 'a\n');
    session.edit('README.md', '# demo\n\nbase line\nby the agent\n');
    repo.write('README.md', 'user\n# demo\n\nbase line\nby the agent\n').write('mine.txt', 'mine\n');
    repo.entire('undo');
    expect(repo.exists('a.txt')).toBe(false);
    expect(repo.read('README.md')).toBe('user\n# demo\n\nbase line\n');
    expect(repo.read('mine.txt')).toBe('mine\n');
  });

  variation('nothing was ever changed: says so', (repo) => {
    repo.ready();
    expect(repo.tryEntire('undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to undo in this worktree'),
    });
    expect(repo.tryEntire('undo', '--files', 'none.txt').stderr).toContain(
      'nothing to undo in this worktree.',
    );
    expect(repo.tryEntire('undo', '--steps', '0')).toMatchObject({ code: 2 });
    expect(repo.tryEntire('undo', '--session', '../x')).toMatchObject({ code: 1 });
  });

  variation('a file that no turn touched is named so, with those that can be undone', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write');
    session.edit('a.txt', 'a\n');
    session.edit('b.txt', 'b\n');
    session.stop();
    repo.write('nope.ts', 'mine\n');
    const undo = (...more: string[]) => repo.tryEntire('undo', '--files', 'nope.ts', ...more);
    expect(undo()).toMatchObject({
      code: 1,
      stderr:
        'Error: no turn that can be undone touched nope.ts.\nHint: Files that can be undone: a.txt, b.txt\n',
    });
    expect(undo('--session', session.id).stderr).toContain(
      'no turn of this session that can be undone touched nope.ts.',
    );
    repo.entire('undo', '--files', 'a.txt');
    expect(undo().stderr).toContain('Hint: Files that can be undone: b.txt\n');
    expect(repo.tryEntire('undo', '--files', 'a.txt').stderr).toContain(
      'no turn that can be undone touched a.txt.',
    );
  });

  variation('a large file that the user had not committed comes back, whoever told what it was', (repo) => {
    repo.ready();
    const mine = 'a line of mine\n'.repeat(200_000);
    repo.write('large.txt', mine);
    const session = repo.session();
    session.prompt('change it');
    repo.write('large.txt', 'the agent has it now\n');
    session.reportEdit('large.txt', { tool_response: { type: 'update', originalFile: mine } });
    session.stop();
    repo.entire('undo');
    expect(repo.read('large.txt') === mine).toBe(true);
  });

  variation('one that he wrote during the turn comes back as the client told it, by force', (repo) => {
    repo.ready();
    const mine = `${'a line of mine\n'.repeat(200_000)}`;
    const session = repo.session();
    session.prompt('change it');
    repo.write('large.txt', mine); // after the prompt: nobody else has it
    repo.write('large.txt', 'the agent has it now\n');
    session.reportEdit('large.txt', { tool_response: { type: 'update', originalFile: mine } });
    session.stop();
    expect(repo.tryEntire('undo').stdout).toContain(
      "left      large.txt: its earlier version is known only by the agent's own account, which may not be exact",
    );
    repo.entire('undo', '--force');
    expect(repo.read('large.txt') === mine).toBe(true);
  });

  variation('a large file of a turn that was interrupted, changed by the user since, is left', (repo) => {
    repo.ready();
    const large = 'a line of mine\n'.repeat(100_000);
    repo.write('large.txt', large);
    const session = repo.session();
    session.prompt('change it');
    session.edit('large.txt', `by the agent\n${large}`);
    repo.write('large.txt', `by the user\nby the agent\n${large}`);
    const { code, stdout } = repo.tryEntire('undo');
    expect([code, stdout]).toEqual([1, expect.stringContaining('left      large.txt')]);
    expect(repo.read('large.txt').startsWith('by the user\n')).toBe(true);
  });

  for (const isStopped of [true, false])
    variation(
      `what a shell did and the turn committed comes back${isStopped ? '' : ', before the stop'}`,
      (repo) => {
        repo.ready();
        for (const path of ['lock.json', 'gone.txt']) repo.write(path, 'before\n');
        repo.commit('Begin', 'lock.json', 'gone.txt');
        repo.write('gone.txt', 'before\nand mine\n');
        const session = repo.session();
        session.prompt('add a package');
        session.edit('a.txt', 'agent\n');
        session.shell(() => {
          repo.write('lock.json', 'after\n').write('made.txt', 'by a shell\n');
          repo.run('rm', ['gone.txt']);
        });
        expect(repo.agentCommit('Add it', '.')).toBeDefined();
        if (isStopped) session.stop();
        const head = repo.git('rev-parse', 'HEAD');
        repo.entire('undo');
        expect(['a.txt', 'made.txt'].filter((path) => repo.exists(path))).toEqual([]);
        expect([repo.read('lock.json'), repo.read('gone.txt')]).toEqual(['before\n', 'before\nand mine\n']);
        expect(repo.git('rev-parse', 'HEAD')).toBe(head);
      },
    );

  variation('what a turn only committed stays: settings of ours, and large files of the user', (repo) => {
    repo.init().write('README.md', '# demo\n').commit('init', 'README.md');
    repo.entire('enable', '--agent', 'claude-code');
    repo.write('large.txt', 'x'.repeat(2 * 1024 * 1024));
    const session = repo.session();
    session.prompt('commit everything');
    session.edit('a.txt', 'agent\n');
    session.shell(() => {});
    expect(repo.agentCommit('All of it', '.')).toBeDefined();
    session.stop();
    expect(repo.entire('undo').stdout).not.toMatch(/\.entire|large\.txt/);
    expect(['a.txt', 'large.txt', '.entire/settings.json'].map((path) => repo.exists(path))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
