import { readHeadCommit } from '../../git/commit/commits.ts';
import type { Work } from '../work.ts';
import { concludeCommit } from './link.ts';
import { settleOwed } from './settle.ts';

/** After a commit: links it with the sessions whose work it holds. Leaves one verdict, whatever happens. */
export async function afterCommit(work: Work): Promise<void> {
  const commit = readHeadCommit(work.git);
  if (!commit) return;
  await settleOwed(work, commit);
  await concludeCommit(work, commit, undefined);
}
