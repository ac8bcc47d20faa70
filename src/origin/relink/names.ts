import { groupBy } from '../../base/group-by.ts';
import type { ObjectId } from '../../base/ids.ts';
import { once, oncePer } from '../../base/once.ts';
import type { CommitEvidence } from '../../checkpoint/evidence.ts';
import type { FilePatch } from '../../git/commit/patch.ts';
import type { Claim } from './claim.ts';

/** Where a commit takes away and makes so many files that there are more pairs, only those of the same content may be one file. */
const MOST_PAIRS = 100;
/** More names of one file are not followed: whoever moves all files moves them again. */
const MOST_NAMES = 100;

/** A commit that changed two files. */
export interface Changer {
  readonly commit: ObjectId;
  /** What it made of the other one. */
  readonly after: ObjectId | undefined;
}

/** What commits of claims tell of the names of files. */
export interface Names {
  /**
   * Whether what a commit made of a file may be from another one: as a whole, where it is new and one of them made that, or put something else in its
   * place; or in part, where one of them made the file the same and changed the other one.
   */
  mayBeFrom(path: string, file: Pick<FilePatch, 'path' | 'before' | 'after'>): boolean;
  /** The commits that changed both files: each may have moved lines of the one to the other. */
  changersOf(path: string, other: string): readonly Changer[];
  /** Whether one of them, or some one after the other, may have given a file a later name: history is still to be asked. */
  mayBecome(path: string, later: string): boolean;
}

export function openNames(claims: readonly Claim[]): Names {
  const keyOf = (path: string, content: ObjectId | undefined): string => `${content}\0${path}`;
  const read = once(() => {
    const had = new Set<string>();
    const makers = new Map<string, CommitEvidence[]>();
    for (const version of claims.flatMap(({ versions }) => versions))
      for (const { path, before, after } of version.files) {
        for (const content of [before, after]) if (content) had.add(keyOf(path, content));
        if (after) makers.set(keyOf(path, after), [...(makers.get(keyOf(path, after)) ?? []), version]);
      }
    return { had, makers };
  });
  const isChangedIn = ({ files }: CommitEvidence, name: string): boolean =>
    files.some(({ path, before }) => path === name && before);
  return {
    mayBeFrom(path, file) {
      const { had, makers } = read();
      if (!file.after) return false;
      if (!file.before && had.has(keyOf(path, file.after))) return true;
      const those = makers.get(keyOf(file.path, file.after)) ?? [];
      return those.some((version) => isChangedIn(version, path));
    },
    changersOf: openChangers(claims),
    mayBecome: openLaterNames(claims),
  };
}

function openChangers(claims: readonly Claim[]): (path: string, other: string) => readonly Changer[] {
  /** By path and commit, what that made of it. */
  const read = once(() => {
    const made = new Map<string, Map<ObjectId, Changer>>();
    for (const { commit, files } of claims.flatMap(({ versions }) => versions))
      for (const { path, after } of files) {
        const changers = made.get(path) ?? new Map();
        made.set(path, changers.set(commit, { commit, after }));
      }
    return made;
  });
  const look = (path: string, other: string): readonly Changer[] => {
    const [those, changers] = [read().get(path) ?? NONE, read().get(other) ?? NONE];
    const fewer = those.size < changers.size ? those : changers;
    return [...fewer.keys()].flatMap((commit) => (those.has(commit) && changers.get(commit)) || []);
  };
  return oncePer((path, other) => `${path}\0${other}`, look);
}

const NONE: ReadonlyMap<ObjectId, Changer> = new Map();

/**
 * Makes what tells whether a file may have got another name in commits of claims, also in some one after the other: one name went away where the other
 * one came. That is only where to look, and says nothing of their order.
 */
function openLaterNames(claims: readonly Claim[]): (path: string, later: string) => boolean {
  const read = once(() => readSteps(claims));
  const namesAfter = oncePer(
    (path: string) => path,
    (path): ReadonlySet<string> => {
      const { next } = read();
      const names = new Set([path]);
      for (const name of names)
        for (const later of (next.get(name) ?? []).flat()) if (names.size <= MOST_NAMES) names.add(later);
      return names;
    },
  );
  return (path, later) => {
    const { next, made } = read();
    return next.has(path) && made.has(later) && namesAfter(path).has(later);
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
