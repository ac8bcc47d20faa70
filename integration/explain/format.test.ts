import { expect } from 'vitest';
import * as z from 'zod';
import { scenario, variation } from '../support/repository/scenario.ts';
import {
  assistant,
  BOTH,
  commitAt,
  FIRST,
  ODD,
  SECOND,
  SESSION,
  stepAt,
  text,
  toldRepo,
  user,
} from '../support/repository/told-repo.ts';
import { readAllBySpec } from '../support/runner/spec-reader.ts';

scenario(
  'what is stored here is read by a reader that knows the documented format alone, and explain agrees',
  (repo) => {
    repo.ready();
    const one = repo.session();
    const two = repo.session();
    one.prompt('Write the first file');
    two.prompt('Write the second file');
    one.edit('one.txt', 'one\n');
    two.edit('two.txt', 'two\n');
    one.stop('x'.repeat(300_000)); // more than one chunk
    two.stop();
    const both = repo.commit('Both', 'one.txt', 'two.txt') as string;
    one.prompt('Change the first file');
    one.edit('one.txt', 'one\nmore\n');
    one.stop();
    const next = repo.commit('More', 'one.txt') as string;

    const stored = readAllBySpec(repo);
    expect([...stored.keys()].sort()).toEqual([both, next].sort());
    for (const [id, checkpoint] of stored) {
      const explained = JSON.parse(repo.entire('explain', id, '--full', '--json').stdout);
      expect(explained.problems).toEqual([]);
      expect(explained.files_touched).toEqual(checkpoint.root.files_touched);
      expect(explained.sessions.length).toBe(checkpoint.sessions.length);
      checkpoint.sessions.forEach(({ metadata, transcript }, index) => {
        const session = explained.sessions[index];
        for (const key of [
          'session_id',
          'agent',
          'strategy',
          'created_at',
          'branch',
          'files_touched',
          'turn_id',
        ])
          expect(session[key], key).toEqual(metadata[key]);
        expect(metadata.checkpoint_id).toBe(id);
        const said = transcript
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
        expect(said.filter(({ type }) => type === 'user' || type === 'assistant').length).toBeGreaterThan(0);
        expect(session.transcript.state).toBe('read');
      });
      const raw = repo.run('entire', ['explain', id, '--raw-transcript']).stdout;
      expect(raw === checkpoint.sessions.at(-1)?.transcript).toBe(true);
    }
    const all = stored.get(next)?.sessions[0];
    expect(all?.prompts).toEqual(['Write the first file', 'Change the first file']);
    expect(JSON.parse(repo.entire('explain', next, '--json').stdout).sessions[0].prompts).toEqual([
      'Change the first file',
    ]);
  },
);

const usage = z.strictObject({
  input_tokens: z.int(),
  cache_creation_tokens: z.int(),
  cache_read_tokens: z.int(),
  output_tokens: z.int(),
  api_call_count: z.int(),
  subagent_tokens: z.unknown().optional(),
});
const commit = z.strictObject({
  commit: z.string().length(40),
  committed_at: z.iso.datetime({ offset: true }),
  subject: z.string(),
});
const transcript = z.nullable(
  z.strictObject({
    scope: z.enum(['checkpoint', 'session']),
    state: z.enum(['read', 'empty', 'unreadable']),
    entries: z.array(
      z.union([
        z.strictObject({ kind: z.enum(['user', 'assistant']), text: z.string() }),
        z.strictObject({ kind: z.literal('tool'), name: z.string(), detail: z.string() }),
      ]),
    ),
  }),
);

/** As docs/json.md has it; no key more, no key less. */
const LIST = z.strictObject({
  branch: z.nullable(z.string()),
  head: z.nullable(z.string()),
  session_filter: z.nullable(z.string()),
  checkpoints: z.array(
    z.strictObject({
      checkpoint_id: z.nullable(z.string()),
      temporary: z.boolean(),
      task: z.boolean(),
      session_ids: z.array(z.string()),
      prompt: z.nullable(z.string()),
      forgotten_at: z.nullable(z.string()),
      commits: z.array(commit),
      problems: z.array(z.string()),
    }),
  ),
  missing_checkpoints: z.array(z.string()),
  forgotten_checkpoints: z.array(z.string()),
});
const DETAIL = z.strictObject({
  checkpoint_id: z.string().length(12),
  temporary: z.literal(false),
  author: z.nullable(z.string()),
  commits: z.array(commit),
  files_touched: z.array(z.string()),
  token_usage: z.nullable(usage),
  sessions: z.array(
    z.strictObject({
      session_id: z.string(),
      agent: z.nullable(z.string()),
      strategy: z.nullable(z.string()),
      created_at: z.nullable(z.string()),
      branch: z.nullable(z.string()),
      turn_id: z.nullable(z.string()),
      checkpoint_transcript_start: z.int(),
      files_touched: z.array(z.string()),
      token_usage: z.nullable(usage),
      initial_attribution: z.unknown(),
      summary: z.unknown(),
      prompts: z.array(z.string()),
      forgotten_at: z.nullable(z.string()),
      transcript,
    }),
  ),
  problems: z.array(z.string()),
});
const STEP = z.strictObject({
  checkpoint_id: z.null(),
  temporary: z.literal(true),
  commit: z.string().length(40),
  committed_at: z.iso.datetime({ offset: true }),
  subject: z.string(),
  task: z.boolean(),
  session_id: z.string(),
  prompts: z.array(z.string()),
  transcript,
  problems: z.array(z.string()),
});

