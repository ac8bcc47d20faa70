import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { readObjects } from '../git/objects.ts';
import { readBlob } from '../snapshot/chunks.ts';
import type { FileState } from '../snapshot/file-state.ts';
import { partsOf } from '../snapshot/record.ts';
import { diffLines, type LineDiff, newBudget } from '../strategy/attribution/line-diff.ts';
import { workIn } from '../strategy/work.ts';
import { placeOf } from './step-back.ts';
import type { WorktreeStep } from './worktree-steps.ts';

/** Of more files, and of larger ones, lines are not counted: a list is to be there at once. */
const MAX_FILES = 1_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Lines that each of some steps added and removed; of an undo, those that a redo of it would. `undefined` where that is not known: of one of its files the content was not kept,
 * it is no text, or it is too large to be looked at for a list. One process.
 */
export function countStepLines(repo: Repo, steps: readonly WorktreeStep[]): Array<LineDiff | undefined> {
  const changed = steps.map((step) => changesOf(step));
  if (changed.reduce((sum, { length }) => sum + length, 0) > MAX_FILES) return steps.map(() => undefined);
  const oids = changed
    .flat()
    .flatMap(({ before, after }) =>
      [before, after].flatMap((state) => (state?.kind === 'git' ? state.oid : [])),
    );
  const objects = readObjects(workIn(repo).git, [...new Set(oids)]);
  const budget = newBudget();
  const read = (step: WorktreeStep, state: FileState | undefined): string | undefined => {
    if (!state || state.kind === 'missing') return state && '';
    if (state.kind === 'git') return toText(objects.get(state.oid)?.data);
    const isSmall = state.kind === 'link' || (state.kind === 'file' && state.size <= MAX_BYTES);
    if (!isSmall) return undefined;
    try {
      return toText(readBlob(placeOf(repo, step.session).store, state.sha256));
    } catch {
      return undefined; // gone or damaged: what becomes of the file is said where it is put back
    }
  };
  return steps.map((step, at) => {
    let sum: LineDiff | undefined = { added: 0, removed: 0 };
    for (const { before, after } of changed[at] ?? []) {
      const [was, is] = [read(step, before), read(step, after)];
      if (was === undefined || is === undefined || !sum) return undefined;
      const { added, removed } = diffLines(was, is, budget);
      sum = { added: sum.added + added, removed: sum.removed + removed };
    }
    return sum;
  });
}

function changesOf({
  record,
  paths,
}: WorktreeStep): Array<{ before: FileState | undefined; after: FileState }> {
  const isNamed = (path: RepoPath): boolean => paths.has(path);
  const parts = [...record.files].flatMap(([path, change]) => (isNamed(path) ? partsOf(change) : []));
  if (record.kind !== 'undo') return parts;
  return parts.flatMap(({ before, after }) => (before ? { before: after, after: before } : []));
}

/** Line ends are no change of a line: git and a worktree may have other ones of the same text. */
function toText(bytes: Buffer | undefined): string | undefined {
  if (!bytes || bytes.length > MAX_BYTES || bytes.includes(0)) return undefined;
  return bytes.toString('latin1').replaceAll('\r\n', '\n');
}
