import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { listPoints, logsOnly, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { inTerminal, needsTerminal } from '../support/process/terminal.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** `entire rewind` at a terminal, where somebody types: each text after the one that is waited for has been shown. */
function browse(
  repo: TestRepo,
  typed: readonly string[],
  env: Record<string, string> = { ACCESSIBLE: '1' },
): string {
  const keys = typed.map((text) => `sleep 0.7; printf '${text}'; `).join('');
  const command = `{ ${keys} sleep 0.7; } | script --quiet --return --command 'stty cols 200 rows 50; exec entire rewind' /dev/null`;
  const { stdout, code } = repo.run('sh', ['-c', command], { env });
  expect(code, stdout).toBe(0);
  return stdout.replaceAll('\r', '');
}

describe('entire rewind at a terminal', () => {
  variation('a step: the list, what would be deleted, the question, and a no', (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n', 'b.txt': 'b\n' });
    const [, target] = temporary(repo);
    const short = target?.id.slice(0, 7);
    const shown = browse(repo, ['2\\n', 'n\\n']);
    expect(shown).toContain('Step or task: restores the files as they were then.');
    expect(shown).not.toContain('A commit:'); // there is none
    expect(shown).toMatch(/[0-9a-f]{7} \(\d{4}-\d\d-\d\d \d\d:\d\d\) \[Step\] Turn 2\n/);
    expect(shown).toMatch(
      new RegExp(`${short} \\(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\) \\[Step\\] Turn 1\n`),
    );
    expect(shown).toMatch(/3\) Cancel\n/);
    expect(shown).toContain('Where do you want to go back to?');
    expect(shown).toContain(`\nSelected: ${short} [Step] Turn 1\n`);
    expect(shown).toContain('Warning: The following untracked files will be DELETED:\n  - b.txt\n');
    expect(shown).toMatch(/ {2}Cuts off 1 later turn of session \S+: “turn 2”\n/);
    expect(shown).toContain('These files become what they were at that point:\n  - a.txt\n');
    expect(shown).toContain(
      'This goes back to: Turn 1\nWhat is there now is kept: `entire undo` brings it back.',
    );
    expect(shown).toContain(`Go back to ${short}? [y/N]`);
    expect(shown).toContain('Rewind cancelled.');
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['v2\n', true]);
    const done = browse(repo, ['2\\n', 'y\\n']);
    expect(done).toContain(`Rewound to ${short}. claude -r`);
    expect([repo.read('a.txt'), repo.exists('b.txt')]).toEqual(['v1\n', false]);
  });

  variation('a step of which nothing would go back: it is said, and nobody is asked', (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    turns(repo, { 'a.txt': 'one\n' }, { 'a.txt': 'two\n' });
    repo.write('a.txt', 'mine\n');
    const shown = browse(repo, ['2\\n']);
    expect(shown).toContain('  Left: a.txt (');
    expect(shown).toContain('Nothing would go back, the conversation neither');
    expect(shown).not.toContain('[y/N]');
  });

  variation(
    'a commit: the way back from a branch that was moved is said once, and is the whole of it',
    (repo, skip) => {
      needsTerminal(skip);
      repo.ready();
      const session = turns(repo, { 'a.txt': 'one\n' });
      repo.commit('First', 'a.txt');
      addWork(repo, { 'a.txt': 'two\n' }, session);
      repo.commit('Second', 'a.txt');
      const [whole, head] = [session.read(), repo.git('rev-parse', 'HEAD')];
      repo.write('a.txt', 'mine\n');
      const done = browse(repo, ['2\\n', '3\\n', 'y\\n']);
      expect(done).toContain(
        `To undo this reset, in this order:\n  git reset --hard ${head.slice(0, 7)}\n  entire undo --steps 2\n`,
      );
      expect(done).not.toContain('To reverse this');
      repo.git('reset', '--quiet', '--hard', head);
      repo.entire('undo', '--steps', '2');
      expect([session.read() === whole, repo.read('a.txt')]).toEqual([true, 'mine\n']);
    },
  );

  variation('Cancel, the end of input, and nothing to choose from', (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    expect(browse(repo, [])).toContain('No points to go back to.\n');
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    for (const keys of ['3\\n', '\\004']) expect(browse(repo, [keys])).toContain('Rewind cancelled.');
    expect(repo.read('a.txt')).toBe('v2\n');
  });

  variation(
    'a commit: logs alone, a detached HEAD, and the branch; each refused after the logs',
    (repo, skip) => {
      needsTerminal(skip);
      repo.ready();
      const session = turns(repo, { 'a.txt': 'one\n' });
      repo.commit('First \u{1f44d}\u{1f3fd} commit', 'a.txt');
      addWork(repo, { 'a.txt': 'two\n' }, session);
      repo.commit('Second', 'a.txt');
      const [second, first] = logsOnly(repo);
      const [short, head] = [first?.id.slice(0, 7), repo.git('rev-parse', 'HEAD')];
      expect(second?.id).toBe(head);

      const logs = browse(repo, ['2\\n', '1\\n']);
      expect(logs).toContain(`${short} (2026-01-02 03:04) First \u{1f44d} commit\n`);
      expect(logs).toContain(`Selected: ${short} First \u{1f44d} commit\n`);
      expect(logs).toContain('This commit has session logs but no checkpoint state. Choose an action:');
      for (const action of [
        'Restore logs only (keep current files)',
        'Checkout commit (detached HEAD, for viewing)',
        'Reset branch to this commit (destructive!)',
        'Cancel',
      ])
        expect(logs).toContain(action);
      expect(logs).toContain(`Logs-only point: ${short}`);
      expect(logs).toContain(`Restored session logs.\nclaude -r ${session.id}`);
      expect(session.read()).not.toContain('write a.txt');

      expect(browse(repo, ['2\\n', '2\\n', 'n\\n'])).toContain(
        'Checkout cancelled. Session logs were still restored.',
      );
      repo.write('a.txt', 'mine\n');
      const refused = browse(repo, ['2\\n', '3\\n', 'n\\n']);
      expect(refused).toContain('Reset branch with warnings?');
      expect(refused).toContain(
        'The following uncommitted changes will be reverted:\n  modified:  a.txt (+1/-1)',
      );
      expect(refused).toContain('• 1 commit(s) after this point will be orphaned');
      expect(refused).toContain('Reset cancelled. Session logs were still restored.');
      expect([repo.git('rev-parse', 'HEAD'), repo.read('a.txt')]).toEqual([head, 'mine\n']);

      const done = browse(repo, ['2\\n', '3\\n', 'y\\n']);
      expect(done).toContain(`Reset branch to ${short}.\n`);
      expect(done).toContain(
        `To undo this reset, in this order:\n  git reset --hard ${head.slice(0, 7)}\n  entire undo\n`,
      );
      expect([repo.git('rev-parse', 'HEAD'), repo.read('a.txt')]).toEqual([first?.id, 'one\n']);
      repo.git('reset', '--quiet', '--hard', head);
      repo.entire('undo');
      expect(repo.read('a.txt')).toBe('mine\n');
      repo.git('checkout', '--quiet', '--', 'a.txt');
      expect(browse(repo, ['2\\n', '2\\n', 'y\\n'])).toContain(`Checked out ${short} (detached HEAD).`);
      expect(repo.tryGit('symbolic-ref', '--quiet', 'HEAD').code).toBe(1);
      expect(repo.git('rev-parse', 'HEAD')).toBe(first?.id);
    },
  );

  variation('with arrow keys; Escape cancels', (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n' }, { 'a.txt': 'v2\n' });
    addWork(repo, { 'x.txt': 'x\n' });
    expect(browse(repo, ['\\033'], { TERM: 'xterm' })).toContain('Rewind cancelled.');
    const shown = browse(repo, ['\\033[B\\033[B', '\\r', 'y'], { TERM: 'xterm' });
    expect(shown).toContain('step    Write x.txt');
    expect(shown).toContain('Rewound to ');
    expect(repo.read('a.txt')).toBe('v1\n');
  });

  variation('the list is text at a terminal, and JSON with --json or without one', (repo, skip) => {
    needsTerminal(skip);
    repo.ready();
    const list = (...flags: string[]) =>
      stripVTControlCharacters(
        inTerminal(repo, ['rewind', '--list', ...flags].join(' '), '').stdout.replaceAll('\r', ''),
      );
    expect(list()).toContain('No points to go back to.\n');
    const session = turns(repo, { 'a.txt': 'one\n' });
    repo.commit('First', 'a.txt');
    addWork(repo, { 'a.txt': 'two\n' }, session);
    const points = listPoints(repo);
    const [step = '', commit = ''] = points.map(({ id }) => id.slice(0, 7));
    const shown = list();
    expect(shown).toMatch(
      new RegExp(`^  ${step}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  step    Write a\\.txt$`, 'm'),
    );
    expect(shown).toContain(`  ${commit}  2026-01-02 03:04  commit  First\n`);
    expect(shown).toContain('Step or task: `entire rewind --to <id>` restores the files as they were then');
    expect(shown).toContain('Commit: restores its transcripts and leaves files alone');
    for (const json of [list('--json'), repo.entire('rewind', '--list', '--json').stdout])
      expect(JSON.parse(json)).toEqual(points);
    expect(repo.tryEntire('rewind', '--json')).toMatchObject({ code: 2 });
  });

  variation('without a terminal it says what to do instead', (repo) => {
    repo.ready();
    turns(repo, { 'a.txt': 'v1\n' });
    const { code, stderr } = repo.tryEntire('rewind');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'Error: there is no terminal to choose a point in\nHint: Run `entire rewind --list`, and then `entire rewind --to <id>`.\n',
    );
  });
});
