import { describe, expect } from 'vitest';
import { json } from '../support/agent/kept-sessions.ts';
import { ANSWERS, type Kept, keptOf, standIn, wordsOf } from '../support/agent/stand-in.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** @returns the id of a session in which one thing was said */
function talk(repo: TestRepo): string {
  standIn(repo, ANSWERS);
  repo.entire('session', 'chat', 'hello');
  return keptOf(repo)[0]?.session_id ?? '';
}

const keptAs = (repo: TestRepo, branch: string): Kept | undefined =>
  keptOf(repo).find(({ metadata }) => metadata.branch === branch);

describe('the name of a fork', () => {
  scenario('is what every command takes, and lists show', (repo) => {
    repo.init();
    const parent = talk(repo);
    const forked = repo.entire('session', 'fork', parent, '--branch', 'idea');
    expect(forked.stdout).toBe(`Forked ${parent}. To continue: entire session chat --resume idea\n`);
    const id = keptAs(repo, 'idea')?.session_id ?? '';
    repo.entire('session', 'chat', '--resume', 'idea', 'there');
    expect(wordsOf(keptAs(repo, 'idea') as Kept).slice(0, 2)).toEqual(['hello', 'HELLO']);
    expect(wordsOf(keptAs(repo, 'idea') as Kept)).toContain('there');
    expect(repo.entire('session', 'show', 'idea', '--no-commits').stdout).toMatch(/^Name: +idea$/m);
    expect(json(repo, 'show', 'idea')).toMatchObject({ session_id: id, branch: 'idea', parent_id: parent });
    expect(json(repo, 'list').map(({ branch }: { branch: string | null }) => branch)).toEqual(['idea', null]);
    const { stdout } = repo.entire('session', 'list', '--no-commits');
    expect(stdout).toMatch(
      /^ID +ORIGIN +WHEN +NAME +TITLE +FOLDER\n\S+ +claude-code \(chat\) +just now +idea +hello /,
    );
    expect(JSON.parse(repo.entire('session', 'export', 'idea').stdout).session.session_id).toBe(id);
    expect(repo.entire('session', 'delete', 'idea', '--log').stdout).toBe(`Deleted ${id} and its log.\n`);
    expect(repo.entire('session', 'list', '--no-commits').stdout).not.toContain('NAME');
  });

  variation('chat gives one, too; a fork of a fork has its own, or none', (repo) => {
    repo.init();
    const parent = talk(repo);
    repo.entire('session', 'chat', '--fork', parent, '--branch', 'my idea', 'aside');
    expect(keptAs(repo, 'my idea')?.parent_id).toBe(parent);
    const { stdout } = repo.entire('session', 'fork', 'my idea', '--json');
    const { session_id, branch } = JSON.parse(stdout);
    expect(branch).toBeNull();
    expect(keptOf(repo).find((one) => one.session_id === session_id)?.metadata).not.toHaveProperty('branch');
    expect(json(repo, 'show', 'my idea').session_id).toBe(keptAs(repo, 'my idea')?.session_id);
  });

  variation('is found however much metadata a session has', (repo) => {
    repo.init();
    const parent = talk(repo);
    const files = Array.from({ length: 500 }, (_, at) => `src/a-file-with-a-name-${at}.ts`);
    const exported = JSON.parse(repo.entire('session', 'export', parent).stdout);
    const session = { ...exported.session, session_id: 'long', metadata: { branch: 'idea', files } };
    repo.write('.git/long.json', JSON.stringify(session));
    repo.run('cp', ['.git/long.json', `${repo.home}/.entire/sessions/long.json`]);
    expect(json(repo, 'show', 'idea').session_id).toBe('long');
  });

  variation('is one that nobody has, and that can be typed', (repo) => {
    repo.init();
    const parent = talk(repo);
    repo.entire('session', 'fork', parent, '--branch', 'idea');
    for (const args of [
      ['fork', parent, '--branch', 'idea'],
      ['chat', '--fork', parent, '--branch', 'idea', 'hi'],
      ['fork', parent, '--branch', parent],
    ]) {
      const refused = repo.tryEntire('session', ...args);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain('Error: there is a session of that name: ');
    }
    for (const name of ['', ' ', 'a\nb', ' a', '-x'])
      expect(repo.tryEntire('session', 'fork', parent, `--branch=${name}`).stderr).toContain(
        'is not a name for a session',
      );
    expect(keptOf(repo)).toHaveLength(2);
  });
});

describe('flags', () => {
  variation('of another action are refused, and nothing is done', (repo) => {
    repo.init();
    const id = talk(repo);
    for (const [action, ...args] of [
      ['chat', '--branch', 'x', 'hi'],
      ['chat', '--out', 'x', 'hi'],
      ['list', '--resume', id],
      ['list', '--silence', '3'],
      ['show', id, '--branch', 'x'],
      ['stats', '--here'],
      ['fork', id, '--agent', 'codex'],
      ['export', id, '--json'],
      ['import', '--force', 'x'],
      ['delete', id, '--all'],
    ] as const) {
      const refused = repo.tryEntire('session', action, ...args);
      expect([refused.code, refused.stdout], [action, ...args].join(' ')).toEqual([2, '']);
      expect(refused.stderr).toMatch(/unknown flag: --\w+|is the name of what --fork makes/);
    }
    expect(keptOf(repo)).toHaveLength(1);
  });

  variation('of another action are refused by context and agent as well', (repo) => {
    repo.ready();
    for (const args of [
      ['context', 'presets', '--budget', '3'],
      ['context', 'show', 'x', '--out', 'y'],
      ['agent', 'list', '--force'],
      ['agent', 'add', 'pi', '--json'],
      ['agent', 'remove', 'claude-code', '--force'],
    ]) {
      const refused = repo.tryEntire(...args);
      expect([refused.code, refused.stderr], args.join(' ')).toEqual([
        2,
        expect.stringContaining('unknown flag: --'),
      ]);
    }
  });
});
