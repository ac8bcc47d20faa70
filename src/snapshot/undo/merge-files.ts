import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { newId } from '../../base/ids.ts';
import { type Git, runGit } from '../../git/run.ts';
import { putBlob } from '../store/blobs.ts';
import { readBlob } from '../store/chunks.ts';
import { canRun, type FileState, withRunBit } from '../store/file-state.ts';
import type { Merge } from './invert.ts';

/** Exit codes of `git merge-file`: the number of conflicts, and 255 where there was nothing to merge, as with binaries. */
const ANSWERS = Array.from({ length: 256 }, (_, code) => code);

/**
 * Merges by `git merge-file`, and keeps the result. Files only; a mode that one side changed is the result's.
 *
 * @see https://git-scm.com/docs/git-merge-file
 */
export function mergeWithGit(store: string, git: Git): Merge {
  return (current, base, other) => {
    if (current.kind !== 'file' || base.kind !== 'file' || other.kind !== 'file') return undefined;
    const bytes = mergeBytes(store, git, current, base, other);
    if (!bytes) return undefined;
    const isRun = canRun(base) === canRun(other) ? canRun(current) : canRun(other);
    const mode = withRunBit(current.mode, isRun);
    return { kind: 'file', sha256: putBlob(store, bytes, { fsync: true }), size: bytes.length, mode };
  };
}

/** Whether a byte of 10 ends a line in it: not so in UTF-16, where it may be half of a letter. Git looks at the first 8,000 bytes only. */
const hasLines = (bytes: Buffer): boolean =>
  !bytes.includes(0) && !['fffe', 'feff'].includes(bytes.subarray(0, 2).toString('hex'));

type Content = Extract<FileState, { kind: 'file' }>;

function mergeBytes(store: string, git: Git, ...versions: readonly Content[]): Buffer | undefined {
  const [current, base, other] = versions;
  if (current?.sha256 === base?.sha256) return other && readBlob(store, other.sha256);
  if (base?.sha256 === other?.sha256) return current && readBlob(store, current.sha256);
  const contents = versions.map(({ sha256 }) => readBlob(store, sha256));
  if (!contents.every(hasLines)) return undefined;
  const folder = join(store, `staging-${newId()}`);
  try {
    disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const files = contents.map((bytes, at) => {
      const file = join(folder, String(at));
      disk.writeFileSync(file, bytes, { mode: 0o600 });
      return file;
    });
    const { code, stdout } = runGit(git, ['merge-file', '-p', '--quiet', ...files], { okCodes: ANSWERS });
    return code === 0 ? stdout : undefined;
  } finally {
    disk.rmSync(folder, { recursive: true, force: true });
  }
}
