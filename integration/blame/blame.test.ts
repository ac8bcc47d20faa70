import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { BLAME, blame, classes } from '../support/command/blame.ts';
import { addWork, withWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectGolden } from '../support/runner/golden.ts';

/** An Edit as today's client notes it: the lines before and after, beside the answer. */
function edit(session: AgentSession, repo: TestRepo, path: string, before: string, after: string): void {
  repo.write(path, repo.read(path).replace(before, after));
  const file = join(repo.dir, path);
  const id = `toolu_${session.id.slice(0, 4)}edit${before.length}${after.length}`;
  const input = { file_path: file, old_string: before, new_string: after };
  const patch = [
    ...before.split('\n').map((line) => `-${line}`),
    ...after.split('\n').map((line) => `+${line}`),
  ];
  const common = { timestamp: '2026-02-01T00:00:00Z' };
  session.write({
    ...common,
    type: 'assistant',
    message: { id: `m${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name: 'Edit', input }] },
  });
  session.write({
    ...common,
    type: 'user',
    message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: 'ok' }] },
    toolUseResult: { filePath: file, structuredPatch: [{ lines: patch }] },
  });
  session.reportEdit(path);
}

describe('blame', () => {
  variation('lines stand behind the file, too, as compilers write them', (repo) => {
    withWork(repo, { 'a.txt': 'one\ntwo\nthree\n', 'b:1': 'b\n' });
    const lines = (...args: string[]) => repo.entire('blame', ...args).stdout;
    expect(lines('a.txt:2')).toBe(lines('a.txt', '-L', '2,2'));
    expect(lines('a.txt:2:14')).toBe(lines('a.txt', '-L', '2,2'));
    for (const word of ['a.txt:1-2', 'a.txt:1,2']) expect(lines(word)).toBe(lines('a.txt', '-L', '1,2'));
    expect(lines('b:1')).toContain('1) b\n');
    expect(repo.tryEntire('blame', 'none.txt:2').stderr).toContain('none.txt:2');
  });

  onBothBuilds('tells the lines of an agent, of a person, and unknown ones apart', (repo) => {
    repo.init().write('poem.txt', 'from before\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Before Entire');
    repo.entire('enable', '--agent', 'claude-code');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Enable entire');
    repo.write('poem.txt', 'from before\nby hand\n');
    repo.commit('By hand', 'poem.txt');
    const session = repo.session('aaaaaaaa-1111-2222-3333-444444444444');
    session.prompt('write a poem');
    session.edit('poem.txt', 'from before\nby hand\nroses are red\n\nviolets are blue\n');
    session.stop();
    repo.write('poem.txt', 'from before\nby hand\nroses are red\n\nviolets are blue\nsaid I\n');
    const id = repo.commit('Poem', 'poem.txt');
    repo.write('poem.txt', `${repo.read('poem.txt')}not yet\n`);

    const report = blame(repo, 'poem.txt');
    expect(report.lines.map((line) => `${line.class}:${line.reason} ${line.text}`)).toEqual([
      'unknown:no-record from before',
      'human:no-session by hand',
      'agent:written roses are red',
      'agent:neighbours ',
      'agent:written violets are blue',
      'human:not-written said I',
      'human:untouched not yet',
    ]);
    expect(report.counts).toEqual({ agent: 3, human: 3, unknown: 1 });
    expect(report.sessions).toEqual([
      { session_id: session.id, agent: 'Claude Code', checkpoint: id, prompt: 'write a poem' },
    ]);
    expect(report.lines.at(-1)).toMatchObject({ commit: null, author: null });
    expectGolden(repo, 'blame.txt', repo.entire('blame', 'poem.txt').stdout);
    expectGolden(repo, 'blame-range.txt', repo.entire('blame', 'poem.txt', '-L', '2,3').stdout);
    // As it was in a commit, and from another folder.
    mkdirSync(join(repo.dir, 'sub'));
    const inside = repo.run('entire', ['blame', '../poem.txt', '--rev', 'HEAD~1', '--json'], {
      cwd: join(repo.dir, 'sub'),
    });
    expect(BLAME.parse(JSON.parse(inside.stdout)).lines).toHaveLength(2);
  });

  variation('several sessions and commits: each line has its own, also before it is committed', (repo) => {
    const first = withWork(repo, { 'a.txt': 'line of the first\n' });
    const id = repo.commit('First', 'a.txt');
    const second = repo.session();
    second.prompt('add a line');
    edit(second, repo, 'a.txt', 'line of the first', 'line of the first\nline of the second');
    second.stop();
    repo.write('a.txt', `${repo.read('a.txt')}mine alone\n`);
    const expected = (checkpoint: string | null) => [
      { class: 'agent', session_id: first.id, checkpoint: id },
      { class: 'agent', session_id: second.id, checkpoint },
      { class: 'human', session_id: null, checkpoint: null },
    ];
    expect(blame(repo, 'a.txt').lines).toMatchObject(expected(null));
    const later = repo.commit('Second', 'a.txt');
    expect(blame(repo, 'a.txt').lines).toMatchObject(expected(later as string));
  });

  variation(
    'what a shell command may have written is unknown, and what it reports is the agent’s',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('make it');
      session.edit('a.txt', 'written by a tool\n');
      session.shell(() => repo.write('a.txt', 'written by a tool\nsed did this\n'));
      session.stop();
      repo.commit('Add a', 'a.txt');
      expect(classes(repo, 'a.txt')).toEqual(['agent:written', 'unknown:unseen']);
      expect(repo.entire('blame', 'a.txt').stdout).toMatch(
        /agent 1 \(50%\), human 0 \(0%\), unknown 1 \(50%\)\n$/,
      );
    },
  );

  variation('what a sub-agent wrote is its session’s, and what is not is a person’s', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session);
    task.start();
    task.edit('a.txt', 'by the sub-agent\n');
    task.edit('b.txt', 'another file of it\n');
    task.result();
    task.finish();
    session.stop();
    repo.write('a.txt', 'by the sub-agent\nby hand\n');
    const id = repo.commit('Add both', 'a.txt', 'b.txt') as string;
    expect(blame(repo, 'a.txt').lines).toMatchObject([
      { class: 'agent', session_id: session.id, checkpoint: id },
      { class: 'human', reason: 'not-written' },
    ]);
    expect(classes(repo, 'b.txt')).toEqual(['agent:written']);
  });

  variation('a sub-agent whose transcript is not stored may have written anything', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('ask a sub-agent');
    const task = new SubAgent(session, { layout: 'nowhere' });
    task.start();
    task.edit('a.txt', 'by the sub-agent\n');
    task.result();
    task.finish();
    session.stop();
    repo.commit('Add a', 'a.txt');
    expect(classes(repo, 'a.txt')).toEqual(['unknown:unseen']);
  });

  variation('a repository with SHA-256 ids, from a linked worktree', (repo) => {
    repo.init('--object-format=sha256').write('README.md', 'base\n');
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'init');
    repo.entire('enable', '--agent', 'claude-code');
    addWork(repo, { 'a.txt': 'one of them\n' });
    repo.commit('Add a', 'a.txt');
    repo.git('worktree', 'add', '--quiet', '../side');
    const { stdout } = repo.run('entire', ['blame', 'a.txt'], { cwd: join(repo.scratch, 'side') });
    expect(stdout).toContain('1 line: agent 1 (100%)');
    expect(repo.run('entire', ['why'], { cwd: join(repo.scratch, 'side') }).stdout).toContain('Linked:');
  });

  variation('a file that no session touched, in a commit that is linked for another', (repo) => {
    withWork(repo, { 'a.txt': 'one\n' });
    repo.write('mine.txt', 'mine\n');
    repo.commit('Both', 'a.txt', 'mine.txt');
    expect(classes(repo, 'mine.txt')).toEqual(['human:untouched']);
  });

  variation('work that an earlier commit left out is still known as the session’s', (repo) => {
    const session = withWork(repo, { 'a.txt': 'one thing\n', 'b.txt': 'another thing\n' });
    repo.commit('Add a', 'a.txt');
    addWork(repo, { 'c.txt': 'a third thing\n' }, session);
    repo.commit('Add b', 'b.txt');
    expect(classes(repo, 'b.txt')).toEqual(['agent:written']);
  });

  variation('a rename is followed, and white space does not count', (repo) => {
    withWork(repo, { 'a.txt': 'first line of it\n\tif (x) { y() }\nthird line of it\n' });
    repo.commit('Add a', 'a.txt');
    repo.git('mv', 'a.txt', 'b.txt');
    repo.git('commit', '--quiet', '-m', 'Rename');
    expect(classes(repo, 'b.txt')).toEqual(['agent:written', 'agent:written', 'agent:written']);
  });

  variation('a formatter between the edit and the commit', (repo) => {
    withWork(repo, { 'a.txt': 'if (x) {\ny()\n}\n' });
    repo.write('a.txt', 'if (x) {\n    y()\n}\n');
    repo.commit('Add a', 'a.txt');
    expect(classes(repo, 'a.txt')).toEqual(['agent:written', 'agent:written', 'agent:neighbours']);
  });

  variation('a line with a secret, which the stored transcript does not have', (repo) => {
    const secret = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fH3jL5'}`;
    withWork(repo, { 'a.txt': `const token = '${secret}';\nplain line\n` });
    const id = repo.commit('Add a', 'a.txt');
    expect(repo.stored(id as string, '0/full.jsonl')).not.toContain(secret);
    expect(classes(repo, 'a.txt')).toEqual(['agent:written', 'agent:written']);
  });

  variation('a checkpoint that is not in this clone', (repo) => {
    withWork(repo);
    repo.commit('Add a', 'a.txt');
    repo.git('branch', '--quiet', '-D', 'entire/checkpoints/v1');
    expect(classes(repo, 'a.txt')).toEqual(['unknown:checkpoint-missing']);
  });

  variation(
    'a brace that stayed where the lines above it were changed since is still its session’s',
    (repo) => {
      const session = withWork(repo, { 'a.js': 'function one() {\n  return 1;\n}\n' });
      repo.commit('Add a', 'a.js');
      session.prompt('Make it two');
      session.edit('a.js', 'function one() {\n  return 2;\n}\n');
      session.stop();
      expect(classes(repo, 'a.js')).toEqual(['agent:written', 'agent:written', 'agent:neighbours']);
      repo.write('a.js', 'function mine() {\n  return 3;\n}\n');
      expect(classes(repo, 'a.js').at(-1)).toBe('unknown:unseen'); // nothing is left that tells
    },
  );

  variation('some lines have the answers that they have in the whole file', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('write a function');
    session.edit('a.js', 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n');
    session.stop();
    repo.commit('Functions', 'a.js');
    repo.write('a.js', `${repo.read('a.js')}// mine\n`);
    const all = BLAME.parse(JSON.parse(repo.entire('blame', 'a.js', '--json').stdout)).lines;
    expect(all.map(({ class: kind }) => kind)).toEqual([...Array(7).fill('agent'), 'human']);
    for (const { line } of all) {
      const one = repo.entire('blame', 'a.js', '-L', `${line},${line}`, '--json').stdout;
      expect(BLAME.parse(JSON.parse(one)).lines).toEqual([all[line - 1]]);
    }
  });

  variation('bad input: no such file, line, revision, or repository', (repo) => {
    expect(repo.tryEntire('blame', 'a.txt').code).toBe(1);
    repo.ready().write('untracked.txt', 'x\n').write('src/new.txt', 'x\n');
    for (const [args, message] of [
      [['nothing.txt'], /no such path|no such file|No such file|cannot stat/i],
      [['src'], /src is a folder, not a file/],
      [['README.md/x'], /no such path/],
      [['untracked.txt', '-L', '2,3'], /has only 1 line/],
      [['untracked.txt', '--rev', 'HEAD'], /no such path/],
      [['README.md', '-L', '90,99'], /has only 3 lines/],
      [['README.md', '-L', 'abc'], /no range of lines: abc\n.*-L 10,20/],
      [['README.md', '--rev', 'nowhere'], /commit not found: nowhere/],
      [['README.md', '--rev', '@{u}'], /commit not found: @\{u\}/],
      [['README.md', '--rev', 'HEAD@{99}'], /commit not found: HEAD@\{99\}/],
      [['README.md', '--rev=--all'], /commit not found: --all/],
      [['../outside.txt'], /no file of this worktree/],
      [[''], /no file of this worktree/],
      [['--', '-x'], /no such path|No such file|cannot stat/i],
    ] as const) {
      const { code, stdout, stderr } = repo.tryEntire('blame', ...args);
      expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' });
      expect(stderr, args.join(' ')).toMatch(message);
      expect(stderr).toMatch(/^Error: [^\n]*\n(Hint: .*\n)?$/);
    }
    expect(repo.tryEntire('blame').stderr).toContain('missing argument: <file>');
    repo.write('empty.txt', '');
    repo.commit('Empty', 'empty.txt');
    expect(repo.entire('blame', 'empty.txt').stdout).toBe(
      '0 lines: agent 0 (0%), human 0 (0%), unknown 0 (0%)\n',
    );
  });

  variation('odd names, foreign text and binary files cannot steer the terminal', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('make \u001b[2Jit');
    const name = 'tä "b"\u001b[31m.txt';
    session.edit(name, 'one \u001b[31mred\r\n');
    session.stop();
    repo.git('add', '.');
    repo.git('commit', '--quiet', '-m', 'Add', '--author', 'E\u001b[2Jve <eve@example.com>');
    const { stdout } = repo.entire('blame', name);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain('one red\n');
    expect(classes(repo, name)).toEqual(['agent:written']);
    expect(repo.entire('blame', name, '--json').stdout).not.toContain('\u001b');
    repo.run('sh', ['-c', 'head -c 5000 /dev/urandom > bin']);
    repo.commit('Binary', 'bin');
    expect(repo.entire('blame', 'bin').stdout).not.toMatch(/[\u0000-\u0008\u001b]/);
  });
});
