import * as z from 'zod';
import type { TestRepo } from '../repository/test-repo.ts';

const ID = z.string().regex(/^[0-9a-f]{12}$/);

/** As docs/json.md has it: nothing else, and nothing missing. */
const RELINK = z.strictObject({
  dry_run: z.boolean(),
  written: z.number().int(),
  commits: z.array(
    z.strictObject({
      commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
      subject: z.string(),
      checkpoints: z.array(
        z.strictObject({
          checkpoint: ID,
          proof: z.enum(['commit', 'tree', 'contents', 'patch', 'lines']),
          lines: z.number().int(),
          new: z.boolean(),
        }),
      ),
      unproved: z.array(ID),
      tied: z.array(ID),
      cut_off: z.boolean(),
    }),
  ),
});

/** What `entire relink --json` says. */
export const relink = (repo: TestRepo, ...args: string[]) =>
  RELINK.parse(JSON.parse(repo.entire('relink', ...args, '--json').stdout));
