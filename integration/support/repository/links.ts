import { why } from '../command/why.ts';
import type { TestRepo } from './test-repo.ts';

/** The checkpoints that a commit leads to, as `entire why` has it: its own first. */
export function linksOf(repo: TestRepo, commit = 'HEAD'): string[] {
  const { status, checkpoint, mentioned } = why(repo, commit);
  if (status !== 'linked') return [];
  const others = mentioned.filter(({ stored, misfit }) => stored && misfit === null);
  return [...(checkpoint ? [checkpoint] : []), ...others.map((one) => one.checkpoint)];
}

/** The checkpoints in a commit's note, in order; those of another tool's lines are none. */
export function notedIn(repo: TestRepo, commit = 'HEAD'): string[] {
  const { code, stdout } = repo.tryGit('notes', '--ref=refs/notes/entire', 'show', commit);
  return code === 0
    ? Array.from(stdout.matchAll(/^Entire-Checkpoint: ([0-9a-f]{12})$/gm), ([, id]) => id as string)
    : [];
}

/** `<class>:<reason>` of each line of a file. */
export const classesOf = (repo: TestRepo, file: string): string[] =>
  JSON.parse(repo.entire('blame', file, '--json').stdout).lines.map(
    (line: { class: string; reason: string }) => `${line.class}:${line.reason}`,
  );
