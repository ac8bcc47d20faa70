import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { plainLine, plainLines } from '../../base/text/lines.ts';
import { lineDigest } from '../../checkpoint/evidence.ts';
import { type FilePatch, readPatches } from '../../git/commit/patch.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { readObjects } from '../../git/object/objects.ts';
import { type Git, inBatchesOrAll, runGit, splitNul } from '../../git/run.ts';
import { openIsBelow } from './ancestry.ts';
import type { AskedBack, BringingBack, BroughtBack, LooseLine } from './match.ts';

export const openBringingBack = (git: Git, rows: readonly LogRow[]): BringingBack => ({
  reverted: readReverted(git, rows),
  restored: (asked) => readRestored(git, asked),
});

const REVERTS = /\bThis reverts commit ([0-9a-f]{7,64})\b/g;
const SUBJECT = /^(Revert|Reapply) "(.*)"$/;

/**
 * What commits may bring back. Git says so in their messages; that counts only for commits below them, and their lines have to be there. One
 * that was rebased has another id than the message says: then all with the subject that it names are looked at. No process where no
 * message says so, else two.
 */
function readReverted(git: Git, rows: readonly LogRow[]): BroughtBack {
  const reverting = rows.filter(({ message }) => message.search(REVERTS) !== -1);
  if (reverting.length === 0) return new Map();
  // Of those below them, whatever else there is in this clone: another one finds the same.
  const all = readLog(git, { range: reverting.map(({ oid }) => oid) }) ?? [];
  const isBelow = openIsBelow(new Map(all.map(({ oid, parents }) => [oid, parents])));
  const changing = all.filter(({ parents }) => parents.length < 2);
  const wanted = new Map(
    reverting.map((row) => [row.oid, findReverted(row, (oid) => isBelow(row.oid, oid), changing)]),
  );
  const asked = [...new Map([...wanted.values()].flat().map((row) => [row.oid, row])).values()];
  const patches = readPatches(
    git,
    asked.map(({ oid, parents }) => ({ commit: oid, parent: parents[0] })),
  );
  const removed = new Map(
    patches.map(({ commit, files }) => [
      commit,
      files.flatMap((file) => file.removed.flatMap((line) => lineDigest(line) ?? [])),
    ]),
  );
  return new Map(
    [...wanted].map(([oid, of]) => [oid, new Set(of.flatMap((row) => removed.get(row.oid) ?? []))]),
  );
}

function findReverted(
  { message, subject }: LogRow,
  isBelow: (oid: ObjectId) => boolean,
  rows: readonly LogRow[],
): LogRow[] {
  const ids = [...message.matchAll(REVERTS)].map(([, id]) => id as string);
  const found = rows.filter((row) => ids.some((id) => row.oid.startsWith(id)) && isBelow(row.oid));
  if (found.length >= ids.length) return found;
  const [, word, name] = SUBJECT.exec(subject) ?? [];
  const former = word === 'Reapply' ? `Revert "${name}"` : name;
  if (former === undefined) return found;
  return rows.filter((row) => found.includes(row) || (row.subject === former && isBelow(row.oid)));
}

function readRestored(git: Git, asked: readonly AskedBack[]): (commit: ObjectId, line: LooseLine) => boolean {
  const paths = asked.flatMap(({ lines }) => lines.flatMap(({ at, path }) => [at, path]));
  const { stood, isBelow } = readStood(
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
  const isRestored = (commit: ObjectId, line: LooseLine): boolean =>
    stood(commit, line.at, fileOf(commit, line)?.after);
  const wasThere = (commit: ObjectId, { isBeside, path, blob }: LooseLine): boolean =>
    isBeside && stood(commit, path, blob);
  const open = asked.flatMap(({ patch: { commit }, lines }) =>
    lines.flatMap((line) => {
      const before = !isRestored(commit, line) && wasThere(commit, line) && fileOf(commit, line)?.before;
      return before ? before : [];
    }),
  );
  const texts = readObjects(git, [...new Set(open)]);
  const isStill = (before: ObjectId | undefined, { text }: LooseLine): boolean =>
    before !== undefined &&
    plainLines(texts.get(before)?.data.toString('utf8') ?? '').includes(plainLine(text));
  return (commit, line) =>
    line.from
      ? isRestored(commit, line) && isBelow(commit, line.from)
      : isRestored(commit, line) || (wasThere(commit, line) && !isStill(fileOf(commit, line)?.before, line));
}

interface Stood {
  /** Whether a commit below another one, whatever way history took, gave a path some content. */
  stood(commit: ObjectId, path: string, blob: ObjectId | undefined): boolean;
  /** Whether one that changed such a path is below another that did. */
  isBelow(commit: ObjectId, other: ObjectId): boolean;
}

function readStood(git: Git, commits: readonly ObjectId[], paths: readonly string[]): Stood {
  const shown = ['-z', '--no-show-signature', '--no-color', '--raw', '--no-abbrev', '--no-renames'];
  // With merges, and the parents that are left where other commits are left out: who is below whom is the same.
  const which = ['--full-history', '--parents', '--format=%H %P', '--stdin', '--'];
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
  const isBelow = openIsBelow(graph);
  return {
    isBelow,
    stood: (commit, path, blob) =>
      blob !== undefined && (makers.get(`${path}\0${blob}`) ?? []).some((maker) => isBelow(commit, maker)),
  };
}

/** A row that says what a path has come to. */
const RAW = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) /;
