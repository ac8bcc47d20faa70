/**
 * `entire session chat` and what can go wrong with it. Real clients answer in `integration/clients/`; here a program stands in
 * for Claude Code that does what no real one does on demand: says nonsense, is deaf, dies.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ANSWERS, type Kept, keptOf, standIn, wordsOf } from '../support/agent/stand-in.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('entire session chat', () => {
  onBothBuilds('is kept, and goes on by the beginning of its id', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    expect(repo.entire('session', 'chat', 'hello').stdout).toBe('HELLO\n');
    const [first] = keptOf(repo);
    const id = first?.session_id ?? '';
    const again = repo.entire('session', 'chat', '--resume', id.slice(0, -2), 'once', 'more');
    expect(again.stderr).toContain(`entire session chat --resume ${id}`);
    const [kept] = keptOf(repo);
    expect(wordsOf(kept as Kept)).toEqual(['hello', 'HELLO', 'once more', 'ONCE MORE']);
    expect(kept?.metadata).toMatchObject({ agent: 'claude-code', cwd: repo.dir, title: 'hello' });
    const own = first?.metadata.agent_memory as { readonly session_id: string } | undefined;
    expect(kept?.metadata.agent_memory).toMatchObject({ session_id: own?.session_id });
  });

  variation('each run has a log of its own, named after the agent and the time', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    repo.entire('session', 'chat', 'hello');
    const [kept] = keptOf(repo);
    const id = kept?.session_id ?? '';
    repo.entire('session', 'chat', '--resume', id, 'again');
    const folder = join(repo.home, '.entire', 'eventlog');
    const [first = '', second = ''] = readdirSync(folder).sort();
    expect(first).toBe(id);
    expect(second).toMatch(/^claude-code-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}$/);
    const own = kept?.metadata.agent_memory as { readonly session_id: string } | undefined;
    const runs = [first, second].map((run) =>
      JSON.parse(readFileSync(join(folder, run, 'run.json'), 'utf8')),
    );
    expect(runs).toMatchObject([
      { run_id: first, session_id: id, cli_origin: 'claude-code', title: 'hello' },
      { run_id: second, session_id: id, agent_session_id: own?.session_id },
    ]);
    const lines = readFileSync(join(folder, second, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'prompt', text: 'again' },
      { type: 'text', text: 'AGAIN' },
      { type: 'usage' },
      { type: 'turn_end' },
    ]);
    repo.entire('session', 'chat', '--resume', second, 'by the id of a run');
    expect(keptOf(repo)).toHaveLength(1);
  });

  variation('--fork leaves the session as it is', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    repo.entire('session', 'chat', 'hello');
    const [first] = keptOf(repo);
    repo.entire('session', 'chat', '--fork', first?.session_id ?? '', 'aside');
    const [parent, fork] = keptOf(repo).sort((a, b) => a.messages.length - b.messages.length);
    expect(parent).toEqual(first);
    expect(fork?.parent_id).toBe(first?.session_id);
    // What stands in for the client keeps no transcript that could be copied, so it is told what was said.
    expect(fork?.messages.at(-1)?.content).toContain('USER: HELLO');
  });

  variation('--json prints a line for each event', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    const { stdout, stderr } = repo.entire('session', 'chat', '--json', 'hello');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(['text', 'usage', 'end', 'session']);
    expect(lines[2]).toEqual({ type: 'end', text: 'HELLO', stopped: null });
    expect(lines[3]).toEqual({ type: 'session', session_id: keptOf(repo)[0]?.session_id });
    expect(stderr).toBe('');
  });

  variation('a message may come on stdin, and be long', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    const long = `${'line\n'.repeat(200_000)}end`;
    const { stdout } = repo.run('entire', ['session', 'chat'], { input: long });
    expect(stdout.length).toBe(long.length + 1);
  });

  variation('nothing an agent says reaches the terminal but text', (repo) => {
    repo.init();
    standIn(repo, ANSWERS.replace('message.content.toUpperCase()', "'\\u001b[31mred\\u0007 \\u202etxet'"));
    expect(repo.entire('session', 'chat', 'hello').stdout).toBe('red txet\n');
  });
});

describe('entire session fork', () => {
  variation('keeps a copy of a session that has its own way, and a name', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    repo.entire('session', 'chat', 'hello');
    const [first] = keptOf(repo);
    const { stdout } = repo.entire('session', 'fork', first?.session_id ?? '', '--branch', 'idea', '--json');
    const { session_id, parent_id } = JSON.parse(stdout);
    expect(parent_id).toBe(first?.session_id);
    const fork = keptOf(repo).find((one) => one.session_id === session_id);
    expect(fork).toMatchObject({
      parent_id,
      messages: first?.messages,
      metadata: { branch: 'idea', title: 'hello' },
    });
    repo.entire('session', 'chat', '--resume', session_id, 'there');
    expect(keptOf(repo).find((one) => one.session_id === parent_id)).toEqual(first);
    const refused = repo.tryEntire('session', 'fork', 'nobody');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('no session is kept under nobody'),
    ]);
  });
});

describe('wrong use', () => {
  variation('says what is wrong, and keeps nothing', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    const refused = (args: readonly string[], words: string, code = 2): void => {
      const result = repo.tryEntire('session', ...args);
      expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(words)]);
    };
    refused(['chat'], 'there is nothing to say');
    refused(['chat', '--agent', 'nobody', 'hi'], 'unknown agent: nobody');
    refused(['chat', '--agent', 'cursor', 'hi'], 'cannot be driven', 1);
    refused(['chat', '--resume', 'a', '--fork', 'b', 'hi'], 'cannot specify both --resume and --fork');
    refused(['chat', '--silence', 'x', 'hi'], '--silence takes a number');
    refused(['chat', '--resume', 'nobody', 'hi'], 'no session is kept under nobody', 1);
    refused(['chat', '--resume', '../../etc/passwd', 'hi'], 'no session is kept under', 1);
    refused(['delete'], 'missing argument: <session>...');
    refused(['delete', 'nobody'], 'no session is kept under nobody', 1);
    refused(['dance'], 'unknown command "dance" for "entire session"');
    expect(repo.tryEntire('session', 'chat', 'hi').code).toBe(0);
  });

  variation('delete forgets sessions, all of them or none', (repo) => {
    repo.init();
    standIn(repo, ANSWERS);
    repo.entire('session', 'chat', 'one');
    repo.entire('session', 'chat', 'two');
    const ids = keptOf(repo).map(({ session_id }) => session_id);
    expect(repo.tryEntire('session', 'delete', ids[0] ?? '', 'nobody').code).toBe(1);
    expect(keptOf(repo)).toHaveLength(2);
    repo.entire('session', 'delete', ...ids);
    expect(keptOf(repo)).toEqual([]);
  });
});

describe('an agent that fails', () => {
  variation('is not installed: says so before anything is said', (repo) => {
    repo.init();
    repo.variables = { PATH: repo.build.bin };
    const result = repo.tryEntire('session', 'chat', '--agent', 'claude-code', 'hello');
    repo.variables = {};
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('Claude Code is not installed');
    expect(existsSync(join(repo.home, '.entire'))).toBe(false);
  });

  variation('says nonsense and ends: the turn has failed', (repo) => {
    repo.init();
    standIn(repo, "console.log('{]'); console.log('null'); console.error('out of cheese'); process.exit(3);");
    const { code, stderr } = repo.tryEntire('session', 'chat', 'hello');
    expect(code).toBe(1);
    expect(stderr).toContain('ended with 3 in the middle of the turn: out of cheese');
    expect(keptOf(repo)[0]?.messages.at(-1)).toMatchObject({ stopped: 'failed' });
  });

  variation('is silent: it is given up after a while', (repo) => {
    repo.init();
    standIn(repo, 'setInterval(() => {}, 1000);');
    const { code, stderr } = repo.tryEntire('session', 'chat', '--silence', '0.02', 'hello');
    expect([code, stderr]).toEqual([1, expect.stringContaining('was silent for')]);
    expect(keptOf(repo)[0]?.messages.at(-1)).toMatchObject({ stopped: 'timed-out' });
  });

  variation('is deaf: Ctrl-C ends the turn all the same, and the agent with it', async (repo) => {
    repo.init();
    const pidFile = join(repo.scratch, 'pid');
    standIn(
      repo,
      `process.on('SIGINT', () => {}); process.on('SIGTERM', () => {});
       require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
       console.log(JSON.stringify({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'begun' }] } }));
       setInterval(() => {}, 1000);`,
    );
    const child = spawn(join(repo.build.bin, 'entire'), ['session', 'chat', 'hello'], {
      ...{ cwd: repo.dir, env: repo.env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let printed = '';
    child.stdout?.on('data', (part) => {
      printed += part;
      if (printed === 'begun') child.kill('SIGINT');
    });
    const code = await new Promise((fulfil) => child.on('close', fulfil));
    expect(code).toBe(130);
    expect(keptOf(repo)[0]?.messages.at(-1)).toMatchObject({ content: 'begun', stopped: 'cancelled' });
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
  });
});

describe('entire session chat that is told to end', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    variation(`${signal}: the agent ends with it, and what was said is kept`, async (repo) => {
      repo.init();
      const pidFile = join(repo.scratch, 'pid');
      standIn(
        repo,
        `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
         console.log(JSON.stringify({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'begun' }] } }));
         setInterval(() => {}, 1000);`,
      );
      const child = spawn(join(repo.build.bin, 'entire'), ['session', 'chat', 'hello'], {
        ...{ cwd: repo.dir, env: repo.env, stdio: ['ignore', 'pipe', 'pipe'] },
      });
      child.stdout?.once('data', () => child.kill(signal));
      const code = await new Promise((fulfil) => child.on('close', fulfil));
      expect(code).toBe(signal === 'SIGTERM' ? 143 : 129);
      expect(keptOf(repo)[0]?.messages.at(-1)).toMatchObject({ content: 'begun', stopped: 'cancelled' });
      expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
    });
});

describe('entire session chat that is killed, or has no time', () => {
  /** Says that it has begun, and then nothing more, whatever it is told; ends with its stdin. */
  const begins = (pidFile: string): string => `
    process.on('SIGTERM', () => {});
    require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
    const out = (value) => console.log(JSON.stringify(value));
    out({ type: 'system', subtype: 'init', session_id: 'own' });
    out({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'begun' }] } });
    process.stdin.on('end', () => process.exit()).resume();
    setInterval(() => {}, 1000);`;

  const isGone = (pidFile: string): boolean => {
    try {
      return !process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    } catch {
      return true;
    }
  };

  async function begin(repo: TestRepo) {
    repo.init();
    const pidFile = join(repo.scratch, 'pid');
    standIn(repo, begins(pidFile));
    const child = spawn(join(repo.build.bin, 'entire'), ['session', 'chat', 'hello'], {
      ...{ cwd: repo.dir, env: repo.env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    const ended = new Promise((fulfil) => child.on('exit', fulfil));
    await new Promise((fulfil) => child.stdout?.once('data', fulfil));
    const keptWords = () => wordsOf((keptOf(repo)[0] ?? { messages: [] }) as Kept);
    await expect.poll(keptWords, { timeout: 20_000 }).toEqual(['hello', 'begun']);
    return { child, ended, pidFile };
  }

  variation('kill -9 keeps the turn as far as it came, and the agent hears no more', async (repo) => {
    const { child, ended, pidFile } = await begin(repo);
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => isGone(pidFile), { timeout: 10_000 }).toBe(true);
    const [kept] = keptOf(repo);
    expect(kept?.messages).toMatchObject([{ content: 'hello' }, { content: 'begun', stopped: 'unfinished' }]);
    expect(repo.entire('session', 'show', kept?.session_id ?? '').stdout).toContain(
      'The turn was running when this was kept; how it went on is not known.',
    );
    expect(kept?.metadata.agent_memory).toMatchObject({ session_id: 'own', told_at: 0 });
    standIn(repo, ANSWERS);
    repo.entire('session', 'chat', '--resume', kept?.session_id ?? '', 'again');
    expect(wordsOf(keptOf(repo)[0] as Kept)).toEqual(['hello', 'begun', 'again', 'AGAIN']);
  });

  variation('SIGTERM twice leaves at once, and leaves no agent behind', async (repo) => {
    const { child, ended, pidFile } = await begin(repo);
    const begun = performance.now();
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGTERM'), 300);
    expect(await ended).toBe(143);
    expect(performance.now() - begun).toBeLessThan(4_500); // sooner than a deaf agent is asked again
    await expect.poll(() => isGone(pidFile), { timeout: 10_000 }).toBe(true);
    expect(wordsOf(keptOf(repo)[0] as Kept)).toEqual(['hello', 'begun']);
  });
});
