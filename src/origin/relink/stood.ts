import { type CheckpointId, type ObjectId, parseObjectId } from '../../base/ids.ts';
import { LINK_FIELDS, linkedIds, readLinks, WITH_NOTES } from '../../git/commit/links.ts';
import { ALL_BUT_OURS } from '../../git/ref/people.ts';
import { type Git, inBatchesOrAll, runGit, splitNul } from '../../git/run.ts';
import { openIsBelow } from './ancestry.ts';
import type { LooseLine } from './match.ts';

/** What history says of some paths. */
export interface Stood {
  /** Whether a commit below another one, whatever way history took, gave a path some content. */
  stood(commit: ObjectId, path: string, blob: ObjectId | undefined): boolean;
  /** The commits that gave a path some content. */
  makersOf(path: string, blob: ObjectId | undefined): readonly ObjectId[];
  /** The commits that made a path which was not there before them, the newest first. */
  creatorsOf(path: string): readonly ObjectId[];
  /** The commits that changed such paths, and name a checkpoint, the newest first. */
  namersOf(checkpoint: CheckpointId): readonly ObjectId[];
  /** Whether one that changed such a path is below another that did. */
  isBelow(commit: ObjectId, other: ObjectId): boolean;
  /**
   * Whether another commit gave the file that content, too, and the line came into it with that or before. @param below and stands below;
   * then what the commit of the checkpoint made need not be there any more
   */
  isFrom(commit: ObjectId, line: LooseLine, content: ObjectId | undefined, below?: boolean): boolean;
}

/** Reads what each commit below some, and of all refs of people, made of some paths. One process. */
export function readStood(git: Git, commits: readonly ObjectId[], paths: readonly string[]): Stood {
  const shown = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', WITH_NOTES];
  const changes = ['--raw', '--no-abbrev', '--no-renames'];
  // With merges, and the parents that are left where other commits are left out: who is below whom is the same.
  const which = [
    '--full-history',
    '--parents',
    `--format=%H %P%x00${LINK_FIELDS}`,
    ...ALL_BUT_OURS,
    '--stdin',
    '--',
  ];
  const input = commits.map((commit) => `${commit}\n`).join('');
  const graph = new Map<ObjectId, readonly ObjectId[]>();
  const makers = new Map<string, ObjectId[]>();
  const creators = new Map<string, ObjectId[]>();
  const namers = new Map<string, ObjectId[]>();
  const put = (all: Map<string, ObjectId[]>, key: string, oid: ObjectId): void => {
    const known = all.get(key);
    if (known) known.push(oid);
    else all.set(key, [oid]);
  };
  const batches = inBatchesOrAll(paths);
  // Not in parts: parents that are left for some paths are not those that are left for others.
  const named = batches.length > 1 ? [] : batches.flat();
  const tokens = splitNul(runGit(git, ['log', ...shown, ...changes, ...which, ...named], { input }).stdout);
  let commit: ObjectId | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const token = (tokens[at] as string).trim();
    const [, before, blob] = RAW.exec(token) ?? [];
    if (!before) {
      const [oid, ...parents] = token.split(' ').map(parseObjectId);
      commit = oid;
      if (!commit) continue;
      graph.set(
        commit,
        parents.flatMap((parent) => parent ?? []),
      );
      const links = readLinks(...tokens.slice(at + 1, at + 4));
      at += 3;
      for (const id of linkedIds(links)) put(namers, id, commit);
      continue;
    }
    const path = tokens[++at] as string;
    if (!commit) continue;
    put(makers, `${path}\0${blob}`, commit);
    if (NOTHING.test(before)) put(creators, path, commit);
  }
  const look = openIsBelow(graph);
  // The same of many lines: each look from another commit marks all below it anew.
  const seen = new Map<string, boolean>();
  const isBelow = (one: ObjectId, other: ObjectId): boolean => {
    const key = `${one} ${other}`;
    const found = seen.get(key) ?? look(one, other);
    seen.set(key, found);
    return found;
  };
  const makersOf = (path: string, blob: ObjectId | undefined): readonly ObjectId[] =>
    (blob && makers.get(`${path}\0${blob}`)) || [];
  return {
    ...{ isBelow, makersOf },
    creatorsOf: (path) => creators.get(path) ?? [],
    namersOf: (checkpoint) => namers.get(checkpoint) ?? [],
    stood: (commit, path, blob) => makersOf(path, blob).some((maker) => isBelow(commit, maker)),
    isFrom: (commit, { path, at, blob }, content, below = false) => {
      const own = makersOf(path, blob);
      const hasLine = (other: ObjectId): boolean =>
        (below && own.length === 0) || own.some((maker) => maker === other || isBelow(other, maker));
      return makersOf(at, content).some(
        (other) => other !== commit && (!below || isBelow(commit, other)) && hasLine(other),
      );
    },
  };
}

/** A row that says what a path was, and has come to. */
const RAW = /^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /;
/** The id of what is not there. */
const NOTHING = /^0+$/;
