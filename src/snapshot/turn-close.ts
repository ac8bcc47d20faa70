import { join } from 'node:path';
import { describeError, EntireError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { blobId, readTree, type TreeEntry } from '../git/objects.ts';
import type { Git } from '../git/run.ts';
import { findIgnored } from '../git/status.ts';
import { fingerprints } from '../session/turn-snapshot.ts';
import { chooseBefore, fitTo, variantsOf } from './before.ts';
import { captureFile, digest, putBlob } from './blobs.ts';
import { readBlob, storeParts, WHOLE_BYTES } from './chunks.ts';
import { type FileState, type GitMode, isSameState, MISSING } from './file-state.ts';
import { claimLedger, type LedgerClaim, type LedgerEdit, readOpenEdits } from './ledger.ts';
import { isInPlaceOfFile } from './make-way.ts';
import { isSizeAndTime, lookAt } from './place.ts';
import {
  type EditSource,
  listRecordIds,
  newRecord,
  newRecordId,
  type PathChange,
  readRecord,
  type SnapshotRecord,
  writeRecord,
} from './record.ts';
import { type BeginState, readTurnBegin, type TurnBegin, writeTurnBegin } from './turn-begin.ts';

/** Files larger than this are not kept by a hook; undo takes them from git where it has them. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Of what nobody reported and `git status` found, no more than this is kept. */
const MAX_SCANNED_FILES = 5_000;
const MAX_SCANNED_BYTES = 256 * 1024 * 1024;

/** What the end of a turn knows. */
export interface TurnView {
  readonly git: Git;
  readonly turnId: string;
  /** First line of the prompt, redacted. */
  readonly subject: string;
  /** Everything that can have written files in the turn is on record. */
  readonly isComplete: boolean;
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
  const { record, looks } = describeTurn(store, view, begin, claim);
  if (record) {
    writeRecord(store, record);
    rememberAfter(store, begin, record, looks);
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
  describeTurn(store, view, currentBegin(store, view.turnId), { edits: readOpenEdits(store), ledgers: [] })
    .record;

function describeTurn(
  store: string,
  view: TurnView,
  begin: TurnBegin | undefined,
  { edits, ledgers }: Pick<LedgerClaim, 'edits' | 'ledgers'>,
): { readonly record: SnapshotRecord | undefined; readonly looks: ReadonlyMap<string, string> } {
  const root = view.git.cwd;
  const byPath = groupByPath(edits);
  const scanned = new Set(
    [...view.scanned, ...changedSinceBegin(root, begin, view)].filter((path) => !byPath.has(path)),
  );
  const candidates = [...byPath.keys(), ...scanned];
  if (candidates.length === 0) return { record: undefined, looks: new Map() };
  // What git status found is not ignored, and of a file that a tool made it is known that it was not there.
  const unsure = (path: RepoPath) => !scanned.has(path) && byPath.get(path)?.[0]?.before === undefined;
  const atPrompt = readAtPrompt(view.git, begin, candidates, unsure);
  const budget = { files: MAX_SCANNED_FILES, bytes: MAX_SCANNED_BYTES };
  const files = new Map<RepoPath, PathChange>();
  const looks = fingerprints(root, candidates); // before the files are read: one that changes meanwhile is read again
  for (const path of candidates) {
    const own = byPath.get(path) ?? [];
    const was = atPrompt(path);
    const found = readAfter(store, root, path, own.at(-1), view, budget);
    // Where a folder took the place of a file, the file is gone; of a nested repository it was none.
    const isGone = found?.kind === 'other' && (was || own.length > 0) && isInPlaceOfFile(root, path);
    const after = isGone ? MISSING : found?.kind === 'other' ? own.at(-1)?.after : found;
    if (!after) continue;
    const before = readBefore(store, own[0], was, after, view.isComplete);
    if (before && isSameState(before, after)) continue;
    files.set(path, { before, after, source: sourceOf(own) });
    packLarge(store, own, { before, after });
  }
  if (files.size === 0) return { record: undefined, looks };
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
    left: isComplete ? new Map() : unattributed(view.unsure.filter((path) => !files.has(path))),
  });
  return { record, looks };
}

const unattributed = (paths: readonly RepoPath[]): Map<RepoPath, string> =>
  new Map(paths.map((path) => [path, 'it changed during the turn, and another session works on it']));

/** What another turn began with says nothing of this one. */
function currentBegin(store: string, turnId: string): TurnBegin | undefined {
  const begin = readTurnBegin(store);
  return !begin || begin.turnId === turnId ? begin : { ...begin, turnId, head: '', files: new Map() };
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

/**
 * Paths that differed from HEAD at the prompt, and are not what they were: also those that are clean now, or gone, which
 * `git status` says nothing of. What other sessions did is theirs.
 */
function changedSinceBegin(root: string, begin: TurnBegin | undefined, view: TurnView): RepoPath[] {
  if (!begin || !view.isNow) return [];
  const current = fingerprints(root, [...begin.files.keys()]);
  return [...begin.files].flatMap(([path, { fingerprint }]) =>
    current.get(path) === fingerprint || view.foreign.has(path) ? [] : [path],
  );
}

/** What the worktree had when the turn began, by path. One look into git's tree for all that were clean. */
function readAtPrompt(
  git: Git,
  begin: TurnBegin | undefined,
  paths: readonly RepoPath[],
  mayBeIgnored: (path: RepoPath) => boolean,
): (path: RepoPath) => FileState | undefined {
  if (!begin?.head) return (path) => begin?.files.get(path)?.state;
  const clean = paths.filter((path) => !begin.files.has(path));
  const tree = clean.length === 0 ? new Map<string, TreeEntry>() : readTree(git, begin.head, clean);
  const absent = clean.filter((path) => !tree?.has(path));
  const ignored = new Set(tree ? findIgnored(git, absent.filter(mayBeIgnored)) : absent);
  return (path) => {
    const dirty = begin.files.get(path);
    if (dirty) return dirty.state;
    const entry = tree?.get(path);
    if (entry) return isGitFile(entry.mode) ? { kind: 'git', oid: entry.oid, mode: entry.mode } : undefined;
    return ignored.has(path) ? undefined : MISSING;
  };
}

const isGitFile = (mode: string): mode is GitMode => ['100644', '100755', '120000'].includes(mode);

function readAfter(
  store: string,
  root: string,
  path: RepoPath,
  last: LedgerEdit | undefined,
  { isNow, foreign }: TurnView,
  budget: { files: number; bytes: number },
): FileState | undefined {
  const noted = last?.after;
  const isOver = noted !== undefined && (!isNow || foreign.has(path));
  if (isOver && (noted.kind !== 'unkept' || !isSizeAndTime(lookAt(join(root, path)), noted))) return noted;
  const maxBytes = last ? MAX_BYTES : budget.files-- > 0 ? Math.min(MAX_BYTES, budget.bytes) : -1;
  try {
    const state = captureFile(root, path, { store, maxBytes });
    if (!last && state.kind === 'file') budget.bytes -= state.size;
    return state;
  } catch (error) {
    log('warn', 'file not kept for undo', { path, error: describeError(error) });
    return noted;
  }
}

function readBefore(
  store: string,
  first: LedgerEdit | undefined,
  atPrompt: FileState | undefined,
  after: FileState,
  isComplete: boolean,
): FileState | undefined {
  const told = first?.before;
  if (told?.kind !== 'file') return chooseBefore({ told, atPrompt, isSameText: false, isComplete });
  const text = readIfSound(store, told.sha256); // of one that is damaged who takes it back is told
  const isSameText =
    text !== undefined && atPrompt !== undefined && variantsOf(text).some((bytes) => holds(atPrompt, bytes));
  const chosen = chooseBefore({ told, atPrompt, isSameText, isComplete });
  if (chosen !== told || !text || after.kind !== 'file') return chosen;
  const model = readIfSound(store, after.sha256);
  const bytes = model ? fitTo(text, model) : text;
  return bytes === text ? told : { ...told, sha256: putBlob(store, bytes), size: bytes.length };
}

/** One content that is damaged must not keep the rest of the turn from its record. */
function readIfSound(store: string, sha256: string): Buffer | undefined {
  try {
    return readBlob(store, sha256);
  } catch (error) {
    if (!(error instanceof EntireError) || error.code !== 'SNAPSHOT_DAMAGED') throw error;
    log('warn', 'kept for undo: damaged', { error: error.message });
    return undefined;
  }
}

const holds = (state: FileState, bytes: Buffer): boolean =>
  state.kind === 'file'
    ? state.sha256 === digest(bytes)
    : state.kind === 'git' && state.oid === blobId(bytes, state.oid as ObjectId);

function sourceOf(edits: readonly LedgerEdit[]): EditSource {
  if (edits.length === 0) return 'scan';
  return edits.some(({ source }) => source === 'tool') ? 'tool' : 'bash';
}

/** Versions that hooks stored whole, and the two of the record, become differences to each other. */
function packLarge(
  store: string,
  edits: readonly LedgerEdit[],
  { before, after }: Pick<PathChange, 'before' | 'after'>,
): void {
  const versions = [before, ...edits.flatMap((edit) => [edit.before, edit.after]), after];
  let previous: string | undefined;
  for (const version of versions) {
    if (version?.kind !== 'file') continue;
    const bytes =
      version.size > WHOLE_BYTES && version.sha256 !== previous && readIfSound(store, version.sha256);
    if (bytes) storeParts(store, version.sha256, bytes, previous);
    previous = version.sha256;
  }
}

/** What the turn left is known by its fingerprint: the next prompt need not read it. */
function rememberAfter(
  store: string,
  begin: TurnBegin | undefined,
  { id: last, files }: SnapshotRecord,
  looks: ReadonlyMap<string, string>,
): void {
  if (!begin) return;
  const next = new Map<RepoPath, BeginState>(begin.files);
  for (const [path, { after }] of files) {
    // What could not be kept, or was written again meanwhile, is looked at by the next prompt.
    const isKept = after.kind === 'file' || after.kind === 'link' || after.kind === 'missing';
    if (isKept) next.set(path, { fingerprint: looks.get(path) ?? '', state: after });
    else next.delete(path);
  }
  writeTurnBegin(store, { ...begin, files: next, last });
}
