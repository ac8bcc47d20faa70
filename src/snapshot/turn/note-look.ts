import { join } from 'node:path';
import { appendLines } from '../../base/file/append-lines.ts';
import { disk, lstatInWorktree } from '../../base/file/disk.ts';
import { sha256Of } from '../../base/hash.ts';
import type { RepoPath } from '../../base/repo-path.ts';

/** Larger files are not read for it. */
const MAX_BYTES = 1024 * 1024;
/** Beyond that it is begun anew: losing it costs an unasked undo, not data. */
const MAX_NOTED_BYTES = 4 * 1024 * 1024;

/** What files were when the agent read them: digests, and no contents, one JSON line each. */
export const looksFile = (store: string): string => join(store, 'looks.jsonl');

/**
 * Notes by its digest what a file is that the agent reads: what it tells of the file at its next edit is then known to be those
 * bytes. On the hot path: one read and one append; nothing where the session has nothing kept.
 *
 * @throws the system error
 */
export function noteLook(store: string, root: string, path: RepoPath): void {
  if (!disk.existsSync(store)) return;
  const stat = lstatInWorktree(root, path);
  if (!stat?.isFile() || stat.size > MAX_BYTES) return;
  const sha256 = sha256Of(disk.readFileSync(join(root, path)));
  const file = looksFile(store);
  if ((disk.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_NOTED_BYTES) disk.rmSync(file);
  appendLines(file, Buffer.from(`${JSON.stringify({ path, sha256 })}\n`));
}
