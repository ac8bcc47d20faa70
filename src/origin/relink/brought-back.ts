import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { plainLine, plainLines } from '../../base/text/lines.ts';
import type { FilePatch } from '../../git/commit/patch.ts';
import type { LogRow } from '../../git/log.ts';
import { readObjects } from '../../git/object/objects.ts';
import { ALL_BUT_OURS } from '../../git/ref/people.ts';
import { type Git, inBatchesOrAll, runGit, splitNul } from '../../git/run.ts';
import { openIsBelow } from './ancestry.ts';
import type { Claim } from './claim.ts';
import type { AskedBack, BringingBack, LooseLine } from './match.ts';
import { readReverted } from './reverted.ts';

export const openBringingBack = async (git: Git, rows: readonly LogRow[]): Promise<BringingBack> => ({
  reverted: await readReverted(git, rows),
  restored: (asked) => readRestored(git, asked),
  copied: (lines) => openCopied(git, lines),
});

function readRestored(git: Git, asked: readonly AskedBack[]): (commit: ObjectId, line: LooseLine) => boolean {
  const paths = asked.flatMap(({ lines }) => lines.flatMap(({ at, path }) => [at, path]));
  const { stood, isBelow, isFrom } = readStood(
    git,
    asked.map(({ patch }) => patch.commit),
    [...new Set(paths)],
  );
  const files = new Map(
    asked.flatMap(({ patch: { commit, files } }) =>
      files.map((file) => [`${commit}\0${file.path}`, file] as const),
    ),
  );
  const fileOf = (commit: ObjectId, { at }: LooseLine): FilePatch | undefined =>
    files.get(`${commit}\0${at}`);
  const isCopied = openCopied(
    git,
    asked.flatMap(({ lines }) => lines),
  );
  const isRestored = (commit: ObjectId, line: LooseLine): boolean =>
    isFrom(commit, line, fileOf(commit, line)?.after, true);
  const wasThere = (commit: ObjectId, { path, blob }: LooseLine): boolean => stood(commit, path, blob);
  const began = new Map(asked.map(({ patch: { commit }, madeOf }) => [commit, filesBefore(commit, madeOf)]));
  const beganWith = (commit: ObjectId, { path, at }: LooseLine): readonly ObjectId[] =>
    path === at ? (began.get(commit)?.get(at) ?? []) : [];
  const isAsOnBranch = (commit: ObjectId, line: LooseLine): boolean =>
    line.path === line.at && isFrom(commit, line, fileOf(commit, line)?.after);
  const mayBeBack = (commit: ObjectId, line: LooseLine): boolean =>
    isAsOnBranch(commit, line) ||
    ((line.isBeside || beganWith(commit, line).length > 0) && wasThere(commit, line));
  const open = asked.flatMap(({ patch: { commit }, lines }) =>
    lines.flatMap((line) => {
      if (line.from || isRestored(commit, line) || !mayBeBack(commit, line)) return [];
      const before = fileOf(commit, line)?.before;
      return [...(before ? [before] : []), ...beganWith(commit, line)];
    }),
  );
  const isIn = openHolds(git, open);
  const isBack = (commit: ObjectId, line: LooseLine): boolean =>
    line.isBeside || beganWith(commit, line).some((blob) => isIn(blob, line));
  return (commit, line) => {
    if (isCopied(line)) return false;
    if (isRestored(commit, line)) return !line.from || isBelow(commit, line.from);
    if (line.from || isIn(fileOf(commit, line)?.before, line)) return false;
    return isAsOnBranch(commit, line) || (wasThere(commit, line) && isBack(commit, line));
  };
}

function openCopied(git: Git, lines: readonly LooseLine[]): (line: LooseLine) => boolean {
  const nameOf = ({ parent, at }: LooseLine): string => `${parent}:${at}`;
  const asked = lines.filter(({ path, at, parent }) => path !== at && parent);
  const isIn = openHolds(git, asked.map(nameOf));
  return (line) => line.path !== line.at && isIn(nameOf(line), line);
}

/** Tells whether a line stands in one of some files, by their names as git has them: none in one that is not there, or was not named. One process. */
function openHolds(
  git: Git,
  names: readonly string[],
): (name: string | undefined, line: LooseLine) => boolean {
  const texts = readObjects(git, [...new Set(names)]);
  const known = new Map<string, ReadonlySet<string>>();
  return (name, { text }) => {
    const found = name === undefined ? undefined : texts.get(name);
    if (!name || !found) return false;
    const lines = known.get(name) ?? new Set(plainLines(found.data.toString('utf8')));
    known.set(name, lines);
    return lines.has(plainLine(text));
  };
}

/** Of each file, what it was before commits of checkpoints changed it, but for one commit. */
function filesBefore(commit: ObjectId, claims: readonly Claim[]): Map<string, ObjectId[]> {
  const found = new Map<string, ObjectId[]>();
  for (const version of claims.flatMap(({ versions }) => versions))
    for (const { path, before } of version.commit === commit ? [] : version.files)
      if (before) found.set(path, [...(found.get(path) ?? []), before]);
  return found;
}

interface Stood {
  /** Whether a commit below another one, whatever way history took, gave a path some content. */
  stood(commit: ObjectId, path: string, blob: ObjectId | undefined): boolean;
  /** Whether one that changed such a path is below another that did. */
  isBelow(commit: ObjectId, other: ObjectId): boolean;
  /**
   * Whether another commit gave the file that content, too, and the line came into it with that or before. @param below and stands below;
   * then what the commit of the checkpoint made need not be there any more
   */
  isFrom(commit: ObjectId, line: LooseLine, content: ObjectId | undefined, below?: boolean): boolean;
}

function readStood(git: Git, commits: readonly ObjectId[], paths: readonly string[]): Stood {
  const shown = ['-z', '--no-show-signature', '--no-color', '--raw', '--no-abbrev', '--no-renames'];
  // With merges, and the parents that are left where other commits are left out: who is below whom is the same.
  const which = ['--full-history', '--parents', '--format=%H %P', ...ALL_BUT_OURS, '--stdin', '--'];
  const input = commits.map((commit) => `${commit}\n`).join('');
  const graph = new Map<ObjectId, readonly ObjectId[]>();
  const makers = new Map<string, ObjectId[]>();
  const batches = inBatchesOrAll(paths);
  // Not in parts: parents that are left for some paths are not those that are left for others.
  const named = batches.length > 1 ? [] : batches.flat();
  const tokens = splitNul(runGit(git, ['log', ...shown, ...which, ...named], { input }).stdout);
  let commit: ObjectId | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const token = (tokens[at] as string).trim();
    const [, blob] = RAW.exec(token) ?? [];
    if (!blob) {
      const [oid, ...parents] = token.split(' ').map(parseObjectId);
      commit = oid;
      if (commit)
        graph.set(
          commit,
          parents.flatMap((parent) => parent ?? []),
        );
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
    isBelow,
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

/** A row that says what a path has come to. */
const RAW = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /;
