import type { RepoPath } from '../../base/repo-path.ts';
import { emptyAttribution, type PromptAttribution } from '../../session/prompt-attribution.ts';
import type { SessionState } from '../../session/state.ts';
import { readUserLines, writeUserLines } from '../../session/user-lines.ts';
import type { Work } from '../work.ts';

/**
 * What stays of the user's lines after a commit: those in files that it left wholly with the session, whose next step
 * holds them. As one attribution, for the first step on the new base `since`.
 */
export function carryUserLines(
  { repo }: Work,
  session: SessionState,
  kept: readonly RepoPath[],
  since: string,
): PromptAttribution[] {
  const record = readUserLines(repo.commonDir, session.sessionId, session.attributionBaseCommit);
  const files = new Map(
    kept.flatMap((path) => {
      const file = record?.files.get(path);
      return file ? [[path, file] as const] : [];
    }),
  );
  writeUserLines(repo.commonDir, session.sessionId, { since, files });

  const pending = session.pendingPromptAttribution ? [session.pendingPromptAttribution] : [];
  const userAddedPerFile = new Map<string, number>();
  for (const { userAddedPerFile: lines } of [...session.promptAttributions, ...pending])
    for (const path of kept) {
      const sum = (userAddedPerFile.get(path) ?? 0) + (lines.get(path) ?? 0);
      if (sum > 0) userAddedPerFile.set(path, sum);
    }
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
  const userLinesAdded = sum(userAddedPerFile.values());
  const userLinesRemoved = sum(
    [...files.values()].map(({ settled, user }) => settled.removed + user.removed),
  );
  return userLinesAdded + userLinesRemoved === 0
    ? []
    : [{ ...emptyAttribution(1), userLinesAdded, userLinesRemoved, userAddedPerFile }];
}
