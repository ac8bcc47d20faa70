import { describe, expect } from 'vitest';
import { relink, squashAsForge, unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { addClone, withOrigin } from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const lines = (who: string): string =>
  `${[1, 2, 3, 4].map((at) => `line number ${at} that the ${who} session wrote`).join('\n')}\n`;

describe('a commit that has a checkpoint of its own', () => {
  scenario('is linked to another session, too, whose file it brings under another name', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': lines('first') });
    const first = repo.commit('First', 'a.txt') as string;
    one.end();
    repo.write('a.txt', 'what a person wrote over it\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.txt');
    const two = addWork(repo, { 'b.txt': lines('second') });
    repo.write('c.txt', lines('first'));
    const second = repo.commit('Second', 'b.txt', 'c.txt') as string;
    two.end();
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      {
        checkpoints: [
          { checkpoint: second, proof: 'commit', new: false },
          { checkpoint: first, proof: 'lines', lines: 4, new: true },
        ],
      },
    ]);
    expect(relink(repo)).toMatchObject({ written: 0 });
  });

  variation('and whose session wrote the same lines itself is linked to no other', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': lines('first') });
    repo.commit('First', 'a.txt');
    one.end();
    const two = addWork(repo, { 'b.txt': `${lines('second')}${lines('first')}` });
    const second = repo.commit('Second', 'b.txt') as string;
    two.end();
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      { checkpoints: [{ checkpoint: second, proof: 'commit' }] },
    ]);
  });
});

describe('a squash that an agent makes, of work of other sessions', () => {
  /** Two sessions commit work on a branch; the shell of a third one makes one commit of both, and no edit. */
  function squashBySession(repo: TestRepo): string[] {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    const ids = ['first', 'second'].map((who) => {
      const session = addWork(repo, { [`${who}.txt`]: lines(who) });
      session.end();
      return repo.commit(who, `${who}.txt`) as string;
    });
    const third = repo.session();
    third.prompt('make one commit of it');
    const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: third.id };
    third.shell(() => {
      repo.gitWith({ env }, 'reset', '--quiet', '--soft', 'main');
      repo.gitWith({ env }, 'commit', '--quiet', '-m', 'Both');
    });
    third.stop();
    third.end();
    return [...ids, repo.checkpointOf('HEAD') as string];
  }

  variation('links what is picked from it to who wrote the lines, too', (repo) => {
    const ids = squashBySession(repo);
    const squashed = repo.git('rev-parse', 'HEAD');
    repo.git('switch', '--quiet', '-c', 'other', 'main');
    repo.write('mine.txt', 'mine\n').git('add', 'mine.txt');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
    unhooked(repo, 'cherry-pick', squashed);
    const found = relink(repo, '--dry-run', 'HEAD').commits[0]?.checkpoints ?? [];
    expect(found.map(({ checkpoint }) => checkpoint).sort()).toEqual(ids.sort());
  });
});

describe('a squash of work that another session moved on', () => {
  variation('is linked to both: who carried lines to another file did not write them', (repo) => {
    repo.ready();
    const before = 'a line that a person wrote\n';
    repo.write('a.txt', before).commit('Begin', 'a.txt');
    repo.git('switch', '--quiet', '-c', 'topic');
    const one = addWork(repo, { 'a.txt': `${before}${lines('first')}` });
    const first = repo.commit('First', 'a.txt') as string;
    one.end();
    const two = addWork(repo, { 'b.txt': `${before}${lines('first')}${lines('second')}` });
    repo.git('rm', '--quiet', 'a.txt');
    const second = repo.commit('Second', 'b.txt') as string;
    two.end();
    repo.git('switch', '--quiet', 'main');
    unhooked(repo, 'merge', '--quiet', '--squash', 'topic');
    unhooked(repo, 'commit', '--quiet', '-m', 'All of it');
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      { checkpoints: [{ checkpoint: first, lines: 4 }, { checkpoint: second }] },
    ]);
  });
});

describe('a checkpoint of two sessions', () => {
  variation('is found in each part of a split that has lines of one of them', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': lines('first') });
    const two = addWork(repo, { 'b.txt': lines('second') });
    const id = repo.commit('Both', 'a.txt', 'b.txt') as string;
    for (const session of [one, two]) session.end();
    unhooked(repo, 'reset', '--quiet', '--mixed', 'HEAD~1');
    for (const path of ['a.txt', 'b.txt']) {
      unhooked(repo, 'add', path);
      unhooked(repo, 'commit', '--quiet', '-m', `Half ${path}`);
    }
    const linked = [{ checkpoint: id, proof: 'contents', new: true }];
    expect(relink(repo, 'HEAD~2..HEAD').commits).toMatchObject([
      { checkpoints: linked },
      { checkpoints: linked },
    ]);
  });

  variation('that only moved what a person wrote leaves nothing to find in a copy', (repo) => {
    repo.ready();
    repo.write('mine.txt', lines('person’s'));
    repo.commit('Mine', 'mine.txt');
    repo.git('branch', 'other');
    const session = addWork(repo, { 'moved.txt': lines('person’s') });
    repo.run('rm', ['mine.txt']);
    expect(repo.commit('Moved', 'mine.txt', 'moved.txt')).toMatch(/^[0-9a-f]{12}$/);
    session.end();
    repo.git('switch', '--quiet', 'other');
    unhooked(repo, 'cherry-pick', '--no-commit', 'main');
    unhooked(repo, 'commit', '--quiet', '-m', 'Copy');
    expect(relink(repo, 'HEAD').commits).toMatchObject([{ checkpoints: [], tied: [] }]);
  });
});

