import { describe, expect } from 'vitest';
import { relink, squashAsForge, unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { addClone, withOrigin } from '../support/repository/clones.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const BEFORE = 'interface Options {\n  name: string;\n}\n';
const SHORT = '  depth?: number;';
const AFTER = BEFORE.replace('\n}', `\n${SHORT}\n}`);
const OWN = 'export const walkTheWholeTree = (options: Options) => visit(options);\n';

/** A file of a person's on main, pushed; then a branch for work. */
function begin(repo: TestRepo): string {
  const bare = withOrigin(repo);
  repo.write('types.ts', BEFORE).commit('Begin', 'types.ts');
  repo.git('push', '--quiet', 'origin', 'main');
  repo.git('switch', '--quiet', '-c', 'topic');
  return bare;
}

function commitWork(repo: TestRepo, path: string, text: string): string {
  const session = addWork(repo, { [path]: text });
  const id = repo.commit(`Change ${path}`, path) as string;
  session.end();
  return id;
}

/** A forge squashes the branch, which stays, and a clone has the branches alone. */
function squash(repo: TestRepo, bare: string, message: string): TestRepo {
  repo.git('push', '--quiet', 'origin', 'topic');
  squashAsForge(addClone(repo, bare), message);
  const fresh = addClone(repo, bare);
  fresh.entire('fetch');
  return fresh;
}

const linkedIn = (repo: TestRepo): string[] =>
  relink(repo, 'HEAD').commits.flatMap(({ checkpoints }) => checkpoints.map(({ checkpoint }) => checkpoint));

describe('a checkpoint of a short line, squashed by a forge', () => {
  scenario('is found with the work that was committed right before it', (repo) => {
    const bare = begin(repo);
    const ids = [commitWork(repo, 'a.ts', OWN), commitWork(repo, 'types.ts', AFTER)];
    expect(linkedIn(squash(repo, bare, 'All of it (#1)'))).toEqual(ids);
  });

  variation('is found in a file that has more of others, which it led to', (repo) => {
    const bare = begin(repo);
    const ids = [commitWork(repo, 'types.ts', AFTER)];
    repo.write('b.ts', 'a line that a person wrote\n');
    unhooked(repo, 'add', 'b.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
    ids.push(commitWork(repo, 'types.ts', `${AFTER}${OWN}`));
    expect(linkedIn(squash(repo, bare, 'All of it (#1)'))).toEqual(ids);
  });

  variation('is found where the message names it, also where two files have that line', (repo) => {
    const bare = begin(repo);
    const id = commitWork(repo, 'types.ts', AFTER);
    repo.write('other.ts', `interface Others {\n${SHORT}\n}\n`);
    unhooked(repo, 'add', 'other.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
    repo.git('switch', '--quiet', 'main');
    repo.write('types.ts', `// what a person wrote on main\n${BEFORE}`).commit('Main', 'types.ts');
    repo.git('push', '--quiet', 'origin', 'main');
    repo.git('switch', '--quiet', 'topic');
    const fresh = squash(repo, bare, `All of it (#1)\n\n* Change types.ts\n\n  Entire-Checkpoint: ${id}\n`);
    expect(relink(fresh, 'HEAD').commits).toMatchObject([
      { checkpoints: [{ checkpoint: id, proof: 'lines', new: false }], unproved: [] },
    ]);
  });

  variation(
    'alone is no proof while its branch is there: it is said, and what a note says of it counts',
    (repo) => {
      const bare = begin(repo);
      const id = commitWork(repo, 'types.ts', AFTER);
      const fresh = squash(repo, bare, 'All of it (#1)');
      expect(relink(fresh, 'HEAD')).toMatchObject({
        written: 0,
        commits: [{ checkpoints: [], possible: [id] }],
      });
      const commit = fresh.git('rev-parse', '--short=7', 'HEAD');
      const told = fresh.entire('relink', 'HEAD').stdout;
      const hint = `git notes --ref=entire append -m "Entire-Checkpoint: ${id}" ${commit}`;
      expect(told).toContain(`  ${id}  fits, and is not linked`);
      expect(told).toContain(hint);
      expect(told).toContain('1 in which nothing proves work of a session.');
      fresh.git('notes', '--ref=entire', 'append', '-m', `Entire-Checkpoint: ${id}`, commit);
      expect(relink(fresh, 'HEAD').commits).toMatchObject([
        { checkpoints: [{ checkpoint: id, new: false }], unproved: [], possible: [] },
      ]);
    },
  );
});

describe('what has no lines', () => {
  variation(
    'is found again byte for byte, also where its branch is there; an empty file is nothing',
    (repo) => {
      repo.ready().git('switch', '--quiet', '-c', 'topic');
      const id = commitWork(repo, 'logo.png', '\0a picture that the session made');
      commitWork(repo, 'empty.txt', '');
      repo.git('switch', '--quiet', 'main');
      repo.write('types.ts', BEFORE).commit('Begin', 'types.ts');
      for (const [path, at] of [
        ['logo.png', 'topic~1'],
        ['empty.txt', 'topic'],
      ] as const) {
        repo.git('checkout', '--quiet', at, '--', path);
        unhooked(repo, 'commit', '--quiet', '-m', 'Mine', path);
      }
      expect(relink(repo, 'HEAD~1').commits).toMatchObject([
        { checkpoints: [{ checkpoint: id, proof: 'contents', new: true }], possible: [] },
      ]);
      expect(relink(repo, 'HEAD').commits).toMatchObject([{ checkpoints: [] }]);
      expect(repo.entire('relink', 'HEAD').stdout).toContain('its contents are too short to prove it');
    },
  );

  variation('is no text that git was told to show no lines of: two people bump a version alike', (repo) => {
    repo.ready().write('.gitattributes', '*.lock -diff\n').write('app.lock', 'version 1\n');
    repo.commit('Begin', '.gitattributes', 'app.lock');
    repo.git('switch', '--quiet', '-c', 'topic');
    commitWork(repo, 'app.lock', 'version 2\n');
    repo.git('switch', '--quiet', 'main');
    repo.write('app.lock', 'version 2\n');
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'app.lock');
    expect(linkedIn(repo)).toEqual([]);
  });

  variation('is proof in a tree that is the same; a short line in one is not', (repo) => {
    repo.ready().write('types.ts', BEFORE).commit('Begin', 'types.ts');
    repo.git('switch', '--quiet', '-c', 'topic');
    commitWork(repo, 'types.ts', AFTER);
    const id = commitWork(repo, 'logo.png', '\0a picture that the session made');
    for (const [at, proved] of [
      ['topic', [{ checkpoint: id, proof: 'tree' }]],
      ['topic~1', []],
    ] as const) {
      repo.git('switch', '--quiet', '--detach', `${at}~1`);
      repo.git('checkout', '--quiet', at, '--', '.');
      unhooked(repo, 'commit', '--quiet', '-m', 'Mine');
      expect(relink(repo, '--dry-run', 'HEAD').commits).toMatchObject([{ checkpoints: proved }]);
    }
  });
});

describe('an old version of a file', () => {
  variation('brings back short lines of the session that wrote them, and no others', (repo) => {
    repo.ready().write('types.ts', BEFORE).commit('Begin', 'types.ts');
    const id = commitWork(repo, 'types.ts', AFTER);
    repo.write('types.ts', AFTER.replace('name: string;', 'name: string;\n  width?: number;'));
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'types.ts');
    repo.write('types.ts', BEFORE);
    unhooked(repo, 'commit', '--quiet', '-m', 'Without them', 'types.ts');
    repo.git('checkout', '--quiet', 'HEAD~2', '--', 'types.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'As it was');
    expect(relink(repo, 'HEAD').commits).toMatchObject([
      { checkpoints: [{ checkpoint: id, proof: 'lines', lines: 1, new: true }] },
    ]);
    expect(relink(repo)).toMatchObject({ written: 0 });
  });

  variation('also where it was a person who had left it so', (repo) => {
    repo.ready().write('types.ts', BEFORE).commit('Begin', 'types.ts');
    const id = commitWork(repo, 'types.ts', AFTER);
    repo.write('types.ts', `${AFTER}// what a person wrote\n`);
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'types.ts');
    repo.write('types.ts', `${BEFORE}// what a person wrote\n`);
    unhooked(repo, 'commit', '--quiet', '-m', 'Without it', 'types.ts');
    repo.git('checkout', '--quiet', 'HEAD~1', '--', 'types.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'As it was');
    const linked = [{ checkpoint: id, proof: 'lines', new: true }];
    for (const range of [[], ['HEAD']])
      expect(relink(repo, '--dry-run', ...range).commits[0]?.checkpoints).toMatchObject(linked);
  });

  variation('says the same in a long history, whichever commits are looked at beside it', (repo) => {
    repo.ready().write('types.ts', BEFORE).commit('Begin', 'types.ts');
    const id = commitWork(repo, 'types.ts', AFTER);
    const mine = `${AFTER}// what a person wrote\n`;
    for (const text of [mine, mine.replace(`${SHORT}\n`, '')]) {
      repo.write('types.ts', text);
      unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'types.ts');
    }
    // More than git prints in one go, and more commits than are asked for by themselves.
    const filler = Array.from({ length: 620 }, (_, at) => {
      const text = `what stands in filler ${at}\n`.repeat(20);
      const from = at === 0 ? 'from refs/heads/main^0\n' : '';
      const who = `committer P <p@example.com> ${1_900_000_000 + at} +0000`;
      return `commit refs/heads/main\n${who}\ndata 6\nfiller\n${from}M 100644 inline f.txt\ndata ${text.length}\n${text}\n`;
    });
    repo.gitWith({ input: filler.join('') }, 'fast-import', '--quiet', '--force');
    repo.git('reset', '--quiet', '--hard');
    repo.write('types.ts', mine);
    unhooked(repo, 'commit', '--quiet', '-m', 'As it was', 'types.ts');
    for (const range of [['HEAD'], ['HEAD~40..'], ['HEAD~120..'], ['HEAD~600..'], []])
      expect(relink(repo, '--dry-run', ...range).commits[0]).toMatchObject({
        subject: 'As it was',
        checkpoints: [{ checkpoint: id, proof: 'lines', lines: 1, new: true }],
      });
  });

  variation('brings nothing back of a session by a short line that a person wrote', (repo) => {
    repo.ready().write('types.ts', BEFORE).commit('Begin', 'types.ts');
    repo.write('types.ts', AFTER);
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'types.ts');
    commitWork(repo, 'types.ts', `${BEFORE}interface Others {\n${SHORT}\n}\n`);
    repo.git('checkout', '--quiet', 'HEAD~1', '--', 'types.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'As it was');
    expect(linkedIn(repo)).toEqual([]);
  });

  variation('brings nothing back of a session that wrote the same on another branch, or later', (repo) => {
    repo.ready().write('types.ts', BEFORE).commit('Begin', 'types.ts');
    repo.git('switch', '--quiet', '-c', 'topic');
    commitWork(repo, 'types.ts', AFTER);
    repo.git('switch', '--quiet', 'main');
    for (const text of [AFTER, BEFORE]) {
      repo.write('types.ts', text);
      unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'types.ts');
    }
    repo.git('checkout', '--quiet', 'HEAD~1', '--', 'types.ts');
    unhooked(repo, 'commit', '--quiet', '-m', 'As it was');
    expect(linkedIn(repo)).toEqual([]);
    repo.write('types.ts', BEFORE);
    unhooked(repo, 'commit', '--quiet', '-m', 'Without it', 'types.ts');
    commitWork(repo, 'types.ts', AFTER);
    expect(relink(repo, '--dry-run', 'HEAD~2').commits).toMatchObject([{ checkpoints: [] }]);
  });
});

