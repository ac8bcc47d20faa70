import { describe, expect } from 'vitest';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const MINE = 'const typedByHand = compute(100);\n';
const THEIRS = 'const writtenByAgent = compute(333);\n';

interface Place {
  readonly commit: string | null;
  readonly path: string;
  readonly subject: string | null;
  readonly in_history: boolean;
}

interface Told {
  readonly class: string;
  readonly reason: string;
  readonly session_id: string | null;
  readonly why: {
    readonly brought: Place | null;
    readonly moved: Place | null;
    readonly led_back: Place | null;
    readonly reverts: string | null;
    readonly replays: string | null;
    readonly edit: string | null;
    readonly among: readonly string[];
  };
}

/** A commit, by its id. */
const made = (repo: TestRepo, message: string, ...paths: string[]): string => {
  repo.commit(message, ...paths);
  return repo.git('rev-parse', 'HEAD').trim();
};

const why = (repo: TestRepo, file: string): Told[] =>
  JSON.parse(repo.entire('blame', '--why', '--json', file).stdout).lines;
const shown = (repo: TestRepo, ...args: string[]): string => repo.entire('blame', '--why', ...args).stdout;

describe('blame --why', () => {
  scenario('names what brought each line, and how its session wrote it', (repo) => {
    repo.ready().write('a.ts', MINE).commit('Mine', 'a.ts');
    const session = addWork(repo, { 'a.ts': `${MINE}${THEIRS}` });
    const commit = made(repo, 'Theirs', 'a.ts');
    const [mine, theirs] = why(repo, 'a.ts');
    expect(mine).toMatchObject({ class: 'human', reason: 'no-session' });
    expect(mine?.why).toMatchObject({
      brought: { path: 'a.ts', subject: 'Mine' },
      led_back: null,
      edit: null,
    });
    expect(theirs).toMatchObject({ class: 'agent', session_id: session.id });
    expect(theirs?.why).toEqual({
      brought: { commit, path: 'a.ts', subject: 'Theirs', in_history: true },
      ...{ moved: null, led_back: null, reverts: null, replays: null },
      ...{ edit: 'file', among: [] },
    });
    repo.write('a.ts', `${MINE}${THEIRS}waiting\n`);
    const rows = shown(repo, 'a.ts:2-3').split('\n');
    expect(rows.filter((row) => row.startsWith('    - '))).toEqual([
      `    - ${commit.slice(0, 7)} "Theirs"`,
      expect.stringMatching(
        /^ {4}- Claude Code session .{8}, turn .*:1, checkpoint [0-9a-f]{12}, with the whole file: the transcript of the session has it$/,
      ),
      '    - not committed yet',
      expect.stringMatching(/^ {4}- human: /),
    ]);
    expect(rows.at(-2)).toBe('2 lines: agent 1 (50%), human 1 (50%), unknown 0 (0%)');
    const { code, stderr } = repo.tryEntire('blame', '--why', '--porcelain', 'a.ts');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot specify both --why and --porcelain')]);
  });

  variation('says once what is the same of lines one below the other', (repo) => {
    repo.ready();
    addWork(repo, { 'a.ts': `${THEIRS}const another = compute(444);\nconst third = compute(555);\n` });
    repo.commit('Theirs', 'a.ts');
    expect(shown(repo, 'a.ts').match(/"Theirs"/g)).toHaveLength(1);
    expect(shown(repo, 'a.ts:2').match(/"Theirs"/g)).toHaveLength(1);
  });

  variation('leads back to what was squashed, and is in no history any more', (repo) => {
    repo.ready();
    repo.git('switch', '--quiet', '--create', 'topic');
    addWork(repo, { 'a.ts': THEIRS });
    const first = made(repo, 'On a branch', 'a.ts');
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--squash', '--quiet', 'topic');
    repo.git('commit', '--quiet', '-m', 'All of it');
    repo.git('notes', '--ref=entire', 'remove', '--ignore-missing', 'HEAD');
    const [line] = why(repo, 'a.ts');
    expect(line?.class).toBe('agent');
    const { brought, led_back: back } = line?.why ?? {};
    expect(brought).toMatchObject({ subject: 'All of it', in_history: true });
    expect(back).toMatchObject({ commit: first, subject: 'On a branch', in_history: false });
  });

  variation('names where a line was before it was moved', (repo) => {
    repo.ready();
    addWork(repo, { 'a.ts': `${MINE}${THEIRS}` });
    const first = made(repo, 'Theirs', 'a.ts');
    repo.write('b.ts', repo.read('a.ts')).run('rm', ['a.ts']);
    repo.write('c.ts', 'const other = compute(7);\n').commit('Tidy up', '.');
    const line = why(repo, 'b.ts')[1];
    expect(line).toMatchObject({ class: 'agent' });
    const places = [line?.why.brought, line?.why.moved, line?.why.led_back];
    expect(places).toContainEqual({ commit: first, path: 'a.ts', subject: 'Theirs', in_history: true });
  });

  variation('says of a line that stands twice that it was copied, or typed, and not moved', (repo) => {
    repo.ready();
    addWork(repo, { 'a.ts': `${THEIRS}${MINE}` });
    const first = made(repo, 'Theirs', 'a.ts').slice(0, 7);
    repo.write('a.ts', `${THEIRS}${MINE}${THEIRS}`).commit('Mine', 'a.ts');
    const rows = shown(repo, 'a.ts:3');
    expect(rows).toContain(
      `copied, or typed once more: another line of the file has its text from ${first} "Theirs"`,
    );
    expect(rows).not.toContain('moved');
    repo.write('a.ts', `${MINE}${THEIRS}`).commit('Away', 'a.ts');
    expect(shown(repo, 'a.ts:2')).not.toContain('copied');
  });

  variation('names the sessions that may have written a line', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('make it');
    session.edit('a.ts', THEIRS);
    session.shell(() => repo.write('a.ts', `${THEIRS}${MINE}`));
    session.stop();
    repo.commit('Both', 'a.ts');
    const line = why(repo, 'a.ts')[1];
    expect(line).toMatchObject({ class: 'unknown', reason: 'unseen', why: { among: [session.id] } });
    expect(shown(repo, 'a.ts')).toContain(
      `not all on record of: Claude Code session ${session.id.slice(0, 8)}`,
    );
  });

  variation(
    'says of lines that a revert brings back which commit it takes back; they are their writer’s',
    (repo) => {
      repo.ready().write('a.ts', `${MINE}const kept = compute(8);\n`).commit('Mine', 'a.ts');
      const session = addWork(repo, { 'a.ts': `${MINE}const kept = compute(8);\n${THEIRS}` });
      const first = made(repo, 'Theirs', 'a.ts');
      repo.write('a.ts', 'const kept = compute(8);\n');
      const gone = made(repo, 'Gone', 'a.ts');
      repo.git('revert', '--no-edit', 'HEAD');
      const lines = why(repo, 'a.ts');
      expect(lines.map(({ class: kind, session_id }) => session_id ?? kind)).toEqual([
        'human',
        'human',
        session.id,
      ]);
      const [mine, , theirs] = lines;
      expect([mine?.why.reverts, theirs?.why.reverts]).toEqual([gone, gone]);
      expect(theirs?.why.led_back).toMatchObject({ commit: first, subject: 'Theirs', in_history: true });
      expect(mine?.why.led_back).toMatchObject({ subject: 'Mine' });
      expect(shown(repo, 'a.ts')).toContain(`the commit reverts ${gone.slice(0, 7)}`);
    },
  );
});
