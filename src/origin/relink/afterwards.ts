import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { groupBy } from '../../base/group-by.ts';
import { type CheckpointId, type ObjectId, parseObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { plainLine } from '../../base/text/lines.ts';
import { openCheckpoints } from '../../checkpoint/read/store.ts';
import { METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { linkedIds, namedCheckpoints } from '../../git/commit/links.ts';
import { type Patch, readPatches } from '../../git/commit/patch.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { BRANCHES_OF_PEOPLE } from '../../git/ref/people.ts';
import { readRecentMoves } from '../../git/ref/reflog.ts';
import { readHead } from '../../git/ref/refs.ts';
import { gitText } from '../../git/run.ts';
import { findReset, noteSquashed, takeSquashed } from '../../session/record/squashed.ts';
import type { RewrittenPair } from '../../strategy/commit/rewritten.ts';
import type { Work } from '../../strategy/work.ts';
import { readClaims } from './claim.ts';
import type { MatchFacts } from './match.ts';
import { linkRows } from './relink.ts';

/**
 * Links commits with what they were made of, right when they are made, where git leaves a trace of that. Each looks at few commits and few
 * checkpoints, whatever the repository holds; `entire relink` looks at all. None throws: the commit is there already.
 */

/** Commits that a reset has taken out, that a merge has brought, or that a rebase has made. */
const MOST_COMMITS = 50;
/** The newest checkpoints, in which what a merge has brought is looked for. */
const MOST_CHECKPOINTS = 200;

/** For `git log`: these alone, as far as they are here. */
const only = (oids: readonly ObjectId[]): string[] => ['--no-walk', '--ignore-missing', ...new Set(oids)];

/** After `git merge --squash`: notes what the next commit will hold. */
export const noteMergeSquash = (work: Work): Promise<void> =>
  attempt('a squash', async () => {
    const text = readUserText(join(work.repo.gitDir, 'SQUASH_MSG'), 'git-list') ?? '';
    const oids = [...text.matchAll(/^commit ([0-9a-f]{40,64})$/gm)].flatMap(
      ([, oid]) => parseObjectId(oid) ?? [],
    );
    const head = readHead(work.git, work.repo);
    if (!head || oids.length === 0) return;
    const rows = readLog(work.git, { range: only(oids.slice(0, MOST_COMMITS)), limit: MOST_COMMITS }) ?? [];
    const ids = [...rows.flatMap(({ links }) => linkedIds(links)), ...namedCheckpoints(text)];
    if (ids.length > 0) noteSquashed(work.repo, { head, ids: [...new Set(ids)], isPick: false });
  });

/** Before a commit of what `git cherry-pick --no-commit` brought: notes what it will hold. That of several which was picked last is known. */
export const notePicked = (work: Work): Promise<void> =>
  attempt('a pick', async () => {
    const ids = namedCheckpoints(readUserText(join(work.repo.gitDir, 'MERGE_MSG'), 'git-list') ?? '');
    const head = readHead(work.git, work.repo);
    if (head && ids.length > 0) noteSquashed(work.repo, { head, ids, isPick: true });
  });

/** After a commit: links it with what was squashed into it, or with what a reset took out before. A look at the reflog where neither was. */
export const linkRemade = (work: Work): Promise<void> =>
  attempt('a commit', async () => {
    const last = readRecentMoves(work.repo.gitDir).at(-1);
    if (!last) return;
    const squashed = takeSquashed(work.repo, last.from);
    const reset = findReset(work.repo.gitDir);
    const lost = reset && !squashed ? readLostTo(work, reset.from) : [];
    const asked = { range: [last.to], limit: 1 };
    // What was picked stands where it was, too, and is no part of the commit where it was given up.
    const isPick = squashed?.isPick ?? false;
    const facts = { isElsewhere: () => isPick, takesAll: isPick, isProposed: squashed !== undefined };
    await linkTo(work, { ...asked, ...facts }, squashed?.ids ?? lost);
  });

/**
 * After a rebase that stopped for a conflict: whoever resolved it may have brought lines of a commit into another one, whose messages and old
 * commits say nothing of them. Only what the other one adds no more counts.
 *
 * @param pairs the commits that were made again, as git tells them
 * @param bySomebody those that git did not make by itself
 */
export const linkResolved = (
  work: Work,
  pairs: readonly RewrittenPair[],
  bySomebody: ReadonlySet<ObjectId>,
): Promise<void> =>
  attempt('a rebase', async () => {
    const those = pairs.slice(-MOST_COMMITS);
    const resolved = those.flatMap(({ made }) => (bySomebody.has(made) ? made : []));
    if (resolved.length === 0) return;
    const rowsOf = (oids: readonly ObjectId[]) =>
      readLog(work.git, { range: only(oids), limit: MOST_COMMITS }) ?? [];
    const old = rowsOf(those.map((pair) => pair.old));
    const ids = old.flatMap(({ links }) => linkedIds(links));
    if (ids.length === 0) return;
    const isKnown = readAdded(work, { old, made: rowsOf(those.map((pair) => pair.made)), pairs: those });
    const asked = { range: only(resolved), limit: MOST_COMMITS };
    await linkTo(work, { ...asked, isElsewhere: () => false, isProposed: false, isKnown }, ids);
  });

/** Tells of a line of a new commit whether one that it was made of added it, too, or another new one does: nobody brought it from there. */
function readAdded(
  { git }: Work,
  { old, made, pairs }: Record<'old' | 'made', readonly LogRow[]> & { pairs: readonly RewrittenPair[] },
): (commit: ObjectId, text: string) => boolean {
  const asked = [...old, ...made].map(({ oid, parents }) => ({ commit: oid, parent: parents[0] }));
  const added = new Map(readPatches(git, asked).map((patch) => [patch.commit, addedIn(patch)]));
  const sources = groupBy(pairs, (pair) => pair.made);
  return (commit, text) => {
    const line = plainLine(text);
    const adds = (one: ObjectId): boolean => added.get(one)?.has(line) ?? false;
    return (
      (sources.get(commit) ?? []).some((pair) => adds(pair.old)) ||
      made.some(({ oid }) => oid !== commit && adds(oid))
    );
  };
}

const addedIn = ({ files }: Patch): ReadonlySet<string> =>
  new Set(files.flatMap(({ added }) => added.flatMap(({ lines }) => lines.map(plainLine))));

/** What commits led to that HEAD has no more, nor any other branch here: who keeps them there does not make them anew. */
function readLostTo({ git }: Work, tip: ObjectId): CheckpointId[] {
  const range = ['--no-merges', tip, '--not', 'HEAD', ...BRANCHES_OF_PEOPLE];
  const rows = readLog(git, { range, limit: MOST_COMMITS }) ?? [];
  return rows.flatMap(({ links }) => linkedIds(links));
}

/** After a merge or a pull: a forge may have squashed or rebased what was pushed from here. */
export const linkMerged = (work: Work): Promise<void> =>
  attempt('a merge', async () => {
    const range = ['--no-merges', 'ORIG_HEAD..HEAD'];
    // Nobody has said what those were made of, and to look at every commit here takes too long.
    const asked = { range, limit: MOST_COMMITS, isElsewhere: () => true, isProposed: false };
    const rows = readLog(work.git, asked) ?? [];
    if (rows.every(isLinked)) return;
    const newest = ['log', `--max-count=${MOST_CHECKPOINTS}`, '--format=%s', METADATA_REF, '--'];
    const subjects = gitText(work.git, newest, { okUnknown: true });
    const ids = [...subjects.matchAll(/^Checkpoint: ([0-9a-f]{12})$/gm)].map(([, id]) => id as CheckpointId);
    await linkTo(work, asked, ids);
  });

const isLinked = ({ links }: LogRow): boolean => links.all.length > 0;

async function linkTo(
  work: Work,
  {
    range,
    limit,
    ...facts
  }: Omit<MatchFacts, 'isBinary'> & { readonly range: readonly string[]; readonly limit: number },
  ids: readonly CheckpointId[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = (readLog(work.git, { range, limit }) ?? []).filter(({ parents }) => parents.length < 2);
  if (rows.length === 0) return;
  const store = openCheckpoints(work.git, work.repo.commonDir);
  const claims = await readClaims(store, [...new Set(ids)]);
  const { written } = await linkRows(work, { store, rows, claims, isDry: false, looksBack: false, ...facts });
  if (written > 0) log('info', 'commits are linked with what they were made of', { commits: written });
}

async function attempt(what: string, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    log('warn', `${what} not linked with what it was made of`, { error: describeError(error) });
  }
}
