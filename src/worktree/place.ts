import { basename, dirname, join } from 'node:path';
import { sha256Of } from '../base/hash.ts';

/** What decides where a worktree comes to lie unless somebody says it. */
export interface PlaceFacts {
  readonly name: string;
  /** Top of the main worktree; of a bare repository its own folder. */
  readonly main: string;
  readonly isBare: boolean;
  readonly commonDir: string;
  /** The folder for worktrees that cannot lie beside their repository. */
  readonly fallback: string;
  /** Whether `git status` of some worktree would show what is made in a folder. */
  isWatched(folder: string): boolean;
  isWritable(folder: string): boolean;
}

/**
 * The folder for a worktree: `<repository>.worktrees/<name>`, beside the repository. There nothing that works through the
 * repository (searches, linters, watchers, `git clean`) comes upon it, clients that trust a folder with all that lies below go on
 * trusting it, and it is on the same disk. Where what is beside the repository belongs to another repository (a submodule,
 * say), or cannot be written to, it is a folder of our own.
 */
export function choosePlace(facts: PlaceFacts): string {
  const { name, main, isBare, commonDir, fallback } = facts;
  // A bare repository hidden in a folder is there to have its worktrees around it.
  if (isBare && ['.git', '.bare'].includes(basename(main))) return join(dirname(main), name);
  const subject = isBare ? main.replace(/\.git$/, '') : main;
  const around = dirname(subject);
  if (!facts.isWatched(around) && facts.isWritable(around)) return join(`${subject}.worktrees`, name);
  const digest = sha256Of(commonDir).slice(0, 6);
  return join(fallback, `${basename(subject)}-${digest}`, name);
}
