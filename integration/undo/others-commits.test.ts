import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { asAgent, shellTurn, upstream } from '../support/repository/moved-head.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectUndone } from '../support/undo/view.ts';

/** `f.txt` is there; a branch `upstream` has `theirs` on top of it. */
function ready(repo: TestRepo): void {
  repo.ready();
  repo.write('f.txt', text()).commit('Begin', 'f.txt');
  upstream(repo, { 'f.txt': text({ above: 'theirs' }) });
}

/** Seven lines, and some of others at the beginning, in the middle and at the end. */
const text = ({ above, within, below }: { above?: string; within?: string; below?: string } = {}): string =>
  [above, '1', '2', '3', within, '4', '5', '6', '7', below]
    .flatMap((line) => line ?? [])
    .join('\n')
    .concat('\n');

describe('undo takes no more out of a file than what the turn made, where both sides of a move of HEAD changed it', () => {
  variation('a rebase, and then an edit by a shell', (repo) => {
    ready(repo);
    repo.write('f.txt', text({ below: 'mine' })).commit('Mine', 'f.txt');
    shellTurn(repo, () => {
      repo.git('rebase', '--quiet', 'upstream');
      repo.write('f.txt', text({ above: 'theirs', within: 'agent', below: 'mine' }));
    });
    expectUndone(repo, text({ above: 'theirs', below: 'mine' }));
  });

  variation('a branch that has it otherwise, and an edit there', (repo) => {
    ready(repo);
    repo.write('f.txt', text({ below: 'mine' })).commit('Mine', 'f.txt');
    shellTurn(repo, () => {
      repo.git('checkout', '--quiet', 'upstream');
      repo.write('f.txt', text({ above: 'theirs', within: 'agent' }));
    });
    expectUndone(repo, text({ above: 'theirs' }));
  });

  variation('a commit that the user amended meanwhile', (repo) => {
    ready(repo);
    repo.write('f.txt', text({ below: 'mine' })).commit('Mine', 'f.txt');
    const session = repo.session();
    session.prompt('by shell');
    session.shell(() => repo.write('g.txt', 'agent\n'));
    repo.write('f.txt', text({ above: 'also mine', below: 'mine' })).git('add', 'f.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    session.shell(() => repo.write('f.txt', text({ above: 'also mine', within: 'agent', below: 'mine' })));
    session.stop();
    expectUndone(repo, text({ above: 'also mine', below: 'mine' }));
  });

  variation('a commit of the turn that was rebased', (repo) => {
    ready(repo);
    repo.write('f.txt', text({ below: 'mine' })).commit('Mine', 'f.txt');
    shellTurn(repo, () => {
      repo.write('f.txt', text({ within: 'agent', below: 'mine' }));
      repo.agentCommit('Agent', 'f.txt');
      repo.git('rebase', '--quiet', 'upstream');
    });
    expectUndone(repo, text({ above: 'theirs', below: 'mine' }));
  });

  variation('what no commit had at the prompt, stashed for a pull', (repo) => {
    ready(repo);
    repo.write('f.txt', text({ below: 'mine' }));
    shellTurn(repo, () => {
      repo.git('stash', '--quiet');
      repo.git('merge', '--quiet', '--ff-only', 'upstream');
      repo.git('stash', 'pop', '--quiet');
      repo.write('g.txt', 'agent\n');
    });
    expectUndone(repo, text({ above: 'theirs', below: 'mine' }));
    expect(repo.exists('g.txt')).toBe(false);
  });
});

/** A turn that goes on: its commit, and one of the user on top of it. */
function beginWithCommits(repo: TestRepo): AgentSession {
  const session = repo.session();
  session.prompt('by shell');
  session.shell(() => {
    repo.write('f.txt', text({ below: 'agent' }));
    repo.agentCommit('Agent', 'f.txt');
  });
  repo.write('f.txt', text({ above: 'mine', below: 'agent' })).commit('Mine', 'f.txt');
  return session;
}

describe('undo leaves what came between the changes of a turn', () => {
  variation('by a merge after its commit', (repo) => {
    ready(repo);
    shellTurn(repo, () => {
      repo.write('f.txt', text({ below: 'agent' }));
      repo.agentCommit('Agent', 'f.txt');
      repo.gitWith(asAgent, 'merge', '--quiet', '--no-edit', 'upstream');
    });
    expectUndone(repo, text({ above: 'theirs' }));
  });

  variation('by a commit of the user between two of its own', (repo) => {
    ready(repo);
    const session = beginWithCommits(repo);
    session.shell(() => {
      repo.write('f.txt', text({ above: 'mine', within: 'agent 2', below: 'agent' }));
      repo.agentCommit('Agent 2', 'f.txt');
    });
    session.stop();
    expectUndone(repo, text({ above: 'mine' }));
    repo.entire('redo');
    expect(repo.read('f.txt')).toBe(text({ above: 'mine', within: 'agent 2', below: 'agent' }));
  });

  variation('by a commit of the user, and lines that no commit has', (repo) => {
    ready(repo);
    const session = beginWithCommits(repo);
    session.shell(() => repo.write('f.txt', text({ above: 'mine', within: 'agent 2', below: 'agent' })));
    session.stop();
    expectUndone(repo, text({ above: 'mine' }));
  });

  variation('by a pull before a tool edits the file', (repo) => {
    ready(repo);
    const session = repo.session();
    session.prompt('pull and edit');
    session.shell(() => repo.git('merge', '--quiet', '--ff-only', 'upstream'));
    session.edit('f.txt', text({ above: 'theirs', within: 'agent' }));
    session.stop();
    expectUndone(repo, text({ above: 'theirs' }));
  });

  variation('by a pull after a tool has edited it', (repo) => {
    ready(repo);
    const session = repo.session();
    session.prompt('edit and pull');
    session.edit('f.txt', text({ within: 'agent' }));
    session.shell(() => {
      repo.git('stash', '--quiet');
      repo.git('merge', '--quiet', '--ff-only', 'upstream');
      repo.git('stash', 'pop', '--quiet');
    });
    session.stop();
    expect(repo.read('f.txt')).toBe(text({ above: 'theirs', within: 'agent' }));
    expectUndone(repo, text({ above: 'theirs' }));
  });

  variation('by a merge after the commit of what a tool and a shell made', (repo) => {
    ready(repo);
    const session = repo.session();
    session.prompt('edit, commit and merge');
    session.edit('f.txt', text({ within: 'agent' }));
    session.shell(() => {
      repo.write('f.txt', text({ within: 'agent', below: 'shell' }));
      repo.agentCommit('Agent', 'f.txt');
    });
    session.shell(() => repo.gitWith(asAgent, 'merge', '--quiet', '--no-edit', 'upstream'));
    session.stop();
    expect(repo.read('f.txt')).toBe(text({ above: 'theirs', within: 'agent', below: 'shell' }));
    expectUndone(repo, text({ above: 'theirs' }));
  });

  variation('by a commit of the user before a tool edits the file, a shell having run', (repo) => {
    ready(repo);
    const session = repo.session();
    session.prompt('edit');
    session.shell(() => {});
    repo.write('f.txt', text({ above: 'mine' })).commit('Mine', 'f.txt');
    session.edit('f.txt', text({ above: 'mine', within: 'agent' }));
    session.stop();
    expectUndone(repo, text({ above: 'mine' }));
  });
});

variation('a file system without modes: undo does not name what the turn left', (repo) => {
  repo.ready();
  repo.git('config', 'core.fileMode', 'false');
  repo.write('s.sh', 'one\n').commit('Begin', 's.sh');
  repo.write('s.sh', 'one\nmine\n').git('update-index', '--chmod=+x', 's.sh');
  repo.commit('Mine', 's.sh');
  chmodSync(join(repo.dir, 's.sh'), 0o644);
  shellTurn(repo, () => {
    repo.git('reset', '--quiet', '--soft', 'HEAD~1');
    repo.write('g.txt', 'agent\n');
  });
  expect(repo.entire('undo').stdout).not.toContain('s.sh');
});

variation(
  'what a shell wrote before a tool came to the file goes back, though another session edits it later',
  (repo) => {
    repo.ready();
    repo.write('f.txt', text()).commit('Begin', 'f.txt');
    const [session, other] = [repo.session(), repo.session()];
    session.prompt('one');
    other.prompt('two');
    session.shell(() => repo.write('f.txt', text({ above: 'shell' })));
    session.edit('f.txt', text({ above: 'shell', within: 'tool' }));
    other.edit('f.txt', text({ above: 'shell', within: 'tool', below: 'other' }));
    other.stop();
    session.stop();
    repo.entire('undo', '--session', session.id);
    expect(repo.read('f.txt')).toBe(text({ below: 'other' }));
  },
);