describe('a person who writes the same on a branch beside the one of the session', () => {
  variation('is linked to nothing, also where both are looked at and a later commit has it again', (repo) => {
    repo.ready().write('types.ts', BEFORE).commit('Begin', 'types.ts');
    repo.git('switch', '--quiet', '-c', 'topic');
    repo.write('types.ts', AFTER);
    unhooked(repo, 'commit', '--quiet', '-m', 'Mine', 'types.ts');
    repo.git('switch', '--quiet', 'main');
    const id = commitWork(repo, 'types.ts', AFTER);
    unhooked(repo, 'merge', '--quiet', '--no-edit', 'topic');
    for (const text of [BEFORE, AFTER]) {
      repo.write('types.ts', text);
      unhooked(repo, 'commit', '--quiet', '-m', text === AFTER ? 'As it was' : 'Without it', 'types.ts');
    }
    const linked = (...range: string[]) =>
      relink(repo, '--dry-run', ...range).commits.flatMap(({ subject, checkpoints }) =>
        checkpoints.flatMap(({ checkpoint, new: isNew }) => (isNew ? `${subject}: ${checkpoint}` : [])),
      );
    expect(linked()).toEqual([`As it was: ${id}`]);
    expect(linked('topic')).toEqual([]);
  });
});

describe('what is no range of commits', () => {
  variation('a session, a checkpoint, and an empty range', (repo) => {
    const session = addWork(repo.ready(), { 'a.txt': OWN });
    const id = repo.commit('Add a', 'a.txt') as string;
    const refused = (...args: string[]): string => {
      const { code, stdout, stderr } = repo.tryEntire(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    const short = session.id.slice(0, 8);
    expect(refused('relink', id)).toBe(
      `Error: ${id} is a checkpoint; \`entire relink\` takes commits\nHint: \`entire why ${id}\` shows the commit that it led to; \`entire relink\` alone looks for its work in all commits.\n`,
    );
    expect(refused('relink', short)).toContain(`${short} is a session; `);
    expect(refused('relink', 'nothing')).toContain('no such commits: nothing');
    expect(refused('stats', short)).toBe(
      `Error: ${short} is a session; \`entire stats\` counts commits\nHint: \`entire log ${short}\` lists what it did, \`entire why ${short}\` shows the newest commit that it led to.\n`,
    );
    expect(refused('stats', id)).toContain(`Hint: \`entire why ${id}\` shows`);
    expect(refused('stats', 'nothing')).toContain('no such range of commits: nothing');
    expect(repo.entire('relink', 'HEAD..HEAD~1').stdout).toBe(
      'Nothing to link: there are no commits in HEAD..HEAD~1, merges aside. A range goes from the older commit to the newer one.\n',
    );
  });
});
