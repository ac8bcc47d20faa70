import type { EditRecord, RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import { once } from '../base/once.ts';
import { isDistinctive, isTelling, plainLine } from '../base/text/lines.ts';
import { REDACTED } from '../checkpoint/redact/regions.ts';

/** What one call of a tool wrote into a file, less what it only carried there. */
export interface CarryingEdit extends RecordedEdit {
  readonly carried?: readonly CarriedLine[];
}

/** A line that a session found in files, and put into another one; names are those that its tools used. */
export interface CarriedLine {
  readonly line: string;
  /** Empty where git brought it: it may come from anywhere. */
  readonly from: readonly string[];
  readonly to: string;
}

/** Files of this repository that a line was carried from into one of it, by what tools called them beside that. */
export function sourcesIn({ from, to }: Pick<CarriedLine, 'from' | 'to'>, path: string): string[] {
  const named = to.replaceAll('\\', '/');
  if (!named.endsWith(path)) return [];
  const root = named.slice(0, -path.length);
  return from.flatMap((source) => {
    const file = source.replaceAll('\\', '/');
    return file.startsWith(root) ? [file.slice(root.length)] : [];
  });
}

/** What is on record of the lines that one session wrote into one file. */
export interface Evidence {
  /** Lines without what a formatter decides. */
  readonly written: ReadonlySet<string>;
  /** The same lines as they were written, but for white space at both ends. */
  readonly exact: ReadonlySet<string>;
  /** Lines in which something was redacted, as the parts around it. */
  readonly redacted: readonly (readonly string[])[];
  /** Texts that may be parts of lines. */
  readonly fragments: readonly string[];
  /** Lines that it only carried into the file, without what a formatter decides. */
  readonly carried: ReadonlyMap<string, CarriedLine>;
  /** Lines that commands alone brought, as far as it knows: they may have been somewhere before. */
  readonly byCommand: ReadonlySet<string>;
  /** Lines that say little by themselves, without what a formatter decides, and those that it wrote them right below and left there. */
  readonly short: ReadonlyMap<string, readonly string[]>;
  /** Those that it wrote a line right below and left there, also one that tells by itself; looked for when it is asked. */
  readonly abovesOf: (line: string) => readonly string[];
  /** How it wrote a line, as far as that is on record; looked for when it is asked. */
  readonly wayOf: (line: string) => EditWay | undefined;
  /** All the session wrote into the file is on record, so that what is not among it is not the session's. */
  readonly isComplete: boolean;
  /** There is at least one edit of the file on record. */
  readonly hasEdits: boolean;
}

/**
 * How an edit wrote a line: as one of those it put in the place of others, with the whole file, as a part of it, or by a command of which the
 * client reported what it changed.
 */
export type EditWay = 'edit' | 'file' | 'part' | 'command';

/** A shorter part of a line stands in too many others. */
const MIN_FRAGMENT = 10;

/**
 * Collects what edits say of a file.
 *
 * @param isComplete whether nothing else can have written it in that part of the session
 * @param isLeftAlone that the file was found changed, and no edit of it is on record, is somebody else's doing
 */
export function gatherEvidence(
  edits: readonly CarryingEdit[],
  isComplete: boolean,
  isLeftAlone = false,
): Evidence {
  const lines = edits.flatMap((edit) => edit.lines ?? []).filter(isTelling);
  const whole = lines.filter((line) => !line.includes(REDACTED));
  return {
    ...gatherWritten(edits),
    exact: new Set(whole.map((line) => line.trim())),
    carried: new Map(
      edits.flatMap(({ carried = [] }) => carried.map((one) => [plainLine(one.line), one] as const)),
    ),
    byCommand: gatherByCommand(edits),
    wayOf: openWays(edits),
    ...gatherAboves(edits),
    isComplete:
      isComplete && (isLeftAlone || edits.length > 0) && edits.every((edit) => edit.lines !== undefined),
    hasEdits: edits.length > 0,
  };
}

/** The first edit that wrote the line tells. */
function openWays(edits: readonly CarryingEdit[]): Evidence['wayOf'] {
  let ways: ReadonlyMap<string, EditWay> | undefined;
  return (line) => {
    ways ??= new Map(
      edits
        .flatMap(({ lines = [], fragments, isWhole, isByCommand }) => {
          const way = isByCommand ? 'command' : isWhole ? 'file' : 'edit';
          const parts = new Set(fragments);
          return lines.map((text) => [plainLine(text), parts.has(text) ? 'part' : way] as const);
        })
        .reverse(),
    );
    return ways.get(plainLine(line)) ?? 'part';
  };
}

/** Of {@link Evidence} what tells whether a line was written. */
export type Written = Pick<Evidence, 'written' | 'redacted' | 'fragments'>;

export function gatherWritten(edits: readonly RecordedEdit[]): Written {
  const lines = edits.flatMap((edit) => edit.lines ?? []).filter(isTelling);
  return {
    written: new Set(lines.filter((line) => !line.includes(REDACTED)).map(plainLine)),
    redacted: lines
      .filter((line) => line.includes(REDACTED))
      .map((line) => plainLine(line).split(REDACTED))
      .filter((parts) => parts.some((part) => isTelling(part))),
    fragments: edits.flatMap(({ fragments }) => fragments.map(plainLine)).filter(isLong),
  };
}

function gatherByCommand(edits: readonly CarryingEdit[]): Set<string> {
  const linesOf = (isByCommand: boolean): string[] =>
    edits.flatMap((edit) => ((edit.isByCommand ?? false) === isByCommand ? (edit.lines ?? []) : []));
  const byTools = new Set(linesOf(false).map(plainLine));
  const byCommands = linesOf(true).filter(isDistinctive).map(plainLine);
  return new Set(byCommands.filter((line) => !byTools.has(line)));
}

function gatherAboves(edits: readonly CarryingEdit[]): Pick<Evidence, 'short' | 'abovesOf'> {
  const short = abovesIn(edits, (line) => !isDistinctive(line));
  // Most lines tell by themselves, and few of them are asked about.
  const long = once(() => abovesIn(edits, isDistinctive));
  return { short, abovesOf: (line) => (isDistinctive(line) ? long() : short).get(plainLine(line)) ?? [] };
}

/** Edits are in the order in which they were made; what they took away says what is left of those before. */
function abovesIn(
  edits: readonly CarryingEdit[],
  isAsked: (line: string) => boolean,
): Map<string, readonly string[]> {
  const aboves = new Map<string, string[]>();
  for (const { lines = [], removed = [], isWhole } of edits) {
    if (isWhole) aboves.clear();
    const gone = new Set(removed.filter(isTelling).map(plainLine));
    if (gone.size > 0)
      for (const [line, known] of aboves)
        aboves.set(
          line,
          known.filter((above) => !gone.has(plainLine(above))),
        );
    let above: string | undefined;
    for (const row of lines) {
      if (isAsked(row)) {
        const line = plainLine(row);
        const known = aboves.get(line) ?? [];
        if (above !== undefined) known.push(above);
        aboves.set(line, known);
      }
      if (isTelling(row)) above = row.trim();
    }
  }
  return aboves;
}

const isLong = (fragment: string): boolean => fragment.length >= MIN_FRAGMENT && isTelling(fragment);

/** Whether the session wrote the line, as far as its edits are on record. */
export function isWritten(line: string, { written, redacted, fragments }: Written): boolean {
  const text = plainLine(line);
  return (
    written.has(text) ||
    redacted.some((parts) => hasParts(text, parts)) ||
    fragments.some((fragment) => text.includes(fragment))
  );
}

/** Whether a line that the session wrote was formatted since then: it is its line, and yet another one. */
export const isReformatted = (line: string, { written, exact }: Evidence): boolean =>
  isTelling(line) && written.has(plainLine(line)) && !exact.has(line.trim());

/** Whether a line is one that a session wrote, in which something may have been redacted. */
export const isSameLine = (line: string, written: string): boolean =>
  plainLine(line) === plainLine(written) ||
  (written.includes(REDACTED) && hasParts(plainLine(line), plainLine(written).split(REDACTED)));

const formatted = new WeakMap<Evidence, WeakMap<readonly string[], boolean>>();

/** Whether one of the lines {@link isReformatted}; looked at once, however many of them are asked about. */
export function isAnyReformatted(lines: readonly string[], evidence: Evidence): boolean {
  const known = formatted.get(evidence) ?? new WeakMap<readonly string[], boolean>();
  formatted.set(evidence, known);
  const found = known.get(lines) ?? lines.some((line) => isReformatted(line, evidence));
  known.set(lines, found);
  return found;
}

/** Whether the parts stand in the text in order, from its beginning to its end. */
function hasParts(text: string, parts: readonly string[]): boolean {
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

interface EditsOf<E> {
  readonly edits: readonly E[];
}

/**
 * Of the edits of a session, those of one file. Transcripts name files as they were on the machine of the session, which
 * need not be this one: a path belongs to the longest of the session's known files that it ends with. What was written into a file before
 * a tool moved it is among them.
 */
export function editsOf<E extends RecordedEdit>(
  { edits }: EditsOf<E>,
  path: string,
  filesTouched: readonly string[],
): readonly E[] {
  const ownerOf = ownersAmong(filesTouched.includes(path) ? filesTouched : [...filesTouched, path]);
  const isOwn = (edit: E): boolean => {
    const named = edit.path.replaceAll('\\', '/');
    return named.endsWith(path) && ownerOf(named) === path;
  };
  if (!edits.some(({ movedFrom }) => movedFrom !== undefined)) return edits.filter(isOwn);
  const former = new Set<string>();
  const own = edits.toReversed().filter((edit) => {
    if (!isOwn(edit) && !former.has(edit.path)) return false;
    if (edit.movedFrom !== undefined) former.add(edit.movedFrom);
    return true;
  });
  return own.reverse();
}

/** Edits of files that are none of the session's known ones: such as a file that was renamed before it was committed. */
export function editsOfOthers<E extends RecordedEdit>(
  { edits }: EditsOf<E>,
  filesTouched: readonly string[],
): readonly E[] {
  const ownerOf = ownersAmong(filesTouched);
  return edits.filter((edit) => ownerOf(edit.path.replaceAll('\\', '/')) === undefined);
}

/**
 * Whether what commands did to a file would have been seen: clients that report what commands changed look at the repository that these ran
 * in. Which one the file is in, edits tell that name it, or others of the session's known files.
 */
export function isWatched(
  { edits, watched = [] }: Pick<EditRecord, 'edits' | 'watched'>,
  path: string,
  filesTouched: readonly string[],
): boolean {
  if (watched.length === 0) return true;
  const ownerOf = ownersAmong([...filesTouched, path]);
  const roots = new Set(
    edits.flatMap((edit) => {
      const named = edit.path.replaceAll('\\', '/');
      const owner = ownerOf(named);
      return owner === undefined || owner === named ? [] : named.slice(0, -owner.length - 1);
    }),
  );
  // Where nothing names one, the files were found in the repository that the session belongs to.
  return watched.every(({ folder, isRoot }) => {
    const place = folder.replaceAll('\\', '/');
    if (roots.size === 0) return !isRoot;
    return [...roots].every((root) => place === root || (!isRoot && place.startsWith(`${root}/`)));
  });
}

function ownersAmong(known: readonly string[]): (named: string) => string | undefined {
  const owner = new Map<string, string | undefined>();
  return (named) => {
    if (!owner.has(named)) {
      const fits = known.filter((file) => named === file || named.endsWith(`/${file}`));
      owner.set(
        named,
        fits.reduce<string | undefined>((a, b) => (a && a.length >= b.length ? a : b), undefined),
      );
    }
    return owner.get(named);
  };
}
