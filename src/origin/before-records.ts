import type { ObjectId } from '../base/ids.ts';
import { readCheckpoints } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { GIT_AI_REF, listNotes } from '../git/commit/foreign-notes.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { REFS_OF_PEOPLE } from '../git/ref/people.ts';
import { readVerdicts } from '../session/record/verdicts.ts';
import type { Work } from '../strategy/work.ts';
import { idsIn } from './strangers.ts';

/** Clocks differ, by less than that; what may have come to a commit is older than it by the same clocks. */
const SLACK_MS = 3_600_000;

/**
 * Commits that are older than anything on record, as those before Entire came to a repository: nothing can be told of their lines, and none of them
 * needs to be looked into. No commit that they are made on is younger. A few processes.
 *
 * @param commits newest first
 */
export async function findBeforeRecords(
  { git, repo }: Work,
  store: CheckpointStore,
  commits: readonly LogRow[],
  believesGitAi = false,
): Promise<ReadonlySet<ObjectId>> {
  const verdicts = readVerdicts(repo.commonDir);
  const containing = `${CHECKPOINT_TRAILER}: `;
  const linked = readLog(git, { range: [...REFS_OF_PEOPLE, '--reflog', 'HEAD'], containing }) ?? [];
  const stored = await readCheckpoints(store, await idsIn(store));
  const judged = new Set<string>(verdicts.map(({ commit }) => commit));
  const told = commits.filter(({ oid, links }) => links.all.length > 0 || judged.has(oid));
  const times = [
    ...verdicts.map(({ at }) => at),
    ...[...linked, ...told].map(({ committedAt }) => committedAt),
    ...[...stored.values()].flatMap(({ slots }) => slots.map(({ metadata }) => metadata.createdAt)),
  ];
  const firstMs = times.reduce((first, at) => Math.min(first, Date.parse(at) || 0), Number.POSITIVE_INFINITY);
  const noted = new Set<string>(believesGitAi ? [...listNotes(git, GIT_AI_REF)].map(([oid]) => oid) : []);
  const known = new Set<string>(told.map(({ oid }) => oid));
  /** These, and all that was made on them. */
  const later = new Set<ObjectId>();
  for (const { oid, parents, committedAt } of commits.toReversed()) {
    const isOld = Date.parse(committedAt) < firstMs - SLACK_MS;
    const isTold = known.has(oid) || noted.has(oid) || parents.some((parent) => later.has(parent));
    if (!isOld || isTold) later.add(oid);
  }
  return new Set(commits.flatMap(({ oid }) => (later.has(oid) ? [] : oid)));
}
