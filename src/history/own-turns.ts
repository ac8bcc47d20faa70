import { transcriptFormatOf } from '../agents/registry.ts';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { EarlierPart, LeftBehind } from './left-behind.ts';
import { readTurns } from './transcript-turns.ts';

/** A turn of a session, and whether it has a part in a checkpoint. */
export interface ToldTurn {
  readonly prompt: string;
  readonly isOwn: boolean;
}

/**
 * The turns of the session of a checkpoint that has what an earlier one left behind, with those that have a part in it.
 *
 * @param text the transcript from the session's beginning on
 * @returns `undefined` where it cannot be told
 */
export function tellOwnTurns(
  { metadata }: StoredSlot,
  text: string,
  { prompts, earlier }: LeftBehind,
): ToldTurn[] | undefined {
  const all = readTurns(transcriptFormatOf(metadata.agent), text, prompts);
  const turns = all.flatMap(({ prompt, record }) =>
    prompt === undefined ? [] : { prompt, paths: record.edits.map(({ path }) => path) },
  );
  // What was taken out of a transcript is not counted in it.
  if (turns.length !== prompts.length) return undefined;
  const own = findOwnTurns(
    turns.map(({ paths }) => paths),
    metadata.filesTouched,
    earlier,
  );
  return own && turns.map(({ prompt }, at) => ({ prompt, isOwn: own.has(at) }));
}

/**
 * Which turns have a part in a checkpoint: those that wrote its files after an earlier checkpoint had them. One that wrote nothing
 * counts with the one that came of it.
 *
 * @param turns the paths that each turn wrote, as its tools named them
 * @returns their places, from 0; `undefined` where nobody says who wrote one of the files
 */
export function findOwnTurns(
  turns: readonly (readonly string[])[],
  files: readonly string[],
  earlier: readonly EarlierPart[],
): Set<number> | undefined {
  const known = [...new Set([...files, ...earlier.flatMap((one) => one.files)])];
  const owners = turns.map((paths) => new Set(paths.flatMap((path) => ownerOf(path, known) ?? [])));
  const seen = Math.max(0, ...earlier.map((one) => one.turns));
  const written = files.map((file) => {
    const by = turns.flatMap((_, at) => (owners[at]?.has(file) ? at : []));
    const takenAt = earlier.flatMap((one) => (one.files.includes(file) ? one.turns : []));
    const [last = 0, before = 0] = [...new Set(takenAt)].sort((a, b) => b - a);
    const fresh = by.filter((at) => at >= last);
    const taken = by.filter((at) => at >= before && at < last);
    return { by, fresh, taken: taken.length > 0 ? taken : by.slice(-1) };
  });
  if (written.length === 0 || written.some(({ by }) => by.length === 0)) return undefined;
  // Something was left behind: a whole file, or else a part of one that was taken.
  const isWhole = written.some(({ fresh }) => fresh.some((at) => at < seen));
  const own = new Set(
    written.flatMap(({ fresh, taken }) => (isWhole && fresh.length > 0 ? fresh : [...taken, ...fresh])),
  );
  const isIdle = (at: number): boolean => turns[at]?.length === 0;
  const last = Math.max(...own);
  for (let at = turns.length - 2; at >= 0; at--) if (isIdle(at) && own.has(at + 1)) own.add(at);
  const rest = turns.map((_, at) => at).slice(last + 1);
  if (rest.every(isIdle)) for (const at of rest) own.add(at);
  return own;
}

/** The longest of some files that a path ends with: it may be of another machine. */
function ownerOf(path: string, files: readonly string[]): string | undefined {
  const named = `/${path.replaceAll('\\', '/')}`;
  return files
    .filter((file) => named.endsWith(`/${file}`))
    .reduce<string | undefined>((a, b) => (a !== undefined && a.length >= b.length ? a : b), undefined);
}
