import { EntireError, errnoOf } from '../base/errors.ts';
import { closeQuietly, disk, O_NONBLOCK, O_RDONLY } from '../base/file/disk.ts';

/** Larger payloads are read to the end, so that the agent's write succeeds, but not kept. */
export const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;
/** Silence after which an unclosed pipe is given up; agents write their payload at once. */
const MAX_SILENCE_MS = 5_000;
/** Deeper than any payload; parsers take time and memory that grow with it. */
const MAX_DEPTH = 1_000;

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

/** A client that draws a line has written by then what it has to say. */
const SOON_MS = 50;

/**
 * {@link readPayload} for who can do without: `undefined` where nothing is said, where it is no JSON, or where nobody knows whether anything
 * will be, and only `isPromised` could tell.
 */
export function readPayloadSoon(isPromised: boolean, fd = 0): unknown {
  try {
    const stat = disk.fstatSync(fd);
    if (stat.isFIFO() || stat.isFile()) return read(fd, 'JSON', isPromised ? MAX_SILENCE_MS : SOON_MS).value;
    // To read from a socket may never end, and tmux gives one that nobody ever writes to.
    return isPromised ? read(fd).value : undefined;
  } catch {
    return undefined; // closed, or not what we know
  }
}

interface Input {
  readonly value: unknown;
  readonly text: string;
}

function read(fd: number, takes: 'JSON' | 'any text' = 'JSON', silenceMs = MAX_SILENCE_MS): Input {
  const stat = disk.fstatSync(fd);
  const pipe = stat.isFIFO() ? openAgain(fd) : undefined;
  if (stat.isFIFO() && pipe === undefined && silenceMs < MAX_SILENCE_MS)
    throw new EntireError('HOOK_INPUT', 'nobody knows whether anything will come');
  try {
    // A terminal would wait for somebody to type.
    return readFrom(pipe ?? fd, stat.isCharacterDevice(), takes, silenceMs);
  } finally {
    if (pipe !== undefined) closeQuietly(pipe);
  }
}

/** A pipe that may be left alone by whoever holds its other end, opened so that reading does not wait for it; where systems can. */
function openAgain(fd: number): number | undefined {
  try {
    return disk.openSync(`/proc/self/fd/${fd}`, O_RDONLY | O_NONBLOCK);
  } catch {
    return undefined; // no such thing on this system, or it is somebody else's
  }
}

function readFrom(fd: number, isSilent: boolean, takes: 'JSON' | 'any text', silenceMs: number): Input {
  const chunks: Buffer[] = [];
  const end = new ValueEnd();
  let total = 0;
  while (!isSilent) {
    const chunk = readChunk(fd, silenceMs, () => !end.isOpen && parse(textOf(chunks)) !== undefined);
    if (chunk === undefined) break;
    total += chunk.length;
    if (total > MAX_PAYLOAD_BYTES || end.isTooDeep) chunks.length = 0;
    else chunks.push(chunk);
    // What we hold is a whole value: do not wait for more, which may never come.
    if (chunks.length > 0 && end.passes(chunk)) {
      const value = parse(firstOf(chunks, end.at));
      if (value !== undefined) return { value, text: textOf(chunks) };
    }
  }
  if (total > MAX_PAYLOAD_BYTES)
    throw new EntireError('HOOK_INPUT', `hook input of ${total} bytes is too large`);
  if (end.isTooDeep) throw new EntireError('HOOK_INPUT', 'hook input is nested too deep');
  const text = textOf(chunks);
  const value = parse(text);
  if (value !== undefined || takes === 'any text') return { value, text };
  throw new EntireError(
    'HOOK_INPUT',
    text === '' ? 'empty hook input' : 'failed to parse hook input: not a JSON value',
  );
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** A mark of the encoding, which may stand before everything. */
const MARK = [0xef, 0xbb, 0xbf];

/**
 * Where the first object or list of a text ends, looked for once over all of its chunks: whatever they hold, each byte costs one
 * look. UTF-8 has no byte of a sign in another character.
 */
class ValueEnd {
  /** Bytes that were looked at: up to the end of the value, once it was passed. */
  at = 0;
  private depth = 0;
  private state: 'before' | 'outside' | 'in a text' | 'after a backslash' | 'over' = 'before';

  /** Whether a value has begun that is not over. */
  get isOpen(): boolean {
    return this.depth > 0;
  }

  get isTooDeep(): boolean {
    return this.depth > MAX_DEPTH;
  }

  /** Looks at the next chunk; whether the value ends in it. */
  passes(chunk: Buffer): boolean {
    let { state, depth } = this;
    let isWhole = false;
    let at = 0;
    for (; at < chunk.length && state !== 'over'; at++) {
      const byte = chunk[at] as number;
      if (state === 'in a text') {
        if (byte === BACKSLASH) state = 'after a backslash';
        else if (byte === QUOTE) state = 'outside';
      } else if (state === 'after a backslash') state = 'in a text';
      else if (byte === 0x7b || byte === 0x5b) state = ++depth > MAX_DEPTH ? 'over' : 'outside';
      else if (state === 'before') {
        // Anything but white space is another kind of value, or none.
        if (byte > 0x20 && !MARK.includes(byte)) state = 'over';
      } else if (byte === QUOTE) state = 'in a text';
      else if (byte === 0x7d || byte === 0x5d) isWhole = --depth === 0;
      if (isWhole) state = 'over';
    }
    this.state = state;
    this.depth = depth;
    this.at += at;
    return isWhole;
  }
}

function firstOf(chunks: readonly Buffer[], length: number): string {
  return clean(Buffer.concat(chunks).subarray(0, length).toString('utf8'));
}

const textOf = (chunks: readonly Buffer[]): string => clean(Buffer.concat(chunks).toString('utf8'));

const clean = (text: string): string => text.replace(/^\uFEFF/, '').trim();

/**
 * The next bytes, or `undefined` at the end. On a pipe that does not block, silence counts as the end
 * once `isEnough`, or after `silenceMs`.
 */
function readChunk(fd: number, silenceMs: number, isEnough: () => boolean): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (const deadline = Date.now() + silenceMs; ; ) {
    try {
      const count = disk.readSync(fd, buffer, 0, CHUNK_BYTES, null);
      return count === 0 ? undefined : buffer.subarray(0, count);
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EOF') return undefined; // Windows, closed pipe
      if (code !== 'EAGAIN') throw error;
      if (Date.now() > deadline || isEnough()) return undefined;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2); // the pipe does not block
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller decides whether that is final
  }
}
