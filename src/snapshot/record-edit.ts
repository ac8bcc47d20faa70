import { join } from 'node:path';
import { appendLines } from '../base/append-lines.ts';
import { now } from '../base/clock.ts';
import { disk } from '../base/disk.ts';
import { isObject, parseJson } from '../base/json.ts';
import { parseRepoPath, type RepoPath } from '../base/repo-path.ts';
import { readOwnText } from '../base/small-file.ts';
import type { Replaced } from '../base/swaps.ts';
import { captureFile, putBlob } from './blobs.ts';
import { type FileState, isSameState, MISSING, parseFileState, toStoredState } from './file-state.ts';

/** Larger files are looked at when the turn ends. */
const MAX_BYTES = 1024 * 1024;
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
}

/**
 * Notes what an edit made of its files, and keeps what they were before where the client says so. On the hot path: one
 * read, one append, and one write for each content that is not kept yet.
 *
 * @throws the system error
 */
export function recordEdit(store: string, root: string, paths: readonly RepoPath[], edit: ToolEdit): void {
  const at = now().toISOString();
  const lines = paths.map((path) => {
    const after = captureFile(root, path, { store, maxBytes: MAX_BYTES });
    const before = keepBefore(store, edit.before, after);
    return JSON.stringify({
      at,
      path,
      before: before && toStoredState(before),
      exact: (before && edit.isBeforeExact) || undefined,
      replaced: keepReplaced(store, edit.replaced?.get(path)),
      after: toStoredState(after),
      tool: edit.tool,
      agent_id: edit.agentId,
      source: edit.isShell ? 'bash' : 'tool',
    });
  });
  if (lines.length > 0) appendLines(openLedger(store), Buffer.from(`${lines.join('\n')}\n`));
}

/** What an edit replaced is as large as the edit: it is kept as a content. */
function keepReplaced(store: string, replaced: Replaced | undefined): string | undefined {
  if (!replaced) return undefined;
  const text = JSON.stringify({ swaps: replaced.swaps, by_line: replaced.isByLine });
  return text.length > MAX_BEFORE_BYTES ? undefined : putBlob(store, Buffer.from(text));
}

/**
 * A shell command of the agent is over. What it made of files that tools had written in the turn is noted as it is now: what is
 * written into them later is somebody else's. On the hot path as well; nothing where the session has nothing kept.
 *
 * @throws the system error
 */
export function recordShell(store: string, root: string): void {
  if (!disk.existsSync(store)) return;
  const at = now().toISOString();
  const changed = [...lastNoted(store)].flatMap(([path, last]) => {
    const after = captureFile(root, path, { store, maxBytes: MAX_BYTES });
    if (isSameState(after, last)) return [];
    return JSON.stringify({ at, path, after: toStoredState(after), source: 'bash', look: true });
  });
  const lines = [JSON.stringify({ at, shell: true }), ...changed];
  appendLines(openLedger(store), Buffer.from(`${lines.join('\n')}\n`));
}

/** What each file of the turn was when it was noted last. */
function lastNoted(store: string): Map<RepoPath, FileState> {
  const last = new Map<RepoPath, FileState>();
  for (const line of (readOwnText(openLedger(store), 'list') ?? '').split('\n')) {
    const edit = parseJson(line);
    const path = isObject(edit) && typeof edit.path === 'string' ? parseRepoPath(edit.path) : undefined;
    const after = isObject(edit) ? parseFileState(edit.after) : undefined;
    if (path && after) last.set(path, after);
  }
  return last;
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
