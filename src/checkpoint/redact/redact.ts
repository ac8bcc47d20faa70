import { isJson } from '../../base/text/json.ts';
import { currentRedaction } from '../../settings/redaction.ts';
import { findSecrets, SEPARATOR } from './find.ts';
import { MIN_SECRET, type Piece, readJsonPieces, toRawOffset } from './json.ts';
import { mergeRegions, REDACTED, type Region, type Replacement } from './regions.ts';
import { findVendors } from './rules.ts';
import { type Place, TextTable } from './table.ts';

/**
 * Replaces every secret in plain text by `REDACTED`, those that are `known` already among them. Text without one comes
 * back as it was.
 *
 * @throws {EntireError} `REDACTION_FAILED` when it could not be looked at
 */
export async function redactText(text: string, known: readonly string[] = []): Promise<string> {
  return (await redactPlain(text, known)).text;
}

/** What redaction made of a text. */
export interface Redaction {
  readonly text: string;
  /**
   * Secrets with a shape or a name (`password=…`): whoever redacts the rest of the text later passes them on, since
   * there they may stand in other surroundings. To be kept in memory only.
   */
  readonly learned: readonly string[];
  /** How many places each rule had replaced. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Replaces every secret in the string values of JSON lines, or of one JSON document, by `REDACTED`.
 *
 * All other bytes stay: keys, spaces, escapes, numbers, ids, signatures, images. A line that is not JSON is plain
 * text. A secret that was found in one line is replaced in all of them, and so is one that is `known` already.
 *
 * @throws {EntireError} `REDACTION_FAILED` when it could not be looked at
 */
export async function redactTranscript(text: string, known: readonly string[]): Promise<Redaction> {
  const passes = new Passes(readPieces, known);
  for (let current = text; ; ) {
    const next = await passes.redact(current);
    if (next === current) return passes.result(current);
    current = next;
    if (isDocument(current)) continue;
    // Lines that did not change hold nothing new: looking at the others again is enough.
    const changed = current.split('\n').filter((line) => line.includes(REDACTED));
    const lines = changed.join('\n');
    if (lines === (await passes.redact(lines))) return passes.result(current);
  }
}

/** {@link redactText}, with what it learned and did. */
export async function redactPlain(text: string, known: readonly string[]): Promise<Redaction> {
  return redactWhole(text, known, (current) => [plainPiece(current, 0, current.length)]);
}

async function redactWhole(
  text: string,
  known: readonly string[],
  piecesOf: (text: string) => Piece[],
): Promise<Redaction> {
  const passes = new Passes(piecesOf, known);
  for (let current = text; ; ) {
    const next = await passes.redact(current);
    if (next === current) return passes.result(current);
    current = next; // what is left of a run may look different now
  }
}

/** Between prompts in `prompt.txt`, and before each in `context.md`. */
const PROMPT_BREAK = /\n\n---\n\n|(?:^|\n\n)### Prompt \d+\n\n/g;

/** {@link redactPlain} of prompts that were joined: each is looked at by itself, as in the transcript. */
export async function redactPrompts(text: string, known: readonly string[]): Promise<Redaction> {
  return redactWhole(text, known, (current) => {
    const breaks = [...current.matchAll(PROMPT_BREAK)];
    const starts = [0, ...breaks.map(({ 0: { length }, index }) => index + length)];
    return starts.map((start, at) => plainPiece(current, start, breaks[at]?.index ?? current.length));
  });
}

/** Adds up what several passes over a text find. */
class Passes {
  private readonly learned = new Set<string>();
  private readonly counts: Record<string, number> = {};
  private readonly piecesOf: (text: string) => Piece[];
  private readonly known: readonly string[];

  constructor(piecesOf: (text: string) => Piece[], known: readonly string[]) {
    this.piecesOf = piecesOf;
    this.known = known;
  }

  async redact(text: string): Promise<string> {
    const pass = await redactPieces(text, this.piecesOf(text), this.known);
    for (const secret of pass.learned) this.learned.add(secret);
    for (const { rule } of pass.replacements) this.counts[rule] = (this.counts[rule] ?? 0) + 1;
    return pass.text;
  }

