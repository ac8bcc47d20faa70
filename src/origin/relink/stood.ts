import { type ObjectId, parseObjectId } from '../../base/ids.ts';
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
  /**
   * What a commit may have been made of, of another line of history: commits that are no younger, with its author, the author's time and its
   * subject, as git keeps them when it picks or rebases one, or takes one that was sent as a patch. That is no proof of anything.
   */
  modelsOf(commit: ObjectId): readonly ObjectId[];
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
  const shown = ['-z', '--no-show-signature', '--no-color', '--raw', '--no-abbrev', '--no-renames'];
  // With merges, and the parents that are left where other commits are left out: who is below whom is the same.
  const which = [
    '--full-history',
    '--parents',
    '--format=%H %P%n%ct%n%at %ae %s',
    ...ALL_BUT_OURS,
    '--stdin',
    '--',
  ];
  const input = commits.map((commit) => `${commit}\n`).join('');
  const graph = new Map<ObjectId, readonly ObjectId[]>();
  const makers = new Map<string, ObjectId[]>();
  const heads = new Map<ObjectId, Head>();
  const alike = new Map<string, ObjectId[]>();
  const batches = inBatchesOrAll(paths);
  // Not in parts: parents that are left for some paths are not those that are left for others.
  const named = batches.length > 1 ? [] : batches.flat();
  const tokens = splitNul(runGit(git, ['log', ...shown, ...which, ...named], { input }).stdout);
  let commit: ObjectId | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const token = (tokens[at] as string).trim();
    const [, blob] = RAW.exec(token) ?? [];
    if (!blob) {
      const [ids = '', committedAt, written = ''] = token.split('\n');
      const [oid, ...parents] = ids.split(' ').map(parseObjectId);
      commit = oid;
      if (!commit) continue;
      graph.set(
        commit,
        parents.flatMap((parent) => parent ?? []),
      );
      heads.set(commit, { committedAt: Number(committedAt), written });
      const twins = alike.get(written);
      if (twins) twins.push(commit);
      else alike.set(written, [commit]);
      continue;
    }
    const key = `${tokens[++at]}\0${blob}`;
    const known = makers.get(key);
    if (known && commit) known.push(commit);
    else if (commit) makers.set(key, [commit]);
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
    modelsOf: (commit) => {
      const head = heads.get(commit);
      const twins = (head && alike.get(head.written)) ?? [];
      // Scripts make many in one second.
      const models = twins.length > MOST_TWINS ? [] : twins.filter((other) => other !== commit);
      return models.filter(
        (other) =>
          (heads.get(other)?.committedAt ?? 0) <= (head?.committedAt ?? 0) &&
          !isBelow(commit, other) &&
          !isBelow(other, commit),
      );
    },
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

/** Who wrote a commit, when, and its subject; when it was made, in seconds since 1970. */
interface Head {
  readonly committedAt: number;
  readonly written: string;
}

/** More are not made of one commit. */
const MOST_TWINS = 8;

/** A row that says what a path has come to. */
const RAW = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /;
