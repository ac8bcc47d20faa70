import type { ObjectId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readTree } from '../../git/object/objects.ts';
import { emptyAttribution, type PromptAttribution } from '../../session/record/prompt-attribution.ts';
import { readUserLines, type UserLines, writeUserLines } from '../../session/record/user-lines.ts';
import type { SessionState } from '../../session/state.ts';
import type { Work } from '../work.ts';
import { addLines, NO_LINES } from './user-lines.ts';

/**
 * What stays of the user's lines after a commit: those in files that it left wholly with the session, whose next step
 * holds them, as one attribution for the first step on the new base; and in our record those in all other files that it
 * did not take. One process, where there are such.
 *
 * @param kept files left with the session
 * @param commit the new base, and what it took
 */
export function carryUserLines(
  { git, repo }: Work,
  session: SessionState,
  kept: readonly RepoPath[],
  commit: { readonly oid: ObjectId; readonly changes: { has(path: RepoPath): boolean } },
): PromptAttribution[] {
  const record = readUserLines(repo.commonDir, session.sessionId, session.attributionBaseCommit);
  const files = new Map<string, UserLines>(
    kept.flatMap((path) => {
      const file = record?.files.get(path);
      return file ? [[path, file] as const] : [];
    }),
  );
  const userLinesRemoved = sum(
    [...files.values()].map(({ settled, user }) => settled.removed + user.removed),
  );
  if (record) {
    const others = [...record.files.keys()].filter((path) => !files.has(path)) as RepoPath[];
    const waiting = others.filter((path) => !commit.changes.has(path));
    const tree = waiting.length > 0 ? readTree(git, commit.oid, waiting) : undefined;
    for (const path of waiting)
      files.set(path, rebase(record.files.get(path) as UserLines, tree?.get(path)?.oid ?? ''));
    writeUserLines(repo.commonDir, session.sessionId, { since: commit.oid, files });
  }

  const pending = session.pendingPromptAttribution ? [session.pendingPromptAttribution] : [];
  const userAddedPerFile = new Map<string, number>();
  for (const { userAddedPerFile: lines } of [...session.promptAttributions, ...pending])
    for (const path of kept) {
      const sum = (userAddedPerFile.get(path) ?? 0) + (lines.get(path) ?? 0);
      if (sum > 0) userAddedPerFile.set(path, sum);
    }
  const userLinesAdded = sum([...userAddedPerFile.values()]);
  return userLinesAdded + userLinesRemoved === 0
    ? []
    : [{ ...emptyAttribution(1), userLinesAdded, userLinesRemoved, userAddedPerFile }];
}

/** The steps are gone: what they held of the user's differs from the commit again. */
function rebase({ settled, user, measured, fingerprint }: UserLines, reference: string): UserLines {
  const own = addLines(settled, user);
  const all = addLines(settled, measured);
  return { reference, fingerprint, measured: all, user: own, taken: own, settled: NO_LINES };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
