import { checkpointFiles, type SlotContent, store } from './stored-checkpoints.ts';
import type { TestRepo } from './test-repo.ts';

/** Ids of the checkpoints of {@link toldRepo}. */
export const FIRST = '1a2b3c4d5e6f';
export const SECOND = '2b3c4d5e6f70';
export const BOTH = '3c4d5e6f7081';
export const ODD = '4d5e6f708192';

export const SESSION = '5e551011-0000-4000-8000-000000000001';
export const OTHER = 'aaaaaaaa-1111-4222-8333-444444444444';

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
let rows = 0;
/** Each row follows the one that was made before it. */
const nextRow = () => ({ parentUuid: rows === 0 ? null : `row-${rows}`, uuid: `row-${++rows}` });
export const user = (text: string): string =>
  line({ type: 'user', ...nextRow(), message: { role: 'user', content: text } });
export const assistant = (...content: readonly unknown[]): string =>
  line({ type: 'assistant', ...nextRow(), message: { id: `m${rows}`, role: 'assistant', content } });
export const text = (words: string): unknown => ({ type: 'text', text: words });
export const tool = (name: string, input: unknown): unknown => ({ type: 'tool_use', id: 't', name, input });

const HELLO =
  user('Please add a "hello" file?') +
  assistant(text('Sure.'), tool('Write', { file_path: '/r/hello.txt', content: 'hello' })) +
  assistant(text('Done.'));
const MORE =
  user('<system-reminder>never shown</system-reminder>Now say it\nin two lines') +
  user('Base directory for this skill: /x') +
  assistant(
    tool('Bash', { command: 'npm test', description: 'Runs the tests' }),
    tool('Skill', { skill: 'review' }),
  ) +
  assistant(tool('WebFetch', { url: 'https://example.com', prompt: 'x' }), tool('TodoWrite', { todos: [] })) +
  assistant(text('Both lines are there.'));

export const SUMMARY = {
  intent: 'Say hello in two lines',
  outcome: 'hello.txt says it',
  learnings: {
    repo: ['Tests run with npm test'],
    code: [
      { path: 'hello.txt', line: 1, end_line: 2, finding: 'both lines' },
      { path: 'a.ts', line: 7, finding: 'one line' },
      { path: 'b.ts', finding: 'the whole file' },
    ],
    workflow: ['Ask first'],
  },
  friction: ['The first try was one line'],
  open_items: ['Say goodbye'],
};

const usage = (n: number) => ({
  input_tokens: n,
  cache_creation_tokens: 10 * n,
  cache_read_tokens: 100 * n,
  output_tokens: 1000 * n,
  api_call_count: n,
});

/** A repository with a history of fixed dates and ids, whose checkpoints were written by v0.4.4. */
export function toldRepo(repo: TestRepo): TestRepo {
  repo.variables = { TZ: 'UTC', ENTIRE_TEST_TTY: '1' };
  repo.init();
  const first: SlotContent = {
    session: SESSION,
    prompts: ['Please add a "hello" file?'],
    transcript: HELLO,
    metadata: { files_touched: ['hello.txt'], token_usage: usage(1) },
  };
  const second: SlotContent = {
    session: SESSION,
    prompts: ['Please add a "hello" file?', 'Now say it\nin two lines'],
    transcript: HELLO + MORE,
    metadata: {
      created_at: '2026-01-02T11:22:33Z',
      files_touched: ['hello.txt', 'dir/more.txt'],
      checkpoint_transcript_start: 3,
      token_usage: usage(2),
      summary: SUMMARY,
    },
  };
  const other: SlotContent = {
    session: OTHER,
    prompts: ['A prompt without a transcript'],
    metadata: { files_touched: [] },
  };
  store(repo, {
    [FIRST]: checkpointFiles(FIRST, first),
    [SECOND]: checkpointFiles(SECOND, second),
    [BOTH]: checkpointFiles(BOTH, first, other),
    [ODD]: {
      ...checkpointFiles(ODD, { session: OTHER, transcript: 'no JSON at all' }),
      '0/metadata.json': '{',
    },
  });
  commitAt(repo, '2026-01-02T03:00:00+00:00', 'init');
  commitAt(repo, '2026-01-02T03:04:05+00:00', `Add hello\n\nEntire-Checkpoint: ${FIRST}`);
  commitAt(repo, '2026-01-02T11:22:33+02:00', `Say it in two lines\n\nEntire-Checkpoint: ${SECOND}`);
  commitAt(repo, '2026-01-03T00:00:00+00:00', `Say it again\n\nEntire-Checkpoint: ${SECOND}`);
  commitAt(
    repo,
    '2026-01-04T00:00:00+00:00',
    `${'A very long subject '.repeat(6)}\n\nEntire-Checkpoint: ${BOTH}`,
  );
  commitAt(repo, '2026-01-05T00:00:00+00:00', 'by hand');
  commitAt(repo, '2026-01-06T00:00:00+00:00', `odd\n\nEntire-Checkpoint: ${ODD}`);
  return repo;
}

/** An empty commit without our hooks, of a given time. Returns its id. */
export function commitAt(repo: TestRepo, time: string, message: string): string {
  const env = { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  repo.gitWith({ env }, 'commit', '--quiet', '--allow-empty', '--no-verify', '-m', message);
  return repo.git('rev-parse', 'HEAD');
}

/** A step of a session on this worktree's shadow branch on top of HEAD; returns its commit. */
export function stepAt(
  repo: TestRepo,
  time: string,
  step: {
    session: string;
    prompts?: readonly string[];
    transcript?: string;
    file?: string;
    subject: string;
    more?: string;
  },
): string {
  const branch = `entire/${repo.git('rev-parse', 'HEAD').slice(0, 7)}-e3b0c4`;
  const parent = repo.tryGit('rev-parse', '--verify', '--quiet', branch).stdout.trim();
  const dir = `.entire/metadata/${step.session}`;
  const files: Record<string, string> = {
    [`${dir}/prompt.txt`]: (step.prompts ?? []).join('\n\n---\n\n'),
    [`${dir}/full.jsonl`]: step.transcript ?? '',
    ...(step.file ? { [step.file]: `${time}\n` } : {}),
  };
  const message = `${step.subject}\n\n${step.more ?? `Entire-Metadata: ${dir}\n`}Entire-Session: ${step.session}\nEntire-Strategy: manual-commit\n`;
  const blobs = Object.entries(files).map(
    ([path, data]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(data)}\n${data}\n`,
  );
  const date = `${Date.parse(time) / 1000} +0000`;
  const head = `commit refs/heads/${branch}\ncommitter Ada <ada@example.com> ${date}\n`;
  const input = `${head}data ${Buffer.byteLength(message)}\n${message}\n${parent ? `from ${parent}\n` : ''}${blobs.join('')}\n`;
  repo.gitWith({ input }, 'fast-import', '--quiet');
  return repo.git('rev-parse', branch);
}
