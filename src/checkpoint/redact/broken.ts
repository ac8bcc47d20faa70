import type { Piece } from './json.ts';
import { type Finding, mergeRegions, type Region } from './regions.ts';
import { isWordy } from './rule/entropy.ts';

/** Colours and other signs to a terminal, as they are and escaped; a line that goes on in the next one; JSON in JSON in JSON. */
const BREAK =
  /(?:\u001b|\\{1,2}(?:u001[bB]|x1[bB]|e|033))(?:\[[0-9;?]{0,16}[A-Za-z]|\][^\u0007\0\n]{0,80}(?:\u0007|\\{1,2}u0007))|(?:\\\r?\n|\\{3}(?:r\\)?n)[ \t+>]{0,10}|\\{4,64}(?=["'])/g;

/** So much is looked at on both sides of a break. */
const AROUND = 1000;
const EDGE = 64;

/** Finds what is to be found near breaks in a text without them: a break may stand in the secret, or in its name. */
export function findBroken(text: string, find: (text: string) => Finding[]): Finding[] {
  if (!text.includes('\u001b') && !text.includes('\\')) return [];
  const breaks = [...text.matchAll(BREAK)].map(({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }));
  const windows = mergeRegions(
    breaks.map(({ start, end }) => ({
      start: Math.max(0, start - AROUND),
      end: Math.min(text.length, end + AROUND),
    })),
  );
  let next = 0;
  return windows.flatMap((window) => {
    const first = next;
    while ((breaks[next]?.start ?? text.length) < window.end) next++;
    return findAcross(text, window, breaks.slice(first, next), find);
  });
}

function findAcross(
  text: string,
  window: Region,
  breaks: readonly Region[],
  find: (text: string) => Finding[],
): Finding[] {
  let whole = '';
  let copied = window.start;
  const cuts = breaks.map(({ start, end }) => {
    whole += text.slice(copied, start);
    copied = end;
    return { at: whole.length, length: end - start };
  });
  whole += text.slice(copied, window.end);
  const found: Finding[] = [];
  let next = 0;
  let removed = window.start; // before the finding
  for (const finding of find(whole).sort((a, b) => a.start - b.start)) {
    for (let one = cuts[next]; one && one.at <= finding.start; one = cuts[++next]) removed += one.length;
    let within = 0;
    for (let no = next; (cuts[no]?.at ?? whole.length) < finding.end; no++) within += cuts[no]?.length ?? 0;
    const isCutOff =
      (window.start > 0 && finding.start < EDGE) ||
      (window.end < text.length && finding.end > whole.length - EDGE);
    if (isCutOff) continue; // what a window begins or ends with may be a part of something else
    found.push({ ...finding, start: removed + finding.start, end: removed + finding.end + within });
  }
  return found;
}

/** A line of its own that goes on with a token: behind its number, or the sign of a patch. */
const REST =
  /^[-+A-Za-z0-9_./=]{0,4}?(\r?\n|\\{1,2}n)([ \t]{0,8}[#+>|-]?[ \t]?)([A-Za-z0-9_./+=-]{8,200})(?=\r?\n|\\{1,3}n|\\{0,3}["\0]|\\{0,1}$|$)/;
const MAX_LINES = 4;

/** The lines behind tokens that a terminal wrapped: of these a token's own line ends where the token does. */
export function findWrapped(text: string, tokens: readonly Finding[]): Finding[] {
  const found: Finding[] = [];
  for (const token of tokens) {
    if (token.end - token.start < 16 || !/^(?:\r?\n|\\{1,3}n)/.test(text.slice(token.end, token.end + 4)))
      continue;
    let at = token.end;
    for (let line = 0; line < MAX_LINES; line++) {
      const match = REST.exec(text.slice(at, at + 240));
      const rest = match?.[3] ?? '';
      if (!match || !isRest(rest)) break;
      at += match[0].length;
      found.push({ start: at - rest.length, end: at, rule: token.rule });
    }
  }
  return found;
}

/** Letters and digits as of a token, and no word, path or number. */
const isRest = (rest: string): boolean =>
  (/[0-9]/.test(rest) ? /[A-Za-z].*[A-Za-z]/.test(rest) : /[a-z].*[A-Z]/.test(rest)) &&
  !/REDACTED|^[./]|\.[a-z]{1,4}$/.test(rest) &&
  !isWordy(rest);

/** So much of a value's end, and of the next one's beginning, may be the parts of a token. */
const PART = 400;
const TAIL = /([A-Za-z0-9_./+=-]{4,400})(?:\r?\n)?$/;
const HEAD = /^[A-Za-z0-9_./+=-]{4,400}/;
/** What a client writes before what a command printed. */
const PREAMBLE = /^[^\0]{0,200}?\nOutput:\n/;
/** The first part of a key that has forty letters. */
const AWS_HALF = /aws_?secret_?(?:access_?)?key=([A-Za-z0-9+/]{1,39})$/i;
const AWS_LENGTH = 40;
const PUBLIC_KEYS = /^(?:type|role|name|path|file_path|cwd|model|version|status|timestamp|command_name)$/;

/**
 * Finds tokens that one record of a transcript begins and the next one ends: two values under the same key, of which
 * each alone shows nothing.
 *
 * @param separator units between two pieces where they are joined
 */
export function findCut(
  pieces: readonly Piece[],
  separator: number,
  find: (text: string) => Finding[],
): Finding[] {
  const found: Finding[] = [];
  /** By key, what the last value under it ends with. */
  const tails = new Map<string, { readonly text: string; readonly end: number; readonly unit: number }>();
  let offset = 0;
  for (const { key, value, unit } of pieces) {
    const skip = PREAMBLE.exec(value.slice(0, PART))?.[0].length ?? 0;
    const start = offset + skip;
    offset += value.length + separator;
    if (key === undefined || PUBLIC_KEYS.test(key)) continue;
    const before = tails.get(key);
    const [head = ''] = before ? (HEAD.exec(value.slice(skip, skip + PART)) ?? []) : [];
    if (before && before.unit !== unit && head !== '' && !/REDACTED/.test(before.text + head)) {
      const cut = before.text.length;
      const half = AWS_HALF.exec(before.text);
      const other = half && head.slice(0, AWS_LENGTH - (half[1] ?? '').length);
      if (half && other?.length === AWS_LENGTH - (half[1] ?? '').length && /^[A-Za-z0-9+/]+$/.test(other)) {
        found.push({ start: before.end - (half[1] ?? '').length, end: before.end, rule: 'aws' });
        found.push({ start, end: start + other.length, rule: 'aws' });
      } else if (find(before.text).length === 0) {
        for (const finding of find(before.text + head)) {
          if (finding.start >= cut || finding.end <= cut) continue;
          found.push({ ...finding, start: before.end - (cut - finding.start), end: before.end });
          found.push({ ...finding, start, end: start + finding.end - cut });
        }
      }
    }
    const [all = '', tail = ''] = TAIL.exec(value.slice(-PART)) ?? [];
    if (tail === '') tails.delete(key);
    else tails.set(key, { text: tail, end: start - skip + value.length - all.length + tail.length, unit });
  }
  return found;
}
