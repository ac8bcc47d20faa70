import { describe, expect } from 'vitest';
import { branchOff, relink, squashAsForge, unhooked } from '../support/command/relink.ts';
import { why } from '../support/command/why.ts';
import { addWork, editor } from '../support/command/work.ts';
import { addClone, withOrigin } from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const found = (repo: TestRepo, ...args: string[]) =>
  relink(repo, '--dry-run', ...args).commits.map(({ subject, checkpoints }) => [
    subject,
    ...checkpoints.map(({ checkpoint, proof, new: isNew }) => `${checkpoint} ${proof}${isNew ? ' new' : ''}`),
  ]);

describe('what a commit holds is found', () => {
  scenario('after git merge --squash', (repo) => {
    const [first, second] = branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it');
    expect(found(repo, 'HEAD')).toEqual([['All of it', `${first} contents new`, `${second} contents new`]]);
  });

  variation('after a reset and a commit of all', (repo) => {
    const [first, second] = branchOff(repo);
    repo.git('reset', '--quiet', '--soft', 'main');
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it');
    expect(found(repo)[0]).toEqual(['All of it', `${first} contents new`, `${second} contents new`]);
  });

  variation('after a rebase that loses the messages, over other files', (repo) => {
    const [first, second] = branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.write('b.txt', 'mine\n');
    repo.commit('Mine', 'b.txt');
    repo.git('switch', '--quiet', 'topic');
    const env = { ENTIRE: '0', GIT_EDITOR: editor(repo, 'echo Said anew > "$1"') };
    repo.gitWith(
      { env: { ...env, GIT_SEQUENCE_EDITOR: "sed -i 's/^pick/reword/'" } },
      'rebase',
      '--quiet',
      '-i',
      'main',
    );
    expect(found(repo).slice(0, 3)).toEqual([
      ['Said anew', `${second} contents new`],
      ['Said anew', `${first} contents new`],
      ['Mine'],
    ]);
  });

  variation('after a rebase over the same file, by the patch', (repo) => {
    repo.ready();
    repo.write(
      'a.txt',
      `${Array.from({ length: 30 }, (_, at) => `line ${at} of what was there`).join('\n')}\n`,
    );
    repo.commit('Base', 'a.txt');
    repo.git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, { 'a.txt': `${repo.read('a.txt')}a line of the agent at the end\n` });
    const id = repo.commit('Linked', 'a.txt') as string;
    session.end();
    repo.git('switch', '--quiet', 'main');
    repo.write('a.txt', `a line of mine at the top\n${repo.read('a.txt')}`);
    repo.commit('Mine', 'a.txt');
    unhooked(repo, 'cherry-pick', 'topic');
    unhooked(repo, 'commit', '--quiet', '--amend', '-m', 'Picked');
    expect(found(repo, 'HEAD')).toEqual([['Picked', `${id} patch new`]]);
  });

  variation('of a part of a commit by its lines; the rest of it is nobody’s', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, {
      'a.txt': 'one whole line of the agent\n',
      'b.txt': 'another whole line of the agent\n',
    });
    repo.write('c.txt', 'a whole line that a person wrote\n');
    const id = repo.commit('All', 'a.txt', 'b.txt', 'c.txt') as string;
    session.end();
    repo.git('reset', '--quiet', 'main');
    for (const [subject, path] of [
      ['Split a', 'a.txt'],
      ['Split c', 'c.txt'],
    ] as const) {
      unhooked(repo, 'add', path);
      unhooked(repo, 'commit', '--quiet', '-m', subject);
    }
    expect(found(repo, 'main..HEAD')).toEqual([['Split c'], ['Split a', `${id} contents new`]]);
  });
});

