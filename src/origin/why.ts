import { EntireError } from '../base/errors.ts';
import { type CheckpointId, type ObjectId, parseObjectId } from '../base/ids.ts';
import { readCheckpoints } from '../checkpoint/read/checkpoint.ts';
import { claimedIn, findMisfit, openHeldOtherwise } from '../checkpoint/read/fit.ts';
import { listCheckpointIds, openCheckpoints } from '../checkpoint/read/store.ts';
import { sessionOfStep } from '../checkpoint/shadow-branch.ts';
import { type Commit, isAncestor, readCommit } from '../git/commit/commits.ts';
import { type Link, linkedIds } from '../git/commit/links.ts';
import type { Repo } from '../git/locate.ts';
import { readLog } from '../git/log.ts';
import { readHead } from '../git/ref/refs.ts';
import { type Git, runGit } from '../git/run.ts';
import { listOwed } from '../session/record/owed.ts';
import { readVerdictOf, type Verdict } from '../session/record/verdicts.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { findForgotten, type Tombstone } from '../session/tombstones.ts';
import { isLookedAt } from '../strategy/commit/afterwards.ts';
import { type BlobTexts, blobTextReader } from '../strategy/commit/blob-text.ts';
import { type Candidate, judgeSessions, overlapAt } from '../strategy/commit/judge.ts';
import { listParticipants } from '../strategy/sessions.ts';
import { type Work, workIn } from '../strategy/work.ts';
import { findLedTo } from './led-to.ts';
import {
  findReplayed,
  isRevert,
  resolveReason,
  type SetUp,
  type WhyReason,
  type WhyStatus,
} from './reason.ts';
import { readShares, type SessionShare } from './shares.ts';
import { findSources, isUnexplained } from './sources.ts';

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
  /** A git note names its checkpoint, not its message. */
  readonly isNoted: boolean;
  readonly sessions: readonly SessionShare[];
  /** What it names besides: of commits that were squashed into it, or anybody's. */
  readonly mentioned: readonly NamedCheckpoint[];
  /** The commit it was replayed from, where git has noted it. */
  readonly replayed: string | undefined;
  /** It takes that commit back. */
  readonly isRevert: boolean;
  /** Sessions that are known to have touched what it holds, and still wait for a commit. */
  readonly waiting: readonly string[];
  /** The next prompt in this worktree links it to them. */
  readonly isLookedAt: boolean;
  /** Sessions of which its checkpoint lost something, by `entire forget`. */
  readonly forgotten: readonly Tombstone[];
  /** Checkpoints of other commits whose lines it has: it was squashed, or made again of them. */
  readonly madeOf: readonly CheckpointId[];
  /** Of one that is not linked: there are checkpoints here that it could be held against. */
  readonly hasCheckpoints: boolean;
  /** A later hook will complete the checkpoint. */
  readonly isOwed: boolean;
  /** What is odd about the stored checkpoint. */
  readonly problems: readonly string[];
}

/** A checkpoint that a commit names, and that is not its own one. */
export interface NamedCheckpoint extends Link {
  readonly isStored: boolean;
  /** Why it has nothing to do with the commit; `undefined` where nothing speaks against it. */
  readonly misfit: string | undefined;
}

/**
 * Looks a commit up. A few git processes, however long the history is and however many checkpoints there are.
 *
 * @param setUp asked for only where there is neither trailer nor verdict
 * @param revision of a commit; else a checkpoint or a session, or how its id begins: then the newest commit that it led to
 * @throws {EntireError} `NOT_FOUND` when that names no commit, `INVALID_ID` where several begin so
 */