describe('a commit', () => {
  variation('is not made of what was committed on top of it', (repo) => {
    repo.ready();
    repo.write('a.txt', lines('person’s'));
    repo.commit('Mine', 'a.txt');
    const mine = repo.git('rev-parse', 'HEAD');
    repo.write('a.txt', 'something else\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'Other', 'a.txt');
    const session = addWork(repo, { 'a.txt': lines('person’s') });
    expect(repo.commit('Again', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
    session.end();
    expect(relink(repo, mine).commits).toMatchObject([{ checkpoints: [], tied: [] }]);
  });
});

const ONE = 'export const walkTheWholeTree = (options) => visit(options);\n';

/** Work on a file, of a session that ends. */
function commitOne(repo: TestRepo, text: string): string {
  const session = addWork(repo, { 'a.ts': text });
  const id = repo.commit('One', 'a.ts') as string;
  session.end();
  return id;
}

const linkedTo = (repo: TestRepo): string[] =>
  relink(repo, '--dry-run', 'HEAD').commits.flatMap(({ checkpoints }) =>
    checkpoints.map(({ checkpoint, proof }) => `${checkpoint} ${proof}`),
  );

describe('a file of one line', () => {
  variation(
    'is found as the session left it, where a person had begun it and the branch is there',
    (repo) => {
      const bare = withOrigin(repo);
      repo.git('switch', '--quiet', '-c', 'topic');
      repo.write('a.ts', 'what a person began with\n');
      unhooked(repo, 'add', 'a.ts');
      unhooked(repo, 'commit', '--quiet', '-m', 'Begun');
      const id = commitOne(repo, ONE);
      repo.git('push', '--quiet', 'origin', 'topic');
      squashAsForge(addClone(repo, bare), 'All of it (#1)');
      const fresh = addClone(repo, bare);
      fresh.entire('fetch');
      expect(linkedTo(fresh)).toEqual([`${id} lines`]);
    },
  );
});

const MORE = 'const depthOfTheWholeTree = measure(walkTheWholeTree);\n';

describe('a line that was taken out on main', () => {
  variation('comes back with a commit that began where it stood', (repo) => {
    repo.ready();
    const first = commitOne(repo, ONE);
    repo.git('switch', '--quiet', '-c', 'topic');
    const second = commitOne(repo, `${ONE}${MORE}`);
    repo.git('switch', '--quiet', 'main');
    repo.write('a.ts', 'what a person wrote over it\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.ts');
    repo.git('switch', '--quiet', 'topic');
    expect(repo.tryGit('rebase', '--quiet', 'main').code).not.toBe(0);
    repo.write('a.ts', `// resolved\n${ONE}// by hand\n${MORE}`).git('add', 'a.ts');
    unhooked(repo, '-c', 'core.editor=true', 'rebase', '--continue');
    expect(linkedTo(repo).sort()).toEqual([`${first} lines`, `${second} lines`].sort());
  });
});

describe('a file that a commit takes over from a branch', () => {
  variation(
    'has the lines of the session that wrote them there, though a person changed it since',
    (repo) => {
      repo.ready().git('switch', '--quiet', '-c', 'topic');
      const id = commitOne(repo, `// first\n${ONE}${MORE}// last\n`);
      const changed = `// mine\n${MORE}// mine, too\n`;
      repo.write('a.ts', changed);
      unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'a.ts');
      repo.git('switch', '--quiet', 'main');
      expect(repo.tryGit('cherry-pick', 'topic').code).not.toBe(0);
      repo.write('a.ts', changed).git('add', 'a.ts');
      unhooked(repo, '-c', 'core.editor=true', 'cherry-pick', '--continue');
      expect(linkedTo(repo)).toEqual([`${id} lines`]);
      repo.write('b.ts', `${MORE}// another file, where a person writes it again\n`);
      unhooked(repo, 'add', 'b.ts');
      unhooked(repo, 'commit', '--quiet', '-m', 'Again');
      expect(linkedTo(repo)).toEqual([]);
    },
  );
});

describe('a commit that was made anew without the lines of the session, and still names it', () => {
  const OTHER = 'const heightOfTheWholeTree = measure(walkTheWholeTree);\n';

  /** A session writes lines, and a person one below them; then one of these is in a commit before. */
  function makeAnew(repo: TestRepo, left: string): [found: string[], id: string] {
    repo.ready();
    repo.write('a.ts', '// begun\n').commit('Begun', 'a.ts');
    const session = addWork(repo, { 'a.ts': `// begun\n${OTHER}// between\n${ONE}` });
    repo.write('a.ts', `// begun\n${left}// between\n${ONE}// and a line of the person\n`);
    const id = repo.commit('Work', 'a.ts') as string;
    session.end();
    unhooked(repo, 'reset', '--quiet', '--hard', 'HEAD~1');
    const commit = (text: string, message: string): void => {
      repo.write('a.ts', text);
      unhooked(repo, 'commit', '--quiet', '-m', message, 'a.ts');
    };
    commit(`// begun\n// resolved\n${ONE}`, 'Before');
    commit(
      `// begun\n${left}// resolved\n${ONE}// and a line of the person\n`,
      `Work\n\nEntire-Checkpoint: ${id}`,
    );
    return [relink(repo, '--dry-run').commits[1]?.checkpoints.map(({ checkpoint }) => checkpoint) ?? [], id];
  }

  scenario('is no other place of its work: that is in the commit before', (repo) => {
    const [found, id] = makeAnew(repo, '');
    expect(found).toEqual([id]);
  });

  variation('is one where a line is left there: who wrote one of two again wrote no more', (repo) => {
    const [found] = makeAnew(repo, OTHER);
    expect(found).toEqual([]);
  });
});
