import type { ChangePart } from '../record/snapshot-record.ts';
import { NO_FILE, withModeOf } from '../restore.ts';
import { canRun, type FileState, isSameState } from '../store/file-state.ts';

/** One change that is to be taken back, its states without any of kind `git`. */
export interface Inverted extends ChangePart {
  /** Found by looking, in a turn in which everything that can write files was on record. */
  readonly isUnclaimed: boolean;
}

/** Three versions of a file as one; `undefined` when they contradict each other, or are no texts. */
export type Merge = (current: FileState, base: FileState, other: FileState) => FileState | undefined;

export interface InvertOptions {
  readonly merge: Merge;
  /** The user asks for it, whoever changed the file since. */
  readonly isForced: boolean;
  /** The user named the path. */
  readonly isNamed: boolean;
  readonly isIgnored: boolean;
}

/** What becomes of a path. */
export type Verdict = 'restored' | 'merged' | 'already' | 'left';

export interface Inversion {
  readonly verdict: Verdict;
  /** What the path is to be; what it is where it is left. */
  readonly to: FileState;
  /** Why it is left; empty otherwise. */
  readonly why: string;
  /** It is left since no earlier version is kept. */
  readonly isLost?: boolean;
}

/**
 * What taking back some changes makes of a path, the newest change first. The path is put back only where it is what the session
 * left; where somebody changed it since, the change is taken out of what they made of it, or the path is left.
 */
export function invert(current: FileState, changes: readonly Inverted[], options: InvertOptions): Inversion {
  let to = current;
  let isMerged = false;
  for (const change of changes) {
    const step = invertOne(to, change, options);
    if (step.verdict === 'left') return { ...step, to: current };
    if (step.verdict === 'merged') isMerged = true;
    to = step.to;
  }
  if (isSameState(to, current)) return { verdict: 'already', to: current, why: '' };
  return { verdict: isMerged ? 'merged' : 'restored', to, why: '' };
}

/** Whether a path that was left would not be, if somebody named it and asked for the earlier version whatever there is. */
export const yieldsToForce = (
  current: FileState,
  changes: readonly Inverted[],
  options: InvertOptions,
): boolean => invert(current, changes, { ...options, isForced: true, isNamed: true }).verdict !== 'left';

/** Whether a path becomes an earlier version only since the user asks for it: it is not what was left there. */
export const needsForce = (
  current: FileState,
  changes: readonly Inverted[],
  options: InvertOptions,
): boolean =>
  options.isForced &&
  /^(left|merged)$/.test(invert(current, changes, { ...options, isForced: false }).verdict);

/** Why there is no earlier version to go back to; empty where there is one. */
function whyLost(before: FileState | undefined): string {
  if (before === undefined) return 'what it was before is not known';
  if (before.kind === 'other' || before.kind === 'git') return 'what it was before is not kept';
  return before.kind === 'unkept' ? 'what it was before was too large to keep' : '';
}

function invertOne(current: FileState, change: Inverted, options: InvertOptions): Inversion {
  const { before, after } = change;
  const left = (why: string): Inversion => ({ verdict: 'left', to: current, why });
  if (current.kind === 'other') return left(NO_FILE);
  const lost = whyLost(before);
  if (before === undefined || lost !== '')
    return { ...left(`${current.kind === 'missing' ? 'it is gone, and ' : ''}${lost}`), isLost: true };
  if (isSameState(current, before)) return { verdict: 'already', to: current, why: '' };
  if (change.isDoubtful && !options.isForced)
    return left("its earlier version is known only by the agent's own account, which may not be exact");
  if (options.isIgnored && !options.isNamed)
    return left('git ignores it: name it with --files to restore it');
  if (change.isUnclaimed && !options.isNamed)
    return left('it changed during the turn, and no tool of the agent says so: name it with --files');
  if (isSameState(current, after))
    return { verdict: 'restored', to: withModes(current, change, before), why: '' };
  if (options.isForced) return { verdict: 'restored', to: withModeOf(current, before), why: '' };
  if (current.kind === 'missing') return left('it was removed since');
  if (after.kind === 'missing') return left('it was recreated since');
  if (before.kind === 'missing') return left('it was not there before, and was changed since');
  const merged = options.merge(current, after, before);
  return merged
    ? { verdict: 'merged', to: merged, why: '' }
    : left('it was changed since, and the two changes touch the same lines');
}

/** The mode comes back with the content, where nobody changed it since. */
function withModes(current: FileState, { after }: Inverted, before: FileState): FileState {
  if (current.kind !== 'file' || before.kind !== 'file' || after.kind !== 'file') return before;
  const isAsLeft = current.mode === after.mode && canRun(before) === canRun(current);
  return isAsLeft ? before : withModeOf(current, before);
}
