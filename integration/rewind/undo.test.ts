import { describe, expect } from 'vitest';
import { goBack, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork, expectLinked } from '../support/command/work.ts';
import { withoutProgress } from '../support/process/progress.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** All that a rewind may change. */
function everything(repo: TestRepo, session: { id: string; read(): string }) {
  const paths = repo
    .git('ls-files', '--cached', '--others', '--exclude=.entire', '--exclude=.claude')
    .split('\n');
  return {
    files: Object.fromEntries(
      paths.filter((path) => repo.exists(path)).map((path) => [path, repo.read(path)]),
    ),
    state: repo.state(session.id),
    branches: repo.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/entire'),
    transcript: session.read(),
    tracked: repo.tracked(session.id),
  };
}

describe('a rewind taken back', () => {
  scenario('files, state, branch and transcript are as before; redo goes back again', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'b\n' }, { 'c.txt': 'c\n' });
    repo.write('a.txt', 'v2\nand mine, uncommitted\n');
    const before = everything(repo, session);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id, '--session-only');
    const after = everything(repo, session);
    expect(repo.read('a.txt')).toBe('v1\n');
    expect(repo.tryEntire('redo').stderr).toContain('A rewind is reversed by `entire undo`');
    expect(withoutProgress(repo.entire('undo').stderr)).toBe('');
    expect(everything(repo, session)).toEqual(before);
    expect(temporary(repo)).toHaveLength(3);
    repo.entire('redo');
    const again = everything(repo, session);
    expect({ ...again, state: { ...again.state, last_interaction_time: '' } }).toEqual({
      ...after,
      state: { ...after.state, last_interaction_time: '' },
    });
    repo.entire('undo');
    expect(everything(repo, session)).toEqual(before);
    repo.commit('All', 'a.txt', 'b.txt', 'c.txt');
    expectLinked(repo, session, 'a.txt', 'b.txt', 'c.txt');
  });

  variation(
    'names files that somebody else wrote into since the step, before --session-only puts them back',
    (repo) => {
      repo.ready();
      turns(repo, { 'a.txt': 'v1\n', 'b.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'v2\n' });
      const step = stepOf(temporary(repo), 'Turn 1').id;
      expect(goBack(repo, step, '--dry-run').stderr).not.toContain('goes, too');
      repo.write('a.txt', 'v2\nmine\n');
      const warning = 'What you or others wrote into these files since that point goes, too.';
      for (const flags of [['--dry-run'], []]) {
        const { stderr } = goBack(repo, step, '--session-only', ...flags);
        expect(stderr).toContain(`${warning} \`entire undo\` brings it back:\n  - a.txt\n`);
        expect(stderr).not.toContain('  - b.txt');
      }
      expect(repo.read('a.txt')).toBe('v1\n');
      repo.entire('undo');
      expect(repo.read('a.txt')).toBe('v2\nmine\n');
    },
  );

  variation(
    'where the session went on since, its steps stay, and the files that come back are its own',
    (repo) => {
      repo.ready();
      const session = turns(repo, { 'a.txt': 'v1\n' }, { 'b.txt': 'b\n' });
      goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
      addWork(repo, { 'c.txt': 'c\n' }, session);
      repo.entire('undo'); // the turn
      expect(repo.exists('c.txt')).toBe(false);
      const { stderr } = repo.entire('undo'); // the rewind
      expect(stderr).toContain('The session went on since the rewind');
      expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v1\n', 'b\n']);
      expect(repo.tracked(session.id)).toContain('b.txt');
      repo.commit('b', 'a.txt', 'b.txt');
      expectLinked(repo, session, 'a.txt', 'b.txt');
    },
  );

  variation('with later steps of another session on the branch', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    const other = addWork(repo, { 'x.txt': 'x\n' });
    const before = everything(repo, session);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id, '--session-only');
    expect(temporary(repo)).toHaveLength(2);
    repo.entire('undo', '--session', session.id);
    expect(everything(repo, session)).toEqual(before);
    expect(repo.state(other.id).checkpoint_count).toBe(1);
  });

  variation('file by file: steps, state and transcript come back with the rest', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'b\n' });
    const { tracked: _, ...before } = everything(repo, session);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    const { branches, state, transcript } = everything(repo, session);
    repo.entire('undo', '--files', 'b.txt');
    expect([repo.read('a.txt'), repo.read('b.txt')]).toEqual(['v1\n', 'b\n']);
    const inHand = { ...state, files_touched: ['a.txt', 'b.txt'] };
    expect(everything(repo, session)).toMatchObject({ branches, state: inHand, transcript });
    repo.entire('redo');
    expect(repo.exists('b.txt')).toBe(false);
    repo.entire('undo', '--files', 'b.txt');
    expect(withoutProgress(repo.entire('undo').stderr)).toBe('');
    expect(everything(repo, session)).toMatchObject(before);
    repo.entire('redo');
    expect(everything(repo, session)).toMatchObject({ branches, transcript });
  });

  variation('undo and redo name it as a rewind, and say what became of the conversation', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    const back = `  restored  the conversation: ${session.transcript}\n`;
    const told = (direction: string) => ({
      dry: repo.entire(direction, '--dry-run').stdout,
      said: repo.entire(direction).stdout,
    });
    for (const [direction, doing] of [
      ['undo', 'Undoing'],
      ['redo', 'Redoing'],
    ] as const) {
      const { dry, said } = told(direction);
      const rest = `: rewind: Turn 1 (1 file, just now)\n  restored  a.txt\n${back}`;
      expect(dry).toBe(`Would ${direction}${rest}`);
      const other = direction === 'undo' ? 'redo' : 'undo';
      expect(said).toBe(`${doing}${rest}\nTo reverse this: entire ${other}\n`);
      const { stdout } = repo.entire(other, '--list');
      expect(stdout).toContain('  rewind: Turn 1');
    }
    repo.entire('undo');
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id, '--logs-only', '--force');
    for (const [direction, doing, other] of [
      ['undo', 'Undoing', 'redo'],
      ['redo', 'Redoing', 'undo'],
    ] as const)
      expect(told(direction).said).toBe(
        `${doing}: rewind: Turn 1 (the conversation alone, just now)\n${back}\nTo reverse this: entire ${other}\n`,
      );
    session.prompt('and on');
    expect(repo.entire('undo', '--steps', '2').stdout).toContain(
      `  left      the conversation: ${session.transcript}: it was changed since\n`,
    );
  });

  variation('a transcript that the agent has gone on in is not put back', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    session.say('I go on');
    const text = session.read();
    repo.entire('undo');
    expect(session.read()).toBe(text);
    expect(repo.read('a.txt')).toBe('v2\n');
  });
});

