import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { readBlob } from '../store/chunks.ts';
import { type FileState, isSameState, MISSING } from '../store/file-state.ts';
import { mergeWithGit } from './merge-files.ts';
import { type ResolveState, resolveGitStates } from './resolve.ts';

/** What a path was on both sides of a move of HEAD; `undefined` for what is no file of git's. */
export interface Versions {
  /** What both sides were made from. */
  readonly base: FileState | undefined;
  /** At the prompt. */
  readonly was: FileState | undefined;
  /** What commits that are not the turn's have of it. */
  readonly now: FileState | undefined;
  /** What it was at the prompt is in no commit: then it is given up only for what has all of its lines. */
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

/**
 * What others' commits, from one version to another, make of a path that a change went on from; `undefined` where the change does not
 * look as if that came with it.
 */
export type FindBrought = (
  path: RepoPath,
  sides: Pick<Versions, 'was' | 'now'>,
  change: { readonly before: FileState | undefined; readonly after: FileState },
  own: OwnCommit,
) => FileState | undefined;

/** What speaks for it that a commit without a checkpoint took the turn's own work, and is none of others': both. */
export interface OwnCommit {
  /** What edits of the turn left. */
  readonly made: readonly FileState[];
  /** Whether `git commit` made, here and in this turn, what `now` is. */
  readonly isMadeHere: () => boolean;
}

/** What else is known of what a turn found. */
export interface FindingHow {
  /** A hook noted the change: it may have come before what others changed. */
  readonly isNoted: boolean;
  /** What is held against the versions is what was there before, as the hook was told, and not what the turn left. */
  readonly isTold: boolean;
  /** A tool made the file, though it was there at the prompt: gone in between, it was what HEAD has. */
  readonly isMadeAnew: boolean;
  /** HEAD is on its way, as in a rebase that stopped: what commits had made at the prompt may come yet. */
  readonly isReplaying: boolean;
  /** What edits of the turn left: where HEAD has that, somebody committed the turn's own work. */
  readonly made: readonly FileState[];
}

/** Of more paths both sides are not merged, which takes a process for each. */
const MAX_MERGES = 100;

/**
 * Judges which version of a path a turn found: what one side alone changed, that side tells. Where both did, it is the version that has
 * the most lines in common with what the turn left, or both merged. A few processes for all paths, and one for each that has to be merged.
 *
 * @param asked what may be asked of: git is asked for all of it at once
 */
export function openNearest(
  store: string,
  git: Git,
  asked: ReadonlyMap<RepoPath, Versions>,
): { readonly find: FindNearest; readonly findBrought: FindBrought } {
  const merge = mergeWithGit(store, git);
  let merges = 0;
  let resolveAsked: ResolveState | undefined;
  const resolved = (path: RepoPath, state: FileState | undefined): FileState | undefined => {
    if (state?.kind !== 'git') return state;
    resolveAsked ??= resolveGitStates(store, git, wantedOf(asked));
    const known = resolveAsked(path, state);
    const found = known === state ? resolveGitStates(store, git, [[path, state]])(path, state) : known;
    return typeof found === 'string' ? undefined : found;
  };
  const linesOf = (state: FileState | undefined): Lines | undefined => {
    if (state?.kind === 'missing') return new Map();
    if (state?.kind !== 'file' || state.size > MAX_TEXT) return undefined;
    const lines = new Map<string, number>();
    for (const line of readBlob(store, state.sha256).toString('latin1').split('\n'))
      lines.set(line, (lines.get(line) ?? 0) + 1);
    return lines;
  };
  /** Whether a version is something that the turn made, perhaps with lines of somebody else. */
  const isTakenUp = (state: FileState | undefined, made: readonly FileState[]): boolean => {
    if (!state) return false;
    if (isAmong(made, state)) return true;
    const lines = linesOf(state);
    return made.some((left) => left.kind === 'file' && hasAllLines(lines, linesOf(left)));
  };
  const find: FindNearest = (path, versions, after, { isNoted, isTold, isMadeAnew, isReplaying, made }) => {
    const { base, was, now, isDirty } = versions;
    if (isMadeAnew && !isDirty) return isTakenUp(resolved(path, now), made) ? undefined : (now ?? MISSING);
    if (!isChangedByOthers(versions)) return undefined;
    if (!isDirty && (isByOthersAlone(versions, isNoted) || (after.kind === 'missing' && !isTold))) return now;
    const [from, to, on] = [resolved(path, was), resolved(path, now), resolved(path, base)];
    if (to && isAmong(made, to)) return undefined;
    const left = linesOf(resolved(path, after));
    const distanceTo = (state: FileState): number => {
      const lines = linesOf(state);
      return lines && left ? countDifferent(lines, left) : Number.POSITIVE_INFINITY;
    };
    let best: { readonly state: FileState; readonly distance: number } | undefined;
    const consider = (state: FileState | undefined): void => {
      const distance = state ? distanceTo(state) : Number.POSITIVE_INFINITY;
      if (state && (!best || distance < best.distance)) best = { state, distance };
    };
    const isKept = !isDirty || (from && to && hasAllLines(linesOf(to), linesOf(from)));
    // The first of them where both are as near.
    for (const state of isNoted || isReplaying || isDirty ? [from, to] : [to, from])
      if (state !== to || isKept) consider(state);
    if (best?.distance !== 0 && from && to && on && merges++ < MAX_MERGES) consider(merge(from, on, to));
    if (!best || best.state === from) return undefined;
    return best.state === to ? now : best.state;
  };
  const findBrought: FindBrought = (path, { was, now }, { before, after }, { made, isMadeHere }) => {
    const [on, from, to] = [resolved(path, was), before && resolved(path, before), resolved(path, now)];
    if (!on || !from || !to || isSameState(from, after)) return undefined;
    if (isAmong(made, to) && isMadeHere()) return undefined;
    const brought = merge(from, on, to);
    if (!brought || isSameState(brought, from)) return undefined;
    if (isSameState(brought, after)) return brought;
    const [left, lines, old] = [linesOf(after), linesOf(brought), linesOf(from)];
    const isNearer = left && lines && old && countDifferent(lines, left) < countDifferent(old, left);
    return isNearer ? brought : undefined;
  };
  return { find, findBrought };
}

const isAmong = (states: readonly FileState[], state: FileState): boolean =>
  states.some((one) => isSameState(one, state));

const isSame = (a: FileState | undefined, b: FileState | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isSameState(a, b);

/** What both sides have of the paths that both may have changed. */
const wantedOf = (asked: ReadonlyMap<RepoPath, Versions>): Array<readonly [RepoPath, FileState]> =>
  [...asked].flatMap(([path, versions]) =>
    isChangedByOthers(versions)
      ? [versions.was, versions.now, versions.base].flatMap((state) =>
          state ? [[path, state] as const] : [],
        )
      : [],
  );

/** Not where commits of others had none of it, or had what they lost again. */
const isChangedByOthers = ({ base, was, now }: Versions): boolean => !isSame(now, was) && !isSame(now, base);

const isByOthersAlone = ({ base, was }: Versions, isNoted: boolean): boolean => isSame(base, was) && !isNoted;

type Lines = ReadonlyMap<string, number>;

const hasAllLines = (all: Lines | undefined, some: Lines | undefined): boolean =>
  all !== undefined &&
  some !== undefined &&
  [...some].every(([line, times]) => (all.get(line) ?? 0) >= times);

/** Lines that one of two texts has and the other has not, wherever they stand. */
function countDifferent(a: Lines, b: Lines): number {
  let count = 0;
  for (const [line, times] of a) count += Math.abs(times - (b.get(line) ?? 0));
  for (const [line, times] of b) if (!a.has(line)) count += times;
  return count;
}
