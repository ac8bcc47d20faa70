import { join } from 'node:path';
import { isChangedAfter } from '../../base/file/change-time.ts';
import { lookAt } from '../../base/file/disk.ts';
import { releaseMemory, spareMemory } from '../../base/memory.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { fingerprints } from '../../session/record/turn-snapshot.ts';
import { isSizeAndTime, type Place } from '../place.ts';
import { listRecordIds, newRecord, newRecordId, readRecord, writeRecord } from '../record/record.ts';
import {
  type ChangePart,
  type EditSource,
  NO_TRANSCRIPT,
  type PathChange,
  type SnapshotRecord,
} from '../record/snapshot-record.ts';
import { storesBeside } from '../store/blobs.ts';
import { type FileState, isSameState, MISSING } from '../store/file-state.ts';
import { type NewHead, readHeadMoved, withBrought } from '../undo/head-moved.ts';
import { knownVersions } from '../undo/known-versions.ts';
import { isInPlaceOfFile } from '../undo/make-way.ts';
import { findMoved } from '../undo/moved.ts';
import { type Around, ownChanges } from '../undo/own-changes.ts';
import { proofFor, withMoved } from '../undo/proof.ts';
import { readAtPrompt } from './at-prompt.ts';
import { betweenTools, type ToolTimes } from './between-tools.ts';
import { claimLedger, type LedgerClaim, type LedgerEdit, readOpenLedgers } from './ledger.ts';
import { asSeen, lookNow, MAX_BYTES, readNow } from './look-now.ts';
import { packLarge } from './pack-large.ts';
import { changedSinceBegin, takenAsFound } from './since-begin.ts';
import { type BeginState, readTurnBegin, type TurnBegin, writeTurnBegin } from './turn-begin.ts';

/** Of what nobody reported and `git status` found, no more than this is kept. */
const MAX_SCANNED_FILES = 5_000;
const MAX_SCANNED_BYTES = 256 * 1024 * 1024;

/** A hook has little memory: after so many files that were read, or looked at, what that left is taken away. */
const READ_FILES = 1_000;
const LOOKED_FILES = 10_000;

/** What the end of a turn knows. */
export interface TurnView extends NewHead {
  readonly git: Git;
  readonly turnId: string;
  /** First line of the prompt, redacted. */
  readonly subject: string;
  /** Everything that can have written files in the turn is on record. */
  readonly isComplete: boolean;
  /** When its tools were at work, where that is known of all that can have written files. */
  readonly times?: ToolTimes | undefined;
  /** Paths that were found changed; where a hook reported an edit of the turn, that is what counts. */
  readonly scanned: readonly RepoPath[];
  /** Paths that changed, that no hook of the session reported, and that other sessions have in work. */
  readonly unsure: readonly RepoPath[];
  /** Paths that other sessions recorded since the turn began. */
  readonly foreign: ReadonlySet<string>;
  /**
   * The turn ends now, or goes on with a shell at work: what the worktree has is what it left. Otherwise it ended some time ago,
   * or all that it does is on record, and only that is known to be its own.
   */
  readonly isNow: boolean;
  /** The agent was at work no later than that, in milliseconds since 1970; `undefined` where it may be at work still, or has just ended. */
  readonly endMs?: number | undefined;
}

/**
 * A turn is over: what it changed becomes a record that can be taken back. Costs what the turn changed.
 *
 * @returns the id of the record; `undefined` when nothing was changed
 * @throws the system error; what was noted stays for the next turn then
 */
export function closeTurn(store: string, view: TurnView): string | undefined {
  const begin = currentBegin(store, view.turnId);
  const claim = claimLedger(store, () => lastLedgers(store, begin));
  const { record, seen } = describeTurn(store, view, begin, claim);
  if (record) {
    releaseMemory(record.files.size);
    writeRecord(store, record);
    releaseMemory(record.files.size);
    rememberAfter({ store, root: view.git.cwd }, begin, record, seen);
  }
  claim.close();
  return record?.id;
}

/**
 * What {@link closeTurn} would make of a turn that goes on. Contents are kept, and nothing else is written.
 *
 * @throws the system error
 */
export const peekTurn = (store: string, view: TurnView): SnapshotRecord | undefined =>
  describeTurn(store, view, currentBegin(store, view.turnId), {
    ...readOpenLedgers(store),
    ledgers: [],
  }).record;

