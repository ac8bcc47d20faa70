import { join } from 'node:path';
import { disk } from '../base/disk.ts';
import { EntireError } from '../base/errors.ts';
import { readWorktreeText } from '../base/small-file.ts';
import { writeFileAtomic } from '../base/write-file-atomic.ts';

/** What of `.entire/` is private to this machine. */
const IGNORED = ['tmp/', 'settings.local.json', 'metadata/', 'logs/'] as const;

/**
 * Makes `.entire/` and the lines that its `.gitignore` needs. Lines of the user's own stay.
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
  const present = new Set(text.split('\n').map((line) => line.trim()));
  const missing = IGNORED.filter((line) => !present.has(line));
  if (missing.length === 0) return false;
  const glue = text === '' || text.endsWith('\n') ? '' : '\n';
  writeFileAtomic(file, `${text}${glue}${missing.join('\n')}\n`, { mode: 0o644 });
  return true;
}
