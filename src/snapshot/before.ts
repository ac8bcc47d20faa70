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
  const read = plain(bytes.toString('utf8'));
  if (read === wanted) return true;
  if (!read.includes(REPLACEMENT) && !read.includes('\0')) return false; // nobody takes it for anything else
  if (plain(bytes.toString('latin1')) === wanted) return true;
  return ENCODINGS.some((encoding) => {
    const decoded = decode(bytes, encoding);
    return decoded !== undefined && plain(decoded) === wanted;
  });
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
