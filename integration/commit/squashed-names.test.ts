import { describe, expect } from 'vitest';
import { commitWithout, why } from '../support/command/why.ts';
import { addWork } from '../support/command/work.ts';
import { classesOf, linksOf, notedIn } from '../support/repository/links.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const text = (name: string): string => `export const ${name} = computeTheAnswerOf('${name}');\n`;

/** Two linked commits on a branch; then on main, with the work of both in the index and no commit yet. */
function squashed(repo: TestRepo): [string, string] {
  repo.ready().git('switch', '--quiet', '-c', 'topic');
  const ids = ['first', 'second'].map((name) => {
    addWork(repo, { [`${name}.ts`]: text(name) }).end();
    return repo.commit(`Add ${name}`, `${name}.ts`) as string;
  });
  repo.git('switch', '--quiet', 'main');
  repo.git('merge', '--quiet', '--squash', 'topic');
  return ids as [string, string];
}

/** A commit of the index as a forge makes one: none of our hooks sees it. */
const forge = (repo: TestRepo, message: string): void => {
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', message);
};

const bothClasses = (repo: TestRepo): string[] =>
  ['first.ts', 'second.ts'].flatMap((file) => classesOf(repo, file));

describe('a squashed commit has all that its message names', () => {
  onBothBuilds('git merge --squash, with the message that git makes', (repo) => {
    const [a, b] = squashed(repo);
    repo.gitWith({ env: { GIT_EDITOR: ':' } }, 'commit', '--quiet');
    expect(why(repo)).toMatchObject({ status: 'linked', reason: 'made-of', checkpoint: null });
    expect(linksOf(repo)).toEqual([b, a]);
    expect(bothClasses(repo)).toEqual(['agent:written', 'agent:written']);
    const shown = repo.entire('explain', 'HEAD').stdout;
    expect(shown).toContain(b);
    expect(shown).toContain(`entire explain ${a}`);
    expect(JSON.parse(repo.entire('status', '--json').stdout).verdicts[0]).toMatchObject({
      reason: 'made-of',
    });
    const points = JSON.parse(repo.entire('rewind', '--list').stdout);
    const [head] = points.filter((point: { id: string }) => point.id === repo.git('rev-parse', 'HEAD'));
    expect(head).toBeDefined();
    expect(repo.entire('diff', 'HEAD').stdout).toContain(text('first').trim());
    expect(repo.entire('diff', 'HEAD').stdout).toContain(text('second').trim());
    const found = JSON.parse(repo.entire('search', 'first.ts', '--json').stdout);
    expect(JSON.stringify(found)).toContain(a);
  });

  variation('with a message of one’s own it is linked by a note', (repo) => {
    squashed(repo);
    repo.git('commit', '--quiet', '-m', 'All of it');
    expect(why(repo).status).toBe('linked');
    for (const line of bothClasses(repo)) expect(line).toMatch(/^agent/);
  });

  variation('a forge that makes a list of the messages, with those who had a part in it below', (repo) => {
    const [a, b] = squashed(repo);
    forge(
      repo,
      `Feature (#7)\r\n\r\n* Add first\r\n\r\nEntire-Checkpoint: ${a}\r\n\r\n* Add second\r\n\r\nEntire-Checkpoint: ${b}\r\n\r\n---------\r\n\r\nCo-authored-by: Bo <bo@example.com>`,
    );
    expect(linksOf(repo)).toEqual([a, b]);
    expect(bothClasses(repo)).toEqual(['agent:written', 'agent:written']);
    // A session is gone on with by such a commit, too.
    const resumed = JSON.parse(repo.entire('resume', 'HEAD', '--force', '--json').stdout);
    expect(resumed.checkpoint).toBe(a);
    expect(JSON.stringify(resumed)).toContain('session_id');
  });

  variation('a forge that leaves the title alone: not known, and never wrong', (repo) => {
    squashed(repo);
    forge(repo, 'Feature\n\nSee merge request group/project!7');
    expect(linksOf(repo)).toEqual([]);
    for (const line of bothClasses(repo)) expect(line).not.toMatch(/^human/);
  });

  variation('one of them in another clone: its lines are nobody’s', (repo) => {
    const [a, b] = squashed(repo);
    forge(repo, `Both\n\n    Entire-Checkpoint: ${a}\n\n    Entire-Checkpoint: 0123456789ab`);
    expect(linksOf(repo)).toEqual([a]);
    expect(why(repo).mentioned).toMatchObject([
      { stored: true },
      { checkpoint: '0123456789ab', stored: false },
    ]);
    expect(classesOf(repo, 'first.ts')).toEqual(['agent:written']);
    expect(classesOf(repo, 'second.ts')[0]).not.toMatch(/^human/);
    expect(linksOf(repo)).not.toContain(b);
  });

  variation('an id in the body says nothing of what is stored for a commit', (repo) => {
    repo.ready();
    addWork(repo, { 'first.ts': text('first') }).end();
    const a = repo.commit('Add first', 'first.ts') as string;
    const before = repo.git('rev-parse', 'entire/checkpoints/v1');
    addWork(repo, { 'first.ts': `${text('first')}${text('more')}` });
    repo.git('add', 'first.ts');
    const env = { ENTIRE_TEST_TTY: '1' };
    repo.gitWith({ env }, 'commit', '--quiet', '-m', `More\n\nEntire-Checkpoint: ${a}\n\nas said above`);
    const own = repo.checkpointOf('HEAD') as string;
    expect(own).not.toBe(a);
    expect(repo.stored(a, 'metadata.json')).toBe(
      repo.git('show', `${before}:${a.slice(0, 2)}/${a.slice(2)}/metadata.json`),
    );
    expect(linksOf(repo)[0]).toBe(own);
  });
});

