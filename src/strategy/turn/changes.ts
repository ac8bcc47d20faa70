import { describeError } from '../../base/errors.ts';
import { lstatInWorktree } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import { type Change, toChange } from '../../git/object/objects.ts';
import { type Status, untrackedFiles } from '../../git/worktree/status.ts';
import {
  changedSince,
  newOrGone,
  type PrePrompt,
  readBaseline,
  readPrePrompt,
  type TurnBaseline,
} from '../../session/record/turn-snapshot.ts';
import type { SessionState } from '../../session/state.ts';
import type { Claim } from '../../session/tracking-file.ts';
import { hasOwed } from '../commit/settle.ts';
import { findIgnoredFiles, findTakenBack, readStashed } from '../out-of-sight.ts';
import { findPrivatePaths } from '../private-paths.ts';
import { toWorktreePaths } from '../resolve-files-touched.ts';
import { listOthersAtWork, pathsOfOthers } from '../sessions.ts';
import { copyTranscript, transcriptSize } from '../transcript/file.ts';
import type { LiveTranscript } from '../transcript/live.ts';
import { countItems, type Part, readPart, sliceFrom } from '../transcript/part.ts';
import { maskTranscript } from '../transcript/private.ts';
import type { Work } from '../work.ts';

/** A formatter or a generator can change thousands of files: so many are named in one line of the log. */
const MAX_LOGGED = 20;

/** What the turn changed, and its part of the transcript. */
export interface TurnChanges {
  readonly paths: readonly RepoPath[];
  /** What hooks and the transcript's tools say was written, changed or not. */
  readonly recorded: ReadonlySet<RepoPath>;
  /**
   * Of the paths, those that `git status` finds changed in the turn: also recorded ones, since what a way back or a failed step left
   * to this one is recorded, too, and no edit of the turn told of it.
   */
  readonly changed: readonly RepoPath[];
  /** What changed in the turn, nobody reported, and other sessions have in work: whose it is cannot be told. */
  readonly unsure: readonly RepoPath[];
  /** What other sessions recorded meanwhile, whether this one did so, too, or not. */
  readonly others: ReadonlySet<RepoPath>;
  /** When the turn began, in milliseconds since 1970; 0 where it is not known. */
  readonly sinceMs: number;
  /** Of the paths, what is in a stash at the moment. */
  readonly stashed: readonly Change[];
  /**
   * Recorded paths that are clean and stay tracked all the same: ignored files, whose content is stored nowhere; and all
   * of them when a commit was made whose own hook has yet to come, since it may hold them.
   */
  readonly waiting: readonly RepoPath[];
  /** The session's no longer: changed before, and as HEAD has them now. */
  readonly putBack: readonly RepoPath[];
  /** Items in the whole transcript. */
  readonly items: number;
  /** Item where the turn's part begins. */
  readonly offset: number;
  readonly newPart: string;
  /** All of it: where it is very long, only its end is looked at, and what git finds changed is believed. */
  readonly isPartWhole: boolean;
  readonly snapshot: PrePrompt | undefined;
}

/** Untracked files of other people's making are taken along up to here; nothing we do ever deletes them anyway. */
const MAX_UNTRACKED_FILES = 1_000;
const MAX_UNTRACKED_BYTES = 32 * 1024 * 1024;

/**
 * The first step also holds what was different before the session, so that going back finds it. Untracked build
 * output and data sets would cost seconds and gigabytes: past a budget the untracked files are left out.
 */
export function preexisting(work: Work, status: Status): RepoPath[] {
  const untracked = untrackedFiles(status);
  const bytes = untracked.slice(0, MAX_UNTRACKED_FILES + 1).reduce((sum, path) => {
    return sum + (lstatInWorktree(work.repo.worktreeRoot, path)?.size ?? 0);
  }, 0);
  const affordable = untracked.length <= MAX_UNTRACKED_FILES && bytes <= MAX_UNTRACKED_BYTES;
  if (!affordable) log('info', 'untracked files left out of the first step', { count: untracked.length });
  const hidden = findPrivatePaths(work, [...status.changes.keys()]);
  return [...status.changes].flatMap(([path, kind]) =>
    !hidden.has(path) && (affordable || kind !== 'untracked') ? [path] : [],
  );
}

/**
 * Files the turn changed and that still differ from HEAD: what hooks recorded, what the transcript's tools wrote,
 * and what `git status` finds changed since the prompt (shell commands, formatters; `source: scan`).
 */
