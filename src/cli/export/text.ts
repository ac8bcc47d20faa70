import { counted, showPath } from '../../base/text/text.ts';
import type { WrittenNotes } from '../../origin/export/write-notes.ts';

/** What `entire export` says. */

export const FLAGS = {
  range:
    'Commits as `git log` takes them (main..feature, v1.0..); by default those of this branch that the default branch does not have, and on the default branch the last 100',
  format: 'git-ai: authorship notes; agent-trace: Agent Trace records; json: all that is known of each line',
  output: 'Folder for one file for each commit, instead of stdout',
  writeNotes: 'Write git-ai notes to refs/notes/ai, never over a note of another program',
} as const;

export const NO_FORMAT = '--format is needed: git-ai, agent-trace or json';
export const NOTES_ONLY = '--write-notes goes with --format git-ai';
export const leftOut = (commit: string, path: string): string =>
  `${commit.slice(0, 7)}: notes of git-ai have no form for this path, which is left out: ${showPath(path)}`;
export const unread = (commit: string): string => `${commit.slice(0, 7)}: too large to be read, left out`;
export const cutOff = (count: number): string =>
  `${counted(count, 'commit')} left out: this clone is shallow and ends there, so that what they added cannot be told. \`git fetch --unshallow\` gets the rest.`;
export const missing = (count: number): string =>
  `${counted(count, 'commit')} ${count === 1 ? 'names a checkpoint that is' : 'name checkpoints that are'} not in this clone: run \`entire fetch\`.`;

export function notesWritten({ written, unchanged, foreign }: WrittenNotes, nothing: number): string {
  return [
    `✓ ${counted(written.length, 'note')} written to refs/notes/ai`,
    ...(unchanged.length > 0 ? [`${unchanged.length} there already`] : []),
    ...(nothing > 0 ? [`${counted(nothing, 'commit')} of which no line is known`] : []),
    ...(foreign.length > 0 ? [`${foreign.length} left: another program wrote the note`] : []),
  ].join('; ');
}
export const filesWritten = (count: number, folder: string): string =>
  `✓ ${counted(count, 'file')} written to ${showPath(folder)}`;
export const noFolder = (folder: string, why: string): string =>
  `the folder ${showPath(folder)} could not be made: ${why}`;
/** By the system's code. Its own words for the last one would be those of a folder that somebody took away. */
export const NO_FOLDER: Readonly<Record<string, string>> = {
  EEXIST: 'a file stands there',
  ENOTDIR: 'a file stands on its way',
  ENOENT: 'no folder can be made there',
};
export const FOLDER_HINT = 'Give --output a folder that you can write to; it is made where it is not there.';
