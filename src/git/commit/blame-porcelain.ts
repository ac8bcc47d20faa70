import { unquote } from './quoted-name.ts';

/** What git says of one line, as it says it: bytes, of which only what is needed is read. */
export interface PorcelainLine {
  /** As git names it: noughts for what is not committed yet. */
  readonly commit: string;
  /** From 1, in the file of that commit. */
  readonly original: number;
  /** From 1, in the file as it is now. */
  readonly line: number;
  /** Without the line end. */
  readonly content: Buffer;
  /** About the commit: who made it, when, its summary, whether it is a boundary. One list for all lines of a commit. */
  readonly details: readonly Buffer[];
  readonly place: PorcelainPlace;
  /** About this line alone: `ignored`, `unblamable`. */
  readonly marks: readonly Buffer[];
}

/** Where in a commit a line is: the header lines that say it, and the name of the file. */
export interface PorcelainPlace {
  readonly rows: readonly Buffer[];
  readonly path: string;
  /** The parent of the commit that git went on to, and what the file is called there; of one that makes the file there is none. */
  readonly previous?: { readonly commit: string; readonly path: string };
}

const HEADER = /^([0-9a-f]{40}|[0-9a-f]{64}) (\d+) (\d+)/;
const NOWHERE: PorcelainPlace = { rows: [], path: '' };
const NO_MARKS: readonly Buffer[] = [];

/**
 * Reads the porcelain form: a header line, what is new about the commit, and the text behind a tab.
 *
 * @see https://git-scm.com/docs/git-blame#_the_porcelain_format
 */
export function parsePorcelain(output: Buffer): PorcelainLine[] {
  const commits = new Map<string, { readonly details: readonly Buffer[]; readonly place: PorcelainPlace }>();
  const lines: PorcelainLine[] = [];
  let rows: Buffer[] = [];
  let current: { commit: string; original: number; line: number } | undefined;
  for (let at = 0; at < output.length; ) {
    const from = at;
    const next = output.indexOf(0x0a, at);
    const end = next === -1 ? output.length : next;
    at = next === -1 ? output.length : next + 1;
    if (output[from] !== 0x09) {
      const [, commit, original, line] = current
        ? []
        : (HEADER.exec(output.toString('latin1', from, Math.min(end, from + 100))) ?? []);
      if (commit) current = { commit, original: Number(original), line: Number(line) };
      else if (current) rows.push(output.subarray(from, end));
      continue;
    }
    if (!current) continue;
    const said = commits.get(current.commit);
    const content = output.subarray(from + 1, end);
    if (said && rows.length === 0) {
      lines.push({ ...current, content, details: said.details, place: said.place, marks: NO_MARKS });
      current = undefined;
      continue;
    }
    const { details, place, marks } = sort(rows);
    // Told once for a commit; its name again where the commit has lines of another file.
    const known = {
      details: said && details.length === 0 ? said.details : details,
      place: place ?? said?.place ?? NOWHERE,
    };
    if (details.length > 0 || place || !said) commits.set(current.commit, known);
    lines.push({ ...current, content, ...known, marks });
    rows = [];
    current = undefined;
  }
  return lines;
}

/** Header lines of a commit end with the name of the file, with or without where it was before; what comes behind is about the line. */
function sort(rows: readonly Buffer[]): {
  readonly details: readonly Buffer[];
  readonly place: PorcelainPlace | undefined;
  readonly marks: readonly Buffer[];
} {
  const named = rows.findIndex((row) => beginsWith(row, 'filename '));
  if (named === -1) return { details: [], place: undefined, marks: rows };
  const before = rows[named - 1];
  const from = before && beginsWith(before, 'previous ') ? named - 1 : named;
  const path = unquote((rows[named] as Buffer).toString('utf8', 'filename '.length));
  const previous = from < named ? readPrevious(before as Buffer) : undefined;
  return {
    details: rows.slice(0, from),
    place: { rows: rows.slice(from, named + 1), path, ...(previous && { previous }) },
    marks: rows.slice(named + 1),
  };
}

