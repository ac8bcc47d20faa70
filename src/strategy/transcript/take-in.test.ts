import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  EVIDENT,
  factsOf,
  factsOfBytes,
  LIKE,
  TranscriptFolder,
} from '../../../integration/support/agent/transcripts.ts';
import { geminiTranscript } from '../../agents/gemini/transcript.ts';
import type { SessionId } from '../../base/ids.ts';
import { type LiveTranscript, readLive, readNextPiece } from './live.ts';
import { countItems, lastIdentifier, readPart, readTimeFrom } from './part.ts';
import { LIMITS } from './pieces.ts';
import { type RedactedTranscript, redactLive, toStored } from './redacted.ts';
import { saveRedacted } from './save.ts';
import { takePieces } from './take-in.ts';

let folder: TranscriptFolder;
beforeEach(() => {
  folder = new TranscriptFolder();
});
afterEach(() => folder.remove());

const SMALL = { pieceBytes: 300, lineBytes: 1000, textBytes: 100, totalBytes: 600, partBytes: 4000 };
const SECRET = 'Xq7mR2vT9k-w4';

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const prompt = (content: string, uuid = `u-${content.length}`): string =>
  line({ type: 'user', uuid, timestamp: '2026-01-02T03:04:05.000Z', message: { role: 'user', content } });
const answer = (text: string, id = 'm'): string =>
  line({
    type: 'assistant',
    uuid: `a-${text.length}`,
    message: { id, content: [{ type: 'text', text }], usage: { input_tokens: 1, output_tokens: 2 } },
  });

const read = (limits: Partial<typeof LIMITS> = SMALL): LiveTranscript =>
  readLive(
    folder.commonDir,
    { sessionId: 's1' as SessionId, agentType: 'Claude Code', transcriptPath: folder.path },
    { ...LIMITS, ...limits },
  );
const textOf = (transcript: RedactedTranscript): string =>
  toStored(transcript, LIKE)
    .chunks.map((chunk) => chunk.read().toString('utf8'))
    .join('\n');