variation('JSON has exactly the documented keys', (repo) => {
  toldRepo(repo);
  const json = (...args: string[]): unknown => JSON.parse(repo.entire('explain', '--json', ...args).stdout);
  commitAt(repo, '2026-03-01T00:00:00+01:00', 'gone\n\nEntire-Checkpoint: ffffffffffff');
  const step = stepAt(repo, '2026-03-02T00:00:00Z', {
    session: SESSION,
    prompts: ['p'],
    transcript: user('p') + assistant(text('q')),
    file: 'f',
    subject: 's',
  });
  expect(LIST.parse(json()).missing_checkpoints).toEqual(['ffffffffffff']);
  expect(repo.entire('explain').stderr).toBe(
    'Note: a commit of this branch names a checkpoint that this repository does not have.\n',
  );
  for (const id of [FIRST, SECOND, BOTH, ODD])
    for (const extra of [[], ['--short'], ['--full']]) DETAIL.parse(json(id, ...extra));
  expect(DETAIL.parse(json(ODD)).problems).toEqual(['session 0: metadata.json is not a JSON object']);
  for (const extra of [[], ['--short'], ['--full']]) STEP.parse(json(step, ...extra));
  expect(json('--commit', 'HEAD~7')).toEqual({
    commit: repo.git('rev-parse', 'HEAD~7'),
    checkpoint_id: null,
  });
});

variation('a feature branch has its own commits only; the default branch has what was merged', (repo) => {
  toldRepo(repo);
  const ids = (...args: string[]): unknown[] =>
    JSON.parse(repo.entire('explain', '--json', ...args).stdout).checkpoints.map(
      (checkpoint: { checkpoint_id: unknown }) => checkpoint.checkpoint_id,
    );
  repo.git('branch', 'side', 'HEAD~3'); // before the last three
  repo.git('checkout', '--quiet', 'side');
  expect(ids()).toEqual([]);
  commitAt(repo, '2026-04-01T00:00:00Z', `mine\n\nEntire-Checkpoint: ${FIRST}`);
  expect(ids()).toEqual([FIRST]);
  const env = { GIT_COMMITTER_DATE: '2026-04-02T00:00:00Z' };
  repo.gitWith({ env }, 'merge', '--quiet', '--no-ff', '-m', 'Merge main', 'main');
  expect(ids(), 'with the default branch merged into it').toEqual([FIRST]);
  expect(ids('--search-all').length).toBe(1);
  repo.git('checkout', '--quiet', 'main');
  expect(ids()).toEqual([ODD, BOTH, SECOND, FIRST]);
  repo.gitWith({ env }, 'merge', '--quiet', '--no-ff', '-m', 'Merge side', 'side');
  const commitsOf = (...args: string[]): number =>
    repo.entire('explain', ...args).stdout.match(/^Commit: +[0-9a-f]{7} /gm)?.length ?? 0;
  expect(commitsOf('-c', FIRST)).toBe(2);
  repo.git('checkout', '--quiet', '--detach');
  expect(repo.entire('explain').stdout).toMatch(/^Branch: HEAD \([0-9a-f]{7}\)\nCheckpoints: 4\n/);
  repo.git('checkout', '--quiet', '--orphan', 'empty');
  expect(repo.entire('explain').stdout).toMatch(/^Branch: empty|^Branch: HEAD \(no commits yet\)/);
  expect(repo.entire('explain', FIRST).stdout).toContain(
    'Commit:      none on this branch (--search-all looks everywhere)\n',
  );
  expect(commitsOf(FIRST, '--search-all')).toBe(2);
});
