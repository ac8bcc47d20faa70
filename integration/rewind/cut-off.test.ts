import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { blame } from '../support/command/blame.ts';
import { goBack, logsOnly, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** A commit with a checkpoint, and a later turn of its session. Returns the point and the session. */
function laterTurn(repo: TestRepo) {
  repo.ready();
  const session = turns(repo, { 'a.txt': 'one\n' });
  repo.commit('First', 'a.txt');
  addWork(repo, { 'b.txt': 'b1\nb2\n' }, session);
  const [point] = logsOnly(repo);
  if (!point) throw new Error('a point expected');
  return { session, point };
}

const classesOf = (repo: TestRepo, path: string) =>
  JSON.parse(repo.entire('blame', path, '--json').stdout).counts;

describe('going back to a commit would cut off turns whose work is not committed', () => {
  for (const flags of [[], ['--logs-only'], ['--reset']])
    (flags.length === 0 ? scenario : variation)(
      `${['rewind --to', ...flags].join(' ')}: nothing is done, and it is said what to do`,
      (repo) => {
        const { session, point } = laterTurn(repo);
        const [whole, head] = [session.read(), repo.git('rev-parse', 'HEAD')];
        const { code, stderr } = repo.run('entire', ['rewind', '--to', point.id, ...flags]);
        expect(code).toBe(1);
        expect(stderr).toContain(`  Cuts off 1 later turn of session ${session.id}: “write b.txt”\n`);
        expect(stderr).toContain(`session ${session.id} wrote b.txt; nothing was changed\n`);
        expect(stderr).toContain('Commit that work first');
        expect(stderr).toContain('--force');
        expect([session.read(), repo.git('rev-parse', 'HEAD')]).toEqual([whole, head]);
        expect(classesOf(repo, 'b.txt')).toEqual({ agent: 2, human: 0, unknown: 0 });
        repo.commit('Second', 'b.txt');
        expect(classesOf(repo, 'b.txt')).toEqual({ agent: 2, human: 0, unknown: 0 });
      },
    );

  scenario('--force cuts them off, and one undo brings all of it back; redo cuts them off again', (repo) => {
    const { session, point } = laterTurn(repo);
    const whole = session.read();
    const { stderr } = goBack(repo, point.id, '--force');
    const cut = session.read();
    expect(whole.startsWith(cut)).toBe(true);
    expect(cut).not.toContain('write b.txt');
    expect(stderr).toContain('To reverse this: entire undo\n');
    repo.entire('undo');
    expect(session.read()).toBe(whole);
    expect(repo.read('b.txt')).toBe('b1\nb2\n');
    expect(classesOf(repo, 'b.txt')).toEqual({ agent: 2, human: 0, unknown: 0 });
    expect(repo.entire('search', 'write b.txt').stdout).toContain('write b.txt');
    repo.entire('redo');
    expect(session.read()).toBe(cut);
    repo.entire('undo');
    repo.commit('Second', 'b.txt');
    expect(classesOf(repo, 'b.txt')).toEqual({ agent: 2, human: 0, unknown: 0 });
  });

  variation('--dry-run says which turns go, and that it would ask', (repo) => {
    const { session, point } = laterTurn(repo);
    for (const flags of [[], ['--logs-only'], ['--reset']]) {
      const { stdout } = goBack(repo, point.id, '--dry-run', ...flags);
      expect(stdout).toContain(`  Cuts off 1 later turn of session ${session.id}: “write b.txt”\n`);
      expect(stdout).toContain(
        'would ask before that, unless --force is given.\nDry run: nothing was changed.\n',
      );
    }
  });

  variation('work that was taken back, by undo or by hand, is no reason to ask', (repo) => {
    const { session, point } = laterTurn(repo);
    rmSync(join(repo.dir, 'b.txt'));
    session.prompt('once more');
    session.edit('a.txt', 'one\ntwo\n');
    repo.entire('undo', '--session', session.id);
    expect(goBack(repo, point.id, '--dry-run').stdout).not.toContain('would ask before that');
    goBack(repo, point.id);
    expect(session.read()).not.toContain('write b.txt');
  });

  variation('the transcript of a step alone: the same', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' }, { 'a.txt': 'one\ntwo\n' });
    const whole = session.read();
    const { id } = stepOf(temporary(repo), 'Turn 1');
    const { code, stderr } = repo.run('entire', ['rewind', '--to', id, '--logs-only']);
    expect([code, session.read()]).toEqual([1, whole]);
    expect(stderr).toContain('Cuts off 1 later turn');
    goBack(repo, id, '--logs-only', '--force');
    expect(session.read()).not.toContain('turn 2');
    repo.entire('undo');
    expect(session.read()).toBe(whole);
  });
});

