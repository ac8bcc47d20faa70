import type { ObjectId } from '../../base/ids.ts';
import type { FilePatch } from '../../git/commit/patch.ts';
import type { LogRow } from '../../git/log.ts';
import type { Git } from '../../git/run.ts';
import { type AskedFile, type Held, openFilesWith, openHeld } from './holds.ts';
import { type AskedBack, type BringingBack, isTellingByItself, type LooseLine } from './match.ts';
import { openMoves } from './moves.ts';
import { openRenames } from './renames.ts';
import { readReverted } from './reverted.ts';
import { readStood } from './stood.ts';

export const openBringingBack = async (git: Git, rows: readonly LogRow[]): Promise<BringingBack> => ({
  reverted: await readReverted(git, rows),
  restored: (asked) => readRestored(git, asked),
  copied: (lines) => openCopied(git, lines),
});

function readRestored(git: Git, asked: readonly AskedBack[]): (commit: ObjectId, line: LooseLine) => boolean {
  const paths = asked.flatMap(({ lines }) => lines.flatMap(({ at, path }) => [at, path]));
  const found = readStood(
    git,
    asked.map(({ patch }) => patch.commit),
    [...new Set(paths)],
  );
  const { stood, isBelow, isFrom, namersOf } = found;
  const files = new Map(
    asked.flatMap(({ patch: { commit, files } }) =>
      files.map((file) => [`${commit}\0${file.path}`, file] as const),
    ),
  );
  const fileOf = (commit: ObjectId, { at }: LooseLine): FilePatch | undefined =>
    files.get(`${commit}\0${at}`);
  const isRestored = (commit: ObjectId, line: LooseLine): boolean =>
    isTold(line) && isFrom(commit, line, fileOf(commit, line)?.after, true);
  const wasThere = (commit: ObjectId, { path, blob }: LooseLine): boolean => stood(commit, path, blob);
  const began = new Map(asked.map((one) => [one.patch.commit, filesBefore(one)]));
  const beganWith = (commit: ObjectId, line: LooseLine): readonly ObjectId[] =>
    (line.path === line.at ? (began.get(commit)?.get(line.at) ?? []) : []).flatMap(
      ({ from, blob, isProved }) =>
        wasThere(commit, line) || (isProved && wasThere(from, line)) ? blob : [],
    );
  // What its session's commit made of the file is not below once that was made anew: what was made of it names the checkpoint.
  const stoodIn = (commit: ObjectId, line: LooseLine): readonly string[] =>
    isKnownAgain(line) && !wasThere(commit, line)
      ? namersOf(line.checkpoint)
          .filter((other) => other !== commit && isBelow(commit, other))
          .slice(0, MOST_ANEW)
          .map((other) => `${other}:${line.path}`)
      : [];
  const heldIn = (commit: ObjectId, line: LooseLine): readonly string[] => [
    ...beganWith(commit, line),
    ...stoodIn(commit, line),
  ];
  const isAsOnBranch = (commit: ObjectId, line: LooseLine): boolean =>
    line.path === line.at && isFrom(commit, line, fileOf(commit, line)?.after);
  const mayBeBack = (commit: ObjectId, line: LooseLine): boolean =>
    isAsOnBranch(commit, line) || (isKnownAgain(line) && wasThere(commit, line));
  const moves = openMoves(asked, found, fileOf, openFilesWith(git));
  const renames = openRenames(found);
  const open = asked.flatMap(({ patch: { commit }, lines }) =>
    lines.flatMap((line): AskedFile[] => {
      const source = sourceOf(line);
      if (isRestored(commit, line)) return source;
      if (line.from) return [];
      const names = [...heldIn(commit, line), ...moves.names(commit, line)];
      const more = [
        ...names.map((name) => [name, line] as const),
        ...(isTellingByItself(line) ? renames.files(commit, line) : []),
      ];
      if (more.length === 0 && !mayBeBack(commit, line)) return [];
      const before = fileOf(commit, line)?.before;
      return [...source, ...(before ? [[before, line] as const] : []), ...leftOf(commit, line), ...more];
    }),
  );
  const held = openHeld(git, open);
  return (commit, line) => {
    if (isCopied(line, held)) return false;
    if (isRestored(commit, line)) return !line.from || isBelow(commit, line.from);
    if (line.from || held.has(fileOf(commit, line)?.before, line)) return false;
    const wasBelow = mayBeBack(commit, line) || heldIn(commit, line).some((name) => held.has(name, line));
    // Who writes it in another file, too, has copied it.
    if (wasBelow) return !leftOf(commit, line).some(([name]) => held.has(name, line));
    return (
      moves.isMoved(commit, line, held) || (isTellingByItself(line) && renames.isRenamed(commit, line, held))
    );
  };
}

/** The other file, that the session wrote the line into, as the commit leaves it. */
const leftOf = (commit: ObjectId, line: LooseLine): AskedFile[] =>
  line.path === line.at ? [] : [[`${commit}:${line.path}`, line]];

/** More commits name one checkpoint only where its work is split. */
const MOST_ANEW = 8;

function openCopied(git: Git, lines: readonly LooseLine[]): (line: LooseLine) => boolean {
  const held = openHeld(git, lines.flatMap(sourceOf));
  return (line) => isCopied(line, held);
}

/** The file as it was before the session wrote the line into another one. */
const sourceOf = (line: LooseLine): AskedFile[] =>
  line.path !== line.at && line.parent ? [[`${line.parent}:${line.at}`, line]] : [];

const isCopied = (line: LooseLine, held: Held): boolean =>
  sourceOf(line).some(([name]) => held.has(name, line));

const isItself = (line: LooseLine): boolean => line.path === line.at && isTellingByItself(line);

const isKnownAgain = (line: LooseLine): boolean => line.isBeside || isItself(line);

/** Whether the line beside it, or its file, tells where it is from. */
const isTold = ({ path, at, isBeside }: LooseLine): boolean => isBeside || path === at;

/** What a file was before the commit of a checkpoint changed it. */
interface Start {
  readonly from: ObjectId;
  readonly blob: ObjectId;
  /** Work of that commit is found in the same file. */
  readonly isProved: boolean;
}

/** Of each file, what it was before commits that one may be made of changed it. */
function filesBefore({ patch: { commit }, madeOf, holds }: AskedBack): Map<string, Start[]> {
  const found = new Map<string, Start[]>();
  const worked = new Set(
    holds.flatMap(({ claim, lines }) => lines.map(({ path }) => `${claim.checkpoint.id} ${path}`)),
  );
  for (const claim of madeOf)
    for (const { commit: from, files } of claim.versions)
      for (const { path, before: blob } of from === commit ? [] : files)
        if (blob)
          found.set(path, [
            ...(found.get(path) ?? []),
            { from, blob, isProved: worked.has(`${claim.checkpoint.id} ${path}`) },
          ]);
  return found;
}
