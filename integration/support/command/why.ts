import * as z from 'zod';
import type { TestRepo } from '../repository/test-repo.ts';

/** As docs/json.md has it: nothing else, and nothing missing. */
const WHY = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  subject: z.string(),
  author: z.string(),
  authored_at: z.iso.datetime({ offset: true }),
  status: z.enum(['linked', 'incomplete', 'not-linked']),
  reason: z.string(),
  explanation: z.string(),
  checkpoint: z.nullable(z.string().regex(/^[0-9a-f]{12}$/)),
  forgotten: z.array(z.strictObject({ session_id: z.string(), at: z.iso.datetime(), whole: z.boolean() })),
  verdict: z.nullable(
    z.strictObject({ reason: z.string(), at: z.iso.datetime(), detail: z.nullable(z.string()) }),
  ),
  sessions: z.array(
    z.strictObject({
      session_id: z.string(),
      agent: z.string(),
      created_at: z.string(),
      first_prompt: z.nullable(z.string()),
      last_prompt: z.nullable(z.string()),
      files_in_commit: z.array(z.string()),
      files_touched: z.number().int(),
      initial_attribution: z.nullable(z.record(z.string(), z.unknown())),
    }),
  ),
  mentioned: z.array(
    z.strictObject({
      checkpoint: z.string(),
      place: z.enum(['trailer', 'message', 'note']),
      stored: z.boolean(),
      misfit: z.nullable(z.string()),
    }),
  ),
  replayed_from: z.nullable(z.string()),
  waiting_sessions: z.array(z.string()),
  owed: z.boolean(),
  problems: z.array(z.string()),
  advice: z.array(z.string()),
});

/** What `entire why --json` says. */
export const why = (repo: TestRepo, ...args: string[]) =>
  WHY.parse(JSON.parse(repo.entire('why', ...args, '--json').stdout));

/** A commit that none of our hooks sees. */
export const commitWithout = (repo: TestRepo, message: string, ...paths: string[]) => {
  repo.git('add', '--', ...paths);
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', message);
};

/** The last commit is amended, its message alone, and none of our hooks sees it. */
export const amendWithout = (repo: TestRepo, message: string) =>
  repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--amend', '-m', message);