describe('notes that anybody can write', () => {
  const note = (repo: TestRepo, content: string | Uint8Array, commit = 'HEAD'): void => {
    const blob = repo
      .run('git', ['hash-object', '-w', '--stdin'], { input: content as string })
      .stdout.trim();
    const who = ['-c', 'user.name=Mallory', '-c', 'user.email=mallory@example.com'];
    repo.git(...who, 'notes', '--ref=refs/notes/entire', 'add', '--force', '-C', blob, commit);
  };

  variation('forged, torn, binary and huge ones: what fits is shown, the rest says nothing', (repo) => {
    const [a, b] = squashed(repo);
    forge(repo, 'Both');
    repo.write('mine.txt', 'mine\n');
    commitWithout(repo, 'Mine', 'mine.txt');
    note(repo, `Entire-Checkpoint: ${a}\n`); // of another commit
    expect(why(repo)).toMatchObject({ status: 'not-linked', reason: 'foreign-checkpoint' });
    expect(classesOf(repo, 'mine.txt')[0]).not.toMatch(/^agent/);
    note(
      repo,
      `seen by a tool\r\n\r\nEntire-Checkpoint: ${a}\r\n\r\n\r\nEntire-Checkpoint: zz\nEntire-Checkpoint: ${b}`,
      'HEAD~1',
    );
    expect(linksOf(repo, 'HEAD~1')).toEqual([a, b]);
    note(repo, `\u0001\u00ff${'\u0000'.repeat(3)}\nEntire-Checkpoint: ${a}\n`, 'HEAD~1');
    expect(linksOf(repo, 'HEAD~1')).toEqual([a]);
    note(repo, `${'x'.repeat(8 << 20)}\nEntire-Checkpoint: ${a}\n`, 'HEAD~1');
    expect(linksOf(repo, 'HEAD~1')).toEqual([]);
    expect(repo.entire('log').stdout).toContain('Both');
    const many = Array.from(
      { length: 30_000 },
      (_, at) => `Entire-Checkpoint: ${at.toString(16).padStart(12, '0')}\n`,
    );
    note(repo, many.join(''), 'HEAD~1');
    expect(repo.entire('why', 'HEAD~1').stdout).toContain('Both');
  });

  variation('what another tool wrote into a note stays when a link is added', (repo) => {
    const [a, b] = squashed(repo);
    forge(repo, `Both\n\n    Entire-Checkpoint: ${a}\n\n    Entire-Checkpoint: ${b}`);
    const old = repo.git('rev-parse', 'HEAD');
    repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--amend', '-m', 'Both, said better');
    note(repo, 'reviewed by Ada\n');
    const input = `${old} ${repo.git('rev-parse', 'HEAD')}\n`;
    // Also where git knows nobody's name.
    repo.git('config', '--unset', 'user.name');
    repo.git('config', '--unset', 'user.email');
    repo.run('entire', ['hooks', 'git', 'post-rewrite', 'amend'], { input });
    expect(notedIn(repo)).toEqual([a, b]);
    expect(repo.git('notes', '--ref=refs/notes/entire', 'show', 'HEAD')).toContain('reviewed by Ada\n\n');
    note(repo, 'x'.repeat(2 << 20));
    repo.run('entire', ['hooks', 'git', 'post-rewrite', 'amend'], { input });
    expect(repo.git('notes', '--ref=refs/notes/entire', 'show', 'HEAD')).toBe('x'.repeat(2 << 20));
    expect(repo.logText()).toContain('too large');
  });
});