export function readTurnChanges(
  work: Work,
  state: SessionState,
  live: LiveTranscript,
  status: Status,
  claim: Claim,
): TurnChanges {
  const root = work.repo.worktreeRoot;
  if (!transcriptSize(live.path, live.format))
    log('warn', 'turn ended without a transcript', { session_id: state.sessionId });
  else copyQuietly(root, state.sessionId, live);

  const snapshot = readPrePrompt(root, state.sessionId);
  const baseline = readBaseline(work.repo.commonDir, state.sessionId, state.turnId);
  const from = baseline?.items ?? (snapshot?.stepTranscriptStart || state.checkpointTranscriptStart);
  const items = countItems(live);
  // A transcript shorter than that was rewritten (compaction, rewind): read all of it, once.
  const offset = items < from ? 0 : from;
  const part = readPart(live, offset);
  const newPart = part.text;

  // What a commit in mid-turn took is its own again only when it is written once more.
  const condensed = items < from ? 0 : (baseline?.condensedItems ?? 0);
  const sinceCommit = condensed > offset ? sliceFrom(live, condensed) : newPart;
  const written = toWorktreePaths(root, live.format.readFilesTouched(sinceCommit));
  const recorded = new Set([...claim.paths, ...written]);
  const others = pathsOfOthers(work, state, new Set(), baseline?.takenAtMs ?? 0);
  const found = baseline
    ? changedSince(baseline, root, status)
    : newOrGone(status, snapshot?.untrackedFiles ?? []);
  const isAnothers = mayBeAnothers(work, state, live, part, baseline)
    ? () => true
    : (path: RepoPath) => others.has(path);
  const hidden = findPrivatePaths(work, [...new Set([...found, ...recorded])], recorded);
  const changed = found.filter((path) => !isAnothers(path) && !hidden.has(path));
  const scanned = changed.filter((path) => !recorded.has(path));
  if (scanned.length > 0)
    log('info', 'changes found by git status', {
      session_id: state.sessionId,
      source: 'scan',
      count: scanned.length,
      paths: scanned.slice(0, MAX_LOGGED),
    });
  const isDirty = (path: RepoPath) => status.changes.has(path);
  const dirty = [...recorded, ...scanned].filter((path) => isDirty(path) && !hidden.has(path));
  // Its own, and changed in a private stretch since: a commit takes it, no step does.
  const held = claim.paths.filter((path) => isDirty(path) && hidden.has(path));
  const clean = claim.paths.filter((path) => !status.changes.has(path));
  const stashed = new Map(readStashed(work.git, clean, Date.parse(state.startedAt) || 0));
  for (const path of findTakenBack(work, state, stashed.keys())) stashed.delete(path);
  const isCommitPending = hasOwed(work, status.head);
  const waiting = new Set([...(isCommitPending ? clean : findIgnoredFiles(work, clean)), ...held]);
  const paths = sortedUnique([...dirty, ...stashed.keys()]);
  const putBack = isCommitPending
    ? []
    : findPutBack(work, state, status, baseline, recorded).filter((path) => !waiting.has(path));
  const extra = [...stashed].map(([path, entry]) => toChange(path, entry));
  return {
    paths,
    recorded,
    changed,
    unsure: found.filter((path) => !recorded.has(path) && isAnothers(path)),
    others,
    sinceMs: baseline?.takenAtMs ?? 0,
    stashed: extra,
    waiting: [...waiting],
    putBack,
    items,
    offset,
    newPart,
    isPartWhole: part.isWhole,
    snapshot,
  };
}

/** The working copy is for people and for v0.4.4: the step is saved without it. */
function copyQuietly(root: string, id: SessionId, { path, mask, format }: LiveTranscript): void {
  try {
    copyTranscript(root, id, path, mask && ((bytes) => maskTranscript(mask, format, bytes)));
  } catch (error) {
    log('warn', 'no working copy of the transcript', { session_id: id, error: describeError(error) });
  }
}

/**
 * Whether what nobody reported may be the work of another session that is in a turn, or was while this one's went on: this one's transcript
 * accounts for all that it did, and the shell of the other may have done more than is on record.
 */
function mayBeAnothers(
  work: Work,
  state: SessionState,
  live: LiveTranscript,
  part: Part,
  baseline: TurnBaseline | undefined,
): boolean {
  if (part.text === '' || !part.isWhole) return false;
  if (listOthersAtWork(work, state, baseline?.takenAtMs).length === 0) return false;
  const { isComplete, agents } = live.format.readEdits(part.text);
  return isComplete && agents.length === 0;
}

/**
 * Files that the session had changed, and that are as HEAD has them when its turn ends: put back, and its work no
 * longer. Only what happened in this turn is judged, and not what went into a stash: a file that was clean when the
 * turn began is in an older stash, or on another branch.
 */
function findPutBack(
  work: Work,
  { filesTouched }: SessionState,
  status: Status,
  baseline: TurnBaseline | undefined,
  recorded: ReadonlySet<RepoPath>,
): RepoPath[] {
  if (!baseline) return [];
  const clean = filesTouched.filter(
    (path) => !status.changes.has(path) && (baseline.paths.has(path) || recorded.has(path)),
  );
  const stashed = readStashed(work.git, clean, baseline.takenAtMs);
  return clean.filter((path) => !stashed.has(path));
}
