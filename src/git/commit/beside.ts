import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { BRANCHES_OF_PEOPLE, REMOTES_OF_PEOPLE } from '../ref/people.ts';
import type { Git } from '../run.ts';
import { askAside } from '../talk.ts';

/** Commits that are looked at, the newest: how long a history is, and how many branches there are, costs nothing. */
const MAX_WALKED = 1_000;
/** Of those that are not in the history: a rewriting leaves some dozens behind. */
const MAX_BESIDE = 300;

/** Rows that `git log --stdin` takes: commits, and with a caret those that they end at. */
export interface NewestCommits {
  /** Not in the history; none where there are no such commits. */
  readonly beside: readonly string[];
  /** In it. */
  readonly within: readonly string[];
}

/**
 * Tells the newest commits that a history, branches, those of remotes and some more commits lead to, by whether they are in that history.
 *
 * @param head where that history begins
 * @param tips those that are not here are left out
 */
export async function findNewest(
  git: Git,
  head: ObjectId,
  tips: readonly ObjectId[],
): Promise<NewestCommits> {
  const args = [
    ...['rev-list', '--parents', `--max-count=${MAX_WALKED}`, '--ignore-missing'],
    ...[...BRANCHES_OF_PEOPLE, ...REMOTES_OF_PEOPLE, '--stdin'],
  ];
  const input = [head, ...tips].map((oid) => `${oid}\n`).join('');
  const said = await askAside(git, args, { input, okUnknown: true });
  const rows = said
    .toString('latin1')
    .split('\n')
    .map((row) => row.split(' ').flatMap((oid) => parseObjectId(oid) ?? []));
  const parentsOf = new Map(rows.flatMap(([oid, ...parents]) => (oid ? [[oid, parents] as const] : [])));
  const inHistory = new Set([head]);
  // What is added on the way comes up as well.
  for (const oid of inHistory) for (const parent of parentsOf.get(oid) ?? []) inHistory.add(parent);
  const beside = rows.filter(([oid]) => oid && !inHistory.has(oid)).slice(0, MAX_BESIDE);
  const known = new Set([...beside.map(([oid]) => oid), ...inHistory]);
  const ends = new Set(beside.flatMap(([, ...parents]) => parents).filter((oid) => !known.has(oid)));
  const unread = [...inHistory].filter((oid) => oid !== head && !parentsOf.has(oid));
  return {
    beside: [...beside.map(([oid]) => oid as ObjectId), ...endingAt(ends)],
    within: [head, ...endingAt(unread)],
  };
}

const endingAt = (oids: Iterable<ObjectId>): string[] => [...oids].map((oid) => `^${oid}`);
