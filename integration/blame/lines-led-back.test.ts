import { describe, expect } from 'vitest';
import { report, rows } from '../support/agent/reported-command.ts';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { blame } from '../support/command/blame.ts';
import { addWork } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MINE = 'const typedByHand = compute(100);\n';
const THEIRS = 'const writtenByAgent = compute(333);\n';

/** Whose each line is: `human`, or the session's id. */
const owners = (repo: TestRepo, path: string): string[] =>
  blame(repo, path).lines.map(({ class: kind, session_id }) => session_id ?? kind);

/** A person's line and a session's in one file, committed; and another session, in a turn. */
function begin(repo: TestRepo) {
  repo.ready().write('a.ts', MINE).commit('Mine', 'a.ts');
  const author = addWork(repo, { 'a.ts': `${MINE}${THEIRS}` });
  repo.commit('Theirs', 'a.ts');
  const other = repo.session();
  other.prompt('tidy up');
  return { author, other };
}

describe('blame: lines are whose they were before they came to where they are', () => {
  variation('a file that a session moves, the two halves of which are two commits', (repo) => {
    const { author, other } = begin(repo);
    const text = repo.read('a.ts');
    repo.write('b.ts', text).run('rm', ['a.ts']);
    report(repo, other, { 'a.ts': rows('-', text), 'b.ts': rows('+', text) });
    other.stop();
    repo.commit('Gone', 'a.ts');
    repo.commit('Come', 'b.ts');
    expect(owners(repo, 'b.ts')).toEqual(['human', author.id]);
  });

  variation('an old version that a session brings back', (repo) => {
    const { author, other } = begin(repo);
    const text = repo.read('a.ts');
    repo.write('a.ts', 'const another = compute(1000);\n').commit('Other', 'a.ts');
    repo.write('a.ts', text);
    report(repo, other, { 'a.ts': ['-const another = compute(1000);', ...rows('+', text)] });
    other.stop();
    repo.commit('Old', 'a.ts');
    expect(owners(repo, 'a.ts')).toEqual(['human', author.id]);
  });

  variation('a revert, and the revert of that', (repo) => {
    const { author, other } = begin(repo);
    other.stop();
    for (const _ of ['back', 'forth']) repo.git('revert', '--no-edit', 'HEAD');
    expect(owners(repo, 'a.ts')).toEqual(['human', author.id]);
  });

  variation('an edit that a rebase brings into the file as somebody else has called it since', (repo) => {
    const { author, other } = begin(repo);
    other.stop();
    repo.git('mv', 'a.ts', 'b.ts');
    repo.commit('There');
    repo.git('switch', '--quiet', '--create', 'topic');
    const session = addWork(repo, { 'b.ts': `${repo.read('b.ts')}const inTopic = compute(4444);\n` });
    repo.commit('Topic', 'b.ts');
    repo.git('switch', '--quiet', 'main');
    repo.git('mv', 'b.ts', 'a.ts');
    repo.commit('And back');
    repo.git('switch', '--quiet', 'topic');
    repo.git('rebase', '--quiet', 'main');
    expect(owners(repo, 'a.ts')).toEqual(['human', author.id, session.id]);
  });

  variation('what a stash brings back after a commit took the rest of the turn', (repo) => {
    repo.ready().write('a.ts', MINE).commit('Mine', 'a.ts');
    const author = addWork(repo, { 'a.ts': `${MINE}${THEIRS}`, 'b.ts': 'const besides = compute(813);\n' });
    repo.git('stash', 'push', '--quiet', '--include-untracked');
    repo.write('b.ts', repo.read('a.ts')).run('rm', ['a.ts']);
    repo.commit('Moved', '.');
    repo.write('a.ts', `${MINE}${THEIRS}`).commit('Resolved', 'a.ts');
    repo.git('stash', 'drop', '--quiet');
    expect(owners(repo, 'a.ts')).toEqual(['human', author.id]);
  });

  variation('what a commit took away, and a stash brings back, however much was linked since', (repo) => {
    repo.ready();
    const more = 'const andMoreOfIt = compute(7_777);\n';
    const author = addWork(repo, { 'a.ts': `${THEIRS}${more}` });
    repo.commit('Theirs', 'a.ts');
    for (let at = 0; at < 6; at++) {
      addWork(repo, { [`b${at}.ts`]: `const someOtherWork${at} = compute(${at});\n` });
      repo.commit(`Other ${at}`, `b${at}.ts`);
    }
    repo.write('a.ts', `${MINE}${THEIRS}${more}`);
    repo.git('stash', 'push', '--quiet');
    repo.write('a.ts', THEIRS).commit('Less', 'a.ts');
    repo.git('checkout', '--quiet', 'stash@{0}', '--', 'a.ts');
    repo.git('stash', 'drop', '--quiet');
    repo.commit('Resolved', 'a.ts');
    expect(owners(repo, 'a.ts')).toEqual(['human', author.id, author.id]);
  });

  variation('what a sub-agent wrote, in the second of two commits of its turn', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('delegate');
    const sub = new SubAgent(session, { toolUseId: 'toolu_sub1', agentId: 'a17d87b824786' });
    sub.start();
    sub.edit('a.ts', THEIRS);
    sub.finish();
    session.edit('b.ts', 'const besides = compute(813);\n');
    session.stop();
    repo.commit('Part', 'b.ts');
    repo.commit('Rest', 'a.ts');
    expect(owners(repo, 'a.ts')).toEqual([session.id]);
  });
});

variation(
  'a move by hand that is amended into the commit, or squashed with it, leaves the lines the agent’s',
  (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const text = 'one whole line of the agent\n\nanother whole line of the agent\n';
    const session = addWork(repo, { 'src/bag.txt': text });
    repo.commit('Bag', 'src/bag.txt');
    session.end();
    const classesOf = (path: string): string[] =>
      JSON.parse(repo.entire('blame', path, '--json').stdout).lines.map(
        (line: { class: string }) => line.class,
      );
    repo.run('mkdir', ['lib']);
    repo.git('mv', 'src/bag.txt', 'lib/bag.txt');
    repo.git('commit', '--quiet', '--amend', '--no-edit');
    expect(classesOf('lib/bag.txt')).toEqual(['agent', 'agent', 'agent']);
    repo.run('mkdir', ['other']);
    repo.git('mv', 'lib/bag.txt', 'other/bag.txt');
    repo.git('commit', '--quiet', '-m', 'Move');
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    repo.git('commit', '--quiet', '-m', 'All');
    expect(classesOf('other/bag.txt')).toEqual(['agent', 'agent', 'agent']);
  },
);