function describeTurn(
  store: string,
  view: TurnView,
  begin: TurnBegin | undefined,
  { edits, shells, ledgers }: Pick<LedgerClaim, 'edits' | 'shells' | 'ledgers'>,
): { readonly record: SnapshotRecord | undefined; readonly seen: ReadonlyMap<RepoPath, BeginState> } {
  const root = view.git.cwd;
  const byPath = groupByPath(withMoved(store, edits));
  const scanned = new Set(
    [...view.scanned, ...changedSinceBegin(root, begin, view)].filter((path) => !byPath.has(path)),
  );
  for (const path of takenAsFound(root, begin, view)) scanned.delete(path);
  const isLate = (path: RepoPath) => view.endMs !== undefined && isChangedAfter(root, path, view.endMs);
  const late = [...scanned].filter(isLate);
  for (const path of late) scanned.delete(path);
  const isBetweenTools = betweenTools(
    { store, root },
    view.isComplete ? undefined : view.times,
    ledgers.at(-1),
  );
  const noted = [...byPath.keys()];
  // Each tool told what it found; where that was nothing, it may not have been the turn that took the file away.
  const unclear = view.isComplete
    ? noted.filter((path) => byPath.get(path)?.[0]?.before?.kind === 'missing')
    : noted;
  const headMoved = readHeadMoved(store, view.git, begin, view, { scanned, noted: unclear });
  for (const path of headMoved.still) scanned.delete(path);
  const candidates = [...noted, ...scanned];
  if (candidates.length === 0) return { record: undefined, seen: new Map() };
  // What git status found is not ignored, and of a file that a tool made it is known that it was not there.
  const unsure = (path: RepoPath) => !scanned.has(path) && byPath.get(path)?.[0]?.before?.kind !== 'missing';
  const atPrompt = readAtPrompt(view.git, begin, candidates, unsure);
  const budget = { files: MAX_SCANNED_FILES, bytes: MAX_SCANNED_BYTES };
  const files = new Map<RepoPath, PathChange>();
  const seen = new Map<RepoPath, BeginState>();
  const prints = fingerprints(root, candidates); // before the files are read: one that changes meanwhile is read again
  for (const [at, path] of candidates.entries()) {
    spareMemory(at, budget.files > 0 ? READ_FILES : LOOKED_FILES);
    const all = byPath.get(path) ?? [];
    const made = all.map((edit) => edit.after);
    const edits = all
      .flatMap((edit, at) => withBrought(edit, all[at - 1]?.after ?? atPrompt(path), made, headMoved))
      .map((edit) => (isFolderNow(root, edit) ? { ...edit, after: MISSING } : edit));
    const own = edits.filter(({ isBrought }) => !isBrought);
    if (own.length === 0 && edits.length > 0) continue; // all that was noted came by others' commits
    const last = own.at(-1)?.after;
    const seenLast = notedOnly(root, path, last, view, shells > 0 || isLate(path));
    const affordable = budget.files > 0 ? Math.min(MAX_BYTES, budget.bytes) : -1;
    const found = seenLast ?? readNow({ store, root }, path, last ? MAX_BYTES : affordable);
    if (!last) budget.files--;
    if (!last && found?.kind === 'file') budget.bytes -= found.size;
    // Where a folder took the place of a file, the file is gone; of a nested repository it was none.
    const isGone =
      found?.kind === 'other' && (atPrompt(path) || own.length > 0) && isInPlaceOfFile(root, path);
    const now = isGone ? MISSING : found;
    if (now && !seenLast) seen.set(path, asSeen(now, prints.get(path)));
    const after = now?.kind === 'other' ? last : (now ?? last);
    if (!after) continue;
    const before = () => headMoved.foundAt(path, own, after) ?? atPrompt(path);
    const proof = proofFor(store, view.git, path, () => knownVersions([store, ...storesBeside(store)], path));
    const isShared = view.foreign.has(path);
    const around = (): Around => ({
      ...{ atPrompt: before(), now: after, isComplete: view.isComplete },
      // What another session recorded there is its work, and its bytes are known.
      mayBeShells: (first, isProven) =>
        !view.isComplete && !(isShared && isProven) && (shells === 0 || (first?.shells ?? 0) > 0),
    });
    const parts =
      own.length > 0
        ? endingWith(ownChanges(edits, around(), proof), after)
        : (headMoved.committedParts(path, after) ?? [{ before: before(), after, isDoubtful: false }]);
    const isUnclaimed = edits.length === 0 && after.kind !== 'missing' && isBetweenTools(path);
    const change = { ...joined(parts), source: sourceOf(own), ...(isUnclaimed && { isUnclaimed }) };
    if (parts.length === 1 && change.before && isSameState(change.before, change.after)) continue;
    files.set(path, change);
    packLarge(store, own, change);
  }
  if (!view.isComplete)
    for (const [path, before] of findMoved(store, view, begin, files)) {
      files.set(path, { before, after: MISSING, source: 'scan' });
      seen.set(path, asSeen(MISSING, undefined));
    }
  if (files.size === 0) return { record: undefined, seen };
  const { turnId, subject, isComplete } = view;
  const record = newRecord({
    id: newRecordId(begin?.last ?? listRecordIds(store).at(-1)),
    kind: 'turn',
    turnId,
    subject,
    isComplete,
    ...(begin && { transcript: begin.transcript }),
    ledgers,
    files,
    left: new Map([
      ...unattributed(isComplete ? [] : view.unsure.filter((path) => !files.has(path)), OF_ANOTHER),
      ...unattributed(late, LATE),
    ]),
  });
  return { record, seen };
}

