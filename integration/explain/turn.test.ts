import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { branchOff, unhooked } from '../support/command/relink.ts';
import { goBack, stepOf, temporary } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const ID = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';

/** A turn, two that write an ignored file alone, a question, and a turn. */
function withIgnored(repo: TestRepo) {
  repo.ready();
  repo.write('.gitignore', '.env\n').commit('Ignore', '.gitignore');
  const session = repo.session(ID);
  session.prompt('Write a');
  session.edit('a.txt', 'a\n');
  session.stop('There is a.');
  session.prompt('Set the secret');
  session.edit('.env', 'A=1\n');
  session.stop('It is set.');
  session.prompt('Set it again');
  session.edit('.env', 'A=2\n');
  session.stop('It is set again.');
  session.prompt('What is it?');
  session.stop('It is 2.');
  session.prompt('Write b');
  session.edit('b.txt', 'b\n');
  session.stop('There is b.');
  return session;
}

const explain = (repo: TestRepo, ...args: string[]): string => repo.entire('explain', ...args).stdout;

scenario('a turn is told by itself, whatever was saved with it, and also once a commit has it', (repo) => {
  const session = withIgnored(repo);
  const turns: [string, string, string, string][] = [
    ['bee7:1', 'a.txt  +1', 'Write a', 'There is a.'],
    ['bee7:2', '.env  +1', 'Set the secret', 'It is set.'],
    ['bee7:3', '.env  +1 -1', 'Set it again', 'It is set again.'],
    ['bee7:4', 'b.txt  +1', 'Write b', 'There is b.'],
  ];
  const expectTold = (): void => {
    for (const [name, file, prompt, answer] of turns) {
      const shown = explain(repo, name);
      expect(shown).toContain(`Turn:        ${name.replace('bee7', 'bee76f83')}\n`);
      const [path] = file.split(' ');
      expect(shown.split('\n\n').slice(1, 5)).toEqual([
        ...[`  ${file}`, `> ${prompt}`, `  write   ${path}  1 line`, answer],
      ]);
    }
  };
  expectTold();
  expect(explain(repo, 'bee7:4')).toContain(
    '\nTokens:      200 fresh input, 24 cached (14 read, 10 written), 40 output\n',
  );
  expect(explain(repo, 'bee7:4')).toMatch(/\n\nMore: `entire diff bee76f83:4`, `entire undo bee76f83:4`\n$/);
  expect(explain(repo, 'bee7:3')).toMatch(/\n\nMore: `entire diff bee76f83:3`\n$/);
  repo.commit('All', 'a.txt', 'b.txt');
  expectTold();
  // The agent has thrown its transcript away: what was asked for is known all the same.
  rmSync(session.transcript);
  expect(explain(repo, 'bee7:3').split('\n\n').slice(1)).toEqual([
    ...['  .env  +1 -1', '> Set it again', 'More: `entire diff bee76f83:3`\n'],
  ]);
});

variation('a line of a file is what wrote it', (repo) => {
  const session = withIgnored(repo);
  session.prompt('More of a');
  session.edit('a.txt', 'a\nmore\n');
  session.stop('There is more.');
  repo.write('a.txt', 'a\nmore\nmine\n');
  expect(explain(repo, 'a.txt:1')).toBe(explain(repo, 'bee7:1'));
  expect(explain(repo, 'a.txt:2')).toBe(explain(repo, 'bee7:5'));
  const refused = (word: string) => repo.tryEntire('explain', word);
  expect(refused('a.txt:1-2')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a.txt:1-2 comes from several: bee76f83:1, bee76f83:5'),
  });
  expect(refused('a.txt:3').stderr).toContain('a.txt:3');
  expect(refused('a.txt:3').code).toBe(1);
  expect(refused('a.txt').stderr).toContain('Hint: `entire explain a.txt:1` ');
});

variation(
  'a line is of the checkpoint that blame names: of a squash, and of a commit without a link',
  (repo) => {
    const ids = branchOff(repo);
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--squash', 'topic');
    unhooked(repo, 'commit', '--quiet', '-m', 'Both, without a link');
    repo.git('branch', '--quiet', '--delete', '--force', 'topic');
    const cwd = join(repo.scratch, 'clone');
    repo.git('clone', '--quiet', repo.dir, cwd);
    const inClone = (...args: string[]) => repo.run('entire', args, { cwd }).stdout;
    const expectTold = () => {
      for (const [at, id] of ids.entries())
        expect(inClone('explain', `a.txt:${at + 1}`, '--short')).toContain(`Checkpoint:  ${id}\n`);
    };
    expectTold();
    expect(JSON.parse(inClone('relink', '--json'))).toMatchObject({ written: 1 });
    expectTold();
  },
);

