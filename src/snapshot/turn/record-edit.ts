import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import { appendLines } from '../../base/file/append-lines.ts';
import { lookAt } from '../../base/file/disk.ts';
import type { Replaced } from '../../base/file/swaps.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { captureFile, putBlob } from '../store/blobs.ts';
import { type FileState, MISSING, toStoredState } from '../store/file-state.ts';

/** Larger files are looked at when the turn ends. */
export const MAX_EDITED_BYTES = 1024 * 1024;
/** Of more files that one call names only what the system tells of them is noted. They, too, are looked at when the turn ends. */
const MAX_READ_FILES = 500;
/** What one call wrote beyond so many files is what a shell may have written: found when the turn ends, and said where it may be the user's. */
const MAX_NOTED_FILES = 20_000;
/** What a file was comes with the payload, and with nothing else: it is kept up to this size. */
const MAX_BEFORE_BYTES = 16 * 1024 * 1024;

/** Where the edits of a session in one worktree are noted since the last turn was closed, one JSON line each. */
export const openLedger = (store: string): string => join(store, 'edits.jsonl');

/** One call of a tool, as its hook tells of it. */
export interface ToolEdit {
  readonly tool: string;
  /** The sub-agent that made it. */
  readonly agentId: string | undefined;
  /** A shell command that changed the files. */
  readonly isShell: boolean;
  /** Text of the file before, where the client says: `null` when there was no such file. */
  readonly before: string | null | undefined;
  /** That text is the file's, byte for byte, as UTF-8. */
  readonly isBeforeExact?: boolean;
  /** What it replaced in each path, where the client says that. */
  readonly replaced?: ReadonlyMap<RepoPath, Replaced>;
  /** Where it moved a path to. */
  readonly moved?: ReadonlyMap<RepoPath, RepoPath>;
}

/**
 * Notes what an edit made of its files, and keeps what they were before where the client says so. On the hot path: one
 * read, one append, and one write for each content that is not kept yet.
 *
 * @throws the system error
 */
export function recordEdit(store: string, root: string, paths: readonly RepoPath[], edit: ToolEdit): void {
  const at = now().toISOString();
  const lines = paths.slice(0, MAX_NOTED_FILES).map((path, no) => {
    const isRead = no < MAX_READ_FILES;
    const seen = lookAt(join(root, path)); // before it is read: one that changes meanwhile is read again
    const after = captureFile(root, path, { store, maxBytes: isRead ? MAX_EDITED_BYTES : -1 });
    const before = keepBefore(store, edit.before, after);
    return JSON.stringify({
      at,
      path,
      before: before && toStoredState(before),
      exact: (before && edit.isBeforeExact) || undefined,
      replaced: isRead ? keepReplaced(store, edit.replaced?.get(path)) : undefined,
      moved_to: edit.moved?.get(path),
      after: toStoredState(after),
      seen,
      tool: edit.tool,
      agent_id: edit.agentId,
      source: edit.isShell ? 'bash' : 'tool',
    });
  });
  if (lines.length < paths.length) lines.push(JSON.stringify({ at, shell: true }));
  if (lines.length > 0) appendLines(openLedger(store), Buffer.from(`${lines.join('\n')}\n`));
}

/** What an edit replaced is as large as the edit: it is kept as a content. */
function keepReplaced(store: string, replaced: Replaced | undefined): string | undefined {
  if (!replaced) return undefined;
  const text = JSON.stringify({ swaps: replaced.swaps, by_line: replaced.isByLine });
  return text.length > MAX_BEFORE_BYTES ? undefined : putBlob(store, Buffer.from(text));
}

/**
 * What the client says the file was. It is a text: line ends, byte order mark and what is no UTF-8 may be gone from it. The end of the
 * turn finds out whether those were the bytes.
 */
function keepBefore(store: string, text: string | null | undefined, after: FileState): FileState | undefined {
  if (text === null) return MISSING;
  if (text === undefined || text.length > MAX_BEFORE_BYTES) return undefined;
  const bytes = Buffer.from(text);
  const mode = 'mode' in after && typeof after.mode === 'number' ? after.mode : 0o644;
  return { kind: 'file', sha256: putBlob(store, bytes), size: bytes.length, mode };
}
