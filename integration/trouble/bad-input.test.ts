import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { payload } from '../support/agent/payloads.ts';
import { onBothBuilds, scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const VERBS = [
  'session-start',
  'user-prompt-submit',
  'stop',
  'session-end',
  'pre-task',
  'post-task',
  'post-todo',
  'post-file-edit',
  'pre-compact',
  'subagent-stop',
];

/** A session with one file to commit. */
function withWork(repo: TestRepo) {
  const session = repo.session();
  session.prompt('create a.txt');
  session.edit('a.txt', 'one\n');
  session.stop();
  return session;
}

describe('bad input', () => {
  scenario(
    'a repository that cannot be read is reported in the log of its folder, never silently passed over',
    (repo) => {
      repo.ready();
      mkdirSync(join(repo.dir, '.git', 'commondir')); // a file, where there is one
      repo.session().edit('a.txt', 'one\n');
      rmSync(join(repo.dir, '.git', 'commondir'), { recursive: true });
      expect(repo.logText()).toMatch(/"msg":"hook skipped".*"hook":"post-file-edit"/);
    },
  );

  variation('every verb takes empty, broken and foreign payloads: exit 0, nothing on stdout', (repo) => {
    repo.ready();
    const inputs = [
      '',
      '   ',
      'no json',
      '{"session_id": "s1"',
      '[]',
      'null',
      '"text"',
      '42',
      '{}',
      '{"session_id": 7}',
    ];
    for (const verb of VERBS) {
      for (const input of inputs) {
        const { stdout } = repo.hook(verb, input);
        expect(stdout, `${verb} ${input}`).toBe('');
      }
    }
    expect(repo.run('ls', [join(repo.dir, '.git')]).stdout).not.toContain('entire-sessions');
    expect(repo.logText()).toContain('hook');
  });

  variation('hostile session ids build no path', (repo) => {
    repo.ready();
    const ids = [
      '../../evil',
      '..',
      '.',
      '.hidden',
      'a/b',
      'a\\b',
      'a\0b',
      'a\nb',
      '',
      ' ',
      '-rf',
      'x'.repeat(129),
      'a..b',
    ];
    for (const id of ids) {
      for (const verb of VERBS) {
        const values = {
          ...payload('UserPromptSubmit', repo.places),
          session_id: id,
          tool_use_id: '../x',
          tool_input: { file_path: 'a' },
        };
        repo.hook(verb, JSON.stringify(values));
      }
    }
    expect(repo.run('find', [repo.scratch, '-name', '*evil*']).stdout).toBe('');
    expect(repo.run('ls', [join(repo.dir, '.git')]).stdout).not.toContain('entire-sessions');
    expect(repo.exists('.entire/tmp')).toBe(false);
  });

  onBothBuilds('200 MB on stdin', (repo) => {
    repo.ready();
    const values = {
      session_id: 's1',
      cwd: repo.dir,
      tool_name: 'Write',
      tool_input: { file_path: 'big.txt', content: 'x'.repeat(200e6) },
    };
    repo.hook('post-file-edit', JSON.stringify(values));
    expect(repo.logText()).toContain('too large');
  });

  variation('text after the payload and a BOM before it do no harm', (repo) => {
    repo.ready();
    const values = {
      session_id: 's1',
      cwd: repo.dir,
      tool_name: 'Write',
      tool_input: { file_path: 'a.txt' },
    };
    repo.hook('post-file-edit', `\uFEFF${JSON.stringify(values)} trailing`);
    expect(repo.tracked('s1')).toEqual(['a.txt']);
  });

  for (const [name, content] of [
    ['zero bytes', ''],
    ['NULs', '\0'.repeat(300)],
    ['half a document', '{"session_id": "s'],
    ['another document', '[1, 2]'],
  ] as const) {
    variation(`a state file of ${name} is set aside, the session goes on`, (repo) => {
      repo.ready();
      const session = withWork(repo);
      const dir = join(repo.commonDir, 'entire-sessions');
      writeFileSync(join(dir, `${session.id}.json`), content);
      session.prompt('more');
      const aside = readdirSync(dir).filter((file) => file.startsWith(`${session.id}.json.corrupt-`));
      expect(aside).toHaveLength(1);
      expect(readFileSync(join(dir, aside[0] as string), 'utf8')).toBe(content);
      expect(repo.state(session.id).phase).toBe('active');
      session.edit('b.txt', 'two\n');
      session.stop();
      expect(repo.commit('Add b', 'b.txt')).toMatch(/^[0-9a-f]{12}$/);
    });
  }

  variation('a state file that nobody can read blocks no commit, and status names it', (repo) => {
    repo.ready();
    const session = withWork(repo);
    writeFileSync(join(repo.commonDir, 'entire-sessions', `${session.id}.json`), '\0\0');
    expect(repo.commit('Add a', 'a.txt')).toBeUndefined();
    expect(repo.entire('status').stdout).toContain('unreadable session state');
  });

  variation('a missing transcript: the step and the checkpoint are made all the same', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    rmSync(session.transcript);
    session.hook('stop', 'Stop');
    expect(repo.state(session.id)).toMatchObject({ phase: 'idle', files_touched: ['a.txt'] });
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedPaths(id)).toEqual([
      '0/context.md',
      '0/evidence.json',
      '0/metadata.json',
      '0/prompt.txt',
      'metadata.json',
    ]);
  });

  variation('a transcript that is a folder, or half written, hurts nobody', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    rmSync(session.transcript);
    mkdirSync(session.transcript);
    session.hook('stop', 'Stop');
    rmSync(session.transcript, { recursive: true });
    writeFileSync(session.transcript, '{"type":"user","message":{"content":"create a.txt"}}\n{"type":"assis');
    expect(repo.commit('Add a', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('not a repository, and a bare one: hooks are silent, commands say what to do', (repo) => {
    const outside = repo.session();
    expect(outside.start()).toMatchObject({ code: 0, stdout: '' });
    outside.prompt('hello');
    outside.stop();
    expect(repo.exists('.entire')).toBe(false);
    const refused = repo.tryEntire('enable', '--agent', 'claude-code');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^Error: /);
    expect(refused.stderr).toMatch(/\nHint: /);

    repo.git('init', '--quiet', '--bare', '.');
    outside.prompt('hello');
    expect(repo.tryEntire('enable', '--agent', 'claude-code').code).toBe(1);
  });

  variation('entire missing from PATH: git commits as if it were not there', (repo) => {
    repo.ready();
    withWork(repo);
    repo.git('add', 'a.txt');
    const path = (process.env.PATH ?? '')
      .split(':')
      .filter((dir) => dir !== repo.build.bin)
      .join(':');
    const result = repo.run('git', ['commit', '-m', 'Add a'], { env: { PATH: path } });
    expect(result.code).toBe(0);
    expect(result.stderr).not.toContain('entire');
  });

  variation('a hooked commit goes through when the sessions folder is a file', (repo) => {
    repo.ready();
    withWork(repo);
    rmSync(join(repo.commonDir, 'entire-sessions'), { recursive: true });
    writeFileSync(join(repo.commonDir, 'entire-sessions'), 'not a folder');
    const session = repo.session();
    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    repo.commit('Add a', 'a.txt');
    expect(repo.logText()).toContain('ENOTDIR');
    rmSync(join(repo.commonDir, 'entire-sessions'));
  });

  variation('unknown agents and verbs do nothing', (repo) => {
    repo.ready();
    for (const args of [
      ['bogus', 'stop'],
      ['claude-code', 'bogus'],
      ['claude-code'],
      ['git', 'bogus'],
      ['__proto__', 'stop'],
    ]) {
      const result = repo.run('entire', ['hooks', ...args], { input: '{"session_id":"s1"}' });
      expect(result, args.join(' ')).toMatchObject({ code: 0, stdout: '' });
    }
  });
});
