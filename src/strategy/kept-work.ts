import type { RepoPath } from '../base/repo-path.ts';
import { readModeConfig } from '../git/modes.ts';
import type { TreeEntry } from '../git/objects.ts';
import type { SessionState } from '../session/state.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import { readHistory } from '../snapshot/history.ts';
import {
  type ChangePart,
  listRecordIds,
  partsOf,
  readRecordIfSound,
  type SnapshotRecord,
} from '../snapshot/record.ts';
import { hasRecordsOf } from '../snapshot/step-marks.ts';
import { type DiffBudget, newBudget, shareChanges } from './attribution/line-diff.ts';
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
  /** Whether any turn wrote one of these lines in a file; `undefined` where that cannot be told. */
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
  { sessionId, checkpointCount }: Pick<SessionState, 'sessionId' | 'checkpointCount'>,
  paths: readonly RepoPath[],
  entries: ReadonlyArray<TreeEntry | undefined> = [],
): KeptWork {
  const store = sessionStore(repo.commonDir, sessionId, repo.worktreeId);
  const asked = paths.length > MAX_FILES ? [] : paths;
  const records =
    asked.length === 0 ? [] : listRecordIds(store).flatMap((id) => readRecordIfSound(store, id) ?? []);
  const isWhole = hasRecordsOf(store, checkpointCount, new Set(records.map(({ id }) => id)));
  const parts = new Map(asked.map((path) => [path, partsIn(records, path)]));
  const own = [...parts.values()].flatMap((all) => all.flatMap(({ before, after }) => [before, after]));
  const versions = openVersions(git, store, own, entries);
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
  /** Parts of turns that stand, and that HEAD does not have; of those that a rewind may have gone behind, none. */
  const waiting = (path: RepoPath, head: Version): ChangePart[] => {
    const own = standing().flatMap(({ record, has }) => (has(path) ? record : []));
    const since = own.slice(own.findLastIndex(({ kind }) => kind === 'rewind') + 1);
    return partsIn(since, path).filter((part) => judge(part, head) === true);
  };
  const any = (verdicts: ReadonlyArray<boolean | undefined>): boolean | undefined =>
    verdicts.includes(true) ||
    (verdicts.length === 0 || verdicts.includes(undefined) || !isWhole ? undefined : false);
  return {
    versions,
    holds(path, version, head) {
      if (!version || !head) return undefined;
      const verdict = any((parts.get(path) ?? []).map((part) => judge(part, head, version)));
      if (verdict) return verdict;
      // Somebody may have worked on in the very lines of a turn that stands.
      const [text, old] = [version.text, head.text];
      if (head.kind !== 'file' || version.kind !== 'file' || text === undefined || old === undefined)
        return verdict;
      const isOnTop = ({ after }: ChangePart): boolean => {
        const is = versions.ofState(after)?.text;
        return is !== undefined && shareChanges(old, is, text, compare.budget);
      };
      return waiting(path, head).some(isOnTop) || verdict;
    },
    waits: (path, head) => head !== undefined && parts.has(path) && waiting(path, head).length > 0,
    wrote(path, lines) {
      const isWritten = ({ before, after }: ChangePart): boolean | undefined => {
        const [was, is] = [versions.ofState(before)?.lines, versions.ofState(after)?.lines];
        return was && is && lines.some((line) => is.has(line) && !was.has(line));
      };
      return any((parts.get(path) ?? []).map(isWritten));
    },
  };
}

const partsIn = (records: readonly SnapshotRecord[], path: RepoPath): ChangePart[] =>
  records.flatMap(({ kind, files }) => {
    const change = kind === 'turn' ? files.get(path) : undefined;
    return change ? partsOf(change) : [];
  });

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
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
  if (isSameContent(version, head)) return false;
  const told = hasLinesOf(change, version, head);
  if (told !== undefined) return told;
  // Lines in another order, indented otherwise, or none at all: the whole says it, or where it was changed.
  if (isSameContent(version, is) && isSameContent(was, is) === false) return true;
  if (isSameContent(version, was)) return false;
  const [old, own, there] = [was.text, is.text, version.text];
  return old === undefined || own === undefined || there === undefined
    ? undefined
    : shareChanges(old, own, there, budget);
}

/** A brace or a rule proves nothing. */
const isTelling = (line: string): boolean => /[\p{L}\p{N}\x80-\xff]/u.test(line);

/** Of a file that HEAD has, any line that the turn added or took away counts; of a new one, what is its work for the most part. */
function hasLinesOf({ was, is }: Change, version: Version, head: Version): boolean | undefined {
  if (!was.lines || !is.lines || !version.lines || !head.lines) return undefined;
  const [before, after, old, there] = [was.lines, is.lines, head.lines, version.lines];
  if (head.kind !== 'missing') {
    if (version.kind === 'missing' && is.kind === 'missing') return true;
    const added = [...after].filter((line) => !before.has(line) && isTelling(line));
    const removed = [...before].filter((line) => !after.has(line) && isTelling(line));
    if (added.length + removed.length === 0) return undefined;
    const isAdded = (line: string): boolean => there.has(line) && !old.has(line);
    const isRemoved = (line: string): boolean => !there.has(line) && old.has(line);
    return added.some(isAdded) || removed.some(isRemoved);
  }
  if (version.kind === 'missing') return false;
  // It was gone when the turn ended, and somebody else may have taken it away: of other lines the record tells nothing.
  if (is.kind === 'missing') return [...there].every((line) => before.has(line)) ? false : undefined;
  if (there.size === 0) return after.size === 0;
  const added = [...after].filter((line) => !before.has(line));
  if (added.length === 0) return undefined;
  const kept = added.filter((line) => there.has(line));
  const isPart = [...there].every((line) => after.has(line));
  return kept.length > 0 && (isPart || kept.length * 2 > added.length);
}
