import { once } from '../base/once.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { plainLine } from '../base/text/lines.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import { readModeConfig } from '../git/worktree/modes.ts';
import type { SessionState } from '../session/state.ts';
import { readHistory } from '../snapshot/record/history.ts';
import { readRecordsOf } from '../snapshot/record/records-of.ts';
import {
  type ChangePart,
  type PathChange,
  partsOf,
  type SnapshotRecord,
} from '../snapshot/record/snapshot-record.ts';
import { hasRecordsOf } from '../snapshot/record/step-marks.ts';
import { sessionStore } from '../snapshot/store/blobs.ts';
import { readOpenEdits } from '../snapshot/turn/ledger.ts';
import { type DiffBudget, findBlocks, newBudget, shareChanges } from './attribution/line-diff.ts';
import { isSameContent, openVersions, type Version, type Versions } from './versions.ts';
import type { Work } from './work.ts';

/** Of more files than that at once nothing is told. */
export const MAX_FILES = 500;

/** What a session's turns made of files, as far as it is kept. */
export interface KeptWork {
  /**
   * Whether a version of a file has anything of what any turn made of it, and HEAD has not; `undefined` where that cannot be told: turns
   * are without a record, or nothing is known of a content. Whether a turn was taken back does not matter: what a step back left, what was
   * staged before it, and what another one led back to is all the session's work.
   */
  holds(path: RepoPath, version: Version | undefined, head: Version | undefined): boolean | undefined;
  /** Whether a turn that stands made something of a file that HEAD has not: it may come back. */
  waits(path: RepoPath, head: Version | undefined): boolean;
  /** Whether undos took back all that turns made of a file, and it is known what that was; a rewind may have gone behind any. */
  isUndone(path: RepoPath): boolean;
  /** Whether any turn wrote one of these lines in a file; `undefined` where that cannot be told, as while a turn goes on there. */
  wrote(path: RepoPath, lines: readonly string[]): boolean | undefined;
  /** Versions that it has read, by the session's own states and by what git has. */
  readonly versions: Versions;
}

/**
 * Reads what is on record of a session.
 *
 * @param paths those that are asked for
 * @param entries what git has of them, to be held against that
 */
