import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { unhooked } from '../support/command/relink.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const log = (repo: TestRepo, ...args: string[]): string => repo.entire('log', ...args).stdout;
const json = (repo: TestRepo, ...args: string[]) => JSON.parse(log(repo, '--json', ...args));

/** A list without what differs each time. */
const told = (text: string, ...ids: readonly string[]): string =>
  ids
    .reduce((rest, id, at) => rest.replaceAll(id.slice(0, 8), `session${at + 1}`), text)
    .replace(/^(\S {2})[0-9a-f]{7} /gm, '$1<commit>')
    .replace(/ \d\d:\d\d /g, ' <time> ')
    .replace(/ {2,}/g, '  ');

describe('what happened here: entire log', () => {
  scenario('turns that no commit has on top, then commits and who led to them', (repo) => {
    repo.ready();
    repo.write('x.txt', 'x\n').commit('Add a file by hand', 'x.txt');
    // In a checkpoint of both, sessions stand by their ids.
    const one = addWork(repo, { 'f.js': '1\n' }, repo.session('1a2b3c4d-0000-4000-8000-000000000001'));
    repo.commit('feat: search', 'f.js');
    const two = addWork(repo, { 'g.js': '1\n' }, repo.session('2b3c4d5e-0000-4000-8000-000000000002'));
    addWork(repo, { 'h.js': '1\n' }, one);
    repo.commit('Both', 'g.js', 'h.js');
    repo.git('checkout', '--quiet', '-b', 'feature');
    for (const version of ['2', '3']) {
      addWork(repo, { 'g.js': `${version}\n` }, two);
      repo.commit(`Version ${version}`, 'g.js');
    }
    repo.git('checkout', '--quiet', 'main');
    repo.git('merge', '--squash', '--quiet', 'feature');
    repo.git('commit', '--quiet', '--no-edit');
    addWork(repo, { 'f.js': '2\n', 'k.js': 'k\n' }, one);
    two.prompt('improve the search');
    two.edit('z.js', 'z\n');
    expect(told(log(repo), one.id, two.id)).toMatchInlineSnapshot(`
      "✎  now  <time>  1 file so far  Claude session2  “Improve the search”
      ✎  <commit> <time>  2 files uncommitted  Claude session1  “write f.js and k.js”
      ○  <commit> <time>  Squashed commit of the following:  2 checkpoints · Claude session2  “write g.js” + 1 more
      ●  <commit> <time>  Both  2 sessions  Claude session1, Claude session2
      ●  <commit> <time>  feat: search  Claude session1  “write f.js”
      ·  <commit> <time>  Add a file by hand  no session
      ·  <commit> <time>  Enable entire  no session
      ·  <commit> <time>  init
      "
    `);
    expect(told(log(repo, 'main..feature'), two.id)).toMatchInlineSnapshot(`
      "●  <commit> <time>  Version 3  Claude session1  “write g.js”
      ●  <commit> <time>  Version 2  Claude session1  “write g.js”
      "
    `);
    expect(told(log(repo, '--', 'k.js', 'x.txt'), one.id)).toMatchInlineSnapshot(`
      "✎  <commit> <time>  2 files uncommitted  Claude session1  “write f.js and k.js”
      ·  <commit> <time>  Add a file by hand  no session
      "
    `);
    expect(log(repo, '--', '.')).toBe(log(repo));
    expect(log(repo, '-3')).toBe(log(repo, '--limit', '3'));
    expect(
      log(repo, '--graph')
        .split('\n')
        .map((line) => line.slice(0, 5).trimEnd()),
    ).toEqual(['  ✎', '  │ ✎', '○─┤ │', '●─┴─┤', '●───┘', '·', '·', '·', '']);
    expect(repo.tryEntire('log', '--graph', '--json').stderr).toContain('--graph');
    expect(told(log(repo, '--session', two.id.slice(0, 6)), two.id, one.id)).toMatchInlineSnapshot(`
      "✎  now  <time>  1 file so far  Claude session1  “Improve the search”
      ○  <commit> <time>  Squashed commit of the following:  2 checkpoints · Claude session1  “write g.js” + 1 more
      ●  <commit> <time>  Both  2 sessions  Claude session2, Claude session1
      "
    `);
    expect(told(log(repo, '-n', '2'), two.id, one.id)).toMatchInlineSnapshot(`
      "✎  now  <time>  1 file so far  Claude session1  “Improve the search”
      ✎  <commit> <time>  2 files uncommitted  Claude session2  “write f.js and k.js”

      There are older ones: --limit 8
      "
    `);
    expect(log(repo, '--agent', 'codex')).toBe('No turn and no commit matches.\n');
    expect(log(repo, '--since', '2099-01-01')).toBe('No turn and no commit matches.\n');
    expect(log(repo, '--agent', 'claude-code', '--since', '1h').split('\n')).toHaveLength(6);
    const [running, step, squash, both, , byHand] = json(repo);
    expect(running).toEqual({
      ...{ kind: 'turn', step: null, at: expect.any(String), files: ['z.js'], uncommitted: ['z.js'] },
      sessions: [{ session_id: two.id, agent: 'Claude Code', prompt: 'Improve the search', more_prompts: 0 }],
    });
    expect(step).toMatchObject({ kind: 'turn', files: ['f.js', 'k.js'], sessions: [{ session_id: one.id }] });
    expect(repo.entire('rewind', '--to', step.step, '--dry-run').stdout).toContain('Dry run');
    expect(squash).toMatchObject({
      commit: repo.git('rev-parse', 'HEAD'),
      checkpoints: [/./, /./].map(() => expect.stringMatching(/^[0-9a-f]{12}$/)),
    });
    expect(both.sessions.map(({ session_id: id }: { session_id: string }) => id).toSorted()).toEqual(
      [one.id, two.id].toSorted(),
    );
    expect(byHand).toMatchObject({
      subject: 'Add a file by hand',
      sessions: [],
      checkpoints: [],
      verdict: 'no-session',
    });
  });

  variation('a session is taken in the place of a range, and a file as git takes it', (repo) => {
    repo.ready();
    const one = addWork(repo, { 'a.txt': 'a\n' });
    repo.commit('Add a', 'a.txt');
    const two = addWork(repo, { 'b.txt': 'b\n' });
    for (const [session, file] of [
      [one, 'a.txt'],
      [two, 'b.txt'],
    ] as const) {
      const own = log(repo, '--session', session.id);
      for (const word of [session.id.slice(0, 8), session.id, `write ${file}`, file])
        expect(log(repo, word), word).toBe(own);
    }
    expect(log(repo, 'HEAD', '-n', '1')).toContain('Add a');
    expect(log(repo, 'a.txt', '--', 'b.txt')).toBe(log(repo, '--', 'a.txt', 'b.txt'));
    expect(log(repo, '.', '--', 'b.txt')).toBe(log(repo));
    expect(log(repo, one.id, '--session', one.id)).toBe(log(repo, one.id));
    expect(repo.tryEntire('log', two.id, '--session', one.id)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('one session at a time'),
    });
    const widest = (env: Record<string, string>): number =>
      Math.max(
        ...repo
          .run('entire', ['log'], { env })
          .stdout.split('\n')
          .map((line) => line.length),
      );
    expect(widest({})).toBeGreaterThan(40);
    expect(widest({ COLUMNS: '40' })).toBeLessThanOrEqual(40);
    expect(log(repo, '--agent', 'claude')).toBe(log(repo, '--agent', 'claude-code'));
    expect(repo.tryEntire('log', 'nothing.txt')).toMatchObject({
      code: 1,
      stderr:
        'Error: no such range, session or file: nothing.txt\nHint: For files that are gone: entire log -- <paths>\n',
    });
  });

  variation('a turn that was undone is not told of as if it waited for a commit', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    addWork(repo, { 'a.txt': 'a\n2\n', 'b.txt': 'b\n' }, session);
    const whats = () =>
      log(repo)
        .split('\n')
        .slice(0, 2)
        .map((line) => /^✎ +\S+ +(?:\d\d:\d\d|[A-Z]\w+ \d\d) +(\S.*?) {2}/.exec(line)?.[1]);
    expect(whats()).toEqual(['2 files uncommitted', '1 file uncommitted']);
    repo.entire('undo');
    expect(whats()).toEqual(['1 file uncommitted', '1 file uncommitted']);
    repo.entire('undo');
    expect(whats()).toEqual(['taken back', 'taken back']);
    expect(json(repo)[0]).toMatchObject({ files: ['a.txt', 'b.txt'], uncommitted: [] });
    repo.entire('redo', '--steps', '2');
    expect(whats()).toEqual(['2 files uncommitted', '1 file uncommitted']);
  });

  variation('nor is one undone whose work was committed while hooks were off', (repo) => {
    repo.ready();
    addWork(repo, { 'a.txt': 'a\n' });
    repo.git('add', '.');
    unhooked(repo, 'commit', '--quiet', '-m', 'Off');
    expect(log(repo)).toMatch(/^.* nothing uncommitted /);
    expect(log(repo)).not.toContain('taken back');
  });

  variation('nor one that was taken away by hand, also while the next turn is at work', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    rmSync(join(repo.dir, 'b.txt'));
    const uncommitted = () => json(repo).flatMap((row: { uncommitted?: string[] }) => row.uncommitted ?? []);
    expect(uncommitted()).toEqual(['a.txt']);
    session.prompt('go on');
    session.edit('c.txt', 'c\n');
    expect(uncommitted()).toEqual(['c.txt', 'a.txt']);
  });

  variation('a checkpoint that is not here, one of another commit, and what a hook never saw', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'a\n' });
    const id = repo.commit('Linked', 'a.txt') as string;
    repo.write('b.txt', 'b\n');
    repo.git('add', 'b.txt');
    repo.git('commit', '--quiet', '--no-verify', '-m', `Copied\n\nEntire-Checkpoint: ${id}`);
    repo.write('c.txt', 'c\n');
    repo.git('add', 'c.txt');
    repo.git('commit', '--quiet', '--no-verify', '-m', 'Elsewhere\n\nEntire-Checkpoint: 0123456789ab');
    const rows = log(repo).split('\n');
    expect(rows[0]).toMatch(/^· .* Elsewhere +01234567 is not in this clone: entire fetch$/);
    expect(rows[1]).toMatch(/^· .* Copied +names the checkpoint of another commit$/);
    expect(rows[2]).toContain(session.id.slice(0, 8));
    expect(json(repo)[0]).toMatchObject({ sessions: [], missing: ['0123456789ab'] });
  });

  variation('of several turns the first is named, and how many came after it: in diff, too', (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.js': '1\n' });
    addWork(repo, { 'b.js': '1\n' }, session);
    repo.commit('First', 'a.js', 'b.js');
    for (const name of ['c.js', 'd.js', 'e.js']) addWork(repo, { [name]: '1\n' }, session);
    repo.commit('Second', 'c.js', 'd.js', 'e.js');
    addWork(repo, { 'f.js': '1\n' }, session);
    repo.commit('Third', 'f.js');
    const expected = [
      ['Third', 'write f.js', 0],
      ['Second', 'write c.js', 2],
      ['First', 'write a.js', 1],
    ];
    type Row = { subject: string; sessions: { prompt: string; more_prompts: number }[] };
    const rows = (...args: string[]) =>
      json(repo, ...args).flatMap(({ subject, sessions }: Row) =>
        sessions.map(({ prompt, more_prompts }) => [subject, prompt, more_prompts]),
      );
    expect(rows()).toEqual(expected);
    expect(rows('HEAD~2..HEAD~1')).toEqual(expected.slice(1, 2)); // the one before it is not in the list
    expect(log(repo)).toContain('“write c.js” + 2 more\n');
    expect(log(repo)).toContain('“write f.js”\n');
    expect(repo.entire('diff', 'HEAD~1').stdout).toContain('"write c.js" + 2 more\n');
    const [diff] = JSON.parse(repo.entire('diff', 'HEAD~1', '--json').stdout);
    expect(diff).toMatchObject({ prompt: 'write c.js', more_prompts: 2, sessions: [{ more_prompts: 2 }] });
    const explained = JSON.parse(repo.entire('explain', 'HEAD~1', '--json').stdout);
    expect(JSON.stringify(explained)).toContain('write c.js');
  });

  variation('no line is wider than the terminal, and nobody is steered by a prompt', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('\u001b[31mred\u0007 日本語 '.repeat(9));
    session.edit('a.txt', 'a\n');
    session.stop();
    repo.commit(`Long ${'words '.repeat(30)}`, 'a.txt');
    addWork(repo, { 'b.txt': 'b\n' }, session);
    for (const columns of [60, 100, 160]) {
      const command = `stty cols ${columns} rows 50; exec entire log`;
      const run = (env: Record<string, string>) =>
        repo.run('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env }).stdout;
      const plain = run({ TERM: 'xterm', NO_COLOR: '1' });
      expect(plain).not.toMatch(/\u001b|\u0007(?!$)/);
      for (const line of plain.split('\r\n')) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      const coloured = run({ TERM: 'xterm', NO_COLOR: '' });
      expect(coloured).toContain('\u001b[35m');
      expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
    }
  });

  variation('before the first commit, outside of the worktree, and what is no range', (repo) => {
    repo.ready();
    expect(repo.tryEntire('log', 'nowhere')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Error: no such range, session or file: nowhere\nHint: For files that are gone: entire log -- <paths>\n',
    });
    expect(repo.tryEntire('log', '--all')).toMatchObject({ code: 2, stdout: '' });
    expect(repo.tryEntire('log', '--', '../elsewhere').stderr).toContain('no file of this worktree');
    expect(repo.tryEntire('log', '--limit', '0').code).toBe(2);
    repo.git('checkout', '--quiet', '--orphan', 'unborn');
    expect(log(repo)).toBe('Nothing here yet: no commit, and no turn of an agent.\n');
    const session = addWork(repo, { 'a.txt': 'a\n' });
    expect(session.id).not.toBe('');
    expect(repo.tryEntire('log').code).toBe(0);
  });
});

