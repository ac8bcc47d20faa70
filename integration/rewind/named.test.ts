import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { AgentSession } from '../support/agent/session.ts';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

describe('the point that one goes back to', () => {
  scenario('stands behind the command, or behind --to, and not both', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' }, { 'a.txt': 'two\n' });
    const { id } = stepOf(temporary(repo), 'Turn 1');
    const dry = repo.entire('rewind', id.slice(0, 7), '--dry-run');
    expect(dry.stdout).toContain('  Would restore: a.txt\n');
    expect(dry.stderr).toContain(`  Cuts off 1 later turn of session ${session.id}: “turn 2”\n`);
    expect(repo.tryEntire('rewind', id, '--to', id).stderr).toContain('cannot specify both a point and --to');
    repo.entire('rewind', id.slice(0, 7));
    expect(repo.read('a.txt')).toBe('one\n');
    expect(repo.entire('rewind', '--help').stdout).toContain('entire rewind [<point>]');
  });

  variation('is no session: its newest turns are named, and how to go on with it', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' }, { 'b.txt': 'two\n' });
    const short = session.id.slice(0, 8);
    for (const word of [session.id, session.id.slice(0, 6), 'turn 1']) {
      const { code, stderr } = repo.tryEntire('rewind', '--to', word);
      expect(code).toBe(1);
      expect(stderr).toContain(`${word} is a session, not a point\n`);
      expect(stderr).toContain(
        `the newest first: \`entire rewind --to ${short}:2\`, \`entire rewind --to ${short}:1\`. \`entire resume ${short}\` continues it.`,
      );
    }
    goBack(repo, `${short}:1`);
    expect(repo.exists('b.txt')).toBe(false);
  });

  variation('of another worktree: it is said which has it', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    const { id } = stepOf(temporary(repo), 'Write a.txt');
    const other = join(repo.scratch, 'other');
    repo.git('worktree', 'add', '--quiet', other);
    for (const word of [id, `${session.id}:1`]) {
      const { code, stderr } = repo.run('entire', ['rewind', '--to', word], { cwd: other });
      expect(code).toBe(1);
      expect(stderr).toContain(`session ${session.id.slice(0, 8)} works in ${repo.dir}\n`);
    }
  });

  variation('of a worktree with a space in its name: the command that goes there can be typed', (repo) => {
    repo.ready();
    const dir = join(repo.scratch, 'my other');
    repo.git('worktree', 'add', '--quiet', '-b', 'other', dir);
    const { home } = repo;
    const places = { repo: dir, home };
    const hook = (...args: Parameters<TestRepo['hook']>) => repo.hook(...args);
    const session = new AgentSession({ dir, home, places, hook }, randomUUID());
    session.prompt('write');
    session.edit('a.txt', 'one\n');
    session.stop();
    const { stderr } = repo.tryEntire('rewind', '--to', `${session.id}:1`);
    expect(stderr).toContain(`Hint: Go back there: cd '${dir}'\n`);
  });
});
