/**
 * What a client tells of a file is a text: line ends and byte order mark may be gone from it, and of bytes that are no UTF-8 it has
 * what the client made of them. It becomes the bytes of a file only where those are known by something else.
 */

const MARK = Buffer.from('\uFEFF');
const CRLF = Buffer.from('\r\n');

/** The bytes that a text can have had as a file: with CRLF, with a byte order mark, with both. */
export function variantsOf(text: Buffer): Buffer[] {
  const ends = text.includes(CRLF)
    ? [text]
    : [text, Buffer.from(text.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')];
  const isMarked = text.subarray(0, MARK.length).equals(MARK);
  return isMarked ? ends : [...ends, ...ends.map((bytes) => Buffer.concat([MARK, bytes]))];
}

/** The variant of a text that has line ends and mark as another version of the file has them. */
export function fitTo(text: Buffer, model: Buffer): Buffer {
  const [plain, crlf, marked, markedCrlf] = variantsOf(text);
  const hasCrlf = crlf !== undefined && model.includes(CRLF) && !text.includes(CRLF);
  const hasMark = model.subarray(0, MARK.length).equals(MARK) && marked !== undefined;
  const fitting = hasMark ? (hasCrlf ? markedCrlf : marked) : hasCrlf ? crlf : plain;
  return fitting ?? text;
}

/** What stands in a text for bytes that were none of its encoding. */
const REPLACEMENT = '\uFFFD';

/** Whether a text holds all that the file had, as far as it can say so itself. */
export const isWholeText = (text: Buffer): boolean => !text.includes(REPLACEMENT);

/** Encodings that clients are known to find out, beside UTF-8. */
const ENCODINGS = [
  ...['utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-2', 'windows-1251', 'koi8-r'],
  ...['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'],
];

/** Whether a text is what some client reads in a file of these bytes; line ends and byte order mark are no part of that. */
export function isTextOf(text: Buffer, bytes: Buffer): boolean {
  const wanted = plain(text.toString('utf8'));
  for (const read of readingsOf(bytes)) if (read === wanted) return true;
  return false;
}

/** What clients read in a file of these bytes, in one encoding or another, without line ends of their own and byte order mark. */
export function* readingsOf(bytes: Buffer): Generator<string> {
  const read = plain(bytes.toString('utf8'));
  yield read;
  if (!read.includes(REPLACEMENT) && !read.includes('\0')) return; // nobody takes it for anything else
  yield plain(bytes.toString('latin1'));
  for (const encoding of ENCODINGS) {
    const decoded = decode(bytes, encoding);
    if (decoded !== undefined) yield plain(decoded);
  }
}

/** Whether text that is put into one version, as it is, stands in the other as in all of it: UTF-8, the same mark and line ends. */
export function isWrittenAlike(one: Buffer, other: Buffer): boolean {
  const styleOf = (bytes: Buffer) => {
    const text = bytes.toString('utf8');
    if (text.includes(REPLACEMENT) || text.includes('\0')) return undefined;
    return `${text.startsWith('\uFEFF')} ${text.includes('\r\n')} ${/(^|[^\r])\n/.test(text)}`;
  };
  const style = styleOf(one);
  return style !== undefined && style === styleOf(other);
}

/** How many marks stand for a run of bytes depends on who reads it. */
const plain = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\uFFFD+/g, REPLACEMENT);

function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return undefined; // not every runtime has every encoding
  }
}
