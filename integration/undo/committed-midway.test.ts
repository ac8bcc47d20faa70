import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { asAgent, commitUnlinked, shellTurn, upstream } from '../support/repository/moved-head.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { expectUndone } from '../support/undo/view.ts';

/** Seven lines, and some of others at the beginning, in the middle and at the end. */
const text = ({ above, within, below }: { above?: string; within?: string; below?: string } = {}): string =>
  [above, '1', '2', '3', within, '4', '5', '6', '7', below]
    .flatMap((line) => line ?? [])
    .join('\n')
    .concat('\n');

function ready(repo: TestRepo): void {
  repo.ready();
  repo.write('f.txt', text()).commit('Begin', 'f.txt');
}

describe('undo of a turn whose work was committed while it ran, of a file that was not committed at its prompt', () => {
  const BEFORE = text({ below: 'mine' });
  const AFTER = text({ within: 'agent', below: 'mine' });

  variation('a shell wrote and committed it', (repo) => {
    ready(repo);
    repo.write('f.txt', BEFORE);
    shellTurn(repo, () => {
      repo.write('f.txt', AFTER);
      repo.agentCommit('Agent', 'f.txt');
    });
    expectUndone(repo, BEFORE);
  });

  variation('a shell went on with it after the commit', (repo) => {
    ready(repo);
    repo.write('f.txt', BEFORE);
    shellTurn(repo, () => {
      repo.write('f.txt', AFTER);
      repo.agentCommit('Agent', 'f.txt');
      repo.write('f.txt', text({ above: 'agent 2', within: 'agent', below: 'mine' }));
    });
    expectUndone(repo, BEFORE);
  });

  variation('in the middle of the turn', (repo) => {
    ready(repo);
    repo.write('f.txt', BEFORE);
    const session = repo.session();
    session.prompt('x');
    session.shell(() => {
      repo.write('f.txt', AFTER);
      repo.agentCommit('Agent', 'f.txt');
    });
    expectUndone(repo, BEFORE);
  });

  variation('it held what the turn before had written', (repo) => {
    ready(repo);
    const session = repo.session();
    session.prompt('turn 1');
    session.edit('f.txt', text({ below: 'turn 1' }));
    session.stop();
    session.prompt('turn 2');
    session.shell(() => {
      repo.write('f.txt', text({ above: 'turn 2', below: 'turn 1' }));
      repo.agentCommit('Agent', 'f.txt');
    });
    session.stop();
    expectUndone(repo, text({ below: 'turn 1' }));
  });

  variation('the user committed it, with a line more, and a shell wrote elsewhere', (repo) => {
    ready(repo);
    repo.write('f.txt', text({ below: 'mine' }));
    const session = repo.session();
    session.prompt('x');
    repo.write('f.txt', text({ below: 'mine\nmine 2' })).commit('Mine', 'f.txt');
    session.shell(() => repo.write('f.txt', text({ above: 'agent', below: 'mine\nmine 2' })));
    session.stop();
    expectUndone(repo, text({ below: 'mine\nmine 2' }));
  });
});

describe('undo of what a tool wrote and a commit took that names no checkpoint', () => {
  variation('the agent resolved a merge by its tool, and a shell ran', (repo) => {
    ready(repo);
    upstream(repo, { 'u.txt': 'theirs\n' });
    repo.write('g.txt', 'mine\n').commit('Mine', 'g.txt');
    const session = repo.session();
    session.prompt('merge upstream');
    session.shell(() => void repo.gitWith(asAgent, 'merge', '--quiet', '--no-commit', 'upstream'));
    session.edit('h.txt', 'agent\n');
    session.edit('f.txt', text({ within: 'agent' }));
    session.shell(() => {
      repo.git('add', 'h.txt', 'f.txt');
      repo.gitWith(asAgent, 'commit', '--quiet', '--no-edit');
    });
    session.stop();
    expectUndone(repo, text());
    expect([repo.exists('h.txt'), repo.read('u.txt')]).toEqual([false, 'theirs\n']);
  });

  variation('the user committed it while the turn went on', (repo) => {
    ready(repo);
    const session = repo.session();
    session.prompt('write');
    session.shell(() => {});
    session.edit('h.txt', 'agent\n');
    session.edit('f.txt', text({ within: 'agent' }));
    commitUnlinked(repo, 'h.txt', 'f.txt');
    session.edit('i.txt', 'agent\n');
    session.stop();
    expectUndone(repo, text());
    expect([repo.exists('h.txt'), repo.exists('i.txt')]).toEqual([false, false]);
  });
});

