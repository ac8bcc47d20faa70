import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addPlugin, allowExternal, DemoSession, examplePlugin } from '../support/agent/external.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A repository in which the example's agent is set up. */
function withDemo(repo: TestRepo): DemoSession {
  addPlugin(allowExternal(repo.ready()), 'demo');
  repo.entire('agent', 'add', 'demo');
  return new DemoSession(repo);
}

describe('a session of an agent that is not built in', () => {
  variation('is recorded, linked and stored as any other', (repo) => {
    const session = withDemo(repo);
    session.hook('session-start');
    session.prompt('write two files');
    session.edit('one.txt', 'one\n');
    repo.write('two.txt', 'two\n'); // by its shell: no hook tells
    session.stop('Both are written.');
    expect(repo.entire('status').stdout).toContain('[Demo] demo-1');
    const step = /\(([0-9a-f]{7})\) Write two files/.exec(repo.entire('explain').stdout)?.[1] ?? '';
    expect(repo.entire('explain', '--checkpoint', step, '--full').stdout).toContain('Both are written.');

    const first = repo.commit('Add both', 'one.txt', 'two.txt') ?? '';
    const metadata = repo.storedJson(first, '0/metadata.json');
    expect(metadata).toMatchObject({
      agent: 'Demo',
      session_id: 'demo-1',
      files_touched: ['one.txt', 'two.txt'],
    });
    expect(repo.stored(first, '0/prompt.txt')).toBe('write two files');
    expect(repo.stored(first, '0/full.jsonl')).toContain('Both are written.');
    expect(repo.entire('explain', '--checkpoint', first, '--full').stdout).toContain('Both are written.');

    repo.write('mine.txt', 'mine\n');
    expect(repo.commit('Mine', 'mine.txt')).toBeUndefined();

    session.hook('compact');
    session.prompt('now a third');
    session.edit('three.txt', 'three\n');
    session.stop('Done.');
    session.hook('session-end');
    const second = repo.commit('Add a third', 'three.txt') ?? '';
    expect(repo.storedJson(second, '0/metadata.json')).toMatchObject({ files_touched: ['three.txt'] });
    expect(repo.stored(second, '0/prompt.txt')).toBe('write two files\n\n---\n\nnow a third');
    expect(repo.entire('explain', '--checkpoint', second).stdout).not.toContain('write two files');
    expect(repo.logText()).not.toContain('WARN');
  });

  variation('is linked by a commit in mid-turn, before anything but the edit is known', (repo) => {
    const session = withDemo(repo);
    session.prompt('write and commit');
    session.edit('one.txt', 'one\n');
    const id = repo.agentCommit('Add one', 'one.txt') ?? '';
    session.stop('Committed.');
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      agent: 'Demo',
      files_touched: ['one.txt'],
    });
    expect(repo.stored(id, '0/full.jsonl')).toContain('Committed.');
  });

  variation('has the files that its transcript names, of this turn and no other', (repo) => {
    const session = withDemo(repo);
    repo.variables = { ...repo.variables, ENTIRE_LOG_LEVEL: 'debug' };
    const other = repo.session();
    session.prompt('one');
    session.write('one.txt', '1\n');
    session.stop('one');
    other.prompt('something else'); // what is found by looking could be either's
    session.prompt('two');
    session.write('two.txt', '2\n');
    session.stop('two');
    expect(repo.logText()).toContain('"paths":["two.txt"]');
    expect(repo.entire('status').stdout).toContain('not committed yet: one.txt, two.txt');
  });

  variation('stays its own when a client runs the hooks of another agent, too', (repo) => {
    const session = withDemo(repo);
    session.prompt('write a file');
    session.edit('one.txt', 'one\n');
    repo.session(session.id).stop();
    expect(repo.logText()).toContain('"owner":"Demo"');
    session.stop('Done.');
    const id = repo.commit('Add one', 'one.txt') ?? '';
    expect(repo.storedJson(id, '0/metadata.json').agent).toBe('Demo');
  });

  variation('is called after what its transcript says, where no hook tells', (repo) => {
    const session = withDemo(repo);
    session.hook('prompt');
    session.say({ role: 'user', content: 'said to nobody else' });
    session.edit('one.txt', 'one\n');
    session.stop('Done.');
    expect(repo.entire('status').stdout).toContain('"said to nobody else"');
  });

  variation('has a transcript that only it can read, and its first prompt all the same', (repo) => {
    const session = withDemo(repo);
    session.prompt('write a file');
    writeFileSync(session.log, 'neither JSON\nnor anything else\n');
    repo.write('one.txt', 'one\n');
    session.hook('stop');
    const id = repo.commit('Add one', 'one.txt') ?? '';
    expect(repo.stored(id, '0/full.jsonl')).toContain('neither JSON');
    expect(repo.stored(id, '0/prompt.txt')).toBe('write a file');
    expect(repo.entire('explain', '--checkpoint', id, '--full').stdout).toContain(
      '\n> write a file\n\n(the transcript cannot be read)\n',
    );
  });

  variation('can be taken back and brought back', (repo) => {
    const session = withDemo(repo);
    session.prompt('change the readme');
    session.edit('README.md', 'by the agent\n');
    session.edit('new.txt', 'new\n');
    session.stop('Done.');
    expect(repo.entire('undo').stdout).toContain('Undoing: Change the readme (2 files');
    expect(repo.read('README.md')).toBe('# demo\n\nbase line\n');
    expect(repo.exists('new.txt')).toBe(false);
    repo.entire('redo');
    expect(repo.read('README.md')).toBe('by the agent\n');
    const { code, stderr } = repo.tryEntire('undo', '--conversation');
    expect([code, stderr]).toMatchObject([
      1,
      expect.stringContaining('how this agent keeps its conversations is not known'),
    ]);
  });

  variation('is resumed by the command that the executable names', (repo) => {
    const session = withDemo(repo);
    session.prompt('write a file');
    session.edit('one.txt', 'one\n');
    session.stop('Written.');
    repo.commit('Add one', 'one.txt');
    const kept = readFileSync(session.log, 'utf8');
    expect(repo.entire('resume', 'HEAD').stderr).toContain('demo --resume demo-1');
    rmSync(session.log);
    repo.entire('resume', 'HEAD');
    expect(readFileSync(session.log, 'utf8')).toBe(kept);
    const [log] = JSON.parse(repo.entire('resume', 'HEAD', '--json').stdout).sessions;
    expect(log).toMatchObject({ agent: 'Demo', path: session.log, command: ['demo', '--resume', 'demo-1'] });

    rmSync(join(repo.dir, '.entire/settings.local.json'));
    const { stderr } = repo.tryEntire('resume', 'HEAD');
    expect(stderr).toContain('has unknown agent "Demo", skipping (`entire agent list`');
    expect(repo.entire('explain', '--commit', 'HEAD', '--full').stdout).toContain('Written.'); // asks nobody
  });

  variation('keeps its transcript in a place that only the executable can read', (repo) => {
    allowExternal(repo.ready());
    const log = join(repo.scratch, 'database');
    const reader = `readFileSync(${JSON.stringify(log)})`;
    addPlugin(repo, 'demo', examplePlugin().replace("readFileSync(option('--session-ref'))", reader));
    writeFileSync(log, '{"role":"user","content":"hello there"}\n');
    const session = new DemoSession(repo);
    session.hook('prompt', { prompt: 'hello there', log: 'key:1' });
    repo.write('one.txt', 'one\n');
    writeFileSync(log, '{"role":"user","content":"hello there"}\n{"role":"assistant","content":"Hello."}\n');
    session.hook('stop', { log: 'key:1' });
    const id = repo.commit('Add one', 'one.txt') ?? '';
    expect(repo.stored(id, '0/full.jsonl')).toContain('Hello.');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe('sub-agents of an agent that is not built in', () => {
  variation('have a checkpoint of their own', (repo) => {
    addPlugin(allowExternal(repo.ready()), 'demo', AS_IT_IS);
    const tell = (event: object): void => {
      const input = JSON.stringify({ session_id: 'demo-1', ...event });
      expect(repo.run('entire', ['hooks', 'demo', 'any'], { input })).toEqual({
        code: 0,
        stdout: '',
        stderr: expect.any(String),
      });
    };
    tell({ type: 2, prompt: 'have somebody write it' });
    tell({
      type: 6,
      tool_use_id: 'task_1',
      tool_input: { subagent_type: 'writer', description: 'Write it' },
    });
    repo.write('one.txt', 'one\n');
    tell({ type: 7, tool_use_id: 'task_1', subagent_id: 'a1', modified_files: ['one.txt'] });
    tell({ type: 8, model: 'some-model' });
    tell({ type: 3 });
    const id = repo.commit('Add one', 'one.txt') ?? '';
    expect(repo.storedPaths(id)).toContain('tasks/task_1/checkpoint.json');
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['one.txt']);
  });
});

/** Its hooks say what they mean by themselves. */
const AS_IT_IS = `#!/bin/sh
case "$1" in
  info) echo '{"protocol_version":1,"type":"Demo","hook_names":["any"],"capabilities":{"hooks":true,"new":true},"later":1}' ;;
  parse-hook) cat ;;
  *) exit 2 ;;
esac
`;

describe('setting up an agent that is not built in', () => {
  variation('adds, lists and removes its hooks through the executable', (repo) => {
    addPlugin(allowExternal(repo.ready()), 'demo');
    const stand = (): unknown => list(repo).find(({ name }) => name === 'demo');
    expect(stand()).toMatchObject({ type: 'Demo', presence: 'unknown', hooks: 0, expected: 6 });
    expect(repo.entire('agent', 'add', 'demo').stdout).toBe('Installed 6 hooks for Demo - an example\n');
    expect(JSON.parse(repo.read('.demo/hooks.json')).stop).toBe('entire hooks demo stop');
    mkdirSync(join(repo.home, '.demo'));
    expect(stand()).toMatchObject({ presence: 'installed', hooks: 6 });
    expect(repo.entire('agent').stdout).toMatch(/^demo +6 of 6 hooks +installed$/m);
    expect(repo.entire('status', '--detailed').stdout).toContain('Demo: 6 hooks');
    expect(repo.entire('agent', 'remove', 'demo').stdout).toBe('Removed 6 hooks for Demo - an example\n');
    expect(repo.exists('.demo/hooks.json')).toBe(false);
    expect(repo.entire('agent', 'remove', 'demo').stdout).toBe(
      'No hooks for Demo - an example were installed\n',
    );
  });

  variation('works with enable alone, and uninstalling takes the hooks out', (repo) => {
    repo.init().write('README.md', '# demo\n');
    repo.commit('init', 'README.md');
    addPlugin(allowExternal(repo), 'demo');
    expect(repo.entire('enable', '--agent', 'demo').stdout).toContain('Agent: Demo');
    expect(JSON.parse(repo.read('.entire/settings.local.json'))).toEqual({
      external_agents: true,
      strategy_options: { push_sessions: false },
    });
    expect(repo.entire('enable').stdout).toContain(
      'Already enabled. Everything looks good.\n\n  Agent: Demo',
    );
    expect(repo.tryEntire('doctor').stdout).not.toContain('gent hooks');
    const { stdout } = repo.entire('disable', '--uninstall', '--force');
    expect(stdout).toContain('Demo');
    expect(repo.exists('.demo/hooks.json')).toBe(false);
  });

  variation('fails loud where the executable does, and keeps nobody else from being set up', (repo) => {
    const broken = examplePlugin().replace(
      "'install-hooks': () => {",
      "'install-hooks': () => { throw Error('read-only');",
    );
    addPlugin(allowExternal(repo.ready()), 'demo', broken);
    addPlugin(repo, 'nothing', '#!/bin/sh\nexit 7\n');
    const { code, stderr } = repo.tryEntire('agent', 'add', 'demo');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: .*entire-agent-demo install-hooks failed with exit code 1: .*read-only/);
    expect(stderr).toMatch(/^Hint: Run `.*entire-agent-demo install-hooks` by hand/m);
    expect(repo.tryEntire('agent', 'add', 'nothing').stderr).toContain(
      'entire-agent-nothing info failed with exit code 7',
    );
    expect(repo.entire('agent', 'list').stderr).toContain('Warning: agent nothing cannot be used');
    expect(repo.entire('agent', 'add', 'codex').stdout).toContain('Installed');
    expect(repo.tryEntire('agent', 'add', 'nobody').stderr).toContain('Unknown agent "nobody"');
  });
});

const list = (repo: TestRepo): { readonly name: string }[] =>
  JSON.parse(repo.entire('agent', '--json').stdout).agents;
