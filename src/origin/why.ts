import { EntireError } from '../base/errors.ts';
import { type CheckpointId, type ObjectId, parseObjectId } from '../base/ids.ts';
import { isObject } from '../base/json.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfit } from '../checkpoint/read/fit.ts';
import { among } from '../checkpoint/read/listed.ts';
import { type CheckpointStore, openCheckpoints } from '../checkpoint/read/store.ts';
import { readPrompts } from '../checkpoint/read/texts.ts';
import { type Commit, type PathChange, readCommit } from '../git/commits.ts';
import type { Repo } from '../git/locate.ts';
import type { TreeEntry } from '../git/objects.ts';
import { readHead } from '../git/refs.ts';
import { type Git, runGit } from '../git/run.ts';
import { listOwed } from '../session/owed.ts';
import { findForgotten, type Tombstone } from '../session/tombstones.ts';
import { readVerdictOf, type Verdict } from '../session/verdicts.ts';
import { blobTextReader } from '../strategy/commit/blob-text.ts';
import { judgeSessions } from '../strategy/commit/judge.ts';
import { listSessions } from '../strategy/sessions.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { isTelling } from './evidence.ts';
import { formerNames } from './former-names.ts';
import {
  findMentioned,
  findReplayed,
  resolveReason,
  type SetUp,
  type WhyReason,
  type WhyStatus,
} from './reason.ts';
import { findStrangers, writersAmong } from './strangers.ts';

/** What a commit is linked to; or why it is not. */
export interface WhyReport {
  readonly commit: ObjectId;
  readonly subject: string;
  readonly author: string;
  /** RFC 3339, with the author's offset. */
  readonly authoredAt: string;
  readonly isHead: boolean;
  readonly isMerge: boolean;
  readonly status: WhyStatus;
  readonly reason: WhyReason;
  /** Why the checkpoint that it names is not its own. */
  readonly misfit: string | undefined;
  readonly verdict: Verdict | undefined;
  readonly trailer: CheckpointId | undefined;
  readonly sessions: readonly SessionShare[];
  /** Ids that stand in the message elsewhere than in the trailer that counts, as in a squash. */
  readonly mentioned: readonly { readonly id: CheckpointId; readonly isStored: boolean }[];
  /** The commit it was replayed from, where git has noted it. */
  readonly replayed: string | undefined;
  /** Sessions that are known to have touched what it holds, and still wait for a commit. */
  readonly waiting: readonly string[];
  /** Sessions of which its checkpoint lost something, by `entire forget`. */
  readonly forgotten: readonly Tombstone[];
  /** Checkpoints of other commits whose lines it has: it was squashed, or made again of them. */
  readonly madeOf: readonly CheckpointId[];
  /** A later hook will complete the checkpoint. */
  readonly isOwed: boolean;
  /** What is odd about the stored checkpoint. */
  readonly problems: readonly string[];
}

