import { describeError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import { type ReadObjects, readObjects } from '../git/object/objects.ts';
import { readSizes } from '../git/object/sizes.ts';
import type { Git } from '../git/run.ts';
import { storeOf } from '../snapshot/place.ts';
import { partsOf } from '../snapshot/record/snapshot-record.ts';
import { readBlob } from '../snapshot/store/chunks.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import { diffLines, type LineDiff, newBudget } from '../strategy/attribution/line-diff.ts';
import { workIn } from '../strategy/work.ts';
import type { WorktreeStep } from './worktree-steps.ts';

/** What of a step is counted. */
type CountedStep = Pick<WorktreeStep, 'session' | 'record' | 'paths'>;

/** Of more files, and of larger ones, lines are not counted: a list is to be there at once. */
const MAX_FILES = 1_000;
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 32 * MAX_BYTES;

/**
 * Lines that each of some steps added and removed; of an undo, those that a redo of it would. `undefined` where that is not known: the
 * content of one of its files was not kept, is no text, or is too large to be looked at for a list. Two processes.
 */
export function countStepLines(repo: Repo, steps: readonly CountedStep[]): Array<LineDiff | undefined> {
  const changed = steps.map((step) => changesOf(step));
  if (changed.reduce((sum, { length }) => sum + length, 0) > MAX_FILES) return steps.map(() => undefined);
  const oids = changed
    .flat()
    .flatMap(({ before, after }) =>
      [before, after].flatMap((state) => (state?.kind === 'git' ? state.oid : [])),
    );
  const objects = readSmall(workIn(repo).git, [...new Set(oids)]);
  const budget = newBudget();
  const read = (step: CountedStep, state: FileState | undefined): string | undefined => {
    if (!state || state.kind === 'missing') return state && '';
    if (state.kind === 'git') return toText(objects.get(state.oid)?.data);
    const isSmall = state.kind === 'link' || (state.kind === 'file' && state.size <= MAX_BYTES);
    if (!isSmall) return undefined;
    try {
      return toText(readBlob(storeOf(repo, step.session), state.sha256));
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

/** What git has, as far as it is small. A number beside a line is no reason to hold much in memory, or to fail. */
function readSmall(git: Git, oids: readonly string[]): ReadObjects {
  try {
    const sizes = readSizes(git, oids as readonly ObjectId[]);
    let left = MAX_TOTAL_BYTES;
    const small = [...sizes].flatMap(([oid, size]) => {
      if (size > MAX_BYTES || size > left) return [];
      left -= size;
      return oid;
    });
    return readObjects(git, small);
  } catch (error) {
    log('info', 'lines of steps not counted', { error: describeError(error) });
    return new Map();
  }
}

function changesOf({
  record,
  paths,
}: CountedStep): Array<{ before: FileState | undefined; after: FileState }> {
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
