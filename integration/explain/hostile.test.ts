import { expect } from 'vitest';
import { scenario, variation } from '../support/repository/scenario.ts';
import { checkpointFiles, store } from '../support/repository/stored-checkpoints.ts';
import {
  assistant,
  commitAt,
  FIRST,
  SECOND,
  SESSION,
  stepAt,
  text,
  toldRepo,
  tool,
  user,
} from '../support/repository/told-repo.ts';

const ESC = '\x1b[2J\x1b]0;title\x07\u202e\x9b31m';
const A = 'a1b2c3d4e5f6';

/** Nothing of it can move a cursor, set a title, or turn text around. */
function expectHarmless(printed: string): void {
  expect(printed).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]/);
}

scenario('terminal escapes and forged lines in everything that is stored print as harmless text', (repo) => {
  repo.init();
  const bad = `${ESC}x\nCheckpoint: ffffffffffff`;
  store(repo, {
    [A]: checkpointFiles(A, {
      session: bad,
      prompts: [bad],
      transcript: user(`say ${bad}`) + assistant(text(bad), tool(bad, { command: bad })),
      metadata: {
        files_touched: [bad, '../../etc/passwd'],
        agent: 'Claude Code',
        created_at: bad,
        summary: {
          intent: bad,
          outcome: bad,
          learnings: { code: [{ path: bad, line: 1, finding: bad }] },
          friction: [bad],
        },
      },
    }),
  });
  commitAt(repo, '2026-01-02T03:04:05Z', `${ESC}subject\n\nEntire-Checkpoint: ${A}`);
  for (const args of [
    [],
    ['HEAD'],
    ['HEAD', '--short'],
    ['HEAD', '--full'],
    ['--json'],
    ['HEAD', '--json'],
    ['--session', ESC],
  ]) {
    const { stdout } = repo.entire('explain', ...args);
    expectHarmless(stdout);
    // Only what the agent said has lines of its own.
    expect(stdout.split('\n> ')[0]).not.toMatch(/^Checkpoint: +f/m);
  }
  expect(JSON.parse(repo.entire('explain', 'HEAD', '--json').stdout).sessions[0].session_id).toBe(bad);
});

variation('a trailer in a subject or a body links nothing; the last one of the last block does', (repo) => {
  toldRepo(repo);
  const forged = [
    `Entire-Checkpoint: ${FIRST}`,
    `Fix Entire-Checkpoint: ${FIRST} again\n\nbody`,
    `Squash\n\nEntire-Checkpoint: ${FIRST}\n\nSigned-off-by: Eve <eve@example.com>`,
    `Quote\n\n> Entire-Checkpoint: ${FIRST}`,
    `Case\n\nEntire-Checkpoint: ${FIRST.toUpperCase()}`,
    `Long\n\nEntire-Checkpoint: ${FIRST}0`,
  ];
  for (const [at, message] of forged.entries()) {
    commitAt(repo, `2026-02-0${at + 1}T00:00:00Z`, message);
    expect(repo.entire('explain', '--commit', 'HEAD').stdout, message).toMatch(
      /^No associated Entire checkpoint\n/,
    );
  }
  commitAt(repo, '2026-02-09T00:00:00Z', `Two\n\nEntire-Checkpoint: ${FIRST}\nEntire-Checkpoint: ${SECOND}`);
  expect(repo.entire('explain', '--commit', 'HEAD').stdout).toMatch(
    new RegExp(`^Checkpoint: {2}${SECOND}\n`, 'm'),
  );
  const lines = repo.entire('explain').stdout.split('\n');
  const of = (id: string) => lines.slice(lines.findIndex((line) => line.startsWith(`[${id}]`)) + 1);
  expect(of(SECOND).indexOf('')).toBe(3);
  expect(of(FIRST).indexOf('')).toBe(1);
});

variation('100,000 files in files_touched are counted, and shown when all are asked for', (repo) => {
  repo.init();
  const files = Array.from({ length: 100_000 }, (_, at) => `dir/file-${String(at).padStart(6, '0')}.ts`);
  store(repo, {
    [A]: checkpointFiles(A, { session: 's', prompts: ['p'], metadata: { files_touched: files } }),
  });
  commitAt(repo, '2026-01-02T03:04:05Z', `many\n\nEntire-Checkpoint: ${A}`);
  expect(repo.entire('explain').stdout).toContain(`[${A}] "p"\n`);
  const { stdout } = repo.entire('explain', A);
  expect(stdout).toContain('\n\n  dir/file-000000.ts\n');
  expect(stdout).toContain('\n  … and 99900 more (--full shows all)\n');
  expect(repo.entire('explain', A, '--full').stdout).toContain('\n  dir/file-099999.ts\n');
});

