import { plainLine } from '../base/plain-line.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readObjects } from '../git/objects.ts';
import type { Git } from '../git/run.ts';
import type { SessionState } from '../session/state.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import { readBlob } from '../snapshot/chunks.ts';
import type { FileState } from '../snapshot/file-state.ts';
import { readHistory } from '../snapshot/history.ts';
import {
  type ChangePart,
  listRecordIds,
  partsOf,
  readRecordIfSound,
  type SnapshotRecord,
} from '../snapshot/record.ts';
import { hasRecordsOf } from '../snapshot/step-marks.ts';
import { isBinary } from './attribution/texts.ts';
import type { Work } from './work.ts';

/** Larger contents are not looked at. */
const MAX_BYTES = 4 * 1024 * 1024;

/** What a session's turns made of files, as far as it is kept. */
export interface KeptWork {
  /**
   * Whether a content of a file has anything of what any turn made of it, and HEAD has not; `undefined` where that cannot be told: turns
   * are without a record, or a content is no text. Whether a turn was taken back does not matter: what a step back left, what was staged
   * before it, and what another one led back to is all the session's work.
   */
  holds(path: RepoPath, content: Lines | undefined, head: Lines | undefined): boolean | undefined;
  /** Whether a turn that stands made something of a file that HEAD has not: it may come back. */
  waits(path: RepoPath, head: Lines | undefined): boolean;
}

/** The lines of a text without what a formatter decides; none of a file that is not there. */
export interface Lines {
  readonly isThere: boolean;
  readonly lines: ReadonlySet<string>;
}

/** @param bytes `undefined`: there is no file @returns `undefined` for what is no text, or too large */
export function toLines(bytes: Buffer | undefined): Lines | undefined {
  if (!bytes) return { isThere: false, lines: new Set() };
  if (bytes.length > MAX_BYTES || isBinary(bytes)) return undefined;
  const lines = bytes.toString('utf8').split('\n').map(plainLine);
  return { isThere: true, lines: new Set(lines.filter((line) => line !== '')) };
}

/**
 * Reads what is on record of a session. One process at most, which reads what its turns found or left of the files as git has it.
 *
 * @param paths those that are asked for
 */
export function openKeptWork(
  { git, repo }: Work,
  { sessionId, checkpointCount }: Pick<SessionState, 'sessionId' | 'checkpointCount'>,
  paths: readonly RepoPath[],
): KeptWork {
  const store = sessionStore(repo.commonDir, sessionId, repo.worktreeId);
  const records =
    paths.length === 0 ? [] : listRecordIds(store).flatMap((id) => readRecordIfSound(store, id) ?? []);
  const isWhole = hasRecordsOf(store, checkpointCount, new Set(records.map(({ id }) => id)));
  const partsIn = (some: readonly SnapshotRecord[], path: RepoPath): ChangePart[] =>
    some.flatMap(({ kind, files }) => {
      const change = kind === 'turn' ? files.get(path) : undefined;
      return change ? partsOf(change) : [];
    });
  const parts = new Map(paths.map((path) => [path, partsIn(records, path)]));
  const states = [...parts.values()].flatMap((own) => own.flatMap(({ before, after }) => [before, after]));
  const read = openLines(git, store, states);
  /** @param content `undefined`: what the turn itself left */
  const judge = ({ before, after }: ChangePart, head: Lines, content?: Lines): boolean | undefined => {
    const [was, is] = [before ? read(before) : head, read(after)];
    return was && is ? holds(content ?? is, head, was, is) : undefined;
  };
  return {
    holds(path, content, head) {
      const own = parts.get(path) ?? [];
      if (!content || !head || own.length === 0) return undefined;
      const verdicts = own.map((part) => judge(part, head, content));
      return verdicts.includes(true) || (verdicts.includes(undefined) || !isWhole ? undefined : false);
    },
    waits(path, head) {
      const standing = readHistory(records).standing.flatMap((step) =>
        step.paths.has(path) || step.left.has(path) ? step.record : [],
      );
      return head !== undefined && partsIn(standing, path).some((part) => judge(part, head) === true);
    },
  };
}

/**
 * Reads lines of what was at paths; `undefined` for what is no text, too large, or not in the store any more.
 *
 * @param states those that may be asked for
 */
export function openLines(
  git: Git,
  store: string,
  states: ReadonlyArray<FileState | undefined>,
): (state: FileState | undefined) => Lines | undefined {
  const oids = new Set(states.flatMap((state) => (state?.kind === 'git' ? state.oid : [])));
  const objects = readObjects(git, [...oids]);
  return (state) => {
    if (state?.kind === 'missing') return toLines(undefined);
    if (state?.kind === 'git') {
      const found = objects.get(state.oid);
      return found && toLines(found.data);
    }
    const kept = readKept(store, state);
    return kept && toLines(kept);
  };
}

/** The bytes of a file that a store keeps; `undefined` for what is no file, too large, or gone as after gc. */
export function readKept(store: string, state: FileState | undefined): Buffer | undefined {
  if (state?.kind !== 'file' || state.size > MAX_BYTES) return undefined;
  try {
    return readBlob(store, state.sha256);
  } catch {
    return undefined;
  }
}

/** Of a file that HEAD has, any line that the turn added or took away counts; of a new one, what is its work for the most part. */
function holds(content: Lines, head: Lines, was: Lines, is: Lines): boolean {
  const added = [...is.lines].filter((line) => !was.lines.has(line) && !head.lines.has(line));
  const there = added.filter((line) => content.lines.has(line));
  if (head.isThere) {
    const removed = [...was.lines].filter((line) => !is.lines.has(line) && head.lines.has(line));
    return (
      there.length > 0 ||
      removed.some((line) => !content.lines.has(line)) ||
      (!content.isThere && !is.isThere)
    );
  }
  if (!content.isThere || !is.isThere) return false;
  if (content.lines.size === 0) return is.lines.size === 0;
  const isPart = [...content.lines].every((line) => is.lines.has(line));
  return there.length > 0 && (isPart || there.length * 2 > added.length);
}
