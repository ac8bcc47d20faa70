import { isObject, type JsonObject, parseJson } from '../../../base/text/json.ts';

/** The lines from number `item` on and before number `end`, counted from 0; blank and malformed ones count, and so does an unterminated last one. */
export function sliceLines(text: string, item: number, end?: number): string {
  const from = behindLines(text, 0, item);
  const to =
    end === undefined || from === undefined ? undefined : behindLines(text, from, end - Math.max(item, 0));
  return from === undefined ? '' : text.slice(from, to);
}

/** Where so many lines end that begin at a place; `undefined` where there are fewer. */
function behindLines(text: string, start: number, lines: number): number | undefined {
  let at = start;
  for (let line = 0; line < lines; line++) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return undefined;
  }
  return at;
}

export function countLines(text: string): number {
  const trimmed = text.trimEnd();
  return trimmed === '' ? 0 : trimmed.split('\n').length;
}

/** What `read` makes of the last line that it makes anything of; empty where there is none. Reads no line before it. */
export function readBackwards(text: string, read: (line: string) => string): string {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1);
    const found = read(text.slice(start + 1, end));
    if (found !== '') return found;
    end = start;
  }
  return '';
}

/** The lines that hold `mark`, the last one first: where each begins, and its text. */
export function* findLines(
  bytes: Buffer,
  mark: string,
): Generator<{ readonly at: number; readonly line: string }> {
  for (let end = bytes.length; end > 0; ) {
    const found = bytes.lastIndexOf(mark, end - 1);
    if (found === -1) return;
    const at = bytes.lastIndexOf('\n', found) + 1;
    const close = bytes.indexOf('\n', found);
    yield { at, line: bytes.toString('utf8', at, close === -1 ? bytes.length : close) };
    end = at;
  }
}

/** A line of a transcript whose lines name the one they follow. */
export interface LinkedRow {
  /** Line of the text, from 0. */
  readonly item: number;
  readonly value: JsonObject;
  /** Whether it is part of the conversation as it now is; otherwise somebody went back before it and went on differently. */
  readonly isCurrent: boolean;
}

/** By which id a row is known, and which one it follows: `null` for none. */
export interface RowLink {
  readonly id: string;
  readonly parent: string | null;
}

/**
 * The rows of a text in JSON Lines, with what the last row follows told apart from what was left behind. Rows without a link
 * are of every branch. The text may be a part: a branch that begins before it leaves behind what the text holds before the
 * branch goes on, unless there are lines that nobody can read: the missing row may be one of them.
 */
export function readLinkedRows(
  text: string,
  linkOf: (value: JsonObject) => RowLink | undefined,
): LinkedRow[] {
  const rows: Array<{ item: number; value: JsonObject; link: RowLink | undefined; parent: number }> = [];
  const places = new Map<string, number>();
  let firstBroken = Number.POSITIVE_INFINITY;
  for (const [item, raw] of text.split('\n').entries()) {
    if (raw.trim() === '') continue;
    const value = parseJson(raw);
    if (!isObject(value)) {
      firstBroken = Math.min(firstBroken, item);
      continue;
    }
    const link = linkOf(value);
    const parent = places.get(link?.parent ?? '') ?? NOWHERE;
    rows.push({ item, value, link, parent });
    if (link) places.set(link.id, rows.length - 1);
  }
  const current = new Set<number>();
  let at = rows.findLastIndex(({ link }) => link);
  while (at !== NOWHERE) {
    current.add(at);
    const { item, link, parent } = rows[at] as (typeof rows)[number];
    const mayBeBroken = link?.parent !== null && firstBroken < item;
    if (parent === NOWHERE && mayBeBroken) for (let before = 0; before < at; before++) current.add(before);
    at = parent;
  }
  return rows.map(({ item, value, link }, index) => ({
    item,
    value,
    isCurrent: link === undefined || current.has(index),
  }));
}

const NOWHERE = -1;

/** The same reader for texts that are read several times in a row: the last one is remembered. */
export function rememberLast<Result>(read: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: read(text) };
    return last.result;
  };
}

/** Lines among which a record is looked for: the first may be torn, or one of a later version. */
const MAX_LINES = 20;

/** What stands before a transcript and says nothing: a byte order mark, blanks, and NULs that a lost power supply left. */
const NOTHING = /^[\ufeff\s\0]+/;

/**
 * Whether a file that begins so may be a transcript that an agent writes line by line. It is told by the keys of records and not by
 * their kinds, of which each version has new ones. One that is empty, or whose first line is not whole, may become one.
 *
 * @param isRecord whether an object has what records of that agent have in common
 * @param first keys that records begin with: all that can be told of a line which is longer than the beginning
 */
export function beginsWithRecord(
  head: string,
  isRecord: (record: JsonObject) => boolean,
  first: readonly string[],
): boolean {
  const text = head.replace(NOTHING, '');
  if (text === '') return true;
  const lines = text.split('\n');
  const isFound = lines.slice(0, MAX_LINES).some((line) => {
    const value = parseJson(line);
    return isObject(value) && isRecord(value);
  });
  return isFound || (lines.length === 1 && !isWhole(text) && beginsWithKey(text, first));
}

/** Whether a text begins as an object does with one of these keys: a document, whose end is elsewhere. */
export function beginsWithKey(head: string, keys: readonly string[]): boolean {
  const text = head.replace(NOTHING, '');
  if (text === '') return true;
  if (!text.startsWith('{')) return false;
  const rest = text.slice(1).trimStart();
  return keys.some(
    (key) => rest.startsWith(`"${key}"`) || (rest.length < key.length && `"${key}"`.startsWith(rest)),
  );
}

const isWhole = (line: string): boolean => parseJson(line) !== undefined;

/** Whether a record has a kind, as texts have it, and one of these keys. */
export const isKindWith = (record: JsonObject, keys: readonly string[]): boolean =>
  typeof record.type === 'string' && keys.some((key) => key in record);

/**
 * The beginning of a transcript as one of another session, for clients whose lines have a `uuid` and the session's id each: every line as the client wrote it, up to and including the message
 * `last`, with the id of the session replaced. What stands behind that message (a prompt that waits, for one) belongs to what
 * came after.
 *
 * @returns `undefined` when the message is not in it, as after a compaction
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line.includes(last) && uuidOf(line) === last);
  if (last === '' || end === -1) return undefined;
  return `${lines
    .slice(0, end + 1)
    .map((line) => renamed(line, id))
    .join('\n')}\n`;
}

const uuidOf = (line: string): unknown => {
  const value = parseJson(line);
  return isObject(value) ? value.uuid : undefined;
};

/** In a string of JSON quotes are escaped: what is found is a key. */
const renamed = (line: string, id: string): string =>
  line.replaceAll(/"sessionId":"(?:[^"\\]|\\.)*"/g, `"sessionId":"${id}"`);