export async function readWhy(repo: Repo, revision: string, setUp: () => SetUp): Promise<WhyReport> {
  const work = workIn(repo);
  const { commit, author, authoredAt, committedAt } = requireCommit(work.git, repo.commonDir, revision);
  refuseStep(commit);
  const trailer = commit.links.own;
  const store = openCheckpoints(work.git, repo.commonDir);
  const stored = await readCheckpoints(store, linkedIds(commit.links));
  const checkpoint = trailer && stored.get(trailer);
  const { verdict, firstAt } = readVerdictOf(repo.commonDir, commit.oid);
  const facts = { committedAt, parents: commit.parents.length, message: commit.message, trailer, checkpoint };
  const isKnown = trailer !== undefined || verdict !== undefined;
  const changed = new Set<string>(commit.changes.keys());
  const judgedLinks = commit.links.all.map((link) => {
    const there = stored.get(link.id);
    const place = claimedIn(commit.links, link);
    return {
      link,
      there,
      place,
      misfit: there && findMisfit({ authoredAt, changed, verdict, place }, there),
    };
  });
  const odd = judgedLinks.flatMap(({ there: checkpoint, place, misfit }) =>
    checkpoint && misfit !== undefined
      ? [{ commit: commit.oid, parent: commit.parents[0], checkpoint, place, verdict }]
      : [],
  );
  const isHeld = openHeldOtherwise(work.git, odd);
  const links = judgedLinks.map(({ link: { id, place }, there, misfit }) => {
    return { id, place, isStored: there !== undefined, misfit: isHeld(commit.oid, id) ? undefined : misfit };
  });
  const fitting = links.flatMap(({ id, misfit: why }) => (why === undefined ? (stored.get(id) ?? []) : []));
  const misfit = links.find(({ id }) => id === trailer)?.misfit;
  const found = resolveReason({
    ...facts,
    misfit,
    isMadeOf: fitting.some(({ id }) => id !== trailer),
    verdict,
    firstVerdictAt: firstAt,
    setUp: isKnown ? 'complete' : setUp(),
  });
  const waiting = found.status === 'not-linked' ? findWaiting(work, commit, committedAt) : [];
  const madeOf =
    isUnexplained(found.reason) && waiting.length === 0
      ? ((await findSources(work.git, store, [{ commit, committedAt }])).get(commit.oid) ?? [])
      : [];
  const judged = madeOf.length > 0 ? { ...found, reason: 'merge' as const } : found;
  const forgotten = linkedIds(commit.links).flatMap((id) => findForgotten(repo.commonDir, id));
  const isForgotten = trailer !== undefined && fitting.length === 0 && !checkpoint && forgotten.length > 0;
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
    isNoted: links.some(({ id, place }) => id === trailer && place === 'note'),
    sessions: await readShares(
      work.git,
      store,
      fitting.flatMap(({ slots }) => slots),
      commit,
    ),
    mentioned: links.filter(({ id }) => id !== trailer),
    replayed: findReplayed(commit.message),
    isRevert: isRevert(commit.message),
    waiting,
    isLookedAt: waiting.length > 0 && !isKnown && isLookedAt(work, commit.oid),
    madeOf,
    hasCheckpoints: found.status === 'not-linked' && (await listCheckpointIds(store)).length > 0,
    isOwed:
      trailer !== undefined && listOwed(repo.commonDir, repo.worktreeId).some(({ id }) => id === trailer),
    problems: [...new Set([...(checkpoint ? [checkpoint] : []), ...fitting])].flatMap(
      ({ problems }) => problems,
    ),
  };
}

/** What we saved of a turn is a commit for git alone. @throws {EntireError} `NOT_FOUND` */
function refuseStep({ oid, message }: Commit): void {
  const session = sessionOfStep(message);
  if (session === undefined) return;
  const short = oid.slice(0, 7);
  throw new EntireError(
    'NOT_FOUND',
    `${short} is a turn of session ${session} as it was saved, and no commit of yours.`,
    {
      hint: `\`entire diff ${short}\` shows what it changed, \`entire explain ${short}\` what was said.`,
    },
  );
}

interface People {
  readonly oid: ObjectId;
  readonly author: string;
  readonly authoredAt: string;
  readonly committedAt: string;
}

/** Resolves a name and asks who made the commit, with one process. @throws {EntireError} `NOT_FOUND` */
function requireCommit(git: Git, commonDir: string, revision: string): People & { readonly commit: Commit } {
  const people = readPeople(git, revision) ?? readPeople(git, findLedTo(git, commonDir, revision) ?? '');
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

/**
 * Sessions of this worktree whose work is in a commit, was there when it was made, and that no checkpoint has: made again, the
 * commit would be linked to them. What a session made of its files since then does not count.
 */
export function findWaiting(work: Work, commit: Commit, committedAt: string): string[] {
  const readText = blobTextReader(work.git);
  return judgeSessions(work, listParticipants(work), commit.changes, readText, () => commit.parents[0])
    .filter(({ overlap }) => overlap.length > 0)
    .filter((candidate) => wasThere(work, candidate, commit, committedAt, readText))
    .map(({ session }) => session.sessionId);
}

const SESSION = 'Entire-Session';

function wasThere(
  work: Work,
  candidate: Candidate,
  commit: Commit,
  committedAt: string,
  readText: BlobTexts,
): boolean {
  const { session, touched, overlap, shadow } = candidate;
  const base = readStateIfReadable(work.sessions, session.sessionId)?.attributionBaseCommit;
  if (base && isAncestor(work.git, commit.oid, base)) return false;
  // Git's times are whole seconds.
  const untilMs = Date.parse(committedAt) + 999;
  const heardAt = session.lastInteractionTime ?? session.startedAt;
  const isFresh = session.isVisitor || overlap.some((path) => touched.fresh.has(path));
  if (isFresh && Date.parse(heardAt) <= untilMs) return true; // in a turn that had begun
  if (!shadow.tip) return Date.parse(heardAt) <= untilMs;
  const [step] =
    readLog(work.git, {
      range: [`--before=${committedAt}`, shadow.tip],
      limit: 1,
      containing: `${SESSION}: ${session.sessionId}`,
    }) ?? [];
  return step !== undefined && overlapAt(work, candidate, step.oid, commit.changes, readText).length > 0;
}
