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
import { readMovesOfRebase, readRecentMoves } from '../../git/ref/reflog.ts';
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

/** Commits that a reset has taken out, or that a merge has brought. */
const MOST_COMMITS = 50;
/** The newest checkpoints, in which what a merge has brought is looked for. */
const MOST_CHECKPOINTS = 200;

/** After `git merge --squash`: notes what the next commit will hold. */
export const noteMergeSquash = (work: Work): Promise<void> =>
  attempt('a squash', async () => {
    const text = readUserText(join(work.repo.gitDir, 'SQUASH_MSG'), 'git-list') ?? '';
    const oids = [...text.matchAll(/^commit ([0-9a-f]{40,64})$/gm)].flatMap(
      ([, oid]) => parseObjectId(oid) ?? [],
    );
    const head = readHead(work.git, work.repo);
    if (!head || oids.length === 0) return;
    const range = ['--no-walk', '--ignore-missing', ...oids.slice(0, MOST_COMMITS)];
    const rows = readLog(work.git, { range, limit: MOST_COMMITS }) ?? [];
    const ids = [...rows.flatMap(({ links }) => linkedIds(links)), ...namedCheckpoints(text)];
    if (ids.length > 0) noteSquashed(work.repo, { head, ids: [...new Set(ids)] });
  });

/** Before a commit of what `git cherry-pick --no-commit` brought: notes what it will hold. That of several which was picked last is known. */
export const notePicked = (work: Work): Promise<void> =>
  attempt('a pick', async () => {
    const ids = namedCheckpoints(readUserText(join(work.repo.gitDir, 'MERGE_MSG'), 'git-list') ?? '');
    const head = readHead(work.git, work.repo);
    if (head && ids.length > 0) noteSquashed(work.repo, { head, ids });
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
    const isElsewhere = () => false;
    if (squashed) await linkTo(work, { ...asked, isElsewhere, isProposed: true }, squashed.ids);
    else await linkTo(work, { ...asked, isElsewhere, isProposed: false }, lost);
  });

/**
 * After a rebase that stopped for a conflict: whoever resolved it may have brought lines of a commit into one before it, whose messages and old
 * commits say nothing of them.
 *
 * @param pairs the commits that were made again, as git tells them
 */
export const linkResolved = (work: Work, pairs: readonly RewrittenPair[]): Promise<void> =>
  attempt('a rebase', async () => {
    const moves = readMovesOfRebase(work.repo.gitDir) ?? [];
    if (!moves.some(({ action }) => action.endsWith('(continue)'))) return;
    const isMade = new Set(moves.map(({ to }) => to));
    const those = pairs.filter(({ made }) => isMade.has(made)).slice(-MOST_COMMITS);
    const only = (oids: readonly ObjectId[]) => ['--no-walk', '--ignore-missing', ...new Set(oids)];
    const range = only(those.map(({ old }) => old));
    const rows = those.length > 0 ? (readLog(work.git, { range, limit: MOST_COMMITS }) ?? []) : [];
    const asked = { range: only(those.map(({ made }) => made)), limit: MOST_COMMITS };
    const isKnown = readAdded(work, rows, those);
    await linkTo(
      work,
      { ...asked, isElsewhere: () => false, isProposed: false, isKnown },
      rows.flatMap(({ links }) => linkedIds(links)),
    );
  });

/** Tells of the lines of new commits whether the old ones added them, too. */
function readAdded(
  { git }: Work,
  rows: readonly LogRow[],
  pairs: readonly RewrittenPair[],
): (made: ObjectId, text: string) => boolean {
  const asked = rows.map(({ oid, parents }) => ({ commit: oid, parent: parents[0] }));
  const added = new Map(readPatches(git, asked).map((patch) => [patch.commit, addedIn(patch)]));
  const old = groupBy(pairs, ({ made }) => made);
  return (made, text) => (old.get(made) ?? []).some((pair) => added.get(pair.old)?.has(plainLine(text)));
}

const addedIn = ({ files }: Patch): ReadonlySet<string> =>
  new Set(files.flatMap(({ added }) => added.flatMap(({ lines }) => lines.map(plainLine))));

/** What commits led to that HEAD has no more. */
function readLostTo({ git }: Work, tip: ObjectId): CheckpointId[] {
  const range = ['--no-merges', tip, '--not', 'HEAD'];
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
