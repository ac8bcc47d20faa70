import { counted } from '../../base/text/text.ts';

/** What `entire import` says. */

export const FLAGS = {
  range: 'Commits as `git log` takes them, whose notes are looked through; by default all that have one',
  format: 'git-ai: authorship notes (refs/notes/ai)',
  dryRun: 'Only look through the notes',
} as const;

export const NO_FORMAT = '--format is needed: git-ai';
export const noNotes = (range: string | undefined): string =>
  range === undefined
    ? 'No notes of git-ai here (refs/notes/ai).'
    : `No notes of git-ai (refs/notes/ai) on commits of ${range}.`;
export const NO_NOTES_HINT = '`git fetch origin refs/notes/ai:refs/notes/ai` gets those of a remote.';
export const NOT_ENABLED = 'Entire does not work in this worktree, so that nothing would read the notes';
export const NOT_ENABLED_HINT = 'Run `entire enable` first.';

export const looked = (notes: number, believed: number, refused: ReadonlyMap<string, number>): string[] => [
  `${counted(notes, 'note')} of git-ai: ${believed} can be read.`,
  ...[...refused].map(([reason, count]) => `${counted(count, 'note')} refused: ${reason}.`),
];
export const DONE =
  '✓ `entire blame`, `stats` and `export` go by them where there is no record of Entire (reason `git-ai`).\n  To reverse this: entire config unset import.git_ai_notes';
export const ALREADY =
  'They are in use already: the setting import.git_ai_notes is on. To reverse this: entire config unset import.git_ai_notes';
