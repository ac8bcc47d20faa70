import { releaseMemory } from '../../base/memory.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Git } from '../../git/run.ts';
import { type IndexSize, readIndexSizes } from '../../git/worktree/index-sizes.ts';
import type { Place } from '../place.ts';
import {
  isUnclaimed,
  type PathChange,
  partsOf,
  type SnapshotRecord,
  statesOf,
} from '../record/snapshot-record.ts';
import { keepCurrent, withModeOf } from '../restore.ts';
import { putBlob } from '../store/blobs.ts';
import { readBlob } from '../store/chunks.ts';
import type { FileState } from '../store/file-state.ts';
import { type Inversion, type Inverted, invert, yieldsToForce } from './invert.ts';
import { mergeWithGit } from './merge-files.ts';
import { resolveGitStates } from './resolve.ts';

/** Paths of a record that are taken back. */
export interface Chosen {
  readonly record: SnapshotRecord;
  readonly paths: readonly RepoPath[];
}

/**
 * The changes of some records by path, the newest first: their states are without any of kind `git`.
 *
 * @param sure records of which what a tool told as a text, or what was found by looking, is the session's all the same
 */
export function collectChanges(
  place: Place,
  git: Git,
  chosen: readonly Chosen[],
  sure: ReadonlySet<SnapshotRecord> = new Set(),
): Map<RepoPath, Inverted[]> {
  const all = chosen.flatMap(({ record, paths }) =>
    paths.map((path) => ({ path, record, change: record.files.get(path) as PathChange })),
  );
  const states = all.flatMap(({ path, change }) => statesOf(change).map((state) => [path, state] as const));
  const resolve = resolveGitStates(place.store, git, states);
  const clean = states.flatMap(([path, state]) => (state.kind === 'git' ? [path] : []));
  releaseMemory(all.length);
  const fitted = asItWas(place.store, git, clean);
  const known = (path: RepoPath, state: FileState): FileState | undefined => {
    const resolved = resolve(path, state);
    return typeof resolved === 'string' ? undefined : fitted(path, state, resolved);
  };
  const changes = new Map<RepoPath, Inverted[]>();
  for (const { path, record, change } of all) {
    const parts = partsOf(change).map(({ before, after, isDoubtful }): Inverted => {
      const [was, is] = [before && known(path, before), known(path, after) ?? after];
      // Git knows only half of a mode.
      return {
        before: was && before?.kind === 'git' ? withModeOf(is, was) : was,
        after: is,
        isDoubtful: isDoubtful && !sure.has(record),
        isUnclaimed: isUnclaimed(record, change) && !sure.has(record),
      };
    });
    changes.set(path, [...(changes.get(path) ?? []), ...parts.reverse()]);
  }
  return changes;
}

const OTHER: FileState = { kind: 'other' };

/** What some records, the newest first, come to when they are taken back in files as they now are. */
export interface TakenOut extends Inversion {
  /** Somebody else's change stands in the way: nothing less than force would get over it. */
  readonly isContradicted: boolean;
}

/**
 * Says what taking back records makes of each path, whatever other sessions' records they are: the store has their contents. What is
 * there is kept in it; nothing else is written.
 *
 * @param isSure what a tool told of as a text, or what was found by looking, is the session's all the same
 */
export function takeOut(
  place: Place,
  git: Git,
  records: readonly { readonly record: SnapshotRecord; readonly isSure: boolean }[],
): Map<RepoPath, TakenOut> {
  const sure = new Set(records.flatMap(({ record, isSure }) => (isSure ? record : [])));
  const chosen = records.map(({ record }) => ({ record, paths: [...record.files.keys()] }));
  const merge = mergeWithGit(place.store, git);
  const options = { merge, isForced: false, isNamed: false, isIgnored: false };
  const taken = new Map<RepoPath, TakenOut>();
  for (const [path, changes] of collectChanges(place, git, chosen, sure)) {
    const current = keepCurrent(place, path);
    const inversion =
      typeof current === 'string'
        ? { verdict: 'left' as const, to: OTHER, why: current }
        : invert(current, changes, options);
    const isContradicted =
      inversion.verdict === 'left' && typeof current !== 'string' && yieldsToForce(current, changes, options);
    taken.set(path, { ...inversion, isContradicted });
  }
  return taken;
}

/** What a clean path had, given what git has of it, and what a checkout makes of that; `undefined` where it was something else. */
export type AsItWas = (path: RepoPath, clean: FileState, checkedOut: FileState) => FileState | undefined;

/**
 * A path can be clean with other line ends than a checkout writes (`text=auto`, `core.autocrlf`). The index knows the size that it had:
 * with the same text, that tells which line ends those were. One process.
 */
function asItWas(store: string, git: Git, paths: Iterable<RepoPath>): AsItWas {
  const asked = [...new Set(paths)];
  const sizes = asked.length === 0 ? new Map<string, IndexSize>() : readIndexSizes(git, asked);
  return (path, clean, checkedOut) => {
    const noted = sizes.get(path);
    if (clean.kind !== 'git' || checkedOut.kind !== 'file' || noted?.oid !== clean.oid) return checkedOut;
    if (noted.size === 0 || noted.size === checkedOut.size) return checkedOut;
    const bytes = readBlob(store, checkedOut.sha256);
    if (bytes.includes(0)) return undefined;
    const lf = bytes.toString('latin1').replaceAll('\r\n', '\n');
    const found = [lf, lf.replaceAll('\n', '\r\n')].find(({ length }) => length === noted.size);
    if (found === undefined) return undefined;
    const fitting = Buffer.from(found, 'latin1');
    return { ...checkedOut, sha256: putBlob(store, fitting, { fsync: true }), size: fitting.length };
  };
}
