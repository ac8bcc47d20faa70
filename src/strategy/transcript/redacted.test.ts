import { readFileSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  EVIDENT,
  factsOf,
  factsOfBytes,
  LIKE,
  TranscriptFolder,
} from '../../../integration/support/agent/transcripts.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { redactLive, renew, toStored } from './redacted.ts';
import { saveRedacted } from './save.ts';

const CHUNK = 256 * 1024;
let folder: TranscriptFolder;
let restore = () => {};
beforeEach(() => {
  folder = new TranscriptFolder();
});
afterEach(() => {
  restore();
  restore = () => {};
  folder.remove();
});

const row = (value: unknown): string => `${JSON.stringify(value)}\n`;
const prompt = (content: string): string =>
  row({ type: 'user', message: { content }, uuid: `u-${content.length}` });
const result = (words: string): string =>
  row({ type: 'user', message: { content: [{ type: 'tool_result', content: words }] } });
const call = (id: string, output_tokens: number, text = 'ok'): string =>
  row({
    type: 'assistant',
    uuid: `a-${output_tokens}`,
    message: { id, content: [{ type: 'text', text }], usage: { input_tokens: 3, output_tokens } },
  });

/** Secrets that only what stands before them gives away, and what they are then found by. */
const CONTEXTUAL = [
  ['password=', 'swordfish77'],
  ['export DB_PASSWORD=', 'blue-whale-42!'],
  ['https://me:', 'hunter2222@host.io'],
  ['api_key: "', 'k"'],
  ['client_secret: "', 'wörd-ß日本9"'],
  ['{"auth_token": "', 'a\\tb9#c"}'],
] as const;

const word = fc.oneof(
  fc.constantFrom('hello', 'wörld', '日本', '😀', 'REDACTED', 'say "so"', 'C:\\x\\', 'a\nb', '—', '\ud83d'),
  fc.constantFrom(...EVIDENT),
  fc.constantFrom(...CONTEXTUAL.map((parts) => parts.join(''))),
  fc.constantFrom('swordfish77', 'blue-whale-42!', 'hunter2222', 'wörd-ß日本9', 'a\\tb9#c'),
);
const words = fc.array(word, { maxLength: 4 }).map((parts) => parts.join(' '));
const line = fc.oneof(
  { weight: 4, arbitrary: words.map(prompt) },
  { weight: 3, arbitrary: words.map(result) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom('m1', 'm2', 'm3'), fc.nat(9), words).map((parts) => call(...parts)),
  },
  { weight: 1, arbitrary: words.map((password) => row({ input: { db_password: password } })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('\n', ' \n', '\t\r\n', '{"type":"assist\n', 'null\n', '[1]\n', '\0\n'),
  },
  { weight: 1, arbitrary: words.map((text) => `login ${text}\n`) },
);
/** Bytes that are no UTF-8, here and there. */
const bytes = fc
  .array(fc.oneof({ weight: 9, arbitrary: line }, { weight: 1, arbitrary: fc.constant('\xff') }), {
    maxLength: 9,
  })
  .map((lines) =>
    Buffer.concat(
      lines.map((text) => (text === '\xff' ? Buffer.from([0xc3, 0xff, 0x80, 0x0a]) : Buffer.from(text))),
    ),
  );

/** Where the text is torn: anywhere, at a line end, just before one. */
const tears = fc.array(fc.tuple(fc.nat(1000), fc.constantFrom('any', 'after', 'before')), { maxLength: 4 });
function tear(text: Buffer, places: ReadonlyArray<readonly [number, string]>): Buffer[] {
  const cuts = places.map(([share, kind]) => {
    const at = Math.floor((text.length * share) / 1000);
    const lineEnd = text.indexOf(0x0a, at);
    if (kind === 'any' || lineEnd === -1) return at;
    return kind === 'after' ? lineEnd + 1 : lineEnd;
  });
  const ends = [...new Set([...cuts, text.length])].sort((a, b) => a - b);
  return ends.map((end, index) => text.subarray(ends[index - 1] ?? 0, end));
}

