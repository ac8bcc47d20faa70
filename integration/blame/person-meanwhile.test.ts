import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { blame } from '../support/command/blame.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MINE = 'const typedByHand = compute(100);\n';
const THEIRS = 'const writtenByAgent = compute(333);\n';
const DONE = { stdout: '', stderr: '', interrupted: false };

/** Whose each line is, and how that is known. */
const told = (repo: TestRepo, path: string): string[] =>
  blame(repo, path).lines.map(({ class: kind, reason }) => `${kind} ${reason}`);

const WRITTEN = 'agent written';
const NOT_WRITTEN = 'human not-written';
const UNSEEN = 'unknown unseen';

/** A turn of a client that reports what its commands changed. */
function begin(repo: TestRepo, version: string | undefined = '2.1.330') {
  const session = repo.session();
  session.version = version;
  session.prompt('do it');
  const command = (words: string, answer: typeof DONE | string = DONE, act?: () => void) => {
    session.tool('Bash', { command: words }, { answer, ...(act && { act }) });
    session.hook('post-file-edit', 'PostToolUse-Bash', { tool_input: { command: words } });
  };
  return { session, command };
}

describe('blame: a person types into a file of a session, where commands report nothing', () => {
  const line = (repo: TestRepo, version: string | undefined, words: string, answer?: string) => {
    const { session, command } = begin(repo, version);
    session.edit('a.ts', THEIRS);
    command(words, answer);
    session.stop();
    repo.write('a.ts', `${THEIRS}${MINE}`);
    const waiting = told(repo, 'a.ts');
    repo.commit('Both', 'a.ts');
    expect(told(repo, 'a.ts')).toEqual(waiting);
    return waiting;
  };

  variation('of a version that reports what they changed: the line is the person’s', (repo) => {
    expect(line(repo.ready(), '2.1.330', 'npm test')).toEqual([WRITTEN, NOT_WRITTEN]);
  });

  variation('of another version: it may be the command’s', (repo) => {
    expect(line(repo.ready(), '2.1.0', 'npm test')).toEqual([WRITTEN, UNSEEN]);
  });

  variation('and one failed, of which nothing is reported: it may be that one’s', (repo) => {
    expect(line(repo.ready(), '2.1.330', 'npm test', 'Error: Exit code 1')).toEqual([WRITTEN, UNSEEN]);
  });

  variation('and one failed that only reads', (repo) => {
    expect(line(repo.ready(), '2.1.330', 'grep -n x a.ts', 'Error: Exit code 1')).toEqual([
      WRITTEN,
      NOT_WRITTEN,
    ]);
  });

  variation('in another worktree than theirs, at which the client does not look', (repo) => {
    repo.ready().git('worktree', 'add', '--quiet', '../other');
    const { session, command } = begin(repo);
    const other = join(repo.dir, '../other');
    session.edit(join(other, 'a.ts'), THEIRS);
    command('npm test');
    session.stop();
    repo.write('../other/a.ts', `${THEIRS}${MINE}`);
    repo.git('-C', other, 'add', 'a.ts');
    repo.git('-C', other, 'commit', '--quiet', '-m', 'Both');
    const { stdout } = repo.run('entire', ['blame', 'a.ts', '--json'], { cwd: other });
    const lines: { class: string; reason: string }[] = JSON.parse(stdout).lines;
    expect(lines.map(({ class: kind, reason }) => `${kind} ${reason}`)).toEqual([WRITTEN, UNSEEN]);
  });
});

describe('blame: a file that a person changed in a turn, and no tool touched', () => {
  const mine = (repo: TestRepo) => {
    const waiting = told(repo, 'mine.ts');
    repo.commit('Both', '.');
    expect(told(repo, 'mine.ts')).toEqual(waiting);
    return waiting;
  };

  variation('is the person’s where all that the turn did is on record', (repo) => {
    const { session, command } = begin(repo.ready());
    session.edit('a.ts', THEIRS);
    command('npm test', DONE, () => repo.write('mine.ts', MINE));
    session.stop();
    expect(mine(repo)).toEqual([NOT_WRITTEN]);
    expect(told(repo, 'a.ts')).toEqual([WRITTEN]);
  });

  variation('also where another turn goes on with it', (repo) => {
    const { session } = begin(repo.ready());
    repo.write('mine.ts', MINE);
    session.edit('a.ts', THEIRS);
    session.stop();
    session.prompt('and now this one');
    session.readFile('mine.ts');
    session.edit('mine.ts', `${MINE}${THEIRS}`);
    session.stop();
    expect(mine(repo)).toEqual([NOT_WRITTEN, WRITTEN]);
  });

  variation('is nobody’s where a command reported nothing, and may have written it', (repo) => {
    const { session, command } = begin(repo.ready(), '2.1.0');
    session.edit('a.ts', THEIRS);
    command('make', DONE, () => repo.write('mine.ts', MINE));
    session.stop();
    expect(mine(repo)).toEqual([UNSEEN]);
  });

  variation('is nobody’s where a sub-agent was at work whose transcript is not there', (repo) => {
    const { session } = begin(repo.ready());
    const sub = new SubAgent(session, { toolUseId: 'toolu_sub1', agentId: 'a7d87b824786' });
    sub.start();
    repo.write('mine.ts', MINE);
    session.tool('Agent', { description: 'do', prompt: 'do' });
    session.edit('a.ts', THEIRS);
    session.stop();
    expect(mine(repo).join()).toMatch(/^unknown/);
  });
});
