import { EntireError } from '../base/errors.ts';
import { type ObjectId, parseObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readCutOff } from '../git/commit/commits.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { type Git, gitText, runGit } from '../git/run.ts';
import type { Branch } from '../history/branch.ts';

/** Who wrote a commit. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface RangeCommit extends LogRow {
  /** By `.mailmap`: the same person for all names and addresses that it knows. */
  readonly author: Author;
  /** As the commit has it. */
  readonly authorAsWritten: Author;
}

/** Commits that are looked at together. */
export interface CommitRange {
  /**
   * `named`: that somebody named; `branch`: of the branch, as far as the default branch does not have them; `newest`: of the default branch, or
   * of one that has none of its own, the newest ones.
   */
  readonly kind: 'named' | 'branch' | 'newest';
  /** The range that was named, or the branch; `undefined` where HEAD is detached. */
  readonly name: string | undefined;
  /** Newest first; without merges, which add nothing themselves. */
  readonly commits: readonly RangeCommit[];
  readonly merges: number;
  /** Commits at which a shallow clone ends: what they added cannot be told from what was there before. */
  readonly cutOff: number;
  /** There are older ones, which nobody asked for. */
  readonly hasMore: boolean;
  /** Where it ends; `undefined` where it has several ends, or none. */
  readonly tip: ObjectId | undefined;
  /** What it begins behind. */
  readonly notBefore: readonly ObjectId[];
  /** Only commits that changed one of these files, or files below them; all where there are none. */
  readonly paths: readonly RepoPath[];
}

/** So many of the default branch, where nobody says which. */
export const NEWEST = 100;

/**
 * The commits of a range as git takes it; without one those of the branch that the default branch does not have, and on the default branch
 * the newest. A few processes.
 *
 * @param paths only what changed these, as `git log -- <path>` has it
 * @throws {EntireError} `NOT_FOUND` for no range of commits
 */
export function readRange(
  branch: Branch,
  named: string | undefined,
  paths: readonly RepoPath[] = [],
): CommitRange {
  const { git, head, name, isDefault } = branch;
  if (named !== undefined) return readNamed(branch, named, paths);
  if (!head) return { ...EMPTY, kind: 'newest', name, paths };
  const others = isDefault ? [] : branch.defaults;
  const only = pathspecs(paths);
  const own = others.length === 0 ? undefined : readLog(git, { range: [head, '--not', ...others], ...only });
  const isOwn = own !== undefined && (own.length > 0 || name !== undefined);
  const rows = isOwn ? own : readLog(git, { range: [head], limit: NEWEST + 1, ...only });
  if (!rows) throw notFound('HEAD');
  const shown = isOwn ? rows : rows.slice(0, NEWEST);
  const hasMore = shown.length < rows.length;
  return {
    ...complete(branch, shown),
    ...{ kind: isOwn ? 'branch' : 'newest', name, tip: head, hasMore, paths },
    notBefore: isOwn ? others : hasMore ? boundaryOf(shown, paths) : [],
  };
}

const pathspecs = (paths: readonly RepoPath[]): { readonly paths?: readonly string[] } =>
  paths.length === 0 ? {} : { paths: paths.map((path) => `:(top,literal)${path}`) };

const EMPTY = { commits: [], merges: 0, cutOff: 0, hasMore: false, tip: undefined, notBefore: [] } as const;

function readNamed(branch: Branch, named: string, paths: readonly RepoPath[]): CommitRange {
  const { git } = branch;
  const asked = ['rev-parse', '--revs-only', '--end-of-options', named];
  const isWord = named !== '' && !named.startsWith('-');
  const revisions = isWord ? gitText(git, asked, { okCodes: [0, 128] }).split('\n') : [];
  const ends = revisions.flatMap((revision) => parseObjectId(revision) ?? []);
  const rows = ends.length === 0 ? undefined : readLog(git, { range: [named], ...pathspecs(paths) });
  if (!rows) throw notFound(named, readCutOff(branch.repo.commonDir).size > 0);
  return {
    ...complete(branch, rows),
    ...{ kind: 'named', name: named, hasMore: false, tip: ends.length === 1 ? ends[0] : undefined, paths },
    notBefore: revisions.flatMap((revision) =>
      revision.startsWith('^') ? (parseObjectId(revision.slice(1)) ?? []) : [],
    ),
  };
}

/** One commit alone; none for a merge, and for one at which a shallow clone ends. */
export const readOne = (branch: Branch, oid: ObjectId): readonly RangeCommit[] =>
  complete(branch, readLog(branch.git, { range: ['--no-walk', oid], limit: 1 }) ?? []).commits;

const notFound = (named: string, isShallow = false): EntireError =>
  new EntireError('NOT_FOUND', `no such range of commits: ${named}`, {
    hint: isShallow
      ? 'This clone is shallow: older commits are not in it. `git fetch --unshallow` gets them.'
      : 'A range is what `git log` takes: main..feature, v1.0.., HEAD~20..',
  });

/** Parents of the oldest ones; where others lie between them, of the last one alone. */
function boundaryOf(rows: readonly LogRow[], paths: readonly RepoPath[]): ObjectId[] {
  if (paths.length > 0) return [...(rows.at(-1)?.parents ?? [])];
  const known = new Set(rows.map(({ oid }) => oid));
  return [...new Set(rows.flatMap(({ parents }) => parents.filter((oid) => !known.has(oid))))];
}

function complete(
  { git, repo }: Branch,
  rows: readonly LogRow[],
): Pick<CommitRange, 'commits' | 'merges' | 'cutOff'> {
  const cut = readCutOff(repo.commonDir);
  const single = rows.filter(({ parents }) => parents.length < 2);
  const counted = single.filter(({ oid }) => !cut.has(oid));
  const authors = readAuthors(git, counted);
  return {
    commits: counted.map((row) => ({ ...row, ...(authors.get(row.oid) ?? UNKNOWN) })),
    merges: rows.length - single.length,
    cutOff: single.length - counted.length,
  };
}

const NOBODY = { name: '', email: '' };
const UNKNOWN = { author: NOBODY, authorAsWritten: NOBODY };

/** One process. */
export function readAuthors(
  git: Git,
  rows: readonly Pick<LogRow, 'oid'>[],
): Map<ObjectId, Pick<RangeCommit, 'author' | 'authorAsWritten'>> {
  if (rows.length === 0) return new Map();
  const args = ['log', '-z', '--no-walk=unsorted', '--stdin', '--no-show-signature', '--encoding=UTF-8'];
  const fields = runGit(git, [...args, '--no-patch', '--format=%H%x00%aN%x00%aE%x00%an%x00%ae'], {
    input: rows.map(({ oid }) => `${oid}\n`).join(''),
  })
    .stdout.toString('utf8')
    .split('\0');
  const found = new Map<ObjectId, Pick<RangeCommit, 'author' | 'authorAsWritten'>>();
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [oid, name = '', email = '', ownName = '', ownEmail = ''] = fields.slice(at, at + 5);
    const authorAsWritten = { name: ownName, email: ownEmail };
    found.set(oid as ObjectId, { author: { name, email }, authorAsWritten });
  }
  return found;
}