async function checkPieces(pieces: readonly Buffer[], saves: readonly boolean[]): Promise<void> {
  const own = new TranscriptFolder();
  try {
    own.append(Buffer.from('{"type":"mode","sessionId":"s"}\n')); // what begins otherwise is not read
    for (const [index, piece] of pieces.entries()) {
      own.append(piece);
      const transcript = await redactLive(own.read());
      const expected = await factsOfBytes(readFileSync(own.path));
      expect(factsOf(transcript)).toEqual(expected);
      if (saves[index] === false) continue;
      saveRedacted(transcript, LIKE);
      expect(factsOf(transcript)).toEqual(expected);
      expect(factsOf(await redactLive(own.read()))).toEqual(expected);
    }
  } finally {
    own.remove();
  }
}

describe('a transcript that comes in pieces says what it says as a whole', () => {
  test('whatever the lines hold', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, tears, fc.array(fc.boolean()), async (text, places, saves) => {
        await checkPieces(tear(text, places), saves);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  test('long lines, so that there are many chunks', async () => {
    const length = fc.oneof(fc.constantFrom(CHUNK - 300, CHUNK, CHUNK + 1), fc.nat(CHUNK));
    const long = fc
      .tuple(length, fc.constantFrom('x', 'é', ' '), words)
      .map(([size, char, text]) => result(text + char.repeat(size / Buffer.byteLength(char))));
    const lines = fc.array(fc.oneof(long, line, fc.constant('\n')), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lines, tears, async (texts, places) => {
        await checkPieces(tear(Buffer.from(texts.join('')), places), []);
      }),
      { numRuns: 1 }, // a new one each time: it is the whole of a chunk, byte by byte
    );
  }, 300_000);
});

test('redactions are counted by rule over all pieces, an unfinished line once', async () => {
  const key = 'AKIAZ7Q2M4X6P8R3T5W9';
  const counts = async () => (await folder.take()).redactions;
  folder.write(prompt('hello'));
  expect(await counts()).toEqual({});
  folder.append(result(`${key} and 'AKIAQ3W5E7R2T4Y6U8X2'`));
  expect(await counts()).toEqual({ aws: 2 });
  folder.append(result(`once more ${key}`).trimEnd());
  expect(await counts()).toEqual({ aws: 2 });
  folder.append('\n');
  expect(await counts()).toEqual({ aws: 3 });
  expect(folder.read().index.redactions).toEqual({ aws: 3 });
});

describe('a secret that only its surroundings gave away', () => {
  const [before, secret] = CONTEXTUAL[0];

  test('is remembered, without being kept', async () => {
    folder.write(result('first') + prompt(`${before}${secret}`));
    await folder.take();
    expect(folder.read().index.secrets).toHaveLength(1);
    folder.append(result(`login ${secret} ok`) + prompt(`is it ${secret}?`));
    const transcript = await folder.take();
    expect(transcript.added.lines.toString()).toBe(
      result('login REDACTED ok') +
        prompt('is it REDACTED?').replace(/u-\d+/, `u-${`is it ${secret}?`.length}`),
    );
    expect(transcript.prompts).toBe('password=REDACTED\n\n---\n\nis it REDACTED?');
    expect(folder.read().index.secrets).toHaveLength(1);
    expect(folder.cached()).not.toContain(secret);
  });

  test('is replaced in older lines, too, once it is met', async () => {
    folder.write(prompt(`try ${secret}`) + result('more'));
    await folder.take();
    expect(folder.cached()).toContain(secret); // nobody could know
    folder.append(result(`${before}${secret}`));
    const transcript = await folder.take();
    expect(factsOf(transcript)).toEqual(await factsOfBytes(readFileSync(folder.path)));
    expect(transcript.prompts).toBe('try REDACTED');
    expect(folder.cached()).not.toContain(secret);
    expect((await folder.take()).live.index.items).toBe(3);
  });

  test('in a last line that may change is looked for again', async () => {
    folder.write(prompt(`try ${secret}`));
    await folder.take();
    folder.append(result(`${before}${secret}`).trimEnd());
    expect(factsOf(await folder.take())).toEqual(await factsOfBytes(readFileSync(folder.path)));
    folder.append(`\n${result(secret)}`);
    expect(factsOf(await folder.take())).toEqual(await factsOfBytes(readFileSync(folder.path)));
    expect(folder.cached()).not.toContain(secret);
  });

  test.each<[string, () => Partial<typeof disk>]>([
    ['is gone', () => ({ openSync: failFor(folder.path, disk.openSync) })],
    ['became shorter', () => ({ readSync: (() => 0) as typeof disk.readSync })],
  ])('where the transcript %s before it is read again, nothing is returned', async (_, calls) => {
    folder.write(prompt(`${before}${secret}`));
    await folder.take();
    folder.append(result(secret));
    const live = folder.read();
    restore = replaceDisk(calls());
    await expect(redactLive(live)).rejects.toMatchObject({ code: 'REDACTION_FAILED' });
  });

  const failFor = (path: string, open: typeof disk.openSync) =>
    ((file: string, ...rest: [number]) => {
      if (file === path) throw Object.assign(new Error('ENOENT: gone'), { code: 'ENOENT' });
      return open(file, ...rest);
    }) as typeof disk.openSync;
});

test('a hook that waited while another one replaced the cache does not mix the two', async () => {
  const [before, secret] = CONTEXTUAL[0];
  folder.write(prompt(`try ${secret}`) + result('more'));
  await folder.take();
  folder.append(result('a little more'));
  const early = await redactLive(folder.read());
  expect(await renew(early)).toBe(early);
  folder.append(result(`${before}${secret}`));
  await folder.take();
  expect(factsOf(await renew(early))).toEqual(await factsOfBytes(readFileSync(folder.path)));
  const known = await redactLive(folder.read());
  folder.append(result('appended'));
  await folder.take();
  expect(await renew(known)).toBe(known);
});

test('no secret is in the cache, and nobody else may read it', async () => {
  const bodies = CONTEXTUAL.map((parts) => parts[1].replace(/["}]|@.*/g, '')).filter(
    (body) => body.length > 5,
  );
  for (const secret of EVIDENT) folder.append(prompt(`use ${secret} now`) + call('m', 1, secret));
  for (const parts of CONTEXTUAL) {
    folder.append(prompt(parts.join('')));
    await folder.take();
  }
  for (const body of bodies) folder.append(result(`got ${body} back`) + call('m2', 3, body).trimEnd());
  await folder.take();
  const raw = folder.cached();
  for (const secret of [...EVIDENT, ...bodies]) {
    expect(raw).not.toContain(secret);
    expect(raw).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  for (const file of [folder.indexFile, folder.redactedFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('the cost of a line is that of the line, not of what is before it', async () => {
  folder.write(Array.from({ length: 2500 }, (_, n) => call(`m${n}`, 1, `${n} word`.repeat(300))).join(''));
  expect(statSync(folder.path).size).toBeGreaterThan(5 << 20);
  await folder.takeInPieces({});
  folder.append(prompt('one more') + prompt('and one that is not whole').trimEnd());
  let read = 0;
  const { readSync, readFileSync: readWhole } = disk;
  restore = replaceDisk({
    readSync: ((...call: Parameters<typeof disk.readSync>) => {
      const count = readSync(...call);
      read += count;
      return count;
    }) as typeof disk.readSync,
    readFileSync: ((...call: Parameters<typeof disk.readFileSync>) => {
      const data = readWhole(...call);
      read += data.length;
      return data;
    }) as typeof disk.readFileSync,
  });
  const transcript = await folder.take();
  expect(toStored(transcript, LIKE).chunks.length).toBeGreaterThan(20);
  expect(read).toBeLessThan(1 << 20);
  expect(transcript.items).toBe(2502);
  expect(folder.read().index.items).toBe(2501);
});
