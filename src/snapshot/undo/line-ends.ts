import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { type IndexSize, readIndexSizes } from '../../git/worktree/index-sizes.ts';
import { putBlob } from '../store/blobs.ts';
import { readBlob } from '../store/chunks.ts';
import type { FileState } from '../store/file-state.ts';

/** What a clean path had, given what git has of it, and what a checkout makes of that; `undefined` where it was something else. */
export type AsItWas = (path: RepoPath, clean: FileState, checkedOut: FileState) => FileState | undefined;

/**
 * A path can be clean with other line ends than a checkout writes (`text=auto`, `core.autocrlf`). The index knows the size that it had:
 * with the same text, that tells which line ends those were. One process.
 */
export function asItWas(store: string, git: Git, paths: Iterable<RepoPath>): AsItWas {
  const asked = [...new Set(paths)];
  const sizes = asked.length === 0 ? new Map<string, IndexSize>() : readIndexSizes(git, asked);
  return (path, clean, checkedOut) => {
    const noted = sizes.get(path);
    if (clean.kind !== 'git' || checkedOut.kind !== 'file' || noted?.oid !== clean.oid) return checkedOut;
    if (noted.size === 0 || noted.size === checkedOut.size) return checkedOut;
    const bytes = readBlob(store, checkedOut.sha256);
    if (bytes.includes(0)) return undefined;
    const lf = bytes.toString('latin1').replaceAll('\r\n', '\n');
    const found = [lf, lf.replaceAll('\n', '\r\n')].find(({ length }) => length === noted.size);
    if (found === undefined) return undefined;
    const fitting = Buffer.from(found, 'latin1');
    return { ...checkedOut, sha256: putBlob(store, fitting, { fsync: true }), size: fitting.length };
  };
}