variation('a line of a commit that several sessions made is of the one that blame names', (repo) => {
  repo.ready();
  const one = addWork(repo, { 'a.txt': 'the first line of the agent\n' });
  const other = addWork(repo, { 'b.txt': 'a line of another agent\n' });
  repo.commit('Both', 'a.txt', 'b.txt');
  const cwd = join(repo.scratch, 'clone');
  repo.git('clone', '--quiet', repo.dir, cwd);
  const shown = (file: string) => repo.run('entire', ['explain', `${file}:1`, '--short'], { cwd }).stdout;
  expect(shown('a.txt')).toContain(one.id);
  expect(shown('a.txt')).not.toContain(other.id);
  expect(shown('b.txt')).toContain(other.id);
  expect(shown('b.txt')).not.toContain(one.id);
});

variation('a line that several turns of a session wrote is what that session did', (repo) => {
  repo.ready();
  const session = repo.session(ID);
  for (const text of ['same\n', 'other\n', 'same\n']) {
    session.prompt(`Write ${text}`);
    session.edit('a.txt', text);
    session.stop();
  }
  expect(explain(repo, 'a.txt:1')).toBe(explain(repo, ID));
});

variation('short and full of a turn; a step by its commit is what came since the one before it', (repo) => {
  const session = withIgnored(repo);
  session.prompt('Tell me all');
  session.edit('c.txt', 'c\n');
  session.stop(Array.from({ length: 40 }, (_, at) => `Line ${at + 1}`).join('\n'));
  expect(explain(repo, 'bee7:5')).toContain('\nLine 12\n… 28 more lines (--full)\n');
  expect(explain(repo, 'bee7:5', '--full')).toContain('\nLine 40\n');
  expect(explain(repo, 'bee7:5', '--full')).not.toContain('Write b');
  expect(explain(repo, 'bee7:5', '--short')).toMatch(/\n\n> Tell me all\n$/);
  const step = /^Step: +([0-9a-f]{7}) \[uncommitted\]$/m.exec(explain(repo, 'bee7:4'))?.[1] as string;
  expect(explain(repo, step)).toBe(explain(repo, 'bee7:4'));
  const since = explain(repo, '-c', step);
  expect(since.match(/^> .*$/gm)).toEqual([
    ...['> Set the secret', '> Set it again', '> What is it?', '> Write b'],
  ]);
  expect(explain(repo, '-c', step, '--full')).toContain('\n> Write a\n');
});

describe('where no step has what was said in a turn, its transcript tells', () => {
  const TOKEN = `ghp_${'0aB1cD2eF3gH4iJ5'.repeat(3).slice(0, 36)}`;

  variation('neither what was said in private, nor a secret', (repo) => {
    repo.ready();
    const session = repo.session(ID);
    session.prompt('Write a');
    session.edit('a.txt', 'a\n');
    session.say(`The token is ${TOKEN}.`);
    session.stop('There is a.');
    repo.commit('All', 'a.txt');
    repo.entire('pause');
    session.say('HUSHWORD behind it');
    repo.entire('pause', '--end');
    const shown = explain(repo, 'bee7:1', '--full');
    expect(shown).toContain('There is a.');
    expect(shown).toContain('The token is REDACTED.');
    expect(shown).not.toContain('HUSHWORD');
    session.prompt('Something else');
    repo.entire('pause');
    session.say('HUSHWORD once more');
    expect(explain(repo, 'bee7:1', '--full').split('\n\n').slice(1)).toEqual([
      ...['  a.txt  +1', '> Write a', 'More: `entire diff bee76f83:1`, `entire undo bee76f83:1`\n'],
    ]);
  });

  variation('no other turn, where a rewind cut the transcript off', (repo) => {
    const session = withIgnored(repo);
    goBack(repo, stepOf(temporary(repo), 'Write a').id);
    session.prompt('Another way');
    session.edit('c.txt', 'c\n');
    for (let line = 0; line < 20; line++) session.say('On it.');
    session.stop('There is c.');
    session.prompt('One more way');
    session.edit('d.txt', 'd\n');
    session.stop('There is d.');
    const shown = explain(repo, 'bee7:4');
    expect(shown).toContain('\n> Write b\n');
    expect(shown).not.toContain('way');
    expect(explain(repo, 'bee7:5')).toContain('\n> Another way\n');
  });
});

variation('a turn of a session whose id has a dot is told, and is no line of a file', (repo) => {
  repo.ready();
  addWork(repo, { 'a.txt': 'a\n' }, repo.session('agent.2026-run-one')).end();
  repo.commit('Work', 'a.txt');
  for (const command of ['explain', 'why'])
    expect(repo.entire(command, 'agent.2026-run-one:1').stdout).toContain('a.txt');
});