describe('going back to a commit cuts off turns whose work is committed', () => {
  scenario('it is said which, and one undo brings them back', (repo) => {
    const { session, point } = laterTurn(repo);
    repo.commit('Second', 'b.txt');
    const whole = session.read();
    const { stderr } = goBack(repo, point.id);
    expect(stderr).toContain(`  Cuts off 1 later turn of session ${session.id}: “write b.txt”\n`);
    expect(stderr).toContain('To reverse this: entire undo\n');
    expect(classesOf(repo, 'b.txt')).toEqual({ agent: 2, human: 0, unknown: 0 });
    expect(repo.entire('search', 'write b.txt').stdout).toContain('write b.txt');
    repo.entire('undo');
    expect(session.read()).toBe(whole);
  });

  variation('while the agent is at work: it is warned of', (repo) => {
    const { session, point } = laterTurn(repo);
    repo.commit('Second', 'b.txt');
    session.prompt('go on');
    const { stderr } = goBack(repo, point.id);
    expect(stderr).toContain(`Warning: session ${session.id} is in the middle of a turn`);
    expect(stderr).toContain('“write b.txt”, “go on”');
  });
});

describe('lines that stay of a turn that was cut off are no person’s, before and after a commit', () => {
  const told = (repo: TestRepo, path: string) =>
    blame(repo, path).lines.map(({ text, class: kind }) => `${text}: ${kind}`);

  scenario('in a file that going back to a step leaves, beside what a person wrote there', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'one\n', 'x.txt': 'x1\n' }, { 'a.txt': 'one\ntwo\nthree\n', 'x.txt': 'x2\n' });
    repo.write('a.txt', 'ONE\ntwo\nthree, I say\n');
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain('  Left: a.txt (');
    const expected = ['ONE: human', 'two: unknown', 'three, I say: human'];
    expect(told(repo, 'a.txt')).toEqual(expected);
    repo.commit('Both', 'a.txt', 'x.txt');
    expect(told(repo, 'a.txt')).toEqual(expected);
    expect(told(repo, 'x.txt')).toEqual(['x1: agent']);
  });

  variation('where another session wrote the whole file since', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'one\n', 'x.txt': 'x1\n' }, { 'a.txt': 'one\ntwo\n', 'x.txt': 'x2\n' });
    addWork(repo, { 'a.txt': 'one\ntwo\ntheirs\n' }).prompt('go on');
    goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    const expected = ['one: agent', 'two: unknown', 'theirs: agent'];
    expect(told(repo, 'a.txt')).toEqual(expected);
    repo.commit('Both', 'a.txt', 'x.txt');
    expect(told(repo, 'a.txt')).toEqual(expected);
  });

  for (const flags of [['--logs-only'], ['--reset']])
    variation(`of a commit, with ${flags.join(' ')} --force; the session goes on in the file`, (repo) => {
      const { session, point } = laterTurn(repo);
      goBack(repo, point.id, '--force', ...flags);
      session.prompt('go on');
      session.edit('b.txt', 'b1\nb2\nb3\n');
      session.stop();
      repo.write('b.txt', 'b1\nb2\nb3\nmine\n');
      const expected = ['b1: unknown', 'b2: unknown', 'b3: agent', 'mine: human'];
      expect(told(repo, 'b.txt')).toEqual(expected);
      repo.commit('Second', 'b.txt');
      expect(told(repo, 'b.txt')).toEqual(expected);
    });

  variation('of a turn whose work is committed nothing is said in later commits', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\nreturn;\n' });
    repo.commit('First', 'a.txt');
    session.prompt('add two');
    session.seesBefore('a.txt');
    repo.write('a.txt', 'one\nreturn;\ntwo\n');
    session.tool('Edit', { file_path: join(repo.dir, 'a.txt'), old_string: ';\n', new_string: ';\ntwo\n' });
    session.reportEdit('a.txt');
    session.stop();
    repo.write('a.txt', 'one\nreturn;\ntwo\nreturn;\n');
    const expected = ['one: agent', 'return;: agent', 'two: agent', 'return;: human'];
    expect(told(repo, 'a.txt')).toEqual(expected);
    repo.commit('Second', 'a.txt');
    expect(told(repo, 'a.txt')).toEqual(expected);
  });

  variation('of a turn that came after a commit nothing is said in that commit', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' });
    repo.write('a.txt', 'one\nreturn;\n');
    repo.commit('First', 'a.txt');
    addWork(repo, { 'a.txt': 'one\nreturn;\ntwo\nreturn;\n' }, session);
    repo.commit('Second', 'a.txt');
    expect(told(repo, 'a.txt').slice(0, 2)).toEqual(['one: agent', 'return;: human']);
  });
});

