import { describeError } from '../../base/errors.ts';
import type { ObjectId, SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { isDistinctive, isTelling, plainLine, plainLines } from '../../base/text/lines.ts';
import { readShadowBranch, readShadowTree, type ShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { CARRIED, writeTemporary } from '../../checkpoint/temporary.ts';
import type { Commit, PathChange } from '../../git/commit/commits.ts';
import {
  type Identity,
  isSameEntry,
  readTree,
  retryWhenMoved,
  type TreeEntry,
  toChange,
} from '../../git/object/objects.ts';
import { readModeConfig } from '../../git/worktree/modes.ts';
import { readDirty } from '../../git/worktree/status.ts';
import type { SessionState } from '../../session/state.ts';
import { trackAgain } from '../../session/tracking-file.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import { markStep } from '../../snapshot/record/step-marks.ts';
import { sessionStore } from '../../snapshot/store/blobs.ts';
import { openKeptWork } from '../kept-work.ts';
import { findLeftAs, findOverwritten, findTakenBack, readStashed } from '../out-of-sight.ts';
import { findPrivatePaths } from '../private-paths.ts';
import { listParticipants, type Touched } from '../sessions.ts';
import { isSameContent } from '../versions.ts';
import type { Work } from '../work.ts';
import type { ReadText } from './blob-text.ts';
import { isProperPart } from './overlap.ts';

/** What a commit left with a session. */
export interface Remainder {
  /** Paths with a step of their own from here on: as the worktree has them, or else as `elsewhere` says. */
  readonly paths: readonly RepoPath[];
  /**
   * Paths whose left-out part is not in the worktree at this moment: the version of the shadow tree, or of a stash, is
   * the work. `undefined`: there it is deleted.
   */
  readonly elsewhere: ReadonlyMap<RepoPath, TreeEntry | undefined>;
  /** Paths that neither HEAD nor a step has, and that git ignores or that are not there: they stay tracked. */
  readonly unseen: readonly RepoPath[];
}

/**
 * What stays with a session after a commit took part of its work: every path the commit does not have, except those
 * that HEAD has as the agent left them, whichever commit took them; and of those it has, the ones that still differ
 * from HEAD, and new files of which it has only some of the agent's lines.
 */
export function findRemaining(
  work: Work,
  state: SessionState,
  touched: Pick<Touched, 'all' | 'saved'>,
  commit: Commit,
  shadow: ShadowBranch,
  readText: ReadText,
): Remainder {
  const dirty = readDirty(work.git, touched.all);
  const paths = touched.all.filter((path) => dirty.has(path));
  const clean = touched.all.filter((path) => !dirty.has(path));
  const stashed = readStashed(work.git, clean, Date.parse(state.startedAt) || 0);
  const agents = readAgentsContent(work, clean, touched.saved, shadow, stashed);
  const left = clean.filter((path) => !commit.changes.has(path));
  const head = left.length > 0 ? readTree(work.git, commit.oid, left) : undefined;

  const elsewhere = new Map<RepoPath, TreeEntry | undefined>();
  // Clean and yet not what the agent left: its work is elsewhere at the moment, in a stash or cut out of the file.
  for (const [path, entry] of agents) {
    const change = commit.changes.get(path);
    const isElsewhere = change
      ? entry && isPartOf(change, entry, readText)
      : !isAsIn(work, head?.get(path), entry);
    if (isElsewhere) elsewhere.set(path, entry);
  }
  for (const path of findTakenBack(work, state, elsewhere.keys())) elsewhere.delete(path);
  const inHead = (path: RepoPath): PathChange => {
    const now = head?.get(path);
    return commit.changes.get(path) ?? { before: now, after: now };
  };
  for (const path of findForeign(work, state, elsewhere, inHead)) elsewhere.delete(path);
  const putAway = findPutAway(work, state, commit, { stashed, agents, readText });
  for (const [path, entry] of putAway) elsewhere.set(path, entry);
  for (const [path, entry] of findAside(work, state, commit, stashed)) elsewhere.set(path, entry);
  const unseen = left.filter((path) => !elsewhere.has(path) && !touched.saved.has(path) && !head?.has(path));
  return { paths: sortedUnique([...paths, ...elsewhere.keys()]), elsewhere, unseen };
}

/** Files of which HEAD lacks nothing of the session's: what the step has besides, others had there, and it is gone or taken back. */
function findForeign(
  work: Work,
  state: SessionState,
  elsewhere: ReadonlyMap<RepoPath, TreeEntry | undefined>,
  inHead: (path: RepoPath) => PathChange,
): RepoPath[] {
  if (elsewhere.size === 0) return [];
  const others = listParticipants(work).flatMap(({ sessionId: id }) => (id === state.sessionId ? [] : id));
  const overwritten = findOverwritten(work, state, elsewhere, others);
  const entries = [...elsewhere].flatMap(([path, entry]) => [entry, inHead(path).before, inHead(path).after]);
  const { versions, wrote } = openKeptWork(work, state, [...elsewhere.keys()], entries);
  const isForeign = (path: RepoPath, entry: TreeEntry | undefined): boolean => {
    const { before, after } = inHead(path);
    const [old, head] = [versions.ofEntry(before), versions.ofEntry(after)];
    const isOver = overwritten.has(path);
    const left = isOver ? versions.ofState(overwritten.get(path)) : versions.ofEntry(entry);
    if (!head || !left) return false;
    if (isOver && isSameContent(left, head)) return true;
    const [has, lacks] = [left.lines, head.lines];
    if (!has || !lacks || head.text === undefined || left.text === undefined) return false;
    if (isOver && before !== after && !isProperPart(head.text, left.text, old?.text ?? '')) return true;
    if (lacks.without(left)?.length !== 0) return false;
    const lacking = has.without(head) ?? [];
    return lacking.length > 0 && wrote(path, lacking) === false;
  };
  return [...elsewhere].flatMap(([path, entry]) => (isForeign(path, entry) ? path : []));
}

const LINK = '120000';

/** Whether HEAD has a file as it was left; a mode counts where the file system keeps it. */
function isAsIn({ git }: Work, head: TreeEntry | undefined, left: TreeEntry | undefined): boolean {
  if (head?.oid !== left?.oid || isSameEntry(head, left)) return head?.oid === left?.oid;
  const { ignoresModes, ignoresLinks } = readModeConfig(git);
  return [head?.mode, left?.mode].includes(LINK) ? ignoresLinks : ignoresModes;
}

/**
 * What the agent made of files that are clean now: the last step says it, or a stash, of files written since that step.
 * Of any other file it is not known, and nothing of it is left: it is as HEAD has it. `undefined`: deleted.
 */
function readAgentsContent(
  work: Work,
  clean: readonly RepoPath[],
  saved: ReadonlySet<RepoPath>,
  shadow: ShadowBranch,
  stashed: ReadonlyMap<RepoPath, TreeEntry | undefined>,
): ReadonlyMap<RepoPath, TreeEntry | undefined> {
  const known = shadow.tip ? clean.filter((path) => saved.has(path)) : [];
  const steps = readShadowTree(work.git, shadow, known);
  const isKnown = new Set(known);
  const others = [...stashed].filter(([path]) => !isKnown.has(path));
  return new Map([...others, ...known.map((path) => [path, steps.get(path)] as const)]);
}

/**
 * Files of which all that the session made was put away before a commit took them away, or made others of those names. What a commit only
 * changes may hold what the user made of a stash that was applied and kept.
 */
function findPutAway(
  work: Work,
  state: SessionState,
  { changes }: Commit,
  { stashed, agents, readText }: PutAway,
): Map<RepoPath, TreeEntry> {
  const asked = new Map<RepoPath, TreeEntry>();
  for (const [path, entry] of stashed) {
    const { before, after } = changes.get(path) ?? {};
    const isOther = !before !== !after && entry?.oid !== (before ?? after)?.oid;
    if (entry && isOther && !(before && isMoved(entry, before, changes, readText))) asked.set(path, entry);
  }
  const isLeft = new Set(findLeftAs(work, state, asked));
  return new Map(
    [...asked].filter(([path, entry]) => isLeft.has(path) || agents.get(path)?.oid === entry.oid),
  );
}

interface PutAway {
  readonly stashed: ReadonlyMap<RepoPath, TreeEntry | undefined>;
  readonly agents: ReadonlyMap<RepoPath, TreeEntry | undefined>;
  readonly readText: ReadText;
}

/** Files that a commit has and the one before it had not. */
const addedBy = (changes: Commit['changes']): TreeEntry[] =>
  [...changes.values()].flatMap(({ before, after }) => (!before && after) || []);

/** Whether a commit that takes a file away adds one with a telling line of what a stash adds to it: that was applied and kept, and then moved. */
function isMoved(
  entry: TreeEntry,
  before: TreeEntry,
  changes: Commit['changes'],
  readText: ReadText,
): boolean {
  const added = addedBy(changes);
  const [text, old] = added.length > 0 ? [readText(entry), readText(before)] : [];
  if (text === undefined || old === undefined) return false;
  const known = new Set(plainLines(old));
  const own = new Set(
    text
      .split('\n')
      .filter(isDistinctive)
      .map(plainLine)
      .filter((line) => !known.has(line)),
  );
  return own.size > 0 && added.some((one) => plainLines(readText(one) ?? '').some((line) => own.has(line)));
}

/**
 * Files that a commit changed or took away, of which a stash has lines that the session wrote, and the commit has none of these: all of it waits.
 * One line of it there is the work itself, of a stash that was applied and kept.
 */
function findAside(
  work: Work,
  state: SessionState,
  { changes }: Commit,
  stashed: ReadonlyMap<RepoPath, TreeEntry | undefined>,
): [RepoPath, TreeEntry][] {
  const asked = [...stashed].flatMap(([path, entry]) => {
    const { before, after } = changes.get(path) ?? {};
    return entry && before ? [{ path, entry, before, after }] : [];
  });
  if (asked.length === 0) return [];
  // What the commit takes away, it may have under another name.
  const isGone = asked.some(({ after }) => !after);
  const made = isGone ? addedBy(changes) : [];
  const entries = [...asked.flatMap(({ entry, before, after }) => [entry, before, after]), ...made];
  const paths = asked.map(({ path }) => path);
  const { versions, wrote } = openKeptWork(work, state, paths, entries);
  const isMade = (line: string): boolean => made.some((one) => versions.ofEntry(one)?.lines?.has(line));
  return asked.flatMap(({ path, entry, before, after }) => {
    const [left, old, head] = [entry, before, after].map((one) => versions.ofEntry(one));
    const added = old && left?.lines?.without(old);
    const has = after ? head?.lines?.has : isMade;
    if (!added || !has) return [];
    const [taken, waiting] = [added.filter(has), added.filter((line) => !has(line))];
    // Where lines wait that tell whose they are, what is like one that says little may be of anybody.
    const isTold = wrote(path, waiting.filter(isDistinctive)) === true;
    const counted = taken.filter(isTold ? isDistinctive : isTelling);
    const isTaken = counted.length > 0 && wrote(path, counted) !== false;
    return !isTaken && wrote(path, waiting) === true ? [[path, entry] as [RepoPath, TreeEntry]] : [];
  });
}

/** Whether a committed file is the agent's version with lines left out. */
function isPartOf({ before, after }: PathChange, agent: TreeEntry, readText: ReadText): boolean {
  if (agent.oid === after?.oid) return false;
  const [whole, part, old] = [readText(agent), after && readText(after), before ? readText(before) : ''];
  return part !== undefined && whole !== undefined && isProperPart(part, whole, old ?? '');
}

/**
 * Gives the remaining files a shadow branch of their own on the new HEAD, without a transcript, and a state that
 * starts again from it.
 */
export function carryForward(
  work: Work,
  state: SessionState,
  head: ObjectId,
  remainder: Remainder,
  author: Identity,
): SessionState {
  const extra = [...remainder.elsewhere].map(([path, entry]) => toChange(path, entry));
  const hidden = findPrivatePaths(work, remainder.paths);
  const leftOut = new Set<string>(hidden);
  const step = retryWhenMoved(() =>
    writeTemporary(work.git, {
      sessionId: state.sessionId,
      branch: readShadowBranch(work.git, head, state.worktreeId),
      head,
      paths: remainder.paths.filter((path) => !hidden.has(path)),
      texts: undefined,
      extra,
      subject: CARRIED,
      author,
      onLeftOut: (path) => leftOut.add(path),
    }),
  );
  if (step) markLeftStep(work, state.sessionId, step);
  // What git could not read is an edit that no step has.
  const unsaved = remainder.paths.filter((path) => leftOut.has(path));
  trackAgain(work.sessions, state.sessionId, unsaved);
  return {
    ...state,
    filesTouched: remainder.paths,
    checkpointCount: 1,
    checkpointTranscriptStart: 0,
    lastCheckpointId: undefined,
  };
}

/** What was left of a session at a commit became a step: its records were made before. Never throws. */
export function markLeftStep({ repo }: Work, sessionId: SessionId, step: ObjectId): void {
  if (!keepsContents(repo)) return;
  try {
    markStep(sessionStore(repo.commonDir, sessionId, repo.worktreeId), step, undefined);
  } catch (error) {
    log('warn', 'step not marked for rewind', { session_id: sessionId, error: describeError(error) });
  }
}
