import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { disk, replaceDisk } from '../base/file/disk.ts';
import { MAX_PAYLOAD_BYTES, readPayload } from './stdin.ts';

const KIB = 1024;
const realDisk = { ...disk };
const CHUNK = 64 * KIB;
const rejected = expect.objectContaining({ code: 'HOOK_INPUT' });
let dir: string;
let restore = () => {};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-stdin-'));
});
afterEach(() => {
  restore();
  restore = () => {};
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

function fromFile(content: string | Buffer): unknown {
  const file = join(dir, 'input');
  writeFileSync(file, content);
  const fd = openSync(file, 'r');
  try {
    return readPayload(fd);
  } finally {
    closeSync(fd);
  }
}

describe('a file', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['  {"a":{"b":[1,"}"]}}\n', { a: { b: [1, '}'] } }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['\ufeff{"a":1} trailing', { a: 1 }],
    ['{"a":1}{"b":2}', { a: 1 }],
    ['{"a":1}\nnot JSON } at all', { a: 1 }],
    ['{"a":"\\"}{"}}', { a: '"}{' }],
    ['{}', {}],
    ['[{"a":1}] x', [{ a: 1 }]],
    ['null', null],
    ['"text"', 'text'],
  ])('%j', (text, value) => {
    expect(fromFile(text)).toEqual(value);
  });

  test.each([
    '',
    ' \n\t',
    '\ufeff',
    '{',
    '{"a":',
    '{"a":1',
    '{"a":"half',
    'x{"a":1}',
    '}',
    '{a:1}',
    "{'a':1}",
    '{"a":1]}',
    '\0',
  ])('%j is no payload', (text) => {
    expect(() => fromFile(text)).toThrow(rejected);
  });

  test('`__proto__` is a key like any other', () => {
    const value = fromFile('{"__proto__":{"session_id":"x"}}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value.session_id).toBeUndefined();
    expect(({} as Record<string, unknown>).session_id).toBeUndefined();
  });

  test('bytes that are no UTF-8 do not stop the rest', () => {
    expect(fromFile(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toEqual({ '\ufffd': 1 });
  });

  test('some megabytes, and characters on the border of two reads', () => {
    const value = { text: 'é日👍'.repeat(400_000) };
    expect(fromFile(JSON.stringify(value))).toEqual(value);
  });

  test('33 MiB are read to the end and refused', () => {
    let total = 0;
    const { readSync } = realDisk;
    restore = replaceDisk({
      readSync: ((...args: Parameters<typeof readSync>) => {
        const count = readSync(...args);
        total += count;
        return count;
      }) as typeof disk.readSync,
    });
    const size = MAX_PAYLOAD_BYTES + KIB * KIB;
    expect(() => fromFile(`{"a":"${'x'.repeat(size - 8)}"}`)).toThrow(`${size} bytes is too large`);
    expect(total).toBe(size);
  });

  test('exactly the limit is taken', () => {
    const text = `{"a":"${'x'.repeat(MAX_PAYLOAD_BYTES - 8)}"}`;
    expect(Object.keys(fromFile(text) as object)).toEqual(['a']);
  });
});

describe('what costs more than its length says', () => {
  const text = (unit: string) => `{"a":${JSON.stringify(unit.repeat(12_000_000 / unit.length))}}`;

  const parsed = () => vi.spyOn(JSON, 'parse');

  test.each(['}', '"}', '}\n', '\\', '{'])('megabytes of %j in a text are looked at once', (unit) => {
    const json = text(unit);
    const parse = parsed();
    expect(fromFile(json)).toHaveProperty('a');
    expect(parse).toHaveBeenCalledTimes(1); // whatever ends in it, and however many reads it takes
  });

  test('lists that are nested without end are refused before anybody parses them', () => {
    const parse = parsed();
    expect(() => fromFile('['.repeat(15_000_000))).toThrow('nested too deep');
    expect(parse).not.toHaveBeenCalled();
  });
});

describe.skipIf(process.platform !== 'linux')('a pipe that is held open, and would block', () => {
  let pipe: string;
  let fds: number[];
  beforeEach(() => {
    pipe = join(dir, 'fifo');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, 'w');
    fds = [openSync(pipe, 'r'), writer];
    closeSync(reader);
  });
  afterEach(() => fds.forEach(closeSync));

  test.each(['', '{"a":', 'nonsense', `{"a":"${'x'.repeat(1000)}`])(
    '%j is given up after a while',
    (text) => {
      writeSync(fds[1] as number, text);
      const real = Date.now();
      let looks = 0;
      vi.spyOn(Date, 'now').mockImplementation(() => real + 1_000 * looks++);
      expect(() => readPayload(fds[0])).toThrow(rejected);
      expect(looks).toBeLessThan(12);
    },
  );

  test('a whole value is taken at once', () => {
    writeSync(fds[1] as number, '{"a":1}');
    expect(readPayload(fds[0])).toEqual({ a: 1 });
  });
});

test('a terminal, or /dev/null, is not waited for', () => {
  const fd = openSync('/dev/null', 'r');
  try {
    expect(() => readPayload(fd)).toThrow('empty hook input');
  } finally {
    closeSync(fd);
  }
});

describe('a pipe', () => {
  let server: Server;
  let host: Socket;
  let fd: number;
  /** Two ends of a stream; ours is non-blocking, as Node and some hosts make pipes. */
  beforeEach(async () => {
    server = createServer({ pauseOnConnect: true });
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    await new Promise<void>((resolve) => server.listen(join(dir, 'pipe'), resolve));
    host = createConnection(join(dir, 'pipe'));
    const ours = (await accepted) as Socket & { _handle: { fd: number } };
    fd = ours._handle.fd;
  });
  afterEach(() => {
    host.destroy();
    server.close();
  });
  const send = (text: string) => new Promise<void>((resolve) => host.write(text, () => resolve()));
  const close = () => new Promise<void>((resolve) => host.end(resolve));

  test('that the host closes', async () => {
    await send('{"a":1} trailing');
    await close();
    expect(readPayload(fd)).toEqual({ a: 1 });
  });

  test('that the host never closes is not waited for', async () => {
    await send(`{"a":"${'x'.repeat(100_000)}"}\n`);
    expect(readPayload(fd)).toMatchObject({ a: expect.stringMatching(/^x{100000}$/) });
  });

  test('that is closed without a word', async () => {
    await close();
    expect(() => readPayload(fd)).toThrow(rejected);
  });

  test('in which half a value came is given up after a while', async () => {
    await send('{"a":');
    const real = Date.now();
    let looks = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => real + 1_000 * looks++);
    expect(() => readPayload(fd)).toThrow('not a JSON value');
    expect(looks).toBeLessThan(10);
  });
});

describe('reads of any size', () => {
  /** Hands out `chunks`, then the end of the input, or, for a host that never closes it, an error of our own. */
  function readChunks(chunks: readonly Buffer[], closes: boolean): unknown {
    const rest = [...chunks];
    restore = replaceDisk({
      readSync: ((_: number, buffer: Buffer) => {
        const chunk = rest.shift();
        if (!chunk && !closes) throw new Error('waits for ever');
        return chunk?.copy(buffer) ?? 0;
      }) as typeof disk.readSync,
    });
    try {
      return fromFile('');
    } finally {
      restore();
    }
  }
  const cut = (bytes: Buffer, [size, ...sizes]: readonly number[]): Buffer[] =>
    size === undefined || size >= bytes.length
      ? [bytes]
      : [bytes.subarray(0, size), ...cut(bytes.subarray(size), sizes)];

  test('an object is the same however it arrives, and whether or not the host closes the pipe', () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(object, fc.array(fc.integer({ min: 1, max: 20 })), fc.boolean(), (value, sizes, closes) => {
        const json = JSON.stringify(value);
        expect(JSON.stringify(readChunks(cut(Buffer.from(json), sizes), closes))).toBe(
          JSON.stringify(JSON.parse(json)),
        );
      }),
    );
  });

  test('a payload that fills the last read is not waited for', () => {
    const json = `{"a":"${'x'.repeat(CHUNK - 8)}"}`;
    expect(readChunks([Buffer.from(json)], false)).toHaveProperty('a');
  });

  test.each(['\ufeff{"a":1}', '{"a":1} trailing'])('%j in an open pipe is not waited for', (text) => {
    expect(readChunks([Buffer.from(text)], false)).toEqual({ a: 1 });
  });
});
