import type { ObjectId } from '../base/ids.ts';
import type { Work } from '../strategy/work.ts';
import { type LinesQuestion, readCommitLines } from './commit-lines.ts';
import type { Shares } from './line-shares.ts';
import { isSetUp } from './set-up-lines.ts';

/** Whose the lines are that one commit added. */
export interface CommitShares {
  readonly added: Shares;
  /** Of each session its lines in each file. */
  readonly bySession: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Counts the lines that a commit added, as `entire stats` does; `undefined` where its patch is too large to be read. */
export async function countCommitLines(
  work: Work,
  commit: ObjectId,
  judging: Pick<LinesQuestion, 'isOn' | 'believesGitAi'>,
): Promise<CommitShares | undefined> {
  const added = { agent: 0, human: 0, unknown: 0 };
  const bySession = new Map<string, Map<string, number>>();
  for await (const { files, isUnread } of readCommitLines(work, [commit], { revision: commit, ...judging })) {
    if (isUnread) return undefined;
    for (const { path, lines } of files) {
      if (isSetUp(path, lines)) continue;
      for (const { origin } of lines) {
        added[origin.kind]++;
        const id = origin.session?.sessionId;
        if (id === undefined) continue;
        const own = bySession.get(id) ?? new Map<string, number>();
        bySession.set(id, own.set(path, (own.get(path) ?? 0) + 1));
      }
    }
  }
  return { added, bySession };
}
