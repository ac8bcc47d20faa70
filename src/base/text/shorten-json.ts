/**
 * Makes a JSON value that is too long to be held in memory shorter, piece by piece as it is read: long texts in it are left out, with
 * a word in their place that says how much. Where that is not enough, all that stays are the short fields of the outermost object.
 */

/** How long things may be, in bytes. */
export interface ShortLimits {
  /** A text, as it stands between its quotes. */
  readonly textBytes: number;
  /** The whole value. */
  readonly totalBytes: number;
}

/** The field that says how long a value was of which little is left. */
export const LEFT_OUT_KEY = 'entire_left_out_bytes';

/** What stands in the place of a text. */
export const renderLeftOut = (bytes: number): string => `[entire: ${bytes} bytes left out]`;

/** Of a value that is left out, short fields of the outermost object stay up to here. */
const TOP_BYTES = 64 * 1024;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];

/** Reads a value in pieces that end anywhere. What is no JSON comes back as some text, or as nothing but its length. */
export class JsonShortener {
  private readonly textBytes: number;
  private readonly whole: Growing;
  private readonly top = new Growing(TOP_BYTES);
  /** Where the field of the outermost object began that is read. */
  private field: Mark = [0, false];
  private isFlat = true;
  private isObject = false;
  private depth = 0;
  private total = 0;
  private inText = false;
  /** Bytes of the text that is read, so far. */
  private text = 0;
  /** Whether the bytes before this piece end with a backslash that escapes. */
  private isEscaping = false;
  private starts: readonly [whole: Mark, top: Mark] = [
    [0, false],
    [0, false],
  ];

  constructor({ textBytes, totalBytes }: ShortLimits) {
    this.textBytes = textBytes;
    this.whole = new Growing(totalBytes);
  }

  push(piece: Buffer): void {
    this.total += piece.length;
    for (let at = 0; at < piece.length; )
      at = this.inText ? this.readText(piece, at) : this.readBetween(piece, at);
  }

  /** The value in its short form. */
  end(): Buffer {
    if (!this.whole.isFull) return this.whole.bytes();
    if (this.depth > 0) this.top.cut(this.field); // in the middle of a field
    const fields = this.isObject ? this.top.bytes().toString('utf8').replace(/,\s*$/, '') : '';
    return Buffer.from(`{${fields === '' ? '' : `${fields},`}"${LEFT_OUT_KEY}":${this.total}}`);
  }

  /** What is no text: to the next quote. */
  private readBetween(piece: Buffer, from: number): number {
    const quote = piece.indexOf(QUOTE, from);
    const end = quote === -1 ? piece.length : quote;
    this.whole.append(piece.subarray(from, end));
    for (let at = from; at < end; at++) this.readMark(piece[at] as number);
    if (quote === -1) return end;
    this.inText = true;
    this.isEscaping = false;
    this.text = 0;
    this.starts = [this.whole.mark(), this.top.mark()];
    this.keep(piece.subarray(quote, quote + 1));
    return quote + 1;
  }

  private readMark(byte: number): void {
    if (byte === 0x7b || byte === 0x5b) {
      if (++this.depth === 1) this.isObject = byte === 0x7b;
      else this.isFlat = false;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (this.depth-- === 1) this.endField();
    } else if (byte === COMMA && this.depth === 1) this.endField();
    else if (this.depth === 1 && this.isFlat) this.top.append(Buffer.of(byte));
  }

  private endField(): void {
    if (this.isFlat && this.top.length > this.field[0]) this.top.append(Buffer.of(COMMA));
    if (!this.isFlat || this.top.isFull) this.top.cut(this.field);
    this.field = this.top.mark();
    this.isFlat = true;
  }

  private readText(piece: Buffer, from: number): number {
    for (let at = from; ; ) {
      const quote = piece.indexOf(QUOTE, at);
      const end = quote === -1 ? piece.length : quote;
      let slashes = end;
      while (slashes > from && piece[slashes - 1] === BACKSLASH) slashes--;
      const isOdd = (end - slashes) % 2 === 1;
      const isEscaping = slashes === from && this.isEscaping ? !isOdd : isOdd;
      if (quote !== -1 && isEscaping) {
        at = quote + 1;
        continue;
      }
      this.take(piece.subarray(from, end));
      this.isEscaping = isEscaping;
      if (quote === -1) return end;
      this.inText = false;
      this.endText();
      return quote + 1;
    }
  }

  private take(bytes: Buffer): void {
    if (this.text <= this.textBytes && this.text + bytes.length <= this.textBytes) this.keep(bytes);
    this.text += bytes.length;
  }

  private endText(): void {
    const [whole, top] = this.starts;
    if (this.text > this.textBytes) {
      this.whole.cut(whole);
      this.top.cut(top);
      this.keep(Buffer.from(`"${renderLeftOut(this.text)}`));
    }
    this.keep(Buffer.of(QUOTE));
  }

  private keep(bytes: Buffer): void {
    this.whole.append(bytes);
    if (this.depth === 1 && this.isFlat) this.top.append(bytes);
  }
}

/** A moment of {@link Growing}. */
type Mark = readonly [length: number, isFull: boolean];

/** Bytes up to a limit: what is beyond it is not kept. */
class Growing {
  private buffer = Buffer.alloc(0);
  private readonly limit: number;
  length = 0;
  isFull = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  append(bytes: Uint8Array): void {
    const end = this.length + bytes.length;
    this.isFull ||= end > this.limit;
    if (this.isFull) return;
    if (end > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.limit, Math.max(end, 2 * this.buffer.length, 1024)));
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    this.buffer.set(bytes, this.length);
    this.length = end;
  }

  mark(): Mark {
    return [this.length, this.isFull];
  }

  /** Forgets what was added since. */
  cut([length, isFull]: Mark): void {
    this.length = length;
    this.isFull = isFull;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}
