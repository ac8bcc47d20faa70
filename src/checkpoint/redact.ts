import { isJson } from '../base/json.ts';
import { isSecretField } from './redact-assignments.ts';
import { findRandomRuns } from './redact-entropy.ts';
import { type Piece, readJsonPieces, toRawOffset } from './redact-json.ts';
import {
  type Finding,
  findRepeats,
  mergeRegions,
  REDACTED,
  type Region,
  settleRegions,
} from './redact-regions.ts';
import { findKnownShapes } from './redact-rules.ts';
import { findWithSecretlint } from './redact-secretlint.ts';

/**
 * Replaces every secret in plain text by `REDACTED`, those that are `known` already among them. Text without one comes
 * back as it was.
 *
 * @throws {EntireError} `REDACTION_FAILED` when it could not be looked at
 */
export async function redactText(text: string, known: readonly string[] = []): Promise<string> {
  for (let current = text; ; ) {
    const next = await redactPieces(current, [plainPiece(current, 0, current.length)], known);
    if (next === current) return current;
    current = next; // what is left of a run may look different now
  }
}

/** What redaction made of a text. */
export interface Redaction {
  readonly text: string;
  /**
   * Secrets with a shape or a name (`password=…`): whoever redacts the rest of the text later passes them on, since
   * there they may stand in other surroundings. To be kept in memory only.
   */
  readonly learned: readonly string[];
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
  const learned = new Set<string>();
  const redact = (part: string) => redactPieces(part, readPieces(part), known, learned);
  for (let current = text; ; ) {
    const next = await redact(current);
    if (next === current) return { text: current, learned: [...learned] };
    current = next;
    if (isDocument(current)) continue;
    // Lines that did not change hold nothing new: looking at the others again is enough.
    const changed = current.split('\n').filter((line) => line.includes(REDACTED));
    const lines = changed.join('\n');
    if (lines === (await redact(lines))) return { text: current, learned: [...learned] };
  }
}

/** {@link redactTranscript} of a text that stands for itself. */
export async function redactJsonLines(text: string): Promise<string> {
  return (await redactTranscript(text, [])).text;
}

/** Where `secret` stands in the raw text, in UTF-16 units; `undefined` where no value holds it whole. */
export function locateSecret(text: string, secret: string): Region | undefined {
  for (const piece of readPieces(text)) {
    const at = piece.value.indexOf(secret);
    if (at === -1) continue;
    const start = toRawOffset(text, piece, at);
    return { start: start.raw, end: toRawOffset(text, piece, at + secret.length, start).raw };
  }
  return undefined;
}

/** What is looked at. A line that is nested too deep for the parser counts as plain text: the safe side. */
function readPieces(text: string): Piece[] {
  if (isDocument(text)) return readJsonPieces(text, 0, text.length);
  const pieces: Piece[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (isJson(text.slice(start, end)))
      for (const piece of readJsonPieces(text, start, end)) pieces.push(piece);
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
});

/** Whether `text` is one JSON document over several lines, as some agents write it. */
function isDocument(text: string): boolean {
  const [, firstLine] = /^\s*([[{][^\n]{0,200})\n/.exec(text) ?? [];
  return firstLine !== undefined && !isJson(firstLine) && isJson(text);
}

/** Ends a piece for every rule: the newline for those that stop at space, the NUL for those that do not. */
const SEPARATOR = '\n\0';

async function redactPieces(
  text: string,
  pieces: readonly Piece[],
  known: readonly string[],
  learned?: Set<string>,
): Promise<string> {
  if (pieces.length === 0) return text;
  const joined = pieces.map((piece) => piece.value).join(SEPARATOR);
  const regions = await findSecrets(joined, pieces, known, learned);
  let redacted = '';
  let copied = 0;
  let offset = 0; // of the piece, in `joined`
  let next = 0;
  for (const piece of pieces) {
    const end = offset + piece.value.length;
    let known = { raw: piece.start, at: 0 };
    for (; (regions[next]?.start ?? joined.length) < end; next++) {
      const region = regions[next] as Region;
      known = toRawOffset(text, piece, Math.max(region.start - offset, 0), known);
      redacted += text.slice(copied, known.raw) + REDACTED;
      known = toRawOffset(text, piece, Math.min(region.end, end) - offset, known);
      copied = known.raw;
    }
    offset = end + SEPARATOR.length;
  }
  return redacted + text.slice(copied);
}

async function findSecrets(
  joined: string,
  pieces: readonly Piece[],
  known: readonly string[],
  learned: Set<string> | undefined,
): Promise<Region[]> {
  const random = findRandomRuns(joined);
  const shaped = [...findKnownShapes(joined), ...findFields(pieces)];
  const own = [...random, ...shaped];
  const secrets = new Set<string>();
  for (const { start, end } of shaped) addSecret(joined.slice(start, end), secrets);
  // Secretlint compares each of its findings with all others: it gets to see only what we did not find ourselves.
  for (const secret of await findWithSecretlint(cut(joined, own))) addSecret(secret, secrets);
  if (learned) for (const secret of secrets) learned.add(secret);
  for (const { start, end } of random) addSecret(joined.slice(start, end), secrets);
  for (const secret of known) secrets.add(secret);
  return settleRegions(joined, [...own, ...findRepeats(joined, secrets)]);
}

/** Whether a secret would be found standing alone, so that it was found wherever it stood. */
export function isEvident(secret: string): boolean {
  const found = mergeRegions([...findRandomRuns(secret), ...findKnownShapes(secret)]);
  return found[0]?.start === 0 && found[0].end === secret.length;
}

function findFields(pieces: readonly Piece[]): Finding[] {
  const found: Finding[] = [];
  let offset = 0;
  let before: Piece | undefined;
  for (const piece of pieces) {
    const { key, value } = piece;
    if (key !== undefined && (isSecretField(key, value) || isSecretPair(before, piece))) {
      found.push({ start: offset, end: offset + value.length, rule: 'named-value' });
    }
    before = piece;
    offset += value.length + SEPARATOR.length;
  }
  return found;
}

/** `{"name": "DB_PASSWORD", "value": "…"}` */
function isSecretPair(before: Piece | undefined, { key, value }: Piece): boolean {
  const isNamed = /^(?:name|key)$/i.test(before?.key ?? '') && /^value$/i.test(key ?? '');
  return isNamed && isSecretField(before?.value ?? '', value);
}

/** Blocks of several lines are remembered line by line as well: a patch lists them one by one. */
function addSecret(secret: string, secrets: Set<string>): void {
  if (secret.replaceAll(REDACTED, '') === '') return;
  secrets.add(secret);
  if (!secret.startsWith('-----BEGIN')) return;
  for (const line of secret.split(/\s+|\\n/)) if (/^[A-Za-z0-9+/=]{24,}$/.test(line)) secrets.add(line);
}

function cut(text: string, regions: readonly Region[]): string {
  let kept = '';
  let copied = 0;
  for (const { start, end } of mergeRegions(regions)) {
    kept += text.slice(copied, start) + REDACTED;
    copied = end;
  }
  return kept + text.slice(copied);
}
