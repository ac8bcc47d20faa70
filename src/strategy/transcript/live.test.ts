import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { factsOf, factsOfBytes, TranscriptFolder } from '../../../integration/support/agent/transcripts.ts';
import { claudeTranscript } from '../../agents/claude-code/transcript.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { type LiveTranscript, liveFromText, readFromStart } from './live.ts';
import { countItems, freshText, lastIdentifier, sliceFrom } from './part.ts';
import { redactLive } from './redacted.ts';

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

const ofText = (text: string): LiveTranscript => liveFromText(text, claudeTranscript);
const prompt = (content: string): string =>
  `${JSON.stringify({ type: 'user', uuid: `u-${content}`, message: { content } })}\n`;

describe('items', () => {
  test.each([
    ['', 0],
    ['\n \n', 0],
    ['a\n', 1],
    ['a\n\n\t\n', 1],
    ['{}', 1],
    ['{} \t', 1],
    ['a\n{}', 2],
    ['a\n\n \n{}', 4],
    ['\n\n{}', 3],
    ['\n\na\n{half\n', 4],
    ['a\r\nb\r\n', 2],
    ['a\r\n{}\r', 2],
  ])('%j has %i', (text, count) => {
    expect(countItems(ofText(text))).toBe(count);
  });

  test.each(['{"a":', 'a', '"', '{}x', '[1,'])('a last line that is half written waits: %j', (half) => {
    expect(freshText(ofText(half))).toBe('');
    expect(freshText(ofText(`{}\n\n${half}`))).toBe('{}\n');
    expect(countItems(ofText(`{}\n\n${half}`))).toBe(1);
    expect(countItems(ofText(`{}\n\n${half}\n`))).toBe(3);
  });

  test('a slice begins after so many line ends', () => {
    const live = ofText('a\nb\n{}');
    const slices = [-1, 0, 1, 2, 3, 9].map((item) => sliceFrom(live, item));
    expect(slices).toEqual(['a\nb\n{}', 'a\nb\n{}', 'b\n{}', '{}', '', '']);
    expect(sliceFrom(ofText('a\n'), 1)).toBe('');
  });

  test('counting and slicing agree', () => {
    const line = fc.constantFrom('', ' ', '{}', '"é"', '\t\r');
    const transcript = fc.array(line, { maxLength: 12 }).map((rows) => rows.join('\n'));
    fc.assert(
      fc.property(transcript, fc.nat(14), (text, item) => {
        const rows = text.split('\n');
        const count = rows.findLastIndex((row) => row.trim() !== '') + 1;
        const live = ofText(text);
        expect(countItems(live)).toBe(count);
        expect(sliceFrom(live, item).trimEnd()).toBe(rows.slice(item, count).join('\n').trimEnd());
        expect(countItems(ofText(sliceFrom(live, item)))).toBe(Math.max(0, count - item));
      }),
    );
  });
});

describe('what came since', () => {
  test('is all there is to read', async () => {
    folder.write(prompt('one'));
    await folder.take();
    folder.append(prompt('two'));
    const live = folder.read();
    expect(freshText(live)).toBe(prompt('two'));
    expect(countItems(live)).toBe(2);
    expect(sliceFrom(live, 0)).toBe(prompt('one') + prompt('two'));
    expect(freshText(readFromStart(live))).toBe(prompt('one') + prompt('two'));
  });

  test('nothing: what is known stays', async () => {
    folder.write(prompt('one'));
    await folder.take();
    const live = folder.read();
    expect(freshText(live)).toBe('');
    expect([countItems(live), lastIdentifier(live)]).toEqual([1, 'u-one']);
    expect([sliceFrom(live, 0), sliceFrom(live, 1), sliceFrom(live, 2)]).toEqual([prompt('one'), '', '']);
  });

  test('a last line is not taken in before its end', async () => {
    folder.write(prompt('one') + prompt('two').trimEnd());
    await folder.take();
    expect(freshText(folder.read())).toBe(prompt('two').trimEnd());
    folder.append(' \n');
    expect(freshText(folder.read())).toBe(`${prompt('two').trimEnd()} \n`);
    await folder.take();
    expect(freshText(folder.read())).toBe('');
  });

  test('a last line that was taken back leaves nothing', async () => {
    folder.write(prompt('one') + prompt('two').trimEnd());
    await folder.take();
    folder.write(prompt('one'));
    expect(factsOf(await redactLive(folder.read()))).toEqual(await factsOfBytes(Buffer.from(prompt('one'))));
  });

  test('a line that was too early for its id keeps the call that another line told of', async () => {
    const call = (output_tokens: number) =>
      `${JSON.stringify({ type: 'assistant', message: { id: 'm', usage: { output_tokens } } })}\n`;
    folder.write(call(1) + call(2).trimEnd());
    await folder.take();
    folder.write(call(1));
    expect(factsOf(await redactLive(folder.read()))).toEqual(await factsOfBytes(Buffer.from(call(1))));
  });
});

