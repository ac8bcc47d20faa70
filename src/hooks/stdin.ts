import { disk } from '../base/disk.ts';
import { EntireError, errnoOf } from '../base/errors.ts';

/** Larger payloads are read to the end, so that the agent's write succeeds, but not kept. */
export const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;
const SMALL_BYTES = 4 * CHUNK_BYTES;
/** Silence after which an unclosed pipe is given up; agents write their payload at once. */
const MAX_SILENCE_MS = 5_000;

/**
 * Reads one JSON value from standard input. Text after the value is ignored, and a host that never closes the
 * pipe is not waited for.
 *
 * @throws {EntireError} `HOOK_INPUT` empty, malformed, or larger than {@link MAX_PAYLOAD_BYTES}
 */
export const readPayload = (fd = 0): unknown => read(fd).value;

/**
 * {@link readPayload} as it was written, for somebody else to read. What is no JSON is read to its end; it may be empty.
 *
 * @throws {EntireError} `HOOK_INPUT` larger than {@link MAX_PAYLOAD_BYTES}
 */
export const readPayloadText = (fd = 0): string => read(fd, 'any text').text;

interface Input {
  readonly value: unknown;
  readonly text: string;
}

function read(fd: number, takes: 'JSON' | 'any text' = 'JSON'): Input {
  const chunks: Buffer[] = [];
  let total = 0;
  // A terminal would wait for somebody to type.
  for (const silent = disk.fstatSync(fd).isCharacterDevice(); !silent; ) {
    const chunk = readChunk(fd, () => parseValue(chunks) !== undefined);
    if (chunk === undefined) break;
    total += chunk.length;
    if (total > MAX_PAYLOAD_BYTES) chunks.length = 0;
    else chunks.push(chunk);
    // If what we hold is a whole value, do not wait for more: it may never come. Each try reads all of it, so they are
    // few: where it looks like a value, and where a small pipe is drained.
    const drained = chunk.length < CHUNK_BYTES && total <= SMALL_BYTES;
    if (drained || (total <= MAX_PAYLOAD_BYTES && endsLikeValue(chunk))) {
      const value = parseValue(chunks);
      if (value !== undefined) return { value, text: textOf(chunks) };
    }
  }
  if (total > MAX_PAYLOAD_BYTES)
    throw new EntireError('HOOK_INPUT', `hook input of ${total} bytes is too large`);
  const value = parseValue(chunks);
  if (value !== undefined) return { value, text: textOf(chunks) };
  if (takes === 'any text') return { value, text: textOf(chunks) };
  const empty = chunks.every((chunk) => chunk.toString('latin1').trim() === '');
  throw new EntireError(
    'HOOK_INPUT',
    empty ? 'empty hook input' : 'failed to parse hook input: not a JSON value',
  );
}

/** The value the chunks hold, text behind it ignored; `undefined` when they hold none, or only the beginning. */
function parseValue(chunks: readonly Buffer[]): unknown {
  const text = textOf(chunks);
  return tryParse(text) ?? tryParse(firstValue(text));
}

const textOf = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();

/**
 * The next bytes, or `undefined` at the end. On a pipe that somebody made non-blocking, silence counts as the end
 * once `isEnough`, or after {@link MAX_SILENCE_MS}.
 */
function readChunk(fd: number, isEnough: () => boolean): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (const deadline = Date.now() + MAX_SILENCE_MS; ; ) {
    try {
      const count = disk.readSync(fd, buffer, 0, CHUNK_BYTES, null);
      return count === 0 ? undefined : buffer.subarray(0, count);
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EOF') return undefined; // Windows, closed pipe
      if (code !== 'EAGAIN') throw error;
      if (Date.now() > deadline || isEnough()) return undefined;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2); // somebody set the pipe non-blocking
    }
  }
}

function endsLikeValue(chunk: Buffer): boolean {
  let at = chunk.length - 1;
  while (at >= 0 && (chunk[at] as number) <= 0x20) at--;
  return chunk[at] === 0x7d; // }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller decides whether that is final
  }
}

/** The first object of `text`, up to its closing brace; everything where there is none. */
function firstValue(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = endOfString(text, at);
      if (at === -1) return text;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return text.slice(0, at + 1);
  }
  return text;
}

/** Where the string ends that begins at `start`; -1 when it does not. Jumps from quote to quote: most of it is text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
