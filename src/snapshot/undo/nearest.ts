import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { readBlob } from '../store/chunks.ts';
import { type FileState, isSameState } from '../store/file-state.ts';
import { mergeWithGit } from './merge-files.ts';
import { resolveGitStates } from './resolve.ts';

/** What a path was on both sides of a move of HEAD; `undefined` for what is no file of git's. */
export interface Versions {
  /** What both sides were made from. */
  readonly base: FileState | undefined;
  /** At the prompt. */
  readonly was: FileState | undefined;
  /** What commits that are not the turn's have of it. */
  readonly now: FileState | undefined;
  /** What it was at the prompt is in no commit: then it is never given up for what a commit has. */
  readonly isDirty: boolean;
}

/** Larger files are not compared. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Which version of a path a turn found that left `after`; `undefined` where that is the one of the prompt. */
export type FindNearest = (
  path: RepoPath,
  versions: Versions,
  after: FileState,
  how: FindingHow,
) => FileState | undefined;

/** Whether a change of a path is no more than what came by others' commits since the prompt. */
export type IsBrought = (
  path: RepoPath,
  sides: Pick<Versions, 'was' | 'now'>,
  change: { readonly before: FileState | undefined; readonly after: FileState },
) => boolean;

/** What else is known of what a turn found. */
export interface FindingHow {
  /** A hook noted the change: it may have come before what others changed. */
  readonly isNoted: boolean;
  /** HEAD is on its way, as in a rebase that stopped: what commits had made at the prompt may come yet. */
  readonly isReplaying: boolean;
}

/**
 * Judges which version of a path a turn found: what one side alone changed, that side tells. Where both did, it is the version that has
 * the most lines in common with what the turn left, or both merged. A few processes for each path of which both did.
 */
export function openNearest(
  store: string,
  git: Git,
): { readonly find: FindNearest; readonly isBrought: IsBrought } {
  const merge = mergeWithGit(store, git);
  const resolved = (path: RepoPath, state: FileState | undefined): FileState | undefined => {
    if (state?.kind !== 'git') return state;
    const found = resolveGitStates(store, git, [[path, state]])(path, state);
    return typeof found === 'string' ? undefined : found;
  };
  const linesOf = (state: FileState | undefined): Map<string, number> | undefined => {
    if (state?.kind === 'missing') return new Map();
    if (state?.kind !== 'file' || state.size > MAX_TEXT) return undefined;
    const lines = new Map<string, number>();
    for (const line of readBlob(store, state.sha256).toString('latin1').split('\n'))
      lines.set(line, (lines.get(line) ?? 0) + 1);
    return lines;
  };
  const find: FindNearest = (path, { base, was, now, isDirty }, after, { isNoted, isReplaying }) => {
    if (isSame(now, was) || isSame(now, base)) return undefined; // or what commits had made of it was lost with them
    const isOthersAlone = isSame(base, was) && !isNoted;
    if (!isDirty && (isOthersAlone || after.kind === 'missing')) return now;
    const [from, to, on] = [resolved(path, was), resolved(path, now), resolved(path, base)];
    const merged = from && to && on ? merge(from, on, to) : undefined;
    const sides = isNoted || isReplaying ? [from, to] : [to, from]; // the first of them where both are as near
    const left = linesOf(resolved(path, after));
    let best: { readonly state: FileState; readonly distance: number } | undefined;
    for (const state of isDirty ? [from, merged] : [...sides, merged]) {
      const lines = state && linesOf(state);
      const distance = lines && left ? countDifferent(lines, left) : Number.POSITIVE_INFINITY;
      if (state && (!best || distance < best.distance)) best = { state, distance };
    }
    if (!best || best.state === from) return undefined;
    return best.state === to ? now : best.state;
  };
  const isBrought: IsBrought = (path, { was, now }, { before, after }) => {
    const [on, from, to] = [resolved(path, was), before && resolved(path, before), resolved(path, now)];
    const merged = on && from && to && merge(from, on, to);
    return merged !== undefined && isSameState(merged, after);
  };
  return { find, isBrought };
}

const isSame = (a: FileState | undefined, b: FileState | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isSameState(a, b);

/** Lines that one of two texts has and the other has not, wherever they stand. */
function countDifferent(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let count = 0;
  for (const [line, times] of a) count += Math.abs(times - (b.get(line) ?? 0));
  for (const [line, times] of b) if (!a.has(line)) count += times;
  return count;
}
