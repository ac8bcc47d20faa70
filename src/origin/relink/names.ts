import { groupBy } from '../../base/group-by.ts';
import type { ObjectId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import type { CommitEvidence } from '../../checkpoint/evidence.ts';
import type { Claim } from './claim.ts';

/** Where a commit takes away and makes so many files that there are more pairs, only those of the same content may be one file. */
const MOST_PAIRS = 100;
/** More names of one file are not followed: whoever moves all files moves them again. */
const MOST_NAMES = 100;

/** What commits of claims tell of the names of files. */
export interface Names {
  /** Whether a file of that name had such content, as far as one of them made it or put something else in its place. */
  had(content: ObjectId | undefined, path: string): boolean;
  /** Whether one of them, or some one after the other, may have given a file a later name: history is still to be asked. */
  mayBecome(path: string, later: string): boolean;
}

export function openNames(claims: readonly Claim[]): Names {
  const keyOf = (content: ObjectId, path: string): string => `${content}\0${path}`;
  const read = once(
    () =>
      new Set(
        claims.flatMap(({ versions }) =>
          versions.flatMap(({ files }) =>
            files.flatMap(({ path, before, after }) =>
              [before, after].flatMap((content) => (content ? keyOf(content, path) : [])),
            ),
          ),
        ),
      ),
  );
  return {
    had: (content, path) => content !== undefined && read().has(keyOf(content, path)),
    mayBecome: openLaterNames(claims),
  };
}

/**
 * Makes what tells whether a file may have got another name in commits of claims, also in some one after the other: one name went away where the other
 * one came. That is only where to look, and says nothing of their order.
 */
function openLaterNames(claims: readonly Claim[]): (path: string, later: string) => boolean {
  const read = once(() => readSteps(claims));
  const known = new Map<string, ReadonlySet<string>>();
  const namesAfter = (path: string): ReadonlySet<string> => {
    const { next } = read();
    const names = new Set([path]);
    for (const name of names)
      for (const later of (next.get(name) ?? []).flat()) if (names.size <= MOST_NAMES) names.add(later);
    return names;
  };
  return (path, later) => {
    const { next, made } = read();
    if (!next.has(path) || !made.has(later)) return false;
    const names = known.get(path) ?? namesAfter(path);
    known.set(path, names);
    return names.has(later);
  };
}

interface Steps {
  /** By the name that went away, those that came in its place: one list for all that a commit took away, or all of one content. */
  readonly next: ReadonlyMap<string, ReadonlyArray<readonly string[]>>;
  readonly made: ReadonlySet<string>;
}

function readSteps(claims: readonly Claim[]): Steps {
  const next = new Map<string, Array<readonly string[]>>();
  const all = new Set<string>();
  for (const { files } of claims.flatMap(({ versions }) => versions)) {
    const gone = files.filter(({ before, after }) => before && !after);
    const made = files.filter(({ before, after }) => after && !before);
    if (gone.length === 0 || made.length === 0) continue;
    const namesFor = openNamesFor(made, gone.length * made.length <= MOST_PAIRS);
    for (const file of gone) {
      const names = namesFor(file);
      if (names.length === 0) continue;
      const before = next.get(file.path);
      if (before) before.push(names);
      else next.set(file.path, [names]);
    }
    for (const { path } of made) all.add(path);
  }
  return { next, made: all };
}

type Files = CommitEvidence['files'];

/** @param isAny whatever they hold */
function openNamesFor(made: Files, isAny: boolean): (gone: Files[number]) => readonly string[] {
  const namesOf = (files: Files): readonly string[] => files.map(({ path }) => path);
  if (isAny) {
    const names = namesOf(made);
    return () => names;
  }
  const byContent = new Map(
    [...groupBy(made, ({ after }) => after)].map(([content, files]) => [content, namesOf(files)]),
  );
  return ({ before }) => byContent.get(before) ?? [];
}
