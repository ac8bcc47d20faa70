import { createHash } from '../../../base/hash.ts';
import type { Finding } from '../regions.ts';
import { WORDS } from './bip39-words.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** The bytes of base58 whose last four are the right checksum of the others, as addresses and keys of coins have them. */
function readChecked(run: string): Buffer | undefined {
  if (run.length < 25 || run.length > 56) return undefined;
  let value = 0n;
  for (const unit of run) {
    const digit = BASE58.indexOf(unit);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16);
  const zeros = /^1*/.exec(run)?.[0].length ?? 0;
  const bytes = Buffer.concat([
    Buffer.alloc(zeros),
    Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'),
  ]);
  if (bytes.length < 24) return undefined;
  const body = bytes.subarray(0, -4);
  return sha256(sha256(body)).subarray(0, 4).equals(bytes.subarray(-4)) ? body : undefined;
}

/** Whether a run is an address: base58 with a checksum, too short for a key. */
export const isCheckedBase58 = (run: string): boolean => (readChecked(run)?.length ?? 99) <= 24;

/** Whether a run is a key that signs for an address, in the form in which wallets import it. */
export function isCoinKey(run: string): boolean {
  const length = readChecked(run)?.length ?? 0;
  return length === 33 || length === 34;
}

const indexes = new Map(WORDS.map((word, index) => [word, index]));
/** Bits by hash: what is no word of the list is told without a look at it. */
const maybe = new Uint8Array(1 << 16);
const SEED = 7;
for (const word of WORDS) {
  let hash = SEED;
  for (const unit of word) hash = (hash * 31 + unit.charCodeAt(0)) & 0xffff;
  maybe[hash] = 1;
}
/** Units that may stand between two words: spaces, commas, quotes, numbers. */
const BETWEEN = new Uint8Array(1 << 16);
for (const unit of ' \t\r\n,;.:)"\'0123456789|-\\') BETWEEN[unit.charCodeAt(0)] = 1;
const BACKSLASH = 0x5c;
const MAX_BETWEEN = 8;
const MAX_WORD = 8;
const SIZES = [24, 21, 18, 15, 12];
/** Of more words one after the other somebody lists words. */
const MAX_WORDS = 48;
/** Of words drawn from two thousand hardly any comes twice; `border-left border-left-color` says the same ones again. */
const MAX_REPEATS = 2;

interface Word {
  readonly start: number;
  readonly end: number;
}

/** Ten words of three letters end behind as many units: at one of the places so far apart two more of the twelve follow. */
const STEP = 39;

/**
 * Finds phrases that wallets are restored from: 12, 15, 18, 21 or 24 words of BIP-39's list, the last of which holds the
 * right checksum.
 */
export function findPhrases(text: string): Finding[] {
  const found: Finding[] = [];
  for (let at = 0; at < text.length; at += STEP) {
    const second = wordEnd(text, skipWord(text, at));
    if (second === -1 || wordEnd(text, second) === -1) continue;
    const words = readWords(text, Math.max(0, at - STEP));
    if (words.length >= 12) found.push(...readPhrases(text, words));
    at = Math.max(at, words.at(-1)?.end ?? 0);
  }
  return found;
}

/** Where a word ends that `at` may stand in. */
function skipWord(text: string, at: number): number {
  let end = at;
  while (isLetter(text.charCodeAt(end)) && end <= at + MAX_WORD) end++;
  return end;
}

const isLetter = (code: number): boolean => code >= 97 && code <= 122;

/** Where the next word behind `at` begins, and where to look on if it is none; {@link wordEnd} sets both. */
let wordStart = 0;
let lookOn = 0;

/** Where the next word behind `at` ends, if it may be one of the list, or -1. */
function wordEnd(text: string, at: number): number {
  let start = at;
  while (start - at <= MAX_BETWEEN && BETWEEN[text.charCodeAt(start)] === 1)
    start += text.charCodeAt(start) === BACKSLASH ? 2 : 1; // the letter of an escape is no word's
  let hash = SEED;
  let end = start;
  for (; end - start <= MAX_WORD; end++) {
    const code = text.charCodeAt(end);
    if (!isLetter(code)) break;
    hash = (hash * 31 + code) & 0xffff;
  }
  wordStart = start;
  lookOn = Math.max(end, at + 1);
  const length = end - start;
  const isWord = start - at <= MAX_BETWEEN && length >= 3 && length <= MAX_WORD && maybe[hash] === 1;
  return isWord ? end : -1;
}

/** The words from about `at` on that stand one after the other: the last ones that at least twelve do, or as many as there are. */
function readWords(text: string, at: number): Word[] {
  let words: Word[] = [];
  let from = at > 0 ? skipWord(text, at) : 0;
  const until = at + 3 * STEP;
  for (;;) {
    const end = wordEnd(text, from);
    if (end !== -1) words.push({ start: wordStart, end });
    else if (words.length >= 12 || from >= until || from >= text.length) return words;
    else words = [];
    from = lookOn;
  }
}

function readPhrases(text: string, words: readonly Word[]): Finding[] {
  const said = words.map(({ start, end }) => indexes.get(text.slice(start, end)) ?? -1);
  if (words.length > MAX_WORDS || said.every((index, at) => at === 0 || index > (said[at - 1] ?? 0)))
    return [];
  const found: Finding[] = [];
  for (const size of SIZES) {
    for (let at = 0; at + size <= said.length; at++) {
      const phrase = said.slice(at, at + size);
      if (phrase.includes(-1) || !isPhrase(phrase)) continue;
      const place = { start: words[at]?.start ?? 0, end: words[at + size - 1]?.end ?? 0 };
      const isRare = new Set(phrase).size >= size - MAX_REPEATS;
      if (!isRare && !/^[a-z]+(?: [a-z]+)*$/.test(text.slice(place.start, place.end))) continue;
      found.push({ ...place, rule: 'seed-phrase' });
      at += size - 1;
    }
    if (found.length > 0) return found;
  }
  return found;
}

/** Whether the last bits of so many words, eleven bits each, are the first ones of the others' digest. */
function isPhrase(phrase: readonly number[]): boolean {
  const checkBits = phrase.length / 3;
  const bits = phrase.reduce((all, index) => (all << 11n) | BigInt(index), 0n);
  const hex = (bits >> BigInt(checkBits)).toString(16).padStart(checkBits * 8, '0');
  const digest = sha256(Buffer.from(hex, 'hex'))[0] ?? 0;
  return digest >> (8 - checkBits) === Number(bits & ((1n << BigInt(checkBits)) - 1n));
}