export function openKeptWork(
  { git, repo }: Work,
  {
    sessionId,
    checkpointCount,
    phase,
  }: Pick<SessionState, 'sessionId' | 'checkpointCount'> & Partial<Pick<SessionState, 'phase'>>,
  paths: readonly RepoPath[],
  entries: ReadonlyArray<TreeEntry | undefined> = [],
): KeptWork {
  const store = sessionStore(repo.commonDir, sessionId, repo.worktreeId);
  const asked = paths.length > MAX_FILES ? [] : paths;
  const { records, isAll } = readRecordsOf(store, asked);
  const isWhole = isAll && hasRecordsOf(store, checkpointCount, new Set(records.map(({ id }) => id)));
  const changes = new Map(asked.map((path) => [path, changesIn(records, path)]));
  const changesOf = (path: RepoPath): readonly PathChange[] => changes.get(path) ?? [];
  const own = [...changes.values()].flatMap((all) => all.flatMap(newestFirst));
  const states = own.flatMap(({ before, after }) => [after, before]);
  const versions = openVersions(git, store, states, entries);
  const compare = { budget: newBudget(), ignoresModes: once(() => readModeConfig(git).ignoresModes) };
  const standing = once(() =>
    readHistory(records).standing.map(({ record, paths: open, left }) => ({
      record,
      has: (path: RepoPath) => open.has(path) || left.has(path),
    })),
  );
  /** @param version `undefined`: what the turn itself left */
  const judge = (part: ChangePart, head: Version, version?: Version): boolean | undefined => {
    const [was, is] = [part.before ? versions.ofState(part.before) : head, versions.ofState(part.after)];
    return was && is ? hasOf({ was, is }, version ?? is, head, compare) : undefined;
  };
  /** What turns that stand made of a file; of those that a rewind may have gone behind, nothing. */
  const standingIn = (path: RepoPath): PathChange[] => {
    const own = standing().flatMap(({ record, has }) => (has(path) ? record : []));
    return changesIn(own.slice(own.findLastIndex(({ kind }) => kind === 'rewind') + 1), path);
  };
  /** What is so is asked for no longer than until one is. */
  const any = (verdicts: Iterable<boolean | undefined>): boolean | undefined => {
    const seen = new Set<boolean | undefined>();
    for (const verdict of verdicts) if (seen.add(verdict) && verdict) return true;
    return seen.size === 0 || seen.has(undefined) || !isWhole ? undefined : false;
  };
  const edited = once(() => new Set(readOpenEdits(store).map(({ path }) => path)));
  /** What a shell of a running turn writes is noted when it is over. */
  const isOpen = (path: RepoPath): boolean => phase === 'active' || edited().has(path);
  function* judgeAll(path: RepoPath, version: Version, head: Version): Generator<boolean | undefined> {
    const [all, text, old] = [changesOf(path), version.text, head.text];
    const isEdited = head.kind === 'file' && version.kind === 'file' && text !== undefined;
    const open = isEdited && old !== undefined ? standingIn(path) : [];
    for (const change of new Set([...all, ...open])) {
      for (const part of newestFirst(change)) {
        if (all.includes(change)) yield judge(part, head, version);
        // Somebody may have worked on in the very lines of a turn that stands.
        const is = open.includes(change) ? versions.ofState(part.after)?.text : undefined;
        if (is !== undefined && judge(part, head) === true)
          yield shareChanges(old as string, is, text as string, compare.budget);
      }
    }
  }
  return {
    versions,
    holds: (path, version, head) => (version && head ? any(judgeAll(path, version, head)) : undefined),
    waits: (path, head) =>
      head !== undefined &&
      standingIn(path)
        .flatMap(newestFirst)
        .some((part) => judge(part, head) === true),
    isUndone: (path) =>
      isWhole &&
      changesOf(path).length > 0 &&
      !records.some(({ kind, files }) => kind === 'rewind' && files.has(path)) &&
      !standing().some(({ has }) => has(path)),
    wrote(path, lines) {
      if (isOpen(path)) return undefined;
      const isWritten = ({ before, after }: ChangePart): boolean | undefined => {
        const [was, is] = [versions.ofState(before)?.lines, versions.ofState(after)?.lines];
        return was && is && lines.some((line) => is.has(line) && !was.has(line));
      };
      return any(lazily(changesOf(path).flatMap(newestFirst), isWritten));
    },
  };
}

/** What turns made of a file, newest first. */
const changesIn = (records: readonly SnapshotRecord[], path: RepoPath): PathChange[] =>
  records.flatMap(({ kind, files }) => (kind === 'turn' && files.get(path)) || []).reverse();

const newestFirst = (change: PathChange): ChangePart[] => partsOf(change).toReversed();

function* lazily<T, R>(values: readonly T[], of: (value: T) => R): Generator<R> {
  for (const value of values) yield of(value);
}

/** A change of a turn. */
interface Change {
  readonly was: Version;
  readonly is: Version;
}

interface Compare {
  readonly budget: DiffBudget;
  readonly ignoresModes: () => boolean;
}

/** Whether a version has anything of a change that HEAD has not. */
function hasOf(
  change: Change,
  version: Version,
  head: Version,
  { budget, ignoresModes }: Compare,
): boolean | undefined {
  const { was, is } = change;
  const isNewMode = [was, head].every((other) => other.kind === 'file' && other.canRun === !is.canRun);
  if (isNewMode && version.canRun === is.canRun && !ignoresModes()) return true;
  if (hasEndsOf(change, version, head)) return true;
  if (isSameContent(version, head)) return false;
  const told = hasLinesOf(change, version, head, budget);
  if (told !== undefined) return told;
  // Lines in another order, indented otherwise, or none at all: the whole says it, or where it was changed.
  if (isSameContent(version, is) && isSameContent(was, is) === false) return true;
  if (isSameContent(version, was)) return false;
  const [old, own, there] = [was.text, is.text, version.text];
  return old === undefined || own === undefined || there === undefined
    ? undefined
    : shareChanges(old, own, there, budget);
}

