import * as z from 'zod';
import type { TestRepo } from '../repository/test-repo.ts';
import { addWork } from './work.ts';

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
      unproved: z.array(
        z.strictObject({
          checkpoint: ID,
          place: z.enum(['trailer', 'message', 'note']),
          reason: z.enum(['not-here', 'no-evidence', 'nothing-of-it']),
        }),
      ),
      tied: z.array(ID),
      possible: z.array(ID),
      cut_off: z.boolean(),
    }),
  ),
});

/** What `entire relink --json` says. */
export const relink = (repo: TestRepo, ...args: string[]) =>
  RELINK.parse(JSON.parse(repo.entire('relink', ...args, '--json').stdout));

/** Two commits of a session on a branch of their own, and the checkpoints that they are linked to. */
export function branchOff(repo: TestRepo): [first: string, second: string] {
  repo.ready().git('switch', '--quiet', '-c', 'topic');
  const session = addWork(repo, { 'a.txt': 'the first line of the agent\n' });
  const first = repo.commit('First', 'a.txt') as string;
  addWork(repo, { 'a.txt': 'the first line of the agent\nthe second line of the agent\n' }, session);
  const second = repo.commit('Second', 'a.txt') as string;
  session.end();
  return [first, second];
}

/** What a forge does with `topic` in a clone of its own: one commit of it on main, pushed. @param removed refs that the push takes away */
export function squashAsForge(forge: TestRepo, message: string, ...removed: string[]): void {
  unhooked(forge, 'merge', '--quiet', '--squash', 'origin/topic');
  unhooked(forge, 'commit', '--quiet', '-m', message);
  unhooked(forge, 'push', '--quiet', 'origin', 'main', ...removed);
}

/** No hook of ours runs: what is found is found by what is stored alone. */
export const unhooked = (repo: TestRepo, ...args: string[]) =>
  repo.gitWith({ env: { ENTIRE: '0' } }, ...args);
