import { isAbsolute } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { resolvePaths, shownPath } from './resolve-paths.ts';

/**
 * The images of a context, `![](path)` for each; the empty text where there are none. Entries are paths and globs, as those
 * of files are; what stands for no file is said. Paths are relative to `baseDir`. Without the heading of the section.
 */
export const buildScreenshotsSection = (baseDir: string, screenshots: readonly string[]): string =>
  [...new Set(screenshots.flatMap((entry) => linesFor(baseDir, entry)))].join('\n\n');

function linesFor(baseDir: string, entry: string): string[] {
  const paths = resolvePaths(baseDir, entry);
  const shownEntry = isAbsolute(entry) ? shownPath(baseDir, entry) : entry;
  if (paths.length === 0) return [`ERROR: no files matched: ${escapeLink(shownEntry)}`];
  return paths.map((path) => {
    const name = escapeLink(shownPath(baseDir, path, entry));
    return disk.existsSync(path) ? `![](${name})` : `ERROR: file not found: ${name}`;
  });
}

/** What would end the link, or its line, as it is written in an address. */
const escapeLink = (path: string): string =>
  path.replace(/[%\s()<>\\\p{Cc}\p{Zl}\p{Zp}]/gu, (found) =>
    Buffer.from(found).toString('hex').toUpperCase().replace(/../g, '%$&'),
  );
