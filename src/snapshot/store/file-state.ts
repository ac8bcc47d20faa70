import { isObject } from '../../base/text/json.ts';

/** What stands at a path. Contents are named by the SHA-256 of their bytes, and kept apart. */
export type FileState =
  | { readonly kind: 'missing' }
  /** `mode`: permission bits. */
  | { readonly kind: 'file'; readonly sha256: string; readonly size: number; readonly mode: number }
  /** The content is where the link leads. */
  | { readonly kind: 'link'; readonly sha256: string }
  /** As git checks it out: a path that was clean, whose content git keeps. */
  | { readonly kind: 'git'; readonly oid: string; readonly mode: GitMode }
  /** A file whose content was not kept; known again by its size and time. */
  | { readonly kind: 'unkept'; readonly size: number; readonly mtimeMs: number; readonly mode: number }
  /** A folder, a socket, or something reached through a link: nothing that is ever replaced. */
  | { readonly kind: 'other' };

export type GitMode = '100644' | '100755' | '120000';

export const MISSING: FileState = { kind: 'missing' };

/** Whether a path has the same content; of modes only whether the file can be run counts, as for git. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.sha256 === b.sha256 && canRun(a) === canRun(b);
  if (a.kind === 'link' && b.kind === 'link') return a.sha256 === b.sha256;
  if (a.kind === 'git' && b.kind === 'git') return a.oid === b.oid && a.mode === b.mode;
  if (a.kind === 'unkept' && b.kind === 'unkept')
    return a.size === b.size && a.mtimeMs === b.mtimeMs && canRun(a) === canRun(b);
  return a.kind === 'missing' && b.kind === 'missing';
}

export const canRun = ({ mode }: { readonly mode: number }): boolean => (mode & 0o111) !== 0;

/** Permission bits with which a file can be run by whoever can read it, or by nobody. */
export const withRunBit = (mode: number, isRun: boolean): number =>
  isRun ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;

/** As it stands in our JSON files. */
export function toStoredState(state: FileState): Record<string, unknown> {
  if (state.kind !== 'unkept') return { ...state };
  const { mtimeMs, ...rest } = state;
  return { ...rest, mtime_ms: mtimeMs };
}

/** Reads {@link toStoredState}; `undefined` for anything that is none. */
export function parseFileState(value: unknown): FileState | undefined {
  if (!isObject(value)) return undefined;
  const { kind, sha256, size, mode, oid, mtime_ms: mtimeMs } = value;
  switch (kind) {
    case 'missing':
    case 'other':
      return { kind };
    case 'file':
      return isDigest(sha256) && isCount(size) && isCount(mode) ? { kind, sha256, size, mode } : undefined;
    case 'link':
      return isDigest(sha256) ? { kind, sha256 } : undefined;
    case 'git':
      return typeof oid === 'string' && /^[0-9a-f]{40,64}$/.test(oid) && isGitMode(mode)
        ? { kind, oid, mode }
        : undefined;
    case 'unkept':
      return isCount(size) && typeof mtimeMs === 'number' && isCount(mode)
        ? { kind, size, mtimeMs, mode }
        : undefined;
    default:
      return undefined;
  }
}

export const isDigest = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isGitMode = (value: unknown): value is GitMode =>
  value === '100644' || value === '100755' || value === '120000';