variation('an agent we cannot read is listed, and shown by its prompts', (repo) => {
  repo.init();
  const gemini = JSON.stringify({
    messages: [
      { type: 'user', content: 'Hi' },
      { type: 'gemini', content: 'Ho' },
    ],
  });
  const files = (agent: string, prompts: string[], transcript = gemini) =>
    checkpointFiles(A, { session: 's', prompts, transcript, metadata: { agent } });
  const strange = '{"steps": [["Hi"], ["Ho"]]}';
  store(repo, { [A]: files('Goose', ['Hi'], strange) });
  commitAt(repo, '2026-01-02T03:04:05Z', `x\n\nEntire-Checkpoint: ${A}`);
  expect(repo.entire('explain').stdout).toContain(`[${A}] "Hi"\n`);
  expect(repo.entire('explain', A).stdout).toMatch(/\n> Hi\n\n\(the transcript cannot be read\)\n\nMore: /);
  expect(repo.entire('explain', A, '--raw-transcript').stdout).toBe(strange);
  store(repo, { [A]: files('Gemini CLI', ['Hi']) });
  expect(repo.entire('explain', A).stdout).toContain('\n> Hi\n\nHo\n');
  store(repo, { [A]: { ...files('Somebody New', [], strange), '0/prompt.txt': '' } });
  expect(repo.entire('explain', A).stdout).toMatch(
    /\n {2}a\.txt\n\n\(the transcript cannot be read\)\n\nMore: /,
  );
});

variation('names that are ambiguous, options in disguise, and other revisions', (repo) => {
  toldRepo(repo);
  const other = `${FIRST.slice(0, 6)}ffffff`;
  store(repo, { [other]: checkpointFiles(other, { session: 's' }) });
  const said = (...args: string[]) => repo.tryEntire('explain', ...args);
  expect(said('-c', FIRST.slice(0, 5))).toMatchObject({
    code: 1,
    stderr: `Error: ambiguous checkpoint prefix "1a2b3" matches 2 checkpoints: ${FIRST}, ${other}\nHint: Use more characters of the id.\n`,
  });
  expect(said('-c', '../../x').stderr).toContain('Error: checkpoint not found: ../../x\n');
  expect(said('-c', FIRST.toUpperCase()).stdout).toMatch(new RegExp(`^Checkpoint: {2}${FIRST}\n`, 'm'));
  expect(said('--commit=--output=/tmp/x').stderr).toContain('Error: commit not found: --output=/tmp/x\n');
  expect(said('--commit', 'HEAD:nothing').stderr).toContain('Error: commit not found: HEAD:nothing\n');
  expect(said('--commit', 'HEAD~1..HEAD').stderr).toContain('Error: commit not found: HEAD~1..HEAD\n');
  repo.git('tag', '-a', '-m', 'tag', 'v1', 'HEAD~5');
  expect(said('v1').stdout).toMatch(new RegExp(`^Checkpoint: {2}${FIRST}\n`, 'm'));
  const steps = Array.from({ length: 40 }, (_, at) =>
    stepAt(repo, `2026-01-06T01:00:${10 + at}Z`, {
      session: SESSION,
      file: `f${at}`,
      subject: 's',
      transcript: 't',
    }),
  );
  const first = new Map<string, number>();
  for (const step of steps) first.set(step[0] as string, (first.get(step[0] as string) ?? 0) + 1);
  const taken = FIRST[0] === undefined ? [] : ['1', '2', '3', '4'];
  const [digit] = [...first].find(([key, count]) => count > 1 && !taken.includes(key)) ?? [];
  if (digit === undefined) throw new Error('of forty steps two begin with the same digit');
  expect(said('-c', digit).stderr).toMatch(
    new RegExp(
      `^Error: ambiguous checkpoint prefix "${digit}" matches \\d+ temporary checkpoints:\n  [0-9a-f]{7}  2026-01-06 01:00:\\d\\d  session ${SESSION}\n`,
    ),
  );
});

variation('flags that do not go together are named', (repo) => {
  toldRepo(repo);
  for (const [flags, words] of [
    [['--generate'], '--generate requires --checkpoint/-c flag'],
    [['-c', FIRST, '--force'], '--force requires --generate flag'],
    [['--raw-transcript'], '--raw-transcript requires --checkpoint/-c flag'],
    [
      ['-c', FIRST, '--short', '--full'],
      'if any flags in the group [short full raw-transcript] are set none of the others can be; [full short] were all set',
    ],
    [
      ['-c', FIRST, '--generate', '--raw-transcript'],
      'if any flags in the group [generate raw-transcript] are set none of the others can be; [generate raw-transcript] were all set',
    ],
  ] as const) {
    expect(repo.tryEntire('explain', ...flags)).toEqual({ code: 2, stdout: '', stderr: `Error: ${words}\n` });
  }
});