const OLD = prompt('old secret plan') + prompt(`long ${'old '.repeat(30_000)}`) + prompt('old end');

describe('a transcript that was rewritten is read from the start', () => {
  const swap = (at: number) => {
    const bytes = Buffer.from(OLD);
    bytes.write('NEW', at);
    return bytes.toString();
  };
  test.each([
    ['shorter', prompt('new')],
    ['shorter by a line', OLD.slice(0, OLD.lastIndexOf('\n', OLD.length - 2) + 1)],
    ['half of its last line', OLD.slice(0, -10)],
    ['as long, other at the head', swap(OLD.indexOf('old'))],
    ['as long, other at the end', swap(OLD.lastIndexOf('old'))],
    ['as long, other within the last 64 KiB', swap(OLD.length - 60_000)],
    ['longer, other at the head', swap(OLD.indexOf('old')) + prompt('more')],
    ['longer, other at the end', swap(OLD.lastIndexOf('old')) + prompt('more')],
    ['longer, with the old text later', prompt('summary') + OLD],
    ['blank', '\n \n'],
  ])('%s', async (_, text) => {
    folder.write(OLD);
    await folder.take();
    folder.write(text);
    const expected = await factsOfBytes(Buffer.from(text));
    expect(factsOf(await folder.take())).toEqual(expected);
    folder.append(prompt('last'));
    expect(factsOf(await folder.take())).toEqual(await factsOfBytes(readFileSync(folder.path)));
    expect(folder.cached().includes('old secret plan')).toBe(text.includes('old secret plan'));
  });
});

describe('a transcript that is gone is what is known of it', () => {
  test.each<[string, () => void]>([
    ['deleted', () => {}],
    ['emptied', () => folder.write('')],
    ['a folder', () => mkdirSync(folder.path)],
    ['a pipe', () => execFileSync('sh', ['-c', 'mkfifo "$0"', folder.path])],
  ])('%s', async (_, change) => {
    folder.write(OLD);
    const before = factsOf(await folder.take());
    rmSync(folder.path);
    change();
    const now = factsOf(await folder.take());
    expect({ ...now, slices: [] }).toEqual({ ...before, slices: [] });
    expect(now.slices.join('')).toBe(''); // the redacted text is no text to look for files in
    expect(existsSync(folder.indexFile)).toBe(true);
    rmSync(folder.path, { recursive: true, force: true });
    folder.write(prompt('new'));
    expect(factsOf(await folder.take())).toEqual(await factsOfBytes(Buffer.from(prompt('new'))));
    expect(folder.cached()).not.toContain('old');
  });

  test('never there', async () => {
    const live = folder.read();
    expect([freshText(live), countItems(live), lastIdentifier(live), sliceFrom(live, 0)]).toEqual([
      '',
      0,
      '',
      '',
    ]);
    expect(factsOf(await folder.take())).toEqual(await factsOfBytes(Buffer.alloc(0)));
    expect(existsSync(folder.dir)).toBe(false);
  });

  test('not readable', async () => {
    folder.write(OLD);
    await folder.take();
    folder.append(prompt('more'));
    const { openSync } = disk;
    restore = replaceDisk({
      openSync: ((file: string, ...rest: [number]) => {
        if (file === folder.path) throw Object.assign(new Error('EIO: no'), { code: 'EIO' });
        return openSync(file, ...rest);
      }) as typeof disk.openSync,
    });
    const live = folder.read();
    expect([freshText(live), countItems(live), sliceFrom(live, 0)]).toEqual(['', 3, '']);
  });
});