describe("the user's lines after going back", () => {
  variation('those of before the step count, those of after it count when they are there again', (repo) => {
    repo.ready();
    const lines = (count: number, word: string) =>
      Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');
    const session = turns(repo, { 'a.txt': lines(4, 'agent') });
    repo.write('a.txt', lines(4, 'agent') + lines(2, 'user'));
    session.prompt('turn 2');
    session.edit('a.txt', lines(4, 'agent') + lines(2, 'user') + lines(3, 'more'));
    session.stop();
    repo.write('a.txt', lines(4, 'agent') + lines(2, 'user') + lines(3, 'more') + lines(5, 'later'));
    session.prompt('turn 3');
    session.edit('b.txt', 'b\n');
    session.stop();
    goBack(repo, stepOf(temporary(repo), 'Turn 2').id); // the user's lines stay
    const attributions = repo.state(session.id).prompt_attributions;
    expect(attributions.map(({ user_lines_added: added }: { user_lines_added: number }) => added)).toEqual([
      0, 2,
    ]);
    const id = repo.commit('Commit', 'a.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').initial_attribution).toMatchObject({
      agent_lines: 7,
      human_added: 7,
      total_committed: 14,
    });
  });

  variation('what the user wrote after going back is his, once', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\ntwo\n' }, { 'a.txt': 'one\ntwo\nthree\n' });
    repo.write('own.txt', 'mine\n');
    session.prompt('turn 3');
    session.edit('c.txt', 'c\n');
    session.stop();
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.write('a.txt', 'one\ntwo\nby hand\n');
    session.prompt('turn 4');
    session.edit('d.txt', 'd\n');
    session.stop();
    const id = repo.commit('Commit', 'a.txt', 'd.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').initial_attribution).toMatchObject({
      agent_lines: 3,
      human_added: 1,
    });
  });
});

describe('a rewind in the middle of a turn, taken back', () => {
  variation('the turn is what its tools wrote, as before, and not what you changed meanwhile', (repo) => {
    repo.ready();
    repo.write('mine.txt', 'mine\n').commit('Mine', 'mine.txt');
    const session = turns(repo, { 'a.txt': 'v1\n' });
    session.prompt('look around');
    session.shell(() => {});
    session.stop();
    session.prompt('go on');
    session.edit('a.txt', 'v2\n');
    repo.write('mine.txt', 'mine\nmore\n');
    const listed = () => JSON.parse(repo.entire('undo', '--list', '--json').stdout).undo[0].files;
    expect(listed()).toEqual(['a.txt']);
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    repo.entire('undo');
    expect(repo.read('a.txt')).toBe('v2\n');
    expect(listed()).toEqual(['a.txt']);
    repo.entire('undo');
    expect([repo.read('a.txt'), repo.read('mine.txt')]).toEqual(['v1\n', 'mine\nmore\n']);
    repo.entire('redo');
    expect(repo.read('a.txt')).toBe('v2\n');
  });
});