/**
 * Whether a version has the line ends that the turn gave a file. A checkout may have others than git: a file of the worktree is held
 * against what git has only where there is nothing else to tell them.
 */
function hasEndsOf({ was, is }: Change, version: Version, head: Version): boolean {
  if (!was.ends || !head.ends || is.ends === was.ends || is.ends === head.ends) return false;
  return is.ends === version.ends && (version.isGits === head.isGits || version.text === head.text);
}

/** A brace or a rule proves nothing. */
const isTelling = (line: string): boolean => /[\p{L}\p{N}\x80-\xff]/u.test(line);

/** Whether a text has no lines that are compared. */
const isBlank = ({ text = '' }: Version): boolean => !/[^\s,;]/.test(text);

/**
 * Of a file that HEAD has, any line that the turn added counts, and what it took away for the most part; of a new one, what is its work for
 * the most part.
 */
function hasLinesOf(
  change: Change,
  version: Version,
  head: Version,
  budget: DiffBudget,
): boolean | undefined {
  const { was, is } = change;
  const [before, after, old, there] = [was.lines, is.lines, head.lines, version.lines];
  if (!before || !after || !old || !there) return undefined;
  if (head.kind === 'missing' && version.kind === 'missing') return false;
  // It was gone when the turn ended, and somebody else may have taken it away: of other lines the record tells nothing.
  if (head.kind === 'missing' && is.kind === 'missing')
    return there.without(was)?.length === 0 ? false : undefined;
  const added = after.without(was);
  if (!added) return undefined;
  if (head.kind !== 'missing') {
    if (version.kind === 'missing' && is.kind === 'missing') return true;
    const removed = before.without(is);
    if (!removed) return undefined;
    const [come, gone] = [added.filter(isTelling), removed.filter(isTelling)];
    if (come.length + gone.length === 0) return undefined;
    const isAdded = (line: string): boolean => there.has(line) && !old.has(line);
    const isRemoved = (line: string): boolean => !there.has(line) && old.has(line);
    if (come.some(isAdded)) return true;
    // Who takes lines out of a file that was deleted, or written anew, does something else.
    const taken = gone.filter((line) => old.has(line));
    if (is.kind === 'missing' || !taken.some(isRemoved)) return false;
    return isMost(taken, isRemoved) || hasBlockOf(change, new Set(taken), isRemoved, budget);
  }
  if (isBlank(version)) return isBlank(is);
  if (added.length === 0) return undefined;
  const kept = added.filter((line) => there.has(line));
  const isPart = there.without(is)?.length === 0;
  return kept.length > 0 && (isPart || kept.length * 2 > added.length);
}

const isMost = (lines: readonly string[], is: (line: string) => boolean): boolean =>
  lines.filter(is).length * 2 > lines.length;

/**
 * Whether most of what a turn took away in one place, and put nothing there, is gone: of several such places some may be committed alone.
 *
 * @param taken lines that it took away
 */
function hasBlockOf(
  { was, is }: Change,
  taken: ReadonlySet<string>,
  isRemoved: (line: string) => boolean,
  budget: DiffBudget,
): boolean | undefined {
  if (was.text === undefined || is.text === undefined) return undefined;
  return findBlocks(was.text, is.text, budget)?.some(({ removed, added }) => {
    const lines = removed.map(plainLine).filter((line) => taken.has(line));
    return !added.some(isTelling) && isMost(lines, isRemoved);
  });
}
