import type { Dice } from '../../support/runner/dice.ts';

/** How the text of a file becomes bytes. */
export interface Encoding {
  readonly name: string;
  readonly mark: Buffer;
  encode(text: string): Buffer;
  /** What a client that finds the encoding out reads. */
  decode(bytes: Buffer): string;
  readonly unit: 1 | 2;
}

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
const utf8 = {
  unit: 1,
  encode: (text: string) => Buffer.from(text),
  decode: (bytes: Buffer) => bytes.toString(),
} as const;
const utf16le = {
  unit: 2,
  encode: (text: string) => Buffer.from(text, 'utf16le'),
  decode: (bytes: Buffer) => new TextDecoder('utf-16le').decode(bytes),
} as const;
const utf16be = {
  unit: 2,
  encode: (text: string) => swapped(Buffer.from(text, 'utf16le')),
  decode: (bytes: Buffer) => new TextDecoder('utf-16be').decode(bytes),
} as const;
const NONE = Buffer.alloc(0);

export const ENCODINGS: readonly Encoding[] = [
  { name: 'UTF-8', mark: NONE, ...utf8 },
  { name: 'UTF-8 with a mark', mark: Buffer.from('\uFEFF'), ...utf8 },
  {
    name: 'Latin-1',
    mark: NONE,
    unit: 1,
    encode: (text) => Buffer.from(text, 'latin1'),
    decode: (bytes) => bytes.toString('latin1'),
  },
  { name: 'UTF-16LE with a mark', mark: Buffer.from([0xff, 0xfe]), ...utf16le },
  { name: 'UTF-16LE', mark: NONE, ...utf16le },
  { name: 'UTF-16BE with a mark', mark: Buffer.from([0xfe, 0xff]), ...utf16be },
  { name: 'UTF-16BE', mark: NONE, ...utf16be },
  {
    // The second byte of its characters may be a backslash.
    name: 'Shift-JIS',
    mark: NONE,
    unit: 1,
    encode: (text) => Buffer.from(text.replaceAll('\u00e9', '\x83\x5c'), 'latin1'),
    decode: (bytes) => new TextDecoder('shift_jis').decode(bytes),
  },
  {
    name: 'binary',
    mark: Buffer.from([0x89, 0, 0x1a, 0xff, 0x0a, 0xc3]),
    unit: 1,
    encode: (text) => Buffer.from(text, 'latin1'),
    decode: (bytes) => bytes.toString('latin1'),
  },
];

export const LINE_ENDS = ['LF', 'CRLF', 'CR', 'mixed', 'none at the end'] as const;
export type LineEnd = (typeof LINE_ENDS)[number];

/** One file: rows with a number each, some of which are no ASCII. */
export function newContent(encoding: Encoding, ends: LineEnd, dice: Dice): Buffer {
  const rows = Array.from(
    { length: 8 + dice.below(8) },
    (_, at) => `row${at} ${dice.chance(40) ? 'caf\u00e9 ' : ''}x`,
  );
  const endOf = (): string =>
    ends === 'CRLF' ? '\r\n' : ends === 'CR' ? '\r' : ends === 'mixed' ? dice.oneOf(['\n', '\r\n']) : '\n';
  const text = rows.map(
    (row, at) => row + (ends === 'none at the end' && at === rows.length - 1 ? '' : endOf()),
  );
  return Buffer.concat([encoding.mark, encoding.encode(text.join(''))]);
}

/** A line that somebody puts somewhere into a file. */
export interface Insertion {
  readonly where: 'top' | 'end' | number;
  readonly line: string;
}

/** A row that is not there is looked for in vain: the line goes to the end. */
export function insert(bytes: Buffer, { where, line }: Insertion, encoding: Encoding): Buffer {
  const at = placeOf(bytes, where, encoding);
  return Buffer.concat([bytes.subarray(0, at), encoding.encode(line), bytes.subarray(at)]);
}

function placeOf(bytes: Buffer, where: Insertion['where'], { mark, encode, unit }: Encoding): number {
  if (where === 'top') return bytes.subarray(0, mark.length).equals(mark) ? mark.length : 0;
  const row = where === 'end' ? -1 : find(bytes, encode(`row${where} `), 0, unit);
  const end = row === -1 ? -1 : find(bytes, encode('\n'), row, unit);
  return end === -1 ? bytes.length : end + unit;
}

function find(bytes: Buffer, what: Buffer, from: number, unit: number): number {
  let at = bytes.indexOf(what, from);
  while (at !== -1 && at % unit !== 0) at = bytes.indexOf(what, at + 1);
  return at;
}

/** Whether a row is there to put something behind. */
export const hasRow = (bytes: Buffer, row: number, { encode, unit }: Encoding): boolean => {
  const at = find(bytes, encode(`row${row} `), 0, unit);
  return at !== -1 && find(bytes, encode('\n'), at, unit) !== -1;
};