/** One session of a checkpoint, as far as it concerns a commit. */
export interface SessionShare {
  readonly sessionId: string;
  readonly agent: string;
  readonly createdAt: string;
  readonly firstPrompt: string | undefined;
  readonly lastPrompt: string | undefined;
  /** Of the files it touched, those that the commit changed. */
  readonly files: readonly string[];
  readonly filesTouched: number;
  /** `initial_attribution`, as it is stored. */
  readonly attribution: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Looks a commit up. A few git processes, however long the history is and however many checkpoints there are.
 *
 * @param setUp asked for only where there is neither trailer nor verdict
 * @throws {EntireError} `NOT_FOUND` when `revision` names no commit
 */
export async function readWhy(repo: Repo, revision: string, setUp: () => SetUp): Promise<WhyReport> {
  const work = workIn(repo);
  const { commit, author, authoredAt, committedAt } = requireCommit(work.git, revision);
  const trailer = commit.checkpoint;
  const mentioned = findMentioned(commit.message, trailer);
  const store = openCheckpoints(work.git, repo.commonDir);
  const ids = [...(trailer ? [trailer] : []), ...mentioned];
  const stored = await readCheckpoints(store, ids);
  const checkpoint = trailer && stored.get(trailer);
  const { verdict, firstAt } = readVerdictOf(repo.commonDir, commit.oid);
  const facts = { committedAt, parents: commit.parents.length, message: commit.message, trailer, checkpoint };
  const isKnown = trailer !== undefined || verdict !== undefined;
  const changed = new Set<string>(commit.changes.keys());
  const misfit = checkpoint && findMisfit({ authoredAt, changed, verdict }, checkpoint);
  const found = resolveReason({
    ...facts,
    misfit,
    verdict,
    firstVerdictAt: firstAt,
    setUp: isKnown ? 'complete' : setUp(),
  });
  const waiting = found.status === 'not-linked' ? findWaiting(work, commit) : [];
  // The hook saw that no session had work in it that waited; what it was made of, it did not see.
  const isUnexplained = found.reason === 'no-overlap' || found.reason === 'no-session';
  const madeOf =
    isUnexplained && waiting.length === 0 ? await findSources(work, store, commit, committedAt) : [];
  const judged = madeOf.length > 0 ? { ...found, reason: 'merge' as const } : found;
  const forgotten = trailer ? findForgotten(repo.commonDir, trailer) : [];
  const isForgotten = !checkpoint && forgotten.length > 0;
  return {
    commit: commit.oid,
    subject: commit.message.split('\n')[0] ?? '',
    author,
    authoredAt,
    isHead: readHead(work.git, repo) === commit.oid,
    isMerge: commit.parents.length > 1,
    ...(isForgotten ? { status: 'not-linked' as const, reason: 'forgotten' as const } : judged),
    misfit,
    forgotten,
    verdict,
    trailer,
    sessions: checkpoint && misfit === undefined ? readShares(store, checkpoint, commit) : [],
    mentioned: mentioned.map((id) => ({ id, isStored: stored.has(id) })),
    replayed: findReplayed(commit.message),
    waiting,
    madeOf,
    isOwed:
      trailer !== undefined && listOwed(repo.commonDir, repo.worktreeId).some(({ id }) => id === trailer),
    problems: checkpoint?.problems ?? [],
  };
}

interface People {
  readonly oid: ObjectId;
  readonly author: string;
  readonly authoredAt: string;
  readonly committedAt: string;
}

/** Resolves a name and asks who made the commit, with one process. @throws {EntireError} `NOT_FOUND` */
function requireCommit(git: Git, revision: string): People & { readonly commit: Commit } {
  const people = readPeople(git, revision);
  const commit = people && readCommit(git, people.oid);
  if (!commit) throw new EntireError('NOT_FOUND', `commit not found: ${revision}`);
  return { ...people, commit };
}

/** A word that begins with a dash would be an option of git's, and one with two dots a range. */
const NO_COMMIT = /^-|^$|\.\./;

function readPeople(git: Git, revision: string): People | undefined {
  if (NO_COMMIT.test(revision)) return undefined;
  const format = '--format=%H%x00%an <%ae>%x00%aI%x00%cI';
  const args = ['log', '-1', '--no-show-signature', '--no-color', '--encoding=UTF-8', format];
  const { code, stdout } = runGit(git, [...args, `${revision}^{commit}`, '--'], { okCodes: [0, 128] });
  const [oid, author = '', authoredAt = '', committedAt = ''] = stdout.toString('utf8').trimEnd().split('\0');
  const parsed = code === 0 ? parseObjectId(oid) : undefined;
  return parsed && { oid: parsed, author, authoredAt, committedAt };
}

function readShares(store: CheckpointStore, checkpoint: StoredCheckpoint, commit: Commit): SessionShare[] {
  const prompts = readPrompts(store, checkpoint.slots);
  const changed = new Set<string>(commit.changes.keys());
  return checkpoint.slots.map((slot) => toShare(slot, prompts.get(slot) ?? [], changed));
}

function toShare(
  { metadata }: StoredSlot,
  prompts: readonly string[],
  changed: ReadonlySet<string>,
): SessionShare {
  const { initial_attribution: attribution } = metadata.other;
  return {
    sessionId: metadata.sessionId,
    agent: metadata.agent,
    createdAt: metadata.createdAt,
    firstPrompt: prompts[0],
    lastPrompt: prompts.length > 1 ? prompts.at(-1) : undefined,
    files: metadata.filesTouched.filter(among(changed)),
    filesTouched: metadata.filesTouched.length,
    attribution: isObject(attribution) ? attribution : undefined,
  };
}

/** Checkpoints that no commit in its history is linked to, and whose lines the commit brings. */
async function findSources(
  { git }: Work,
  store: CheckpointStore,
  { oid, changes }: Commit,
  committedAt: string,
): Promise<CheckpointId[]> {
  const paths = [...changes.keys()];
  const strangers = await findStrangers(git, store, oid, [
    { commit: oid, committedAt, checkpoint: undefined, paths },
  ]);
  const readText = blobTextReader(git);
  const sources = paths.flatMap((path) => {
    const known = [path, ...formerNames(changes, path)].flatMap((name) => strangers(oid, name));
    return known.length > 0 ? writersAmong(known, addedLines(changes.get(path), readText)) : [];
  });
  return [...new Set(sources)];
}

function addedLines(
  change: PathChange | undefined,
  readText: (entry: TreeEntry) => string | undefined,
): string[] {
  const [before, after] = [change?.before, change?.after].map((entry) => (entry && readText(entry)) ?? '');
  const old = new Set(before?.split('\n'));
  return (after ?? '').split('\n').filter((line) => isTelling(line) && !old.has(line));
}

/** Sessions of this worktree whose work is in the commit, and that no checkpoint has. */
const findWaiting = (work: Work, commit: Commit): string[] =>
  judgeSessions(work, listSessions(work), commit.changes, blobTextReader(work.git))
    .filter(({ overlap }) => overlap.length > 0)
    .map(({ session }) => session.sessionId);
