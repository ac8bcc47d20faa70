import * as z from 'zod';
import type { TestRepo } from '../repository/test-repo.ts';

/** As docs/json.md has it: nothing else, and nothing missing. */
export const BLAME = z.strictObject({
  path: z.string(),
  counts: z.strictObject({ agent: z.number(), human: z.number(), unknown: z.number() }),
  sessions: z.array(
    z.strictObject({
      session_id: z.string(),
      agent: z.string(),
      checkpoint: z.nullable(z.string()),
      prompt: z.nullable(z.string()),
    }),
  ),
  lines: z.array(
    z.strictObject({
      line: z.number().int(),
      text: z.string(),
      commit: z.nullable(z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)),
      author: z.nullable(z.string()),
      class: z.enum(['agent', 'human', 'unknown']),
      reason: z.enum([
        'written',
        'git-ai',
        'made-again',
        'neighbours',
        'untouched',
        'not-written',
        'no-session',
        'unseen',
        'reformatted',
        'no-record',
        'elsewhere',
        'foreign-checkpoint',
        'checkpoint-missing',
      ]),
      session_id: z.nullable(z.string()),
      checkpoint: z.nullable(z.string()),
      prompt: z.nullable(z.string()),
      turn: z.nullable(z.string()),
    }),
  ),
});

/** `entire blame --json`, as it is documented. */
export const blame = (repo: TestRepo, ...args: string[]) =>
  BLAME.parse(JSON.parse(repo.entire('blame', ...args, '--json').stdout));
/** `class:reason` of each line. */
export const classes = (repo: TestRepo, ...args: string[]) =>
  blame(repo, ...args).lines.map((line) => `${line.class}:${line.reason}`);
