import {
  chmodSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { autoReady, changesOf, expectAutoCommit, status, stopInput } from '../support/command/auto.ts';
import { scenario, variation } from '../support/repository/scenario.ts';

describe('auto-commit takes exactly the paths of the session', () => {
  scenario('what the user has staged, changed and not tracked stays as it is', (repo) => {
    autoReady(repo);
    for (const name of ['staged', 'both', 'dirty', 'gone', 'moved']) repo.write(`${name}.txt`, `${name}\n`);
    repo.write('.gitignore', '*.log\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'files');
    repo.write('staged.txt', 'staged by hand\n').write('both.txt', 'staged by hand\n');
    repo.write('new.txt', 'new by hand\n');
    repo.git('add', '.');
    repo.git('rm', '--quiet', 'gone.txt');
    repo.git('mv', 'moved.txt', 'elsewhere.txt');
    repo.git('add', '--intent-to-add', '--', ...(repo.write('meant.txt', 'meant\n') && ['meant.txt']));
    repo.write('both.txt', 'and changed\n').write('dirty.txt', 'changed\n').write('notes.txt', 'mine\n');
    const before = status(repo);
    const staged = repo.git('diff', '--cached');

    const session = repo.session();
    session.prompt('write a.txt and ignored.log');
    session.edit('a.txt', 'one\n');
    session.edit('ignored.log', 'noise\n');
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
    expect(status(repo)).toEqual(before);
    expect(repo.git('diff', '--cached')).toBe(staged);
  });

  variation(
    'of a path that was staged in part, all is committed, and nothing shows as taken back',
    (repo) => {
      autoReady(repo);
      repo.write('a.txt', '1\n2\n3\n').write('b.txt', 'b\n').git('add', '.');
      repo.git('commit', '--quiet', '-m', 'files');
      repo.write('a.txt', '1 by hand\n2\n3\n').write('b.txt', 'b by hand\n').git('add', '.');
      const blob = repo.git('rev-parse', ':a.txt');
      const session = repo.session();
      session.prompt('change a.txt');
      session.edit('a.txt', '1 by hand\n2\n3 by the agent\n');
      session.stop();
      expectAutoCommit(repo, session, 'M\ta.txt');
      expect(status(repo)).toEqual(['M  b.txt']);
      expect(repo.git('show', 'HEAD:a.txt')).toBe('1 by hand\n2\n3 by the agent');
      expect(repo.logText()).toContain(`${blob} a.txt`);
    },
  );

  variation('renames, deletions, executable bits, links and folders that become files', (repo) => {
    autoReady(repo);
    repo.write('old.txt', 'old\n').write('gone.txt', 'gone\n').write('run.sh', '#!/bin/sh\n');
    repo.write('folder/a.txt', 'a\n').write('file', 'file\n').write('target.txt', 'target\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'files');
    const at = (name: string) => join(repo.dir, name);
    const session = repo.session();
    session.prompt('change everything');
    session.shell(() => {
      renameSync(at('old.txt'), at('new.txt'));
      unlinkSync(at('gone.txt'));
      chmodSync(at('run.sh'), 0o755);
      symlinkSync('target.txt', at('link'));
      symlinkSync('nowhere', at('dangling'));
      rmSync(at('folder'), { recursive: true });
      unlinkSync(at('file'));
      mkdirSync(at('file'));
    });
    session.edit('folder', 'now a file\n');
    session.edit('file/inner.txt', 'now in a folder\n');
    session.stop();
    expectAutoCommit(
      repo,
      session,
      'A\tdangling',
      'D\tfile',
      'A\tfile/inner.txt',
      'A\tfolder',
      'D\tfolder/a.txt',
      'D\tgone.txt',
      'A\tlink',
      'A\tnew.txt',
      'D\told.txt',
      'M\trun.sh',
    );
    expect(repo.git('ls-tree', 'HEAD', 'run.sh', 'link')).toMatch(/^120000 .*\tlink\n100755 .*\trun\.sh$/);
    expect(repo.git('show', 'HEAD:link')).toBe('target.txt');
    expect(readlinkSync(at('link'))).toBe('target.txt');
    expect(status(repo)).toEqual([]);
  });

  variation('a submodule that git cannot look into is left out, and keeps nothing else out', (repo) => {
    autoReady(repo);
    const lib = join(repo.dir, 'lib');
    repo.git('init', '--quiet', lib);
    const inLib = (...args: string[]) =>
      repo.git('-C', lib, '-c', 'user.name=L', '-c', 'user.email=l@example.com', ...args);
    inLib('commit', '--quiet', '--allow-empty', '-m', 'one');
    repo.git('add', 'lib');
    repo.git('commit', '--quiet', '-m', 'lib');
    const session = repo.session();
    session.prompt('update lib');
    session.edit('a.txt', 'one\n');
    session.shell(() => inLib('commit', '--quiet', '--allow-empty', '-m', 'two'));
    const tip = inLib('rev-parse', 'HEAD');
    const object = join(lib, '.git', 'objects', tip.slice(0, 2), tip.slice(2));
    rmSync(object);
    writeFileSync(object, '');
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt');
  });

  variation('a submodule that was moved on, and line ends as .gitattributes has them', (repo) => {
    autoReady(repo);
    const lib = join(repo.scratch, 'lib');
    repo.git('init', '--quiet', lib);
    const inLib = (...args: string[]) =>
      repo.git('-C', lib, '-c', 'user.name=L', '-c', 'user.email=l@example.com', ...args);
    inLib('commit', '--quiet', '--allow-empty', '-m', 'one');
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib');
    repo.write('.gitattributes', '*.txt text eol=lf\n').git('add', '.');
    repo.git('commit', '--quiet', '-m', 'submodule');
    const session = repo.session();
    session.prompt('update lib');
    session.shell(() => {
      repo.git(
        '-C',
        'lib',
        '-c',
        'user.name=L',
        '-c',
        'user.email=l@example.com',
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'two',
      );
    });
    session.edit('a.txt', 'one\r\ntwo\r\n');
    session.stop();
    expectAutoCommit(repo, session, 'A\ta.txt', 'M\tlib');
    expect(repo.git('rev-parse', 'HEAD:lib')).toBe(repo.git('-C', 'lib', 'rev-parse', 'HEAD'));
    expect(repo.git('cat-file', '-s', 'HEAD:a.txt')).toBe('8');
    expect(status(repo)).toEqual([]);
  });

  variation('names that need quoting, and executable bits that the file system does not keep', (repo) => {
    autoReady(repo);
    repo.git('config', 'core.fileMode', 'false');
    const names = ['-a b.txt', 'ä"q\\.txt', ':(glob)*.txt', 'tab\there.txt'];
    const session = repo.session();
    session.prompt('write');
    for (const name of names) {
      session.edit(name, 'one\n');
      chmodSync(join(repo.dir, name), 0o777);
    }
    session.stop();
    const id = repo.checkpointOf('HEAD') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual([...names].sort());
    expect(repo.git('ls-tree', '-z', 'HEAD')).not.toContain('100755');
    expect(status(repo)).toEqual([]);
  });

  variation('two sessions: each commits its own, one after the other and both at once', async (repo) => {
    autoReady(repo);
    const [one, two] = [repo.session('one'), repo.session('two')];
    one.prompt('write one.txt');
    two.prompt('write two.txt');
    one.edit('one.txt', '1\n');
    two.edit('two.txt', '2\n');
    one.stop();
    expectAutoCommit(repo, one, 'A\tone.txt');
    two.stop();
    expectAutoCommit(repo, two, 'A\ttwo.txt');

    const sessions = ['a', 'b', 'c', 'd'].map((id) => repo.session(id));
    for (const session of sessions) session.prompt(`write ${session.id}`);
    for (const session of sessions) session.edit(`${session.id}.txt`, `${session.id}\n`);
    for (const session of sessions) session.say('Done.');
    await Promise.all(
      sessions.map((session) =>
        repo.inBackground('entire', ['hooks', 'claude-code', 'stop'], {
          input: stopInput(repo, session),
        }),
      ),
    );
    const commits = repo.git('rev-list', '--max-count=4', 'HEAD').split('\n');
    const made = commits.map((commit) => changesOf(repo, commit).join()).sort();
    expect(made).toEqual(['A\ta.txt', 'A\tb.txt', 'A\tc.txt', 'A\td.txt']);
    for (const commit of commits) {
      const id = repo.checkpointOf(commit) as string;
      const [letter] = changesOf(repo, commit).map((line) => line[2]);
      expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(letter);
    }
    expect(status(repo)).toEqual([]);
  });

  variation('the identity falls back, and a prompt of any kind makes a sound subject', (repo) => {
    autoReady(repo);
    repo.git('config', '--unset', 'user.name');
    repo.git('config', '--unset', 'user.email');
    const session = repo.session();
    const prompts = [
      ['\u0000\u001b[31mnul\nand\tmore', 'Nul and more'],
      ['  ', 'Claude Code session updates'],
      [`could you please ${'ä'.repeat(90)}?`, `${'Ä'}${'ä'.repeat(71)}`],
      ['Entire-Checkpoint: 0123456789ab', 'Entire-Checkpoint: 0123456789ab'],
    ] as const;
    for (const [index, [prompt, subject]] of prompts.entries()) {
      session.prompt(prompt);
      session.edit('a.txt', `${index}\n`);
      session.stop();
      expect(repo.git('log', '-1', '--format=%s')).toBe(subject);
      expectAutoCommit(repo, session, index === 0 ? 'A\ta.txt' : 'M\ta.txt');
    }
    expect(repo.git('log', '-1', '--format=%an <%ae> %cn <%ce>')).toBe(
      'Unknown <unknown@local> Unknown <unknown@local>',
    );
  });

  variation('work that was pending under manual-commit is taken; and back again nothing is lost', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.entire('enable', '--project', '--strategy', 'auto-commit');
    repo.git('commit', '--quiet', '-m', 'Use auto-commit', '--', '.entire');
    session.prompt('write b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    const id = expectAutoCommit(repo, session, 'A\ta.txt', 'A\tb.txt');
    expect(repo.stored(id, '0/prompt.txt')).toBe('write a.txt\n\n---\n\nwrite b.txt');

    repo.entire('enable', '--project', '--strategy', 'manual-commit');
    repo.git('commit', '--quiet', '-m', 'Use manual-commit', '--', '.entire');
    session.prompt('write c.txt');
    session.edit('c.txt', 'three\n');
    session.stop();
    expect(repo.shadowBranches().length).toBeGreaterThan(0);
    const linked = repo.commit('By hand', 'c.txt') as string;
    expect(repo.storedJson(linked, '0/metadata.json')).toMatchObject({
      strategy: 'manual-commit',
      files_touched: ['c.txt'],
      checkpoints_count: 1,
    });
    expect(repo.state(session.id).checkpoint_count).toBe(0);
  });
});
