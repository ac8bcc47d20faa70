import * as z from 'zod';
import type { TestRepo } from '../repository/test-repo.ts';

const SHARES = z.strictObject({ agent: z.number(), human: z.number(), unknown: z.number() });
const GROUPS = z.array(
  z.strictObject({ key: z.string(), commits: z.number(), added: SHARES, surviving: z.nullable(SHARES) }),
);

/** As docs/json.md has it: nothing else, and nothing missing. */
const STATS = z.strictObject({
  range: z.strictObject({
    kind: z.enum(['named', 'branch', 'newest']),
    name: z.nullable(z.string()),
    tip: z.nullable(z.string()),
    commits: z.number(),
    merges: z.number(),
    cut_off: z.number(),
    has_more: z.boolean(),
    paths: z.array(z.string()),
  }),
  added: SHARES,
  surviving: z.nullable(SHARES),
  unknown: z.record(z.string(), z.number()),
  missing_checkpoints: z.number(),
  unread_commits: z.number(),
  set_up_lines: z.number(),
  by_agent: GROUPS,
  by_person: GROUPS,
  by_file: GROUPS,
  by_session: GROUPS,
  by_month: GROUPS,
  sessions: z.array(
    z.strictObject({
      session_id: z.string(),
      agent: z.string(),
      first_prompt: z.string(),
      prompts: z.number(),
      token_usage: z.nullable(z.record(z.string(), z.number())),
    }),
  ),
});

/** `entire stats --json`, as it is documented. */
export const stats = (repo: TestRepo, ...args: string[]) =>
  STATS.parse(JSON.parse(repo.entire('stats', '--json', ...args).stdout));

/** Lines that stand in no other file, so many. */
export const linesOf = (who: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `const ${who}Value${at} = compute${who}(${at});\n`).join('');

/** Shares as they are counted in heads. */
export const shares = (agent: number, human: number, unknown = 0) => ({ agent, human, unknown });