describe('undo of what a tool and then a shell wrote, a commit took that names no checkpoint, and a shell went on with', () => {
  const BOTH = text({ within: 'agent', below: 'shell' });
  const MORE = text({ above: 'shell 2', within: 'agent', below: 'shell' });

  const MOVES: ReadonlyArray<readonly [string, (repo: TestRepo) => void]> = [
    ['and nothing else', () => {}],
    ['and unstaged something', (repo) => void repo.git('reset', '--quiet')],
    ['and went on on a new branch', (repo) => void repo.git('switch', '--quiet', '-c', 'topic')],
    [
      'and rebased it',
      (repo) => void repo.gitWith({ env: { ENTIRE: '0' } }, 'rebase', '--quiet', 'upstream'),
    ],
    [
      'and git keeps no note of where HEAD was',
      (repo) => rmSync(join(repo.commonDir, 'logs'), { recursive: true }),
    ],
  ];
  for (const [how, move] of MOVES)
    variation(`the user committed it between two commands, ${how}`, (repo) => {
      ready(repo);
      upstream(repo, { 'o.txt': 'theirs\n' });
      const session = repo.session();
      session.prompt('x');
      session.edit('f.txt', text({ within: 'agent' }));
      session.shell(() => repo.write('f.txt', BOTH));
      commitUnlinked(repo, 'f.txt');
      move(repo);
      session.shell(() => repo.write('f.txt', MORE));
      session.stop();
      expectUndone(repo, text());
    });

  variation(
    'one command wrote, committed and wrote: only what it wrote since is known to be its own',
    (repo) => {
      ready(repo);
      const session = repo.session();
      session.prompt('x');
      session.edit('f.txt', text({ within: 'agent' }));
      session.shell(() => {
        repo.write('f.txt', BOTH);
        commitUnlinked(repo, 'f.txt');
        repo.write('f.txt', MORE);
      });
      session.stop();
      expectUndone(repo, text({ below: 'shell' }));
    },
  );

  variation('it is the resolution of a conflict', (repo) => {
    ready(repo);
    upstream(repo, { 'f.txt': text({ within: 'theirs' }) });
    repo.write('f.txt', text({ within: 'mine' })).commit('Mine', 'f.txt');
    const session = repo.session();
    session.prompt('merge upstream');
    session.shell(() => void repo.run('git', ['merge', '--quiet', 'upstream'], asAgent));
    session.edit('f.txt', text({ within: 'theirs\nmine' }));
    session.shell(() => repo.write('f.txt', text({ within: 'theirs\nmine', below: 'shell' })));
    session.shell(() => {
      repo.git('add', 'f.txt');
      repo.gitWith(asAgent, 'commit', '--quiet', '--no-edit');
    });
    session.shell(() =>
      repo.write('f.txt', text({ above: 'shell 2', within: 'theirs\nmine', below: 'shell' })),
    );
    session.stop();
    repo.entire('undo');
    expect(repo.read('f.txt')).not.toContain('shell');
  });
});

/** By a client that does not tell what was there. */
function editUntold(repo: TestRepo, session: AgentSession, content: string): void {
  session.editWithoutHook('f.txt', content);
  session.reportEdit('f.txt', { tool_response: { filePath: join(repo.dir, 'f.txt') } });
}

describe('undo of an edit whose client did not tell what was there, and that was committed in its turn', () => {
  for (const isLinked of [true, false])
    for (const isDirty of [true, false])
      variation(
        `${isLinked ? 'linked' : 'not linked'}, of a file that was ${isDirty ? 'not ' : ''}committed`,
        (repo) => {
          ready(repo);
          repo.write('f.txt', text({ below: 'mine' }));
          if (!isDirty) repo.commit('Mine', 'f.txt');
          const session = repo.session();
          session.prompt('x');
          editUntold(repo, session, text({ within: 'agent', below: 'mine' }));
          session.shell(() => {
            if (isLinked) repo.agentCommit('Agent', 'f.txt');
          });
          if (!isLinked) {
            commitUnlinked(repo, 'f.txt');
          }
          session.stop();
          expectUndone(repo, text({ below: 'mine' }));
        },
      );
});

describe('a merge that names the checkpoint of the turn brings what others made', () => {
  variation('what they committed is not undone', (repo) => {
    ready(repo);
    repo.write('u.txt', 'u\n').commit('U', 'u.txt');
    upstream(repo, { 'u.txt': 'u\ntheirs\n', 'f.txt': text({ above: 'theirs' }) });
    shellTurn(repo, () => {
      repo.write('f.txt', text({ below: 'agent' }));
      const id = repo.agentCommit('Agent', 'f.txt');
      repo.gitWith(asAgent, 'merge', '--quiet', '-m', `Merge\n\nEntire-Checkpoint: ${id}`, 'upstream');
    });
    expectUndone(repo, text({ above: 'theirs' }));
    expect(repo.read('u.txt')).toBe('u\ntheirs\n');
  });
});