describe('nothing is guessed', () => {
  variation('one common line in another file is no proof', (repo) => {
    branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.write('mine.txt', 'mine alone\nthe first line of the agent\nmine as well\n');
    unhooked(repo, 'add', 'mine.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
    expect(found(repo, 'HEAD')).toEqual([['Mine']]);
  });

  variation('a line that a person writes again below work that stands is theirs', (repo) => {
    repo.ready();
    const session = addWork(repo, {
      'a.txt': 'expect(resultOfTheAgent).toEqual([]);\nanother line of the agent\nand a third line of it\n',
    });
    repo.commit('Work', 'a.txt');
    session.end();
    repo.write(
      'a.txt',
      `${repo.read('a.txt')}mine alone and nobody else's\nexpect(resultOfTheAgent).toEqual([]);\n`,
    );
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
    expect(found(repo, 'HEAD')).toEqual([['Mine']]);
  });

  variation(
    'of a checkpoint of two lines, or of one, a line that a person writes again is theirs',
    (repo) => {
      repo.ready();
      for (const own of [
        ['resultOfTheAgent.push(secondValue);'],
        ['firstValueOfTheAgent();', 'anotherOne.ofTheAgent();'],
      ]) {
        const before = repo.exists('a.txt') ? repo.read('a.txt') : '';
        const session = addWork(repo, { 'a.txt': `${before}${own.join('\n')}\n` });
        repo.commit('Work', 'a.txt');
        session.end();
        repo.write('a.txt', `a line of mine on top\n${own[0]}\nanother line of mine\n${repo.read('a.txt')}`);
        unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
        expect(found(repo, 'HEAD')).toEqual([['Mine']]);
      }
    },
  );

  variation('the same short change on two branches, and a mode, are no proof', (repo) => {
    repo.ready();
    repo.write('version.txt', '1.0\n');
    repo.write('run.sh', 'true\n');
    repo.commit('Base', 'version.txt', 'run.sh');
    repo.git('branch', 'release');
    const session = addWork(repo, { 'version.txt': '1.1\n' });
    repo.run('chmod', ['+x', 'run.sh']);
    repo.commit('Work', 'version.txt');
    session.end();
    unhooked(repo, 'commit', '--quiet', '-m', 'Mode', 'run.sh');
    repo.git('switch', '--quiet', 'release');
    repo.write('version.txt', '1.1\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'By hand', 'version.txt');
    repo.run('chmod', ['+x', 'run.sh']);
    unhooked(repo, 'commit', '--quiet', '-m', 'Mode by hand', 'run.sh');
    expect(found(repo, 'main..release')).toEqual([['Mode by hand'], ['By hand']]);
  });

  variation('a merge is no commit of its parent', (repo) => {
    branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    unhooked(repo, 'merge', '--quiet', '--no-ff', '-m', 'Merge', 'topic');
    expect(found(repo, 'HEAD')).toEqual([]);
  });

  variation('a commit that has lost the work is not linked to it', (repo) => {
    const [, second] = branchOff(repo);
    repo.git('reset', '--quiet', '--soft', 'main');
    repo.write('a.txt', 'the second line of the agent\n');
    unhooked(repo, 'add', 'a.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'One of two');
    expect(found(repo, 'HEAD')).toEqual([['One of two', `${second} lines new`]]);
  });
});

describe('what is found is linked', () => {
  scenario('by notes, once, so that all commands know; nothing else changes', (repo) => {
    const [first, second] = branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it');
    const head = repo.git('rev-parse', 'HEAD');
    expect(relink(repo).written).toBe(1);
    expect(repo.git('notes', '--ref=entire', 'show', 'HEAD').trim().split('\n').sort()).toEqual(
      [first, second].map((id) => `Entire-Checkpoint: ${id}`).sort(),
    );
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    const notes = repo.git('rev-parse', 'refs/notes/entire');
    expect(relink(repo)).toMatchObject({ written: 0 });
    expect(repo.git('rev-parse', 'refs/notes/entire')).toBe(notes);
    expect(why(repo)).toMatchObject({ status: 'linked' });
    expect(repo.entire('blame', 'a.txt', '--json').stdout.match(/"class": *"agent"/g)).toHaveLength(2);
  });

  variation('in a clone that has nothing but the branches, with the same answers', (repo) => {
    const bare = withOrigin(repo);
    repo.git('switch', '--quiet', '-c', 'topic');
    const session = addWork(repo, { 'a.txt': 'the first line of the agent\n' });
    const first = repo.commit('First', 'a.txt') as string;
    addWork(repo, { 'a.txt': 'the first line of the agent\nthe second line of the agent\n' }, session);
    const second = repo.commit('Second', 'a.txt') as string;
    session.end();
    repo.git('push', '--quiet', 'origin', 'topic');
    // A forge squashes it, keeps the title alone, and removes the branch.
    const forge = addClone(repo, bare);
    squashAsForge(forge, 'All of it (#1)', ':topic');
    const fresh = addClone(repo, bare);
    fresh.entire('fetch');
    expect(relink(fresh, 'HEAD').commits).toMatchObject([
      {
        checkpoints: [
          { checkpoint: first, new: true },
          { checkpoint: second, new: true },
        ],
      },
    ]);
    repo.git('switch', '--quiet', 'main');
    unhooked(repo, 'pull', '--quiet', '--ff-only');
    expect(relink(repo, 'HEAD').written).toBe(1);
    const note = (one: TestRepo) => one.git('notes', '--ref=entire', 'show', 'HEAD');
    expect(note(repo)).toBe(note(fresh));
    expect(fresh.entire('blame', 'a.txt', '--json').stdout.match(/"class": *"agent"/g)).toHaveLength(2);
  });
});

describe('bad input', () => {
  scenario('a range that is none, an option, a repository without checkpoints', (repo) => {
    repo.ready();
    expect(repo.entire('relink').stdout).toContain('There are no checkpoints here');
    for (const word of ['nothing', 'a..b', '--all'])
      expect(repo.tryEntire('relink', '--', word)).toMatchObject({ code: 1 });
  });

  variation(
    'a shallow clone says where it ends, and takes nothing for work that was there before',
    (repo) => {
      const bare = withOrigin(repo);
      const session = addWork(repo, { 'a.txt': 'the first line of the agent\n' });
      repo.commit('First', 'a.txt');
      session.end();
      repo.write('b.txt', 'mine\n');
      repo.commit('Mine', 'b.txt');
      repo.git('push', '--quiet', 'origin', 'main');
      const shallow = `${repo.scratch}/shallow`;
      repo.git('clone', '--quiet', '--depth=1', `file://${bare}`, shallow);
      repo.dir = shallow;
      repo.git('fetch', '--quiet', 'origin', 'entire/checkpoints/v1:entire/checkpoints/v1');
      expect(relink(repo, 'HEAD')).toMatchObject({
        written: 0,
        commits: [{ checkpoints: [], cut_off: true }],
      });
    },
  );
});

/** As a release that kept none has written them. */
function withoutEvidence(repo: TestRepo, ...ids: readonly string[]): void {
  const env = { GIT_INDEX_FILE: `${repo.scratch}/index` };
  repo.gitWith({ env }, 'read-tree', 'entire/checkpoints/v1');
  const files = ids.map((id) => `${id.slice(0, 2)}/${id.slice(2)}/0/evidence.json`);
  repo.gitWith({ env }, 'rm', '--quiet', '--cached', ...files);
  const tree = repo.gitWith({ env }, 'write-tree');
  const commit = repo.git('commit-tree', tree, '-p', 'entire/checkpoints/v1', '-m', 'Without evidence');
  repo.git('update-ref', 'refs/heads/entire/checkpoints/v1', commit);
}

describe('checkpoints of releases that kept no evidence', () => {
  variation('are found by the commits that name them, as long as there are any', (repo) => {
    const [first, second] = branchOff(repo);
    withoutEvidence(repo, first, second);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it');
    expect(found(repo, 'HEAD')).toEqual([['All of it', `${first} contents new`, `${second} contents new`]]);
  });
});
