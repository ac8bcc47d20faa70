/** A turn that had no stop: it ends where its agent is known to have been at work last, and what came later is the user's. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { Client } from '../support/agent/client.ts';
import type { AgentSession } from '../support/agent/session.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A turn in which a tool wrote `tool.js` and a shell `shell.txt`. */
function work(repo: TestRepo, session: AgentSession, prompt: string): void {
  session.prompt(prompt);
  session.edit('tool.js', 'tool\n');
  repo.write('shell.txt', 'shell\n');
  session.tool('Bash', { command: 'echo shell > shell.txt; sleep 60' });
}

async function interrupt(session: AgentSession): Promise<void> {
  const content = [{ type: 'text', text: '[Request interrupted by user for tool use]' }];
  session.write({ type: 'user', message: { role: 'user', content } });
  await setTimeout(50); // clocks of file systems lag behind
}

/** The same by a client that is killed then. */
async function killedIn(repo: TestRepo, prompt: string): Promise<AgentSession> {
  const client = await Client.start(repo);
  const session = client.session();
  work(repo, session, prompt);
  await client.killed();
  await setTimeout(50);
  return session;
}

function begin(repo: TestRepo): AgentSession {
  repo.ready().write('mine.js', 'one\n').git('add', '.');
  repo.git('commit', '--quiet', '-m', 'Mine');
  return repo.session();
}

const entries = (repo: TestRepo): unknown[] =>
  (JSON.parse(repo.entire('undo', '--list', '--json').stdout).undo as Record<string, unknown>[]).map(
    ({ subject, files, not_sure }) => [subject, (files as string[]).sort(), not_sure],
  );

describe('what the user does after Esc', () => {
  variation('stays, and is named', async (repo) => {
    const session = begin(repo);
    work(repo, session, 'write it');
    await interrupt(session);
    repo.write('new.txt', 'mine\n').write('mine.js', 'one\nmine\n').write('tool.js', 'tool\nmine\n');
    expect(entries(repo)).toEqual([['Write it', ['shell.txt', 'tool.js'], ['mine.js', 'new.txt']]]);
    const { stdout, code } = repo.tryEntire('undo', '--files', 'new.txt', 'mine.js', 'shell.txt');
    expect(stdout).toContain('deleted   shell.txt');
    expect(stdout).toMatch(/not sure {2}mine\.js: it changed after the agent was at work last; it stays/);
    expect(stdout).toContain('not sure  new.txt: ');
    expect(code).toBe(0);
    expect(repo.exists('shell.txt')).toBe(false);
    expect(repo.read('new.txt')).toBe('mine\n');
    expect(repo.read('mine.js')).toBe('one\nmine\n');
    expect(repo.tryEntire('undo').stdout).toContain('left      tool.js');
    expect(repo.read('tool.js')).toBe('tool\nmine\n');
  });

  variation('is no work of the session at the next prompt', async (repo) => {
    const session = begin(repo);
    work(repo, session, 'write it');
    await interrupt(session);
    repo.write('new.txt', 'mine\n').write('mine.js', 'one\nmine\n');
    session.prompt('write more');
    session.edit('more.js', 'more\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['more.js', 'shell.txt', 'tool.js']);
    expect(entries(repo)).toEqual([
      ['Write more', ['more.js'], []],
      ['Write it', ['shell.txt', 'tool.js'], ['mine.js', 'new.txt']],
    ]);
    repo.entire('undo');
    repo.entire('undo');
    expect(repo.read('mine.js')).toBe('one\nmine\n');
    expect(repo.exists('new.txt')).toBe(true);
    expect(['more.js', 'tool.js', 'shell.txt'].filter((path) => repo.exists(path))).toEqual([]);
  });
});

describe('what the user does after the client was killed', () => {
  variation('stays, and no other session waits for the dead one', async (repo) => {
    begin(repo);
    await killedIn(repo, 'write it');
    repo.write('new.txt', 'mine\n').write('mine.js', 'one\nmine\n');
    expect(entries(repo)).toEqual([['Write it', ['shell.txt', 'tool.js'], ['mine.js', 'new.txt']]]);
    const other = addWork(repo, { 'other.txt': 'other\n' });
    expect(repo.entire('undo').stdout).toContain(`[session ${other.id}]`);
    const { stdout, code } = repo.tryEntire('undo');
    expect(code).toBe(0);
    expect(stdout).toContain('not sure  new.txt: it changed after the agent was at work last');
    expect(['tool.js', 'shell.txt'].filter((path) => repo.exists(path))).toEqual([]);
    expect([repo.read('new.txt'), repo.read('mine.js')]).toEqual(['mine\n', 'one\nmine\n']);
  });
});

describe('a session whose client was killed in its turn', () => {
  variation('is told of by status, ended by doctor --fix, and still a step of its own', async (repo) => {
    begin(repo);
    const { id } = await killedIn(repo, 'write it');
    expect(repo.entire('status').stdout).toContain('its client ended in the middle of a turn');
    repo.write('new.txt', 'mine\n');
    expect(repo.entire('doctor', '--fix').stdout).toContain('Reason:  active, and its client has ended');
    expect(repo.state(id).phase).toBe('idle');
    expect(entries(repo)).toEqual([['Write it', ['shell.txt', 'tool.js'], ['new.txt']]]);
  });

  variation('is in the way of no reset', async (repo) => {
    begin(repo);
    const { id } = await killedIn(repo, 'write it');
    expect(repo.tryEntire('reset').stderr).not.toContain('Active sessions');
    expect(repo.entire('reset', '--force').stderr).toContain(`Cleared session state for ${id}`);
  });
});

describe('a turn that Esc ended is a step of its own', () => {
  variation('once the next one began', async (repo) => {
    const session = begin(repo);
    work(repo, session, 'write it');
    await interrupt(session);
    session.prompt('write more');
    session.edit('more.js', 'more\n');
    expect(entries(repo)).toEqual([
      ['Write more', ['more.js'], []],
      ['Write it', ['shell.txt', 'tool.js'], []],
    ]);
  });

  variation('also when the client was closed, or the session was resumed', async (repo) => {
    const [one, two] = [begin(repo), repo.session()];
    work(repo, one, 'write it');
    await interrupt(one);
    one.end();
    const all = [['Write it', ['shell.txt', 'tool.js'], []]];
    expect(entries(repo)).toEqual(all);
    repo.entire('undo');
    work(repo, two, 'write again');
    await interrupt(two);
    two.hook('session-start', 'SessionStart-startup', { source: 'resume' });
    expect(entries(repo)).toEqual([['Write again', ['shell.txt', 'tool.js'], []]]);
  });

  variation('with what was committed since', async (repo) => {
    const session = begin(repo);
    work(repo, session, 'write it');
    await interrupt(session);
    await setTimeout(1_000); // commits tell their time in seconds
    repo.write('mine.txt', 'mine\n').git('add', 'shell.txt', 'mine.txt');
    repo.git('commit', '--quiet', '-m', 'Commit');
    expect(entries(repo)).toEqual([['Write it', ['shell.txt', 'tool.js'], []]]);
    session.prompt('write more');
    session.edit('more.js', 'more\n');
    expect(entries(repo)).toEqual([
      ['Write more', ['more.js'], []],
      ['Write it', ['shell.txt', 'tool.js'], []],
    ]);
  });
});