  result(text: string): Redaction {
    return { text, learned: [...this.learned], counts: this.counts };
  }
}

/**
 * Replaces what has the shape of a vendor's key in a name that is only shown, as a branch's: in a name every word may be a
 * secret's name, and letters without order are common.
 */
export function redactName(name: string): string {
  const { by, parts } = mergeRegions(findVendors(name)).reduce(
    (all, { start, end }) => ({ by: end, parts: `${all.parts}${name.slice(all.by, start)}${REDACTED}` }),
    { by: 0, parts: '' },
  );
  return parts + name.slice(by);
}

/** {@link redactTranscript} of a text that stands for itself. */
export async function redactJsonLines(text: string): Promise<string> {
  return (await redactTranscript(text, [])).text;
}

/** Where each of `secrets` stands first in the raw text, in UTF-16 units; without those that no value holds whole. */
export function locateSecrets(text: string, secrets: readonly string[]): Map<string, Region> {
  const missing = new Set(secrets);
  const located = new Map<string, Region>();
  const pieces = readPieces(text);
  const joined = pieces.map(({ value }) => value).join(SEPARATOR);
  let no = 0;
  let offset = 0; // of the piece, in `joined`
  let known: { raw: number; at: number } | undefined;
  const take = ({ start, end, text: secret }: Place): boolean => {
    for (let piece = pieces[no]; piece && start >= offset + piece.value.length; piece = pieces[++no]) {
      offset += piece.value.length + SEPARATOR.length;
      known = undefined;
    }
    const piece = pieces[no];
    if (!piece || end > offset + piece.value.length || !missing.delete(secret)) return false;
    known = toRawOffset(text, piece, start - offset, known);
    located.set(secret, { start: known.raw, end: toRawOffset(text, piece, end - offset, known).raw });
    return false; // shorter ones may begin here as well
  };
  for (const _ of new TextTable(secrets.filter(({ length }) => length <= LONG)).find(joined, take));
  for (const secret of secrets) if (secret.length > LONG) locateLong(text, pieces, secret, located);
  return located;
}

/** Of such secrets there are few; in a table each place of a text that repeats itself would cost as much as they are long. */
const LONG = 1024;

function locateLong(
  text: string,
  pieces: readonly Piece[],
  secret: string,
  located: Map<string, Region>,
): void {
  for (const piece of pieces) {
    const at = piece.value.length < secret.length ? -1 : piece.value.indexOf(secret);
    if (at === -1) continue;
    const start = toRawOffset(text, piece, at);
    located.set(secret, { start: start.raw, end: toRawOffset(text, piece, at + secret.length, start).raw });
    return;
  }
}

/** What is looked at. A line that is nested too deep for the parser counts as plain text: the safe side. */
function readPieces(text: string): Piece[] {
  const minLength = currentRedaction().expressions.length > 0 ? 1 : MIN_SECRET; // anything may be asked for
  if (isDocument(text)) return readJsonPieces(text, 0, text.length, minLength);
  const pieces: Piece[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (isJson(text.slice(start, end)))
      for (const piece of readJsonPieces(text, start, end, minLength)) pieces.push(piece);
    else if (end > start) pieces.push(plainPiece(text, start, end));
    start = end + 1;
  }
  return pieces;
}

const plainPiece = (text: string, start: number, end: number): Piece => ({
  start,
  end,
  value: text.slice(start, end),
  escaped: false,
  key: undefined,
  unit: start,
});

/** Whether `text` is one JSON document over several lines, as some agents write it. */
function isDocument(text: string): boolean {
  const [, firstLine] = /^\s*([[{][^\n]{0,200})\n/.exec(text) ?? [];
  return firstLine !== undefined && !isJson(firstLine) && isJson(text);
}

interface Pass {
  readonly text: string;
  readonly learned: readonly string[];
  readonly replacements: readonly Replacement[];
}

async function redactPieces(text: string, pieces: readonly Piece[], known: readonly string[]): Promise<Pass> {
  if (pieces.length === 0) return { text, learned: [], replacements: [] };
  const joined = pieces.map((piece) => piece.value).join(SEPARATOR);
  const { replacements, learned } = await findSecrets(joined, pieces, known);
  let redacted = '';
  let copied = 0;
  let offset = 0; // of the piece, in `joined`
  let next = 0;
  for (const piece of pieces) {
    const end = offset + piece.value.length;
    let known = { raw: piece.start, at: 0 };
    for (let one = replacements[next]; one && one.start < end; one = replacements[++next]) {
      const { start, end: last, by } = one;
      known = toRawOffset(text, piece, Math.max(start - offset, 0), known);
      redacted += text.slice(copied, known.raw) + by;
      known = toRawOffset(text, piece, Math.min(last, end) - offset, known);
      copied = known.raw;
    }
    offset = end + SEPARATOR.length;
  }
  return { text: redacted + text.slice(copied), learned, replacements };
}
