import { join } from 'node:path';
import { EntireError } from '../base/errors.ts';
import { appendText, disk, lstatIfExists } from '../base/file/disk.ts';
import { readUserBytes, readUserText, readWorktreeText } from '../base/file/small-file.ts';
import { makingFolder, writeFileAtomic } from '../base/file/write-file-atomic.ts';

/** What of `.entire/` is private to this machine. */
const IGNORED = ['tmp/', 'settings.local.json', 'metadata/', 'logs/'] as const;

/** The same in git's own list of a repository, which holds in all worktrees and at every commit, and which nobody shares. */
const EXCLUDED = IGNORED.map((name) => `/.entire/${name}`);

/**
 * Makes `.entire/` and the lines that its `.gitignore` needs, to be shared with the repository. Lines of the user's own stay.
 *
 * @returns whether something was written
 * @throws {EntireError} `WRITE_FAILED` when `.entire` is a symbolic link: what we write must stay in the worktree
 */
export function ensureGitignore(root: string): boolean {
  const dir = join(root, '.entire');
  if (disk.lstatSync(dir, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new EntireError('WRITE_FAILED', '.entire is a symbolic link.', { hint: 'Replace it by a folder.' });
  }
  const file = join(dir, '.gitignore');
  const text = readWorktreeText(root, '.entire/.gitignore', 'text') ?? '';
  const missing = linesMissing(text, IGNORED);
  if (missing.length === 0) return false;
  const glue = text === '' || text.endsWith('\n') ? '' : '\n';
  writeFileAtomic(file, `${text}${glue}${missing.join('\n')}\n`, { mode: 0o644 });
  return true;
}

/**
 * Keeps what is private in `.entire/` out of `git status`, whatever is checked out: a `.gitignore` that nobody has committed, or that
 * the commit of another branch lacks, would be shown itself, or show everything. Appends to what the user has there.
 *
 * @param lines others that are ours to hide
 * @throws {FileRefused} for what is no regular file; what the disk refuses, as it comes
 */
export function ensureExcluded(commonDir: string, lines: readonly string[] = EXCLUDED): void {
  const file = excludeFile(commonDir);
  const text = readUserText(file, 'text') ?? '';
  const missing = linesMissing(text, lines);
  if (missing.length === 0) return;
  const glue = text === '' || text.endsWith('\n') ? '' : '\n';
  // The user may keep it elsewhere, with a link here.
  const real = lstatIfExists(file)?.isSymbolicLink() ? disk.realpathSync.native(file) : file;
  makingFolder(real, () => appendText(real, `${glue}${missing.join('\n')}\n`));
}

/** Whether {@link removeExcluded} would have something to do. */
export const isExcluded = (commonDir: string): boolean =>
  linesMissing(readUserText(excludeFile(commonDir), 'text') ?? '', EXCLUDED).length < EXCLUDED.length;

/** Takes our lines out again. @throws what the disk refuses, as it comes */
export function removeExcluded(commonDir: string, ours: readonly string[] = EXCLUDED): void {
  const file = excludeFile(commonDir);
  // Byte for byte: patterns of the user's may be in any encoding.
  const lines = (readUserBytes(file, 'text')?.toString('latin1') ?? '').split('\n');
  const kept = lines.filter((line) => !ours.includes(line.trim()));
  if (kept.length === lines.length) return;
  const left = Buffer.from(kept.join('\n'), 'latin1');
  if (lstatIfExists(file)?.isSymbolicLink()) writeFileAtomic(disk.realpathSync.native(file), left);
  else if (left.toString('latin1').trim() === '') disk.rmSync(file, { force: true });
  else writeFileAtomic(file, left);
}

const excludeFile = (commonDir: string): string => join(commonDir, 'info', 'exclude');

function linesMissing(text: string, wanted: readonly string[]): string[] {
  const present = new Set(text.split('\n').map((line) => line.trim()));
  return wanted.filter((line) => !present.has(line));
}