describe('a conversation that went back alone is a step of its own', () => {
  scenario('which undo and redo name as that, with the way back', (repo) => {
    const { session, point } = laterTurn(repo);
    goBack(repo, point.id, '--force');
    expect(repo.entire('undo', '--list').stdout).toMatch(/rewind: First\n +the conversation alone\n/);
    const undone = repo.entire('undo').stdout;
    expect(undone).toContain('Undoing: rewind: First (the conversation alone, ');
    expect(undone).toContain('To reverse this: entire redo\n');
    expect(repo.entire('redo').stdout).toContain('To reverse this: entire undo\n');
    expect(session.read()).not.toContain('write b.txt');
  });

  variation('it does not stand in the way of undo of a turn before it', (repo) => {
    const { session, point } = laterTurn(repo);
    const whole = session.read();
    goBack(repo, point.id, '--force');
    repo.entire('undo', `${session.id}:2`);
    expect([repo.exists('b.txt'), session.read() === whole]).toEqual([false, false]);
    repo.entire('undo');
    expect(session.read()).toBe(whole);
  });

  variation('nor of redo of an undo before it', (repo) => {
    const { point } = laterTurn(repo);
    repo.entire('undo');
    expect(repo.exists('b.txt')).toBe(false);
    goBack(repo, point.id);
    expect(repo.entire('redo').stdout).toContain('  created   b.txt\n');
    expect(repo.read('b.txt')).toBe('b1\nb2\n');
  });

  variation('it is not over with an undo that would bring nothing back: the conversation went on', (repo) => {
    const { session, point } = laterTurn(repo);
    goBack(repo, point.id, '--force');
    session.say('I go on');
    const now = session.read();
    for (const flags of [['--dry-run'], []]) {
      const { code, stdout, stderr } = repo.tryEntire('undo', ...flags);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(
        `the conversation was changed since, and stays as it is: ${session.transcript}\n`,
      );
      const kept =
        /What it was before is in (.+)\. `entire undo --steps 2` goes past it\.\n/.exec(stderr)?.[1] ?? '';
      expect(readFileSync(kept, 'utf8')).toContain('write b.txt');
    }
    expect(repo.entire('undo', '--list').stdout).toContain('rewind: First');
    expect(repo.entire('undo', '--steps', '2').stdout).toContain(
      `  left      the conversation: ${session.transcript}: it was changed since\n`,
    );
    expect([repo.exists('b.txt'), session.read()]).toEqual([false, now]);
  });

  variation('two of a session, taken back at once, bring it back whole, which is said once', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': '1\n' }, { 'a.txt': '2\n' }, { 'a.txt': '3\n' });
    const whole = session.read();
    for (const turn of ['Turn 2', 'Turn 1'])
      goBack(repo, stepOf(temporary(repo), turn).id, '--logs-only', '--force');
    const cut = session.read();
    const line = `  restored  the conversation: ${session.transcript}\n`;
    for (const [direction, expected] of [
      ['undo', whole],
      ['redo', cut],
    ] as const) {
      const dry = repo.entire(direction, '--steps', '2', '--dry-run').stdout;
      const done = repo.entire(direction, '--steps', '2').stdout;
      for (const stdout of [dry, done])
        expect(stdout.split('\n').filter((text) => `${text}\n` === line)).toHaveLength(1);
      expect(`${dry}${done}`).not.toContain('it was changed since');
      expect(session.read()).toBe(expected);
    }
  });
});