function readPrevious(row: Buffer): PorcelainPlace['previous'] {
  const [, commit, path] = /^previous ([0-9a-f]+) (.+)$/s.exec(row.toString('utf8')) ?? [];
  return commit !== undefined && path !== undefined ? { commit, path: unquote(path) } : undefined;
}

const beginsWith = (row: Buffer, word: string): boolean => row.toString('latin1', 0, word.length) === word;

/** How git prints it for programs. */
export type PorcelainForm = 'porcelain' | 'line-porcelain' | 'incremental';

/** A header line of ours: a key, and what it says. */
export type Fact = readonly [key: string, value: string];

/** A line with what we say of it. */
export interface ToldLine extends PorcelainLine {
  readonly facts: readonly Fact[];
}

/**
 * Lines as `git blame` prints them in that form, with header lines of ours: of a commit they are said where they are not what was last
 * said of it, and before the name of the file. A key that was said and holds no more is said without a value, so that a program which
 * keeps what it reads by commit is right, too.
 */
export function renderPorcelain(lines: readonly ToldLine[], form: PorcelainForm): Buffer {
  const out: (Buffer | string)[] = [];
  const said = new Map<string, readonly Fact[]>();
  const places = new Map<string, string>();
  const moving = new Set<string>(); // commits that lines of several files are from
  for (const { commit, place } of lines) {
    const key = keyOf(place);
    if ((places.get(commit) ?? key) !== key) moving.add(commit);
    places.set(commit, key);
  }
  const row = (bytes: Buffer | string): void => void out.push(bytes, '\n');
  const head = (line: ToldLine): void => {
    const last = said.get(line.commit);
    const isFull = !last || form === 'line-porcelain';
    if (isFull) line.details.forEach(row);
    const isNew = !isSame(last ?? [], line.facts);
    if (isNew || form === 'line-porcelain') for (const fact of withEnded(line.facts, last)) row(words(fact));
    if (isFull || moving.has(line.commit) || form === 'incremental') line.place.rows.forEach(row);
    said.set(line.commit, line.facts);
  };
  for (const group of groupsOf(lines)) {
    for (const [at, line] of group.entries()) {
      const count = at === 0 ? ` ${group.length}` : '';
      if (at === 0 || form !== 'incremental') row(`${line.commit} ${line.original} ${line.line}${count}`);
      if (at === 0 || form === 'line-porcelain') head(line);
      if (form === 'incremental') continue;
      line.marks.forEach(row);
      out.push('\t');
      row(line.content);
    }
  }
  return Buffer.concat(out.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

const words = ([key, value]: Fact): string => (value === '' ? key : `${key} ${value}`);

const withEnded = (facts: readonly Fact[], last: readonly Fact[] = []): readonly Fact[] => [
  ...facts,
  ...last.flatMap(([key]): Fact[] => (facts.some(([own]) => own === key) ? [] : [[key, '']])),
];

const isSame = (one: readonly Fact[], other: readonly Fact[]): boolean =>
  one.length === other.length &&
  one.every(([key, value], at) => key === other[at]?.[0] && value === other[at]?.[1]);

const keyOf = ({ rows }: PorcelainPlace): string => rows.map((row) => row.toString('latin1')).join('\n');

/** Lines one below the other, of which everything that is said in a header is the same. */
function groupsOf(lines: readonly ToldLine[]): ToldLine[][] {
  const groups: ToldLine[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const continues =
      last?.commit === line.commit &&
      last.line + 1 === line.line &&
      last.original + 1 === line.original &&
      (last.place === line.place || keyOf(last.place) === keyOf(line.place)) &&
      isSame(last.facts, line.facts);
    if (group && continues) group.push(line);
    else groups.push([line]);
  }
  return groups;
}
