import { disk } from '../base/disk.ts';
import { EntireError } from '../base/errors.ts';

/** Larger payloads are read to the end, so that the agent's write succeeds, but not kept. */
export const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;
/** Silence after which an unclosed pipe is given up; agents write their payload at once. */
const MAX_SILENCE_MS = 5_000;

/**
 * Reads one JSON value from standard input. Text after the value is ignored, and a host that never closes the
 * pipe is not waited for.
 *
 * @throws {EntireError} `HOOK_INPUT` empty, malformed, or larger than {@link MAX_PAYLOAD_BYTES}
 */
export function readPayload(fd = 0): unknown {
  const chunks: Buffer[] = [];
  let total = 0;
  // A terminal would wait for somebody to type.
  for (const silent = disk.fstatSync(fd).isCharacterDevice(); !silent; ) {
    const chunk = readChunk(fd);
    if (chunk === undefined) break;
    total += chunk.length;
    if (total > MAX_PAYLOAD_BYTES) chunks.length = 0;
    else chunks.push(chunk);
    // A short read means the pipe is drained for now: if what we hold is a whole value, do not wait for more.
    if (chunk.length < CHUNK_BYTES && total <= MAX_PAYLOAD_BYTES && endsLikeValue(chunk)) {
      const value = tryParse(Buffer.concat(chunks).toString('utf8'));
      if (value !== undefined) return value;
    }
  }
  if (total > MAX_PAYLOAD_BYTES)
    throw new EntireError('HOOK_INPUT', `hook input of ${total} bytes is too large`);
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  if (text === '') throw new EntireError('HOOK_INPUT', 'empty hook input');
  const value = tryParse(text) ?? tryParse(firstValue(text));
  if (value === undefined)
    throw new EntireError('HOOK_INPUT', 'failed to parse hook input: not a JSON value');
  return value;
}

function readChunk(fd: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (const deadline = Date.now() + MAX_SILENCE_MS; ; ) {
    try {
      const count = disk.readSync(fd, buffer, 0, CHUNK_BYTES, null);
      return count === 0 ? undefined : buffer.subarray(0, count);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EOF') return undefined; // Windows, closed pipe
      if (code !== 'EAGAIN' || Date.now() > deadline) throw error;
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
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return text.slice(0, at + 1);
  }
  return text;
}
