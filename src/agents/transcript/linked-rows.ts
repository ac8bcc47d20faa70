import { isObject, type JsonObject, parseJson } from '../../base/text/json.ts';

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
