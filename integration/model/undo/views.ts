import type { TestRepo } from '../../support/repository/test-repo.ts';
import type { View } from '../../support/undo/view.ts';
import type { Mark } from './world.ts';

/** Paths of two views that differ, as far as the model can say what they should be. */
export const wrongPaths = (now: View, { view, foreign }: Mark): string[] =>
  pathsThatDiffer(now, view).filter((path) => !foreign.has(path));

export const pathsOf = (...views: readonly View[]): string[] => [
  ...new Set(views.flatMap((view) => Object.keys(view))),
];

export const pathsThatDiffer = (a: View, b: View): string[] =>
  pathsOf(a, b).filter((path) => a[path] !== b[path]);

export const linesOf = (view: View, path: string): string[] =>
  (view[path] ?? '').replace(/^\d+ /, '').split('\n');

/** Paths that any stash has, untracked ones among them. */
export const stashedPaths = (repo: TestRepo): string[] =>
  listOf(repo.git('stash', 'list', '--format=%gd'), '\n').flatMap((stash) =>
    listOf(repo.git('stash', 'show', '--include-untracked', '--name-only', '-z', stash), '\0'),
  );

const listOf = (text: string, end: string): string[] => text.split(end).filter(Boolean);
