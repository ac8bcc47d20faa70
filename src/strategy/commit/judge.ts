import { lstatInWorktree } from '../../base/file/disk.ts';
import { groupBy } from '../../base/group-by.ts';
import { type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import {
  metadataDir,
  readNewestOf,
  readShadowBranches,
  readShadowTree,
  type ShadowBranch,
} from '../../checkpoint/shadow-branch.ts';
import type { PathChange, PathChanges } from '../../git/commit/commits.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { readHead } from '../../git/ref/refs.ts';
import { readVerdicts } from '../../session/record/verdicts.ts';
import { storeOf } from '../../snapshot/place.ts';
import { openStepAfter } from '../../snapshot/record/step-marks.ts';
import { type LastSaid, readLast } from '../../snapshot/undo/taken-back.ts';
import { newBudget } from '../attribution/line-diff.ts';
import { openKeptWork } from '../kept-work.ts';
import { findSteppedBack, readStashed } from '../out-of-sight.ts';
import { isAlive, isInBackground, type Participant, readTouched, type Touched } from '../sessions.ts';
import type { Work } from '../work.ts';
import { beforeReader, orAtStart } from './before.ts';
import { type BlobTexts, newReadBudgets } from './blob-text.ts';
import { findCarriedOff } from './carried-off.ts';
import { findOverlap } from './overlap.ts';
import { findRenamed } from './renamed.ts';

/** A session, what of its work a commit holds or will hold, and the part of its shadow tree we looked at. */
export interface Candidate {
  readonly session: Participant;
  readonly touched: Touched;
  readonly overlap: readonly RepoPath[];
  /** Old names of files that the commit holds under a new one, by the new one; they are settled with it. */
  readonly renamed: ReadonlyMap<RepoPath, RepoPath>;
  readonly shadow: ShadowBranch;
  readonly shadowEntries: ReadonlyMap<string, TreeEntry>;
}

/**
 * Holds each session against the changes of a commit, or what is staged. Sessions that touched none of the paths
 * cost nothing but reading their state; the others one look at the refs together, and one tree each.
 *
 * @param madeOn the commit that it is made on
 */
export function judgeSessions(
  work: Work,
  sessions: readonly Participant[],
  changes: PathChanges,
  readText: BlobTexts,
  madeOn: () => ObjectId | undefined = () => readHead(work.git, work.repo),
): Candidate[] {
  const hasFiles = [...changes.values()].some(({ after }) => after);
  const judged = sessions.map((session) => {
    const touched = readTouched(work, session);
    const named = touched.all.filter((path) => changes.has(path));
    return { session, touched, named, gone: hasFiles ? findGone(work, session, touched) : [] };
  });
  // Only of those that matter: there can be many sessions, each on a branch of its own.
  const asked = judged.filter(
    ({ session, named, gone }) => named.length > 0 || gone.length > 0 || session.phase === 'active',
  );
  const branches = readShadowBranches(
    work.git,
    asked.map(({ session }) => session),
  );
  const shadows = new Map(asked.map(({ session }, index) => [session, branches[index] as ShadowBranch]));
  const [budget, bytes] = [newBudget(), newReadBudgets()];
  const readBefore = beforeReader(work.git, changes);
  // The newest may be of another branch, or of a commit that was taken back.
  const verdictBefore = once(() => {
    const [verdict] = readVerdicts(work.repo.commonDir, 1);
    return verdict && verdict.commit === madeOn() ? verdict : undefined;
  });
  const holders = new Map<RepoPath, number>();
  for (const path of judged.flatMap(({ named }) => named)) holders.set(path, (holders.get(path) ?? 0) + 1);
  const isShared = (path: RepoPath): boolean =>
    (holders.get(path) ?? 0) > 1 && changes.get(path)?.before === undefined;
  const isAside = openIsAside(
    work,
    judged.flatMap(({ named }) => named),
  );
  return judged.map(({ session, touched, named, gone }) => {
    const shadow = ownShadow(session, shadows.get(session));
    const paths = [...new Set([...named, ...gone])];
    const looked = paths.length > 0 ? [...paths, `${metadataDir(session.sessionId)}/`] : [];
    const shadowEntries = readShadowTree(work.git, shadow, looked);
    const last = once(() => shadow.tip && readNewestOf(work.git, session.sessionId, [shadow.tip]));
    const steps = { shadow, entries: shadowEntries, last };
    // A branch on which the session has no step is another session's, and says nothing about this one's files.
    const isOwn = shadow.tip !== undefined && session.checkpointCount > 0;
    const known = isOwn ? withTakenAway(work, session, gone, steps) : undefined;
    const isAtWork = () =>
      (session.phase === 'active' && isAlive(work, session)) || isInBackground(work, session);
    const said = openSaid(work, session, named);
    const hasLeft = leftBy(said);
    const ownOf = openOwn(work, session, named.filter(isShared), { ...steps, said });
    const ask = { isAtWork, hasLeft, isAside, ownOf };
    const input = { touched, changes, shadow: known, readText, ...ask, budget, bytes, readBefore };
    const renamed = findRenamed(gone, {
      ...input,
      readBefore: orAtStart(work, session.sessionId, readBefore),
      mayHaveWritten: openMayHaveWritten(work, session, gone),
    });
    const held = named.length > 0 ? findOverlap(input) : [];
    const overlap = [
      ...judgeSteppedBack(work, session, { named, held, touched, changes, isAtWork }),
      ...renamed.keys(),
    ];
    const before = () => {
      const verdict = verdictBefore();
      return verdict?.sessions.includes(session.sessionId)
        ? parseCheckpointId(verdict.checkpoint)
        : undefined;
    };
    for (const [path, from] of findCarriedOff(work, session, { ...input, before })) {
      if (!overlap.includes(path)) overlap.push(path);
      if (from && !renamed.has(path)) renamed.set(path, from);
    }
    return { session, touched, overlap, renamed, shadow, shadowEntries };
  });
}

/**
 * Where the last that is known of a file is that a step back went over it, its last step says nothing of it: it is the session's work as
 * far as it holds some, whichever turn wrote that. Of a turn that goes on nothing is known yet.
 *
 * @param held what holds its work as the last steps and names have it
 */
function judgeSteppedBack(
  work: Work,
  session: Participant,
  { named, held, touched, changes, isAtWork }: SteppedBack,
): RepoPath[] {
  const saved = named.filter((path) => touched.saved.has(path));
  const back = new Set(findSteppedBack(work, session, saved));
  if (back.size === 0) return [...held];
  const changeOf = (path: RepoPath) => changes.get(path) as PathChange;
  const entries = [...back].flatMap((path) => [changeOf(path).before, changeOf(path).after]);
  const { holds, versions } = openKeptWork(work, session, [...back], entries);
  const isHeld = new Set(held);
  return named.filter((path) => {
    if (!back.has(path)) return isHeld.has(path);
    const { before, after } = changeOf(path);
    const isWork = holds(path, versions.ofEntry(after), versions.ofEntry(before));
    if (isWork === false) return isHeld.has(path) && isAtWork();
    return isWork ?? isHeld.has(path);
  });
}

interface SteppedBack extends Pick<Candidate, 'touched'> {
  readonly named: readonly RepoPath[];
  readonly held: readonly RepoPath[];
  readonly changes: PathChanges;
  readonly isAtWork: () => boolean;
}

/** What of a session's work changes hold, as one of its steps has it; `oid` is the step. */
export function overlapAt(
  work: Work,
  { session, touched, overlap, renamed, shadow }: Candidate,
  oid: ObjectId,
  changes: PathChanges,
  readText: BlobTexts,
): RepoPath[] {
  const paths = [...overlap, ...renamed.values()];
  const saved = { saved: new Set(paths), fresh: new Set<RepoPath>(), all: touched.all };
  const tree = readShadowTree(work.git, { ...shadow, tip: oid }, paths);
  const old = [...renamed.values()];
  const input = {
    touched: saved,
    changes,
    shadow: tree,
    readText,
    isAtWork: () => false,
    hasLeft: leftBy(openSaid(work, session, paths)),
    isAside: () => false,
    budget: newBudget(),
    bytes: newReadBudgets(),
    readBefore: orAtStart(work, session.sessionId, beforeReader(work.git, changes)),
    mayHaveWritten: openMayHaveWritten(work, session, old),
  };
  return [...findOverlap(input), ...findRenamed(old, input).keys()];
}

/** Of more files that are gone, a line is asked about only in the one that may have become another. */
const FEW = 20;

/** Tells of a line whether a turn of the session may have written it in a file, or in another one of these, which may have had another name since. */
function openMayHaveWritten(
  work: Work,
  session: Participant,
  gone: readonly RepoPath[],
): (path: RepoPath, line: string) => boolean {
  const kept = once(() => openKeptWork(work, session, gone));
  return (path, line) => {
    const mayHave = (name: RepoPath): boolean => kept().wrote(name, [line]) !== false;
    return mayHave(path) || (gone.length <= FEW && gone.some(mayHave));
  };
}

/** The last that the session's own records say of paths. */
const openSaid = ({ repo }: Work, { sessionId }: Participant, paths: readonly RepoPath[]): Said =>
  once(() => readLast(storeOf(repo, sessionId), new Set(paths)));

type Said = () => ReadonlyMap<RepoPath, LastSaid>;

/** Tells whether that is that something was there. */
const leftBy =
  (said: Said) =>
  (path: RepoPath): boolean =>
    (said().get(path)?.after?.kind ?? 'missing') !== 'missing';

/** Tells whether a stash has a file as a step has it. Processes only for the first that is asked about, whichever session's it is. */
function openIsAside({ git }: Work, paths: readonly RepoPath[]) {
  const stashed = once(() => readStashed(git, [...new Set(paths)], 0));
  return (path: RepoPath, { oid }: TreeEntry): boolean => stashed().get(path)?.oid === oid;
}

/**
 * Adds files that a later step of another session, which shares the branch, took away: as the last step of this one has them. A process, where
 * there are such.
 */
function withTakenAway(
  work: Work,
  session: Participant,
  gone: readonly RepoPath[],
  { shadow, entries, last }: Steps,
): ReadonlyMap<string, TreeEntry> {
  const missing = gone.filter((path) => !entries.has(path));
  if (missing.length === 0) return entries;
  const taken = missing.filter(leftBy(openSaid(work, session, missing)));
  const step = taken.length > 0 ? last() : undefined;
  return step ? new Map([...entries, ...readShadowTree(work.git, { ...shadow, tip: step }, taken)]) : entries;
}

/**
 * Finds files that several sessions have in hand as one of them left them, where a later step on the branch has them otherwise. That is what the
 * step has which was saved when its records last say something of the file: later ones of it have what others made of the file meanwhile. Where
 * nothing is kept, its last step has to do.
 */
function openOwn(
  work: Work,
  { sessionId, checkpointCount }: Participant,
  shared: readonly RepoPath[],
  { shadow, entries, last, said }: Steps & { readonly said: Said },
): (path: RepoPath) => TreeEntry | undefined {
  const isAsked = shadow.tip !== undefined && checkpointCount > 0;
  const asked = new Set(isAsked ? shared : []);
  const own = once(() => {
    const stepOf = openStepAfter(storeOf(work.repo, sessionId));
    const steps = groupBy([...asked], (path) => {
      const record = said().get(path)?.id;
      return (record === undefined ? undefined : stepOf(record)) ?? last();
    });
    return new Map(
      [...steps].flatMap(([tip, paths]) => [...readShadowTree(work.git, { ...shadow, tip }, paths)]),
    );
  });
  return (path) => {
    const entry = asked.has(path) ? own().get(path) : undefined;
    return entry?.oid === entries.get(path)?.oid ? undefined : entry;
  };
}

/** A branch, which sessions may share, and what its last step has of the files that are asked about. */
interface Steps {
  readonly shadow: ShadowBranch;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The last step of the session that is asked about. A process, once. */
  readonly last: () => ObjectId | undefined;
}

/** Files that a step of the session saved, and that are no longer there under that name. */
function findGone(work: Work, { isVisitor }: Participant, { saved }: Touched): RepoPath[] {
  if (isVisitor) return [];
  return [...saved].filter((path) => !lstatInWorktree(work.repo.worktreeRoot, path));
}

/** A visitor's steps are on a branch of its own worktree, and say nothing about this one. */
function ownShadow({ isVisitor }: Participant, found: ShadowBranch | undefined): ShadowBranch {
  if (!found) return { name: '', ref: '', tip: undefined };
  return isVisitor ? { ...found, tip: undefined } : found;
}
