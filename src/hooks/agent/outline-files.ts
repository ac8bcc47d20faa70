import { join } from 'node:path';
import { disk, lstatInWorktree } from '../../base/file/disk.ts';
import type { Outline } from '../../context/compaction/after-compaction.ts';

/** A compaction takes a model many seconds; outlines, which take milliseconds each as a rule, have so long. */
const OUTLINE_MS = 3_000;
const MAX_OUTLINES = 20;
const MAX_OUTLINED_BYTES = 256 << 10;

/** Outlines of source files, as far as there is time; files that are gone, large, or in a language without a grammar have none. */
export async function outlineFiles(root: string, paths: readonly string[]): Promise<Outline[]> {
  const until = performance.now() + OUTLINE_MS;
  const outlines: Outline[] = [];
  // What loads the parser.
  const { readStructure } = await import('../../context/skeleton/read-structure.ts');
  const { showStructure } = await import('../../context/skeleton/source-view.ts');
  for (const path of paths) {
    if (performance.now() > until || outlines.length === MAX_OUTLINES) break;
    const text = readSmall(root, path);
    const left = Math.max(1, until - performance.now());
    const reading = text === undefined ? undefined : await readStructure(path, text, left);
    if (reading?.status !== 'read' || text === undefined) continue;
    const { text: outline } = showStructure(text, reading.structure, { mode: 'outline' });
    if (outline !== '') outlines.push({ path, text: outline });
  }
  return outlines;
}

/** The text of a file of the worktree that is no link and not large. One that cannot be read has none. */
function readSmall(root: string, path: string): string | undefined {
  try {
    const stat = lstatInWorktree(root, path);
    return stat?.isFile() && stat.size <= MAX_OUTLINED_BYTES
      ? disk.readFileSync(join(root, path), 'utf8')
      : undefined;
  } catch {
    return undefined; // gone this moment, or not ours to read: the reminder names it all the same
  }
}