/** East Asian characters are two columns wide. */
const widthOf = (line: string): number =>
  [...line].reduce((sum, char) => sum + (/[\u3000-\u9fff]/.test(char) ? 2 : 1), 0);

describe('what became of a commit that was made of another one', () => {
  variation('a revert names it, and so does a pick that says it; a rebase has nothing to say', (repo) => {
    repo.ready().git('switch', '--quiet', '-c', 'topic');
    repo.write('a.txt', 'mine\n').commit('Mine', 'a.txt');
    const mine = repo.git('rev-parse', 'HEAD').slice(0, 7);
    repo.git('switch', '--quiet', 'main');
    repo.write('b.txt', 'b\n').commit('B', 'b.txt');
    repo.git('cherry-pick', '-x', mine);
    const picked = repo.git('rev-parse', 'HEAD').slice(0, 7);
    repo.git('revert', '--no-edit', 'HEAD');
    repo.git('switch', '--quiet', 'topic');
    repo.git('rebase', '--quiet', 'main~2');
    expect(told(log(repo, 'main~2..main'))).toBe(
      `·  <commit> <time>  Revert "Mine"  reverts ${picked}\n·  <commit> <time>  Mine  picked from ${mine}\n`,
    );
    expect(told(log(repo, '-n', '1'))).toMatch(/^· {2}<commit> <time> {2}Mine\n/);
  });
});