describe('many commits at once', () => {
  /** A chain of commits by `git fast-import`, each of a new line in one of a hundred files. */
  function chain(repo: TestRepo, ref: string, count: number, messageOf: (at: number) => string): string[] {
    const commits = Array.from({ length: count }, (_, at) => {
      const [message, content] = [messageOf(at), text(`name${at}`)];
      const from = at === 0 ? `from ${repo.git('rev-parse', 'HEAD')}\n` : '';
      return `commit ${ref}\nmark :${at + 1}\nauthor Ada <ada@example.com> ${1_700_000_000 + at} +0000\ncommitter Ada <ada@example.com> ${1_700_000_000 + at} +0000\ndata ${message.length}\n${message}\n${from}M 100644 inline file${at % 100}.ts\ndata ${content.length}\n${content}\n`;
    });
    repo.run('git', ['fast-import', '--quiet'], { input: commits.join('') });
    return repo.git('rev-list', '--reverse', `HEAD..${ref}`).split('\n');
  }

  variation('are noted by a few processes, whatever their number', (repo) => {
    repo.ready();
    for (const count of [1, 50, 200, 10_000]) {
      const old = chain(
        repo,
        `refs/heads/old${count}`,
        count,
        (at) => `Add ${at}\n\nEntire-Checkpoint: ${at.toString(16).padStart(12, '0')}\n`,
      );
      const made = chain(repo, `refs/heads/made${count}`, count, (at) => `Add ${at}, again\n`);
      const input = old.map((oid, at) => `${oid} ${made[at]}\n`).join('');
      const began = performance.now();
      expect(repo.run('entire', ['hooks', 'git', 'post-rewrite', 'rebase'], { input }).code).toBe(0);
      console.info(
        `post-rewrite of ${count} commits that lost their trailers: ${Math.round(performance.now() - began)} ms`,
      );
      for (const at of [0, count - 1])
        expect(notedIn(repo, made[at])).toEqual([at.toString(16).padStart(12, '0')]);
      const again = performance.now();
      repo.run('entire', ['hooks', 'git', 'post-rewrite', 'rebase'], { input });
      console.info(`and where nothing is left to do: ${Math.round(performance.now() - again)} ms`);
    }
    expect(repo.git('notes', '--ref=refs/notes/entire', 'list').split('\n')).toHaveLength(10_000);
  });
});
