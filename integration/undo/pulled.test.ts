import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { asAgent, commitUnlinked, upstream } from '../support/repository/moved-head.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectUndone } from '../support/undo/view.ts';

/** Ten lines, further apart than git joins changes. */
const long = ({ above = '', within = '', last = '' } = {}): string =>
  `${above}1\n2\n3\n${within}4\n5\n6\n7\n8\n9\n10\n${last}`;

function pull(repo: TestRepo): void {
  repo.git('stash', '--quiet');
  repo.git('merge', '--quiet', '--ff-only', 'upstream');
  repo.git('stash', 'pop', '--quiet');
}

describe('undo leaves what a pull, or a commit that somebody else made, brought into a file of the turn', () => {
  for (const [how, line] of [
    ['a blank line', '\n'],
    ['a bracket', '}\n'],
    ['the same import', 'import x\n'],
  ] as const)
    variation(`where both added ${how}`, (repo) => {
      repo.ready();
      repo.write('f.txt', long()).commit('Begin', 'f.txt');
      const theirs = `theirs 1\n${line}theirs 2\n`;
      upstream(repo, { 'f.txt': long({ above: theirs }) });
      const session = repo.session();
      session.prompt('edit and pull');
      session.edit('f.txt', long({ within: line }));
      session.shell(() => pull(repo));
      session.shell(() => repo.write('f.txt', long({ above: theirs, within: line, last: 'shell\n' })));
      session.stop();
      expectUndone(repo, long({ above: theirs }));
    });

  variation('the agent replaced lines by a blank one', (repo) => {
    repo.ready();
    repo.write('f.txt', long()).commit('Begin', 'f.txt');
    const theirs = 'theirs 1\n\ntheirs 2\n';
    upstream(repo, { 'f.txt': long({ above: theirs }) });
    const session = repo.session();
    session.prompt('edit and pull');
    session.edit('f.txt', long().replace('8\n9\n', '\n'));
    session.shell(() => pull(repo));
    session.stop();
    expectUndone(repo, long({ above: theirs }));
  });

  variation('somebody committed upon what the agent had committed without a checkpoint', (repo) => {
    repo.ready();
    repo.write('f.txt', long()).commit('Begin', 'f.txt');
    const session = repo.session();
    session.prompt('edit');
    session.edit('f.txt', long({ within: 'tool\n' }));
    commitUnlinked(repo, 'f.txt');
    const elsewhere = join(repo.scratch, 'elsewhere');
    repo.git('worktree', 'add', '--quiet', '-b', 'upstream', elsewhere);
    writeFileSync(join(elsewhere, 'f.txt'), long({ above: 'theirs\n', within: 'tool\n' }));
    const there = { cwd: elsewhere, env: { ENTIRE: '0' } };
    repo.gitWith(there, 'commit', '--quiet', '-am', 'Theirs');
    session.shell(() => repo.git('merge', '--quiet', '--ff-only', 'upstream'));
    session.stop();
    expectUndone(repo, long({ above: 'theirs\n' }));
  });

  variation('the user committed it with a line of their own, and a shell went on', (repo) => {
    repo.ready();
    repo.write('f.txt', long()).commit('Begin', 'f.txt');
    const session = repo.session();
    session.prompt('edit');
    session.edit('f.txt', long({ within: 'tool\n' }));
    repo.write('f.txt', long({ above: 'mine\n', within: 'tool\n' }));
    commitUnlinked(repo, 'f.txt');
    session.shell(() => repo.write('f.txt', long({ above: 'mine\n', within: 'tool\n', last: 'shell\n' })));
    session.stop();
    expectUndone(repo, long({ above: 'mine\n' }));
  });
});

describe('undo takes out what the agent wrote before and after a pull, and leaves what that brought', () => {
  function edited(repo: TestRepo): AgentSession {
    repo.ready();
    repo.write('f.txt', long()).commit('Begin', 'f.txt');
    upstream(repo, { 'f.txt': long({ above: 'theirs\n' }) });
    const session = repo.session();
    session.prompt('edit and pull');
    session.edit('f.txt', long({ within: 'tool\n' }));
    return session;
  }

  const AFTER = long({ above: 'theirs\n', within: 'tool\n', last: 'shell\n' });

  variation('a command pulled, and the next one wrote', (repo) => {
    const session = edited(repo);
    session.shell(() => pull(repo));
    session.shell(() => repo.write('f.txt', AFTER));
    session.stop();
    expectUndone(repo, long({ above: 'theirs\n' }));
  });

  variation('one command did both', (repo) => {
    const session = edited(repo);
    session.shell(() => {
      pull(repo);
      repo.write('f.txt', AFTER);
    });
    session.stop();
    expectUndone(repo, long({ above: 'theirs\n' }));
  });

  variation('the agent committed, and then gave that up for what they have', (repo) => {
    const session = edited(repo);
    session.shell(() => repo.agentCommit('Agent', 'f.txt'));
    session.shell(() => repo.git('reset', '--quiet', '--hard', 'upstream'));
    session.stop();
    expectUndone(repo, long({ above: 'theirs\n' }));
  });

  variation('the client told what the pull changed', (repo) => {
    const session = edited(repo);
    session.shell(() => repo.agentCommit('Agent', 'f.txt'));
    session.stop();
    session.prompt('pull');
    repo.gitWith(asAgent, 'merge', '--quiet', '-m', 'Merge', 'upstream');
    const file = { filePath: join(repo.dir, 'f.txt'), hunks: [{ lines: ['+theirs'] }] };
    session.hook('post-file-edit', 'PostToolUse-Bash', {
      tool_response: { bashEditDiff: { files: [file], moreFiles: 0, changedFiles: [file.filePath] } },
    });
    session.tool('Bash', { command: 'git merge upstream' });
    session.shell(() => repo.write('g.txt', 'agent\n'));
    session.stop();
    expect(repo.entire('undo', '--list').stdout).toContain('1 file: g.txt');
    expectUndone(repo, long({ above: 'theirs\n', within: 'tool\n' }));
  });
});
