import { expect } from 'vitest';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';

onBothBuilds('explain without checkpoints, with an unknown session, and with wrong flags', (repo) => {
  repo.ready();
  const empty = `No checkpoints found on this branch.
Checkpoints will appear here after you save changes during an agent session.
`;
  expect(repo.entire('explain').stdout).toBe(`Branch: main\nCheckpoints: 0\n\n${empty}`);
  const none = `Branch: main\nCheckpoints: 0\nFiltered by session: nobody\n\nNo commit of this branch has work of session nobody yet.\n\`entire session show nobody\` shows what was said in it.\n`;
  expect(repo.tryEntire('explain', '--session', 'nobody')).toEqual({
    ...{ code: 1, stdout: '' },
    stderr:
      'Error: no such session: nobody\nHint: `entire session list` shows sessions, `entire log` what they did.\n',
  });
  expect(repo.tryEntire('explain', '--session', 'nobody', '--json')).toMatchObject({ code: 1, stdout: '' });
  repo.session('nobody-else').prompt('hello');
  expect(repo.tryEntire('explain', '--session', 'nobody')).toEqual({ code: 0, stdout: none, stderr: '' });
  for (const flags of [
    ['--session', 'a', '--commit', 'HEAD'],
    ['--session', 'a', '--checkpoint', 'b'],
    ['--commit', 'HEAD', '-c', 'b'],
    ['HEAD', '--commit', 'HEAD'],
  ]) {
    const { code, stdout, stderr } = repo.tryEntire('explain', ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('Error: cannot specify multiple of --session, --commit, --checkpoint\n');
  }
  for (const word of ['src/nope.ts:1', 'nope.ts:1-3'])
    expect(repo.tryEntire('explain', word).stderr).toMatch(
      /^Error: no such file: (?:src\/)?nope\.ts\nHint: Paths/,
    );
  const unknown = repo.tryEntire('explain', '--checkpoint', 'abcdef123456');
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(/^Error: checkpoint not found: abcdef123456\nHint: .*\n$/);
  expect(repo.tryEntire('explain', '--commit', 'nothing').stderr).toBe('Error: commit not found: nothing\n');
  const commit = repo.git('rev-parse', 'HEAD').slice(0, 7);
  expect(repo.entire('explain', '--commit', 'HEAD').stdout).toBe(`No associated Entire checkpoint

Commit ${commit} does not have an Entire-Checkpoint trailer.
Not linked: no agent session was known in this worktree when it was made.
More: \`entire why ${commit}\`.
`);
  repo.gitWith(
    { env: { ENTIRE: '0' } },
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'x\n\nEntire-Checkpoint: abcdef123456',
  );
  const missing = repo.tryEntire('explain', '--commit', 'HEAD');
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toMatch(/^Error: checkpoint not found: abcdef123456\nHint: The commit names it/);
});

variation('explain tells of a session that was recorded here, before and after its commit', (repo) => {
  repo.ready();
  const session = repo.session('5e551011-0000-4000-8000-000000000001');
  session.prompt('Please add a "hello" file?');
  session.edit('hello.txt', 'hello\n');
  session.stop();
  const step = repo.git('rev-parse', repo.shadowBranches()[0] as string);
  expect(repo.entire('explain').stdout).toMatch(
    /^Branch: main\nCheckpoints: 1\n\n\[5e551011-000\] \[uncommitted\] "Please add a \\"hello\\" file\?"\n {2}\d\d-\d\d \d\d:\d\d \([0-9a-f]{7}\) Add a "hello" file\n$/,
  );
  expect(repo.entire('explain', step.slice(0, 10)).stdout).toContain(
    '\n> Please add a "hello" file?\n\n  write   hello.txt  1 line\n\nDone.\n',
  );

  const id = repo.commit('Add hello', 'hello.txt') as string;
  session.prompt('Now say goodbye');
  session.edit('hello.txt', 'hello\ngoodbye\n');
  session.stop();
  const next = repo.commit('Say goodbye', 'hello.txt') as string;
  const [first, , , second] = repo.entire('explain').stdout.split('\n').slice(3);
  expect(first).toBe(`[${next}] "Now say goodbye"`);
  expect(second).toBe(`[${id}] "Please add a \\"hello\\" file?"`);
  const detail = repo.entire('explain', 'HEAD').stdout;
  expect(detail).toContain('\n\n  hello.txt  +1\n\n> Now say goodbye\n\n  write   hello.txt  2 lines\n');
  expect(detail).not.toContain('> Please add');
  expect(repo.entire('explain', 'HEAD', '--full').stdout).toContain('> Please add');
  expect(repo.entire('explain', '-c', id.slice(0, 5), '--raw-transcript').stdout).toBe(
    `${repo.stored(id, '0/full.jsonl')}\n`,
  );
});

variation('one clock, that of who reads it, in every command', (repo) => {
  repo.ready();
  repo.variables = { TZ: 'Pacific/Kiritimati', GIT_COMMITTER_DATE: '2026-01-02T20:00:00Z' }; // 14 hours ahead
  const session = repo.session();
  session.prompt('write');
  session.edit('a.txt', 'a\n');
  session.stop();
  repo.variables = { ...repo.variables, GIT_AUTHOR_DATE: '2026-01-02T20:00:00Z' };
  const id = repo.commit('Add a', 'a.txt') as string;
  repo.variables = { TZ: 'Pacific/Kiritimati' };
  expect(repo.entire('explain').stdout).toContain('  01-03 10:00 (');
  expect(repo.entire('explain', '-c', id).stdout).toMatch(/[0-9a-f]{7} 2026-01-03 Add a/);
  expect(repo.entire('why').stdout).toContain(', 2026-01-03\n');
});