describe('a transcript that is taken in piece by piece', () => {
  test('says what it says as a whole, wherever the pieces end', async () => {
    const text = fc.array(
      fc.constantFrom('ask', 'more words', 'é', ' ', EVIDENT[0], `password=${SECRET}`, SECRET),
    );
    const rows = fc.array(
      fc.oneof(
        text.map((parts) => prompt(parts.join(' ').slice(0, 400))),
        text.map((parts) => answer(parts.join(' ').slice(0, 400), `m${parts.length}`)),
        fc.constantFrom('\n', 'no JSON\n'),
      ),
      { minLength: 5, maxLength: 30 },
    );
    const sizes = fc.tuple(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 40 }));
    await fc.assert(
      fc.asyncProperty(rows, sizes, async (lines, [pieceBytes, pieceLines]) => {
        folder.remove();
        folder = new TranscriptFolder();
        // Blank lines at the end are lines of a piece, and of no transcript that is read at once, until others follow.
        folder.write(lines.join('') + prompt('the end'));
        const taken = await folder.takeInPieces({ pieceBytes, pieceLines, lineBytes: 2000 });
        const whole = await factsOfBytes(readFileSync(folder.path));
        const { text: _, chunks: __, contentHash: ___, ...rest } = factsOf(taken);
        const { text: ____, chunks: _____, contentHash: ______, ...expected } = whole;
        expect(rest).toEqual(expected);
        expect(factsOf(taken).text).toBe(whole.text);
        expect(folder.cached()).not.toContain(EVIDENT[0]);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  test('ends for its readers where it was taken in, and goes on from there', async () => {
    for (let at = 0; at < 40; at++)
      folder.append(prompt(`ask ${at}`, `u-${at}`) + answer(`said ${at}`, `m${at}`));
    const before = read();
    expect([before.index.size, before.fresh.length, countItems(before), lastIdentifier(before)]).toEqual([
      0,
      0,
      80,
      'a-7',
    ]);
    const saves: RedactedTranscript[] = [];
    const save = async (transcript: RedactedTranscript) => {
      saves.push(transcript);
      return saveRedacted(transcript, LIKE);
    };
    let looks = 0;
    const deadline = { valueOf: () => (looks++ < 5 ? Number.POSITIVE_INFINITY : 0) } as unknown as number;
    const { live, isWhole } = await takePieces({ read, save, keep: () => {}, deadline });
    expect(isWhole).toBe(false);
    expect(saves.length).toBeGreaterThan(1);
    expect(Math.max(...saves.map(({ live: { fresh } }) => fresh.length))).toBeLessThanOrEqual(
      SMALL.pieceBytes,
    );

    const part = await redactLive(read());
    const size = live.index.size;
    expect(textOf(part)).toBe(`${readFileSync(folder.path).subarray(0, size).toString().trimEnd()}\n`);
    expect(part.items).toBe(80);

    const rest = await takePieces({ read, save, keep: () => {}, deadline: Number.POSITIVE_INFINITY });
    expect(rest.isWhole).toBe(true);
    expect(factsOf(await redactLive(read({})))).toEqual(await factsOfBytes(readFileSync(folder.path)));
  });

  test('a secret that a late piece gives away is replaced in the older ones', async () => {
    for (let at = 0; at < 20; at++) folder.append(prompt(`is it ${SECRET}? ${at}`, `u-${at}`));
    for (let at = 0; at < 20; at++) folder.append(answer(`nothing ${at}`, `m${at}`));
    folder.append(prompt(`password=${SECRET}`));
    const taken = await folder.takeInPieces(SMALL);
    expect(folder.cached()).not.toContain(SECRET);
    expect(textOf(taken)).not.toContain(SECRET);
    expect(taken.prompts.match(/REDACTED/g)).toHaveLength(21);
    expect(taken.live.index.checked).toBe(taken.live.index.secrets.length);
    folder.append(prompt(`again ${SECRET}`));
    expect(textOf(await folder.takeInPieces(SMALL))).not.toContain(SECRET);
  });
});

describe('a line that is too long', () => {
  test('keeps its place and its ids; its long texts are left out, and it says how much', async () => {
    const long = `${'x'.repeat(5000)} token=${SECRET} ${'y'.repeat(50)}`;
    folder.write(prompt('before') + prompt(long, 'u-long') + prompt('after'));
    const taken = await folder.takeInPieces({ ...SMALL, lineBytes: 1000 });
    const rows = textOf(taken)
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row));
    expect(rows.map(({ uuid }) => uuid)).toEqual(['u-6', 'u-long', 'u-5']);
    expect(rows[1].message.content).toBe(`[entire: ${long.length} bytes left out]`);
    expect(taken.items).toBe(3);
    expect(readPart(taken.live, 1).text).toContain('bytes left out');
    folder.append(prompt('last'));
    expect((await folder.takeInPieces(SMALL)).items).toBe(4);
  });

  test('a secret in what is left of it is known in later lines', async () => {
    const content = [
      { type: 'text', text: `password=${SECRET}` },
      { type: 'text', text: 'x'.repeat(3000) },
    ];
    folder.write(
      line({ type: 'user', uuid: 'u', message: { content } }) +
        prompt('one '.repeat(200)) +
        prompt(`try ${SECRET}`),
    );
    const taken = await folder.takeInPieces(SMALL);
    expect(textOf(taken)).not.toContain(SECRET);
    expect(taken.live.index.secrets).toHaveLength(1);
  });

  test('a last one that its client has not finished waits', async () => {
    folder.write(prompt('before') + prompt('x'.repeat(5000)).slice(0, -5));
    const taken = await folder.takeInPieces(SMALL);
    expect(textOf(taken)).toBe(prompt('before'));
  });
});

test('of a part of very many lines only the last ones are looked at, and pieces hold few of them', () => {
  folder.write(prompt('first') + '\n'.repeat(900) + prompt('last'));
  const live = read({ pieceLines: 20, partLines: 100 });
  expect(live.rest?.items()).toBe(902);
  const part = readPart(live, 0);
  expect(part.isWhole).toBe(false);
  expect(part.text.split('\n').length).toBeLessThanOrEqual(101);
  expect(part.text).toContain('last');
  expect(readNextPiece(live)?.fresh.toString()).toBe(prompt('first') + '\n'.repeat(19));
});

test('of a very long part only the end is looked at, and that is said; its first line tells its time', () => {
  for (let at = 0; at < 100; at++) folder.append(prompt(`ask ${at} ${'w'.repeat(80)}`, `u-${at}`));
  const live = read();
  const part = readPart(live, 3);
  expect(part.isWhole).toBe(false);
  expect(part.text.length).toBeLessThanOrEqual(SMALL.partBytes);
  expect(part.text.trimEnd().split('\n').at(-1)).toContain('ask 99');
  expect(readTimeFrom(live, 3)).toBe(Date.parse('2026-01-02T03:04:05.000Z'));
  expect(readPart(live, 90)).toEqual({ text: expect.stringContaining('ask 90'), isWhole: true });
});

describe('a document that is too long', () => {
  const limits = { ...SMALL, documentBytes: 2000 };
  const open = (document: object): LiveTranscript => {
    const path = join(folder.root, 'session.json');
    writeFileSync(path, JSON.stringify(document, undefined, 2));
    const owner = { sessionId: 's1' as SessionId, agentType: 'Gemini CLI', transcriptPath: path };
    return readLive(folder.commonDir, owner, { ...LIMITS, ...limits });
  };
  const message = (id: number, content: string) => ({
    id: `id-${id}`,
    timestamp: '2026-01-01T00:00:00Z',
    type: 'user',
    content,
  });

  test('is read without its long texts', () => {
    const live = open({
      sessionId: 's',
      messages: [message(1, 'short'), message(2, 'z'.repeat(9000)), message(3, 'end')],
    });
    expect(live.isDocument).toBe(true);
    expect(geminiTranscript.readPrompts(live.tail)).toEqual([
      'short',
      '[entire: 9000 bytes left out]',
      'end',
    ]);
    expect(countItems(live)).toBe(3);
  });

  test('of one that has too much besides only its length is told', () => {
    const live = open({
      sessionId: 's',
      messages: Array.from({ length: 100 }, (_, at) => message(at, 'short')),
    });
    expect([live.isDocument, live.tail, countItems(live)]).toEqual([
      true,
      expect.stringContaining('entire_left_out_bytes'),
      0,
    ]);
  });
});
