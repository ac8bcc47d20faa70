import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SECRET = 'PAUSEDWORD';

/** Files below our folders and git's that hold the word, objects of refs included; not what git itself was asked to keep. */
function placesOf(repo: TestRepo, word: string): string[] {
  const folders = [repo.commonDir, join(repo.dir, '.entire'), join(repo.home, '.entire')].filter(existsSync);
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const raw = files.filter((file) => readFileSync(file).includes(word) || file.includes(word));
  const oids = repo.git('rev-list', '--objects', '--all', '--reflog').split('\n');
  const input = `${oids.map((line) => line.slice(0, 40)).join('\n')}\n`;
  const { stdout } = repo.run('git', ['cat-file', '--batch'], { input });
  return [
    ...raw,
    ...(stdout.includes(word) ? ['a git object'] : []),
    ...oids.filter((line) => line.includes(word)),
  ];
}

describe('a private stretch', () => {
  scenario('nothing of a paused worktree is recorded: prompt, edit, stop, read and commit', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('first');
    session.edit('a.txt', 'one\n');
    session.stop();
    const before = repo.state(session.id);

    const { stdout } = repo.entire('pause');
    expect(stdout).toContain('Paused');
    const other = repo.session();
    for (const each of [session, other]) {
      each.start();
      each.prompt(`what about ${SECRET}?`);
      each.edit(`${SECRET}-${each.id.slice(0, 4)}.txt`, `${SECRET}\n`);
      each.shell(() => repo.write(`shell-${each.id.slice(0, 4)}.txt`, `${SECRET}\n`));
      each.stop(`${SECRET}!`);
    }
    expect(placesOf(repo, SECRET)).toEqual([]);
    expect(repo.tracked(session.id)).toEqual([]);
    expect(repo.state(session.id)).toEqual(before);
    expect(repo.stateFiles()).toEqual([`${session.id}.json`]);

    expect(repo.commit('In the stretch', 'a.txt')).toBeUndefined();
    expect(repo.verdict()).toMatchObject({ reason: 'paused', sessions: [] });
    expect(repo.entire('why').stdout).toContain('during a pause');
    expect(repo.entire('status').stdout).toContain('Paused');
    expect(JSON.parse(repo.entire('status', '--json').stdout).pauses).toMatchObject([
      { scope: 'worktree', this_worktree: true, session_id: null },
    ]);
    expect(repo.entire('pause', '--end').stdout).toContain('recorded again');
    expect(JSON.parse(repo.entire('status', '--json').stdout).pauses).toEqual([]);
  });

  variation('a pause of one session leaves the others alone', (repo) => {
    repo.ready();
    const [quiet, loud] = [repo.session(), repo.session()];
    for (const each of [quiet, loud]) {
      each.prompt('hello');
      each.stop();
    }
    repo.entire('pause', '--session', quiet.id.slice(0, 8));
    quiet.prompt(SECRET);
    quiet.edit('q.txt', 'q\n');
    quiet.stop();
    loud.prompt('aloud');
    loud.edit('l.txt', 'l\n');
    loud.stop();
    expect(placesOf(repo, SECRET)).toEqual([]);
    expect(repo.state(loud.id).files_touched).toEqual(['l.txt']);
    expect(repo.state(quiet.id).files_touched ?? []).toEqual([]);
    expect(repo.commit('Both', 'q.txt', 'l.txt')).toBeDefined();
    const ended = repo.entire('pause', '--end').stdout;
    expect(ended).toBe(
      `What was to be ended was not paused.\nStill paused: session ${quiet.id} (\`entire pause --end --session ${quiet.id}\`)\n`,
    );
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: [loud.id] });
  });

  variation('what was said and done in a stretch is in nothing that is stored after it', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('before');
    session.edit('a.txt', 'one\n');
    session.stop('Said before.');
    session.prompt('a turn that goes on');
    session.edit('b.txt', 'two\n');
    repo.entire('pause');
    session.say(`${SECRET} in the middle`);
    session.edit('b.txt', `two\n${SECRET}\n`);
    session.edit('c.txt', `${SECRET}\n`);
    session.shell(() => repo.write('d.txt', `${SECRET}\n`));
    session.stop(`${SECRET}!`);
    session.prompt(`more of ${SECRET}, please`);
    const late = repo.session();
    late.start();
    late.prompt(`${SECRET} of a new session`);
    late.stop(`${SECRET} too`);
    repo.entire('pause', '--end');
    expect(placesOf(repo, SECRET)).toEqual([]);

    session.say('Said after.');
    session.edit('e.txt', 'three\n');
    session.shell(() => repo.write('f.txt', 'four\n'));
    session.write({ type: 'last-prompt', lastPrompt: `more of ${SECRET}, please`, timestamp: undefined });
    session.stop('Done after.');
    session.prompt('a turn after');
    session.edit('g.txt', 'five\n');
    session.stop('The end.');
    late.prompt('and now?');
    late.edit('h.txt', 'six\n');
    late.stop('Here.');
    expect(placesOf(repo, SECRET)).toEqual([]);
    expect(repo.state(session.id).files_touched).toEqual(['a.txt', 'e.txt', 'f.txt', 'g.txt']);
    expect(repo.tracked(session.id)).toEqual(['b.txt']); // its own, and no step takes what it holds now
    expect(repo.state(late.id)).toMatchObject({ files_touched: ['h.txt'], first_prompt: 'and now?' });

    const id = repo.commit('All of the agents', 'a.txt', 'e.txt', 'f.txt', 'g.txt', 'h.txt') as string;
    expect(placesOf(repo, SECRET)).toEqual([]);
    const stored = [0, 1].map((slot) => repo.stored(id, `${slot}/full.jsonl`)).join('\n');
    for (const said of ['Said before.', 'a turn that goes on', 'Said after.', 'The end.', 'and now?'])
      expect(stored).toContain(said);
    expect(stored.match(/entire-private/g)).toHaveLength(2); // a run in each
    expect(stored).not.toMatch(/^ +$/m);

    repo.tryEntire('undo', '--session', session.id, '--steps', '4');
    expect(repo.read('c.txt')).toBe(`${SECRET}\n`);
    expect(repo.read('d.txt')).toBe(`${SECRET}\n`);
    expect(repo.read('b.txt')).toContain(SECRET);
  });

  variation('what a hook still took in while the stretch began is in no cache after it', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('before');
    session.edit('a.txt', 'one\n');
    session.stop('Said before.');
    repo.commit('Before', 'a.txt');
    session.prompt('a question');
    repo.entire('pause');
    // It had looked for a pause before there was one.
    const record = join(repo.commonDir, 'entire/paused.json');
    const text = readFileSync(record, 'utf8');
    rmSync(record);
    session.stop(`${SECRET}!`);
    writeFileSync(record, text);
    const cache = join(repo.commonDir, 'entire/transcripts', session.id, 'redacted.jsonl');
    expect(placesOf(repo, SECRET)).toContain(cache);
    repo.entire('pause', '--end');
    expect(placesOf(repo, SECRET)).not.toContain(cache);
    session.prompt('after');
    session.edit('b.txt', 'two\n');
    session.stop('Said after.');
    repo.commit('After', 'b.txt');
    expect(placesOf(repo, SECRET)).toEqual([]);
  });

  variation(
    'where nobody can tell whether there is one, nothing is recorded, and the log says so',
    (repo) => {
      repo.ready();
      const session = repo.session();
      writeFileSync(join(repo.commonDir, 'entire/paused.json'), '{');
      const reasons = () => repo.logText().split('entire/paused.json cannot be read').length - 1;
      session.prompt('a question');
      expect(reasons()).toBe(1);
      session.edit('a.txt', 'one\n');
      expect(reasons()).toBe(2);
      expect(repo.tracked(session.id)).toEqual([]);
      repo.commit('Alone', 'a.txt');
      expect(reasons()).toBeGreaterThan(2);
      expect(repo.verdict().reason).toBe('paused');
      expect(repo.entire('status').stdout).toContain('Paused: the record of pauses cannot be read');
    },
  );

  variation('a private stretch outlives an uninstallation, and so does one that goes on', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('in the open');
    session.edit('a.txt', 'one\n');
    session.stop('Said before.');
    repo.commit('In the open', 'a.txt');
    repo.entire('pause');
    session.prompt(`now for ${SECRET} words`);
    session.edit('b.txt', `${SECRET}\n`);
    session.stop(`${SECRET} words said`);
    repo.entire('pause', '--end');

    const said = repo.entire('disable', '--uninstall', '--force');
    expect(said.stdout).toContain('Kept in .git/entire, without contents: when recording was paused');
    expect(repo.git('status', '--porcelain', '--', 'a.txt')).toBe('');
    expect(repo.entire('disable', '--uninstall').stdout).toContain('not installed');
    repo.entire('enable', '--agent', 'claude-code');
    session.prompt('in the open again');
    session.edit('c.txt', 'three\n');
    session.stop('Said after.');
    const id = repo.commit('In the open again', 'c.txt') as string;
    expect(repo.stored(id, '0/full.jsonl')).toContain('Said after.');
    expect(placesOf(repo, SECRET)).toEqual([]);

    repo.entire('pause');
    repo.entire('disable', '--uninstall', '--force');
    repo.entire('enable', '--agent', 'claude-code');
    expect(repo.entire('status').stdout).toContain('Paused: nothing here is recorded');
    session.prompt(`more of ${SECRET} words`);
    session.stop(`${SECRET} words again`);
    repo.entire('pause', '--end');
    session.prompt('and at last');
    session.edit('d.txt', 'four\n');
    session.stop('Said at last.');
    repo.commit('At last', 'd.txt');
    expect(placesOf(repo, SECRET)).toEqual([]);
  });

  variation('files that git writes again as they were stay out', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('first');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.entire('pause');
    repo.write('a.txt', `one\n${SECRET}\n`);
    repo.write('new.txt', `${SECRET}\n`);
    repo.entire('pause', '--end');
    repo.git('stash', 'push', '--quiet', '--include-untracked');
    repo.git('stash', 'pop', '--quiet');
    repo.git('reflog', 'expire', '--expire=now', '--all');
    repo.git('gc', '--quiet', '--prune=now');
    session.prompt('second');
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(placesOf(repo, SECRET)).toEqual([]);
  });
});
