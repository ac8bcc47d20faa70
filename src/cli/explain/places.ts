import { isAbsolute } from 'node:path';
import type { Act } from '../../conversation/acts.ts';
import { homely } from '../ui/paths.ts';

/** Says paths of a conversation as they are from the top of the worktree. */
export interface Places {
  /** From the top; where it lies elsewhere, with `~` for the home. */
  readonly shorten: (path: string) => string;
  /** A command, with the paths in it as they are from the top. */
  readonly inCommand: (command: string) => string;
}

/**
 * @param root top of this worktree
 * @param acts what was done, perhaps in another clone: where its worktree was is told by the files
 * @param files that are known to have been written, from the top
 */
export function placesOf(root: string, acts: readonly Act[], files: readonly string[]): Places {
  const roots = [...new Set([root, ...rootsIn(acts, files)])];
  const below = (path: string): string | undefined => {
    const top = roots.find((one) => path === one || path.startsWith(`${one}/`));
    return top === undefined ? undefined : path.slice(top.length + 1) || '.';
  };
  return {
    shorten: (path) => below(path) ?? homely(path),
    inCommand: (command) => roots.reduce((said, one) => withoutRoot(said, one), command),
  };
}

/** Where a worktree must have been whose files have these names: what most of them say. */
function rootsIn(acts: readonly Act[], files: readonly string[]): string[] {
  const votes = new Map<string, number>();
  const named = acts.flatMap((act) => ('path' in act && isAbsolute(act.path) ? act.path : []));
  for (const path of new Set(named))
    for (const file of files)
      if (path.endsWith(`/${file}`)) {
        const root = path.slice(0, -file.length - 1);
        if (root !== '') votes.set(root, (votes.get(root) ?? 0) + 1);
      }
  const [first] = [...votes].sort(([one, a], [other, b]) => b - a || one.length - other.length);
  return first ? [first[0]] : [];
}

/** An agent goes to the top first, and names files in full. */
function withoutRoot(command: string, root: string): string {
  const top = root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return command
    .replace(new RegExp(`^cd (["']?)${top}/?\\1\\s*(?:&&|;)\\s*`), '')
    .replace(new RegExp(`(?<=^|[\\s"'=:(<>])${top}/(?=[^\\s"'])`, 'g'), '');
}
