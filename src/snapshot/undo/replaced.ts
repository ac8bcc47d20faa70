import { applySwaps, type Replaced, reversed, type Swap, withCrlf } from '../../base/file/swaps.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { isWrittenAlike, readingsOf } from './before.ts';

const NEWLINE = 0x0a;

/** Reads what a hook kept of an edit; `undefined` for anything else. */
export function parseReplaced(bytes: Buffer | undefined): Replaced | undefined {
  const value = bytes && parseJson(bytes.toString('utf8'));
  if (!isObject(value) || !Array.isArray(value.swaps)) return undefined;
  const isSwap = (swap: unknown): swap is Swap =>
    Array.isArray(swap) && typeof swap[0] === 'string' && typeof swap[1] === 'string';
  return value.swaps.every(isSwap) ? { swaps: value.swaps, isByLine: value.by_line === true } : undefined;
}

/** By how many bytes an edit makes a file longer. */
export const growthOf = ({ swaps }: Replaced): number =>
  swaps.reduce((sum, [old, put]) => sum + Buffer.byteLength(put) - Buffer.byteLength(old), 0);

/** What a file can have been before an edit, by what it was behind it: the only way to take it back, or nothing. */
export function beforeReplacing(after: Buffer, replaced: Replaced): Buffer | undefined {
  const text = after.toString('latin1');
  return only([replaced, withCrlf(replaced)].flatMap((way) => applySwaps(text, asBytes(reversed(way)))));
}

/**
 * Whether an edit made the one version of the other, and nobody else anything: also where the client writes in another encoding, with
 * other line ends, or a last one that was not there, and finds lines whatever spaces stand around them.
 */
export function isAllOf(replaced: Replaced, known: Buffer, after: Buffer): boolean {
  const edit = plainly(replaced);
  // Backwards, too: what was only put in stood at no place that could be found before.
  if (makes(edit, known, after) || makes(reversed(edit), after, known)) return true;
  if (!replaced.isByLine) return false;
  const was = known.toString('utf8');
  const back = applySwaps(withLastEnd(after.toString('utf8')), reversed(edit));
  return back.some((text) => trimmed(text) === trimmed(was));
}

/** Whether an edit makes the one version of the other, as some client reads both. */
function makes(edit: Replaced, one: Buffer, other: Buffer): boolean {
  const wanted = new Set([...readingsOf(other)].map((reading) => withoutEnd(withLf(reading))));
  for (const reading of readingsOf(one))
    for (const text of [withLf(reading), `${withLf(reading)}\n`])
      if (applySwaps(text, edit).some((result) => wanted.has(withoutEnd(result)))) return true;
  return false;
}

/** The two versions that an edit alone lies between, where somebody else wrote into the file as well; `undefined` where nothing says so. */
export function ownPart(
  replaced: Replaced,
  known: Buffer,
  after: Buffer,
): { readonly before: Buffer; readonly after: Buffer } | undefined {
  if (!isWrittenAlike(known, after)) return undefined;
  const text = known.toString('latin1');
  const ways = [replaced, withCrlf(replaced)].map(asBytes);
  // A patch tells of whole lines: the last one need not have had an end.
  for (const end of text.endsWith('\n') ? [''] : ['', '\n', '\r\n']) {
    const made = only(ways.flatMap((way) => applySwaps(`${text}${end}`, way)));
    if (made) return { before: known, after: made };
  }
  const before = isLoose(replaced, known) ? undefined : beforeReplacing(after, replaced);
  // Who gave the last line its end, nobody says.
  const isEndKnown = text.endsWith('\n') || before?.at(-1) !== NEWLINE;
  return before && isEndKnown ? { before, after } : undefined;
}

/** Lines of a patch may have been found by what stands between spaces: then nobody knows what spaces there were. */
function isLoose({ swaps, isByLine }: Replaced, known: Buffer): boolean {
  if (!isByLine) return false;
  const lines = new Set(known.toString('utf8').split(/\r?\n/));
  const loose = new Set([...lines].map((line) => line.trim()));
  return swaps.some(([old]) => old.split('\n').some((line) => !lines.has(line) && loose.has(line.trim())));
}

const only = (results: readonly string[]): Buffer | undefined => {
  const [first, ...others] = new Set(results);
  return first === undefined || others.length > 0 ? undefined : Buffer.from(first, 'latin1');
};

/** Texts are looked for by their bytes: what stands around them need not be UTF-8. */
const asBytes = ({ swaps, isByLine }: Replaced): Replaced => ({
  swaps: swaps.map(([old, put]) => [toBytes(old), toBytes(put)]),
  isByLine,
});
const toBytes = (text: string): string => Buffer.from(text).toString('latin1');

const plainly = ({ swaps, isByLine }: Replaced): Replaced => ({
  swaps: swaps.map(([old, put]) => [withLf(old), withLf(put)]),
  isByLine,
});

const withLf = (text: string): string => text.replace(/\r\n?/g, '\n');

const withoutEnd = (text: string): string => text.replace(/\n$/, '');
const withLastEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);
const trimmed = (text: string): string =>
  withoutEnd(text.replaceAll('\r\n', '\n'))
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