const OF_ANOTHER = 'it changed during the turn, and another session works on it';
const LATE = 'it changed after the agent was at work last';
const unattributed = (paths: readonly RepoPath[], why: string): Array<readonly [RepoPath, string]> =>
  paths.map((path) => [path, why]);

/** What another turn began with says nothing of this one. */
function currentBegin(store: string, turnId: string): TurnBegin | undefined {
  const begin = readTurnBegin(store);
  if (!begin || begin.turnId === turnId) return begin;
  return { ...begin, turnId, head: '', transcript: NO_TRANSCRIPT, files: new Map() };
}

function groupByPath(edits: readonly LedgerEdit[]): Map<RepoPath, LedgerEdit[]> {
  const groups = new Map<RepoPath, LedgerEdit[]>();
  for (const edit of edits) groups.set(edit.path, [...(groups.get(edit.path) ?? []), edit]);
  return groups;
}

function lastLedgers(store: string, begin: TurnBegin | undefined): readonly string[] {
  try {
    return begin?.last === undefined ? [] : readRecord(store, begin.last).ledgers;
  } catch {
    return []; // damaged: its edits are noted once more, which does no harm
  }
}

/** A shell put a folder in the place of a file: that is gone. */
const isFolderNow = (root: string, { isLook, path, after }: LedgerEdit): boolean =>
  isLook && after.kind === 'other' && isInPlaceOfFile(root, path);

/** The last part ends with what there was in the end: a hook leaves the contents of large files for later. */
const endingWith = (parts: readonly ChangePart[], after: FileState): ChangePart[] =>
  parts.map((part, at) =>
    at === parts.length - 1 && part.after.kind === 'unkept' ? { ...part, after } : part,
  );

/** The parts of a change as one. */
function joined(parts: readonly ChangePart[]): Omit<PathChange, 'source'> {
  const [first, last] = [parts[0] as ChangePart, parts.at(-1) as ChangePart];
  const change = {
    ...{ before: first.before, after: last.after },
    ...(parts.some(({ isMixed }) => isMixed) && { isMixed: true }),
  };
  if (parts.length > 1) return { ...change, parts };
  return first.isDoubtful ? { ...change, isDoubtful: true } : change;
}

/**
 * What a hook saw of an edit, where that is what counts. What was written since then is somebody else's, unless a shell of the
 * session ran of which no hook told: the user's, another session's, or that of a program that another hook ran.
 *
 * @param isHeard hooks told of the shells that ran, or the path changed when the agent was gone
 */
function notedOnly(
  root: string,
  path: RepoPath,
  noted: FileState | undefined,
  { isNow, isComplete, foreign }: TurnView,
  isHeard: boolean,
): FileState | undefined {
  const isUnheard = isNow && !isComplete && !isHeard;
  if (!noted || (isUnheard && !foreign.has(path))) return undefined;
  const isStillThere = noted.kind === 'unkept' && isSizeAndTime(lookAt(join(root, path)), noted);
  return isStillThere ? undefined : noted;
}

function sourceOf(edits: readonly LedgerEdit[]): EditSource {
  if (edits.length === 0) return 'scan';
  return edits.some(({ source }) => source === 'tool') ? 'tool' : 'bash';
}

/**
 * What there is now is known by its fingerprint: the next prompt need not read it. Where the record has what a hook saw of an edit,
 * somebody else may have written the file since, and that is what comes next begins with.
 */
function rememberAfter(
  place: Place,
  begin: TurnBegin | undefined,
  { id: last, files }: SnapshotRecord,
  seen: ReadonlyMap<RepoPath, BeginState>,
): void {
  if (!begin) return;
  const next = new Map<RepoPath, BeginState>(begin.files);
  for (const path of files.keys()) next.set(path, seen.get(path) ?? lookNow(place, path));
  writeTurnBegin(place.store, { ...begin, files: next, last });
}
