import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { CLAUDE, json, putOwn, putRun, RUN } from '../support/agent/kept-sessions.ts';
import { ANSWERS, keptOf, standIn } from '../support/agent/stand-in.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Two turns, each a call of its own. @returns the id of the session */
function talk(repo: TestRepo): string {
  standIn(repo, ANSWERS);
  repo.entire('session', 'chat', 'hello');
  const id = keptOf(repo)[0]?.session_id ?? '';
  repo.entire('session', 'chat', '--resume', id, 'again');
  return id;
}

const logsOf = (repo: TestRepo): string[] => readdirSync(join(repo.home, '.entire/eventlog'));

describe('entire session delete', () => {
  onBothBuilds('takes the id that lists show, and says that the log stays', (repo) => {
    repo.init();
    const id = talk(repo);
    const [, row = ''] = repo.entire('session', 'list').stdout.split('\n');
    const short = row.split(' ')[0] ?? '';
    expect(short).toHaveLength(8);
    expect(repo.entire('session', 'delete', short).stdout).toBe(
      `Deleted ${id}.\nIts log stays: \`entire session delete --log ${id}\` deletes it.\n`,
    );
    expect(keptOf(repo)).toEqual([]);
    expect(logsOf(repo)).toHaveLength(2);
  });

  variation('what is left in its log is listed and shown as that, all of its turns', (repo) => {
    repo.init();
    const id = talk(repo);
    expect(json(repo, 'list')).toMatchObject([{ session_id: id, kind: 'run', stored: true }]);
    repo.entire('session', 'delete', id);
    expect(json(repo, 'list')).toMatchObject([{ session_id: id, kind: 'run', stored: false }]);
    expect(repo.entire('session', 'list').stdout).toContain(' (log only) hello ');
    const { stdout } = repo.entire('session', 'show', id, '--no-commits');
    expect(stdout).toMatch(/^Kept: +only the log: the session was deleted, or never kept$/m);
    expect(stdout).toMatch(/hello\n[\s\S]*HELLO\n[\s\S]*again\n[\s\S]*AGAIN/);
  });

  variation(
    'nobody goes on with a log: each command says what is left, and resume recommends none',
    (repo) => {
      repo.ready();
      const id = talk(repo);
      repo.entire('session', 'delete', id);
      for (const args of [
        ['session', 'chat', '--resume', id, 'more'],
        ['session', 'chat', '--fork', id, 'more'],
        ['session', 'fork', id],
        ['session', 'export', id],
        ['session', 'delete', id],
        ['resume', id],
        ['resume', id.slice(-8)],
      ]) {
        const refused = repo.tryEntire(...args);
        expect([refused.code, refused.stdout, refused.stderr], args.join(' ')).toEqual([
          1,
          '',
          `Error: of ${id} only the log is left: it was deleted, or never kept.\n` +
            `Hint: \`entire session show ${id}\` shows it, \`entire session delete --log ${id}\` deletes it.\n`,
        ]);
      }
      expect(repo.tryEntire('resume')).toMatchObject({ stderr: 'No session found in this repository\n' });
      expect(keptOf(repo)).toEqual([]);
    },
  );

  variation('--log deletes the logs as well, with the session or afterwards', (repo) => {
    repo.init();
    const id = talk(repo);
    expect(repo.entire('session', 'delete', id.slice(0, -2), '--log').stdout).toBe(
      `Deleted ${id} and its log.\n`,
    );
    expect(logsOf(repo)).toEqual([]);
    putRun(repo, [{ type: 'prompt', text: 'Paint it blue' }]);
    expect(repo.entire('session', 'delete', '--log', '7f3a91c2').stdout).toBe(`Deleted the log of ${RUN}.\n`);
    expect(logsOf(repo)).toEqual([]);
    expect(json(repo, 'list')).toEqual([]);
  });

  variation('what its agent keeps is left, and can be gone on with in the agent', (repo) => {
    repo.ready();
    const file = putOwn(repo, 'claude-code', CLAUDE);
    const refused = repo.tryEntire('session', 'delete', CLAUDE.slice(0, 8));
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `Error: ${CLAUDE} is kept by Claude Code, not by Entire: nothing was deleted.\nHint: Delete it there.\n`,
    ]);
    putRun(repo, [{ type: 'prompt', text: 'Paint it blue' }], { agent_session_id: CLAUDE }, 'claude-code');
    expect(repo.entire('resume').stderr).toContain(`  claude -r ${CLAUDE}`);
    repo.entire('session', 'delete', '--log', CLAUDE);
    expect(logsOf(repo)).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });

  variation('one that cannot be read is deleted by its id, and nothing else that begins so', (repo) => {
    repo.init();
    talk(repo);
    const folder = join(repo.home, '.entire/sessions');
    writeFileSync(join(folder, 'torn.json'), '');
    writeFileSync(join(folder, 'torn-too.json'), '{"session_id":"torn-too"');
    expect(repo.entire('session', 'delete', 'torn').stdout).toBe('Deleted torn.\n');
    expect(existsSync(join(folder, 'torn-too.json'))).toBe(true);
  });
});
