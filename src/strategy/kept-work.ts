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

/** Reads the lines of what was at a path once; `undefined` for what is no text, too large, or not in the store any more. */
export function openLines(git: Git, store: string): (state: FileState | undefined) => Lines | undefined {
  return (state) => {
    if (state?.kind === 'missing') return toLines(undefined);
    if (state?.kind === 'git') {
      const found = readObjects(git, [state.oid]).get(state.oid);
      return found && toLines(found.data);
    }
    if (state?.kind !== 'file' || state.size > MAX_BYTES) return undefined;
    try {
      return toLines(readBlob(store, state.sha256));
    } catch {
      return undefined; // gone, as after gc
    }
  };
}

/** Reads the turns of a session that are on record, each once, and of each what it made of the paths that are asked for. */
export function openKeptWork(
  { git, repo }: Work,
  { sessionId, checkpointCount }: Pick<SessionState, 'sessionId' | 'checkpointCount'>,
): KeptWork {
  const store = sessionStore(repo.commonDir, sessionId, repo.worktreeId);
  const records = listRecordIds(store).flatMap((id) => readRecordIfSound(store, id) ?? []);
  const isWhole = hasRecordsOf(store, checkpointCount, new Set(records.map(({ id }) => id)));
  const read = openLines(git, store);
  const partsIn = (some: readonly SnapshotRecord[], path: RepoPath): ChangePart[] =>
    some.flatMap(({ kind, files }) => {
      const change = kind === 'turn' ? files.get(path) : undefined;
      return change ? partsOf(change) : [];
    });
  return {
    holds(path, content, head) {
      const parts = partsIn(records, path);
      if (!content || !head || parts.length === 0) return undefined;
      const verdicts = parts.map(({ before, after }) => {
        const [was, is] = [before ? read(before) : head, read(after)];
        return was && is ? holds(content, head, was, is) : undefined;
      });
      return verdicts.includes(true) || (verdicts.includes(undefined) || !isWhole ? undefined : false);
    },
    waits(path, head) {
      const { standing } = readHistory(records);
      const some = standing.flatMap(({ record, paths, left }) =>
        paths.has(path) || left.has(path) ? record : [],
      );
      return partsIn(some, path).some(({ before, after }) => {
        const [was, is] = [before ? read(before) : head, read(after)];
        return head !== undefined && was !== undefined && is !== undefined && holds(is, head, was, is);
      });
    },
  };
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
