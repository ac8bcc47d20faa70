import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  EVIDENT,
  type Facts,
  factsOf,
  factsOfBytes,
  LIKE,
  TranscriptFolder,
} from '../../../integration/support/agent/transcripts.ts';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { EMPTY_INDEX, readIndex, writeIndex } from './index-file.ts';
import { redactLive } from './redacted.ts';
import { saveRedacted } from './save.ts';

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

const row = (content: string): string =>
  `${JSON.stringify({ type: 'user', uuid: content.slice(0, 4), message: { content } })}\n`;
const FIRST = row(`key ${EVIDENT[0]}`) + row('password=swordfish77') + row('é'.repeat(400));
const MORE = row('log in with swordfish77') + row('more');
const truth = (): Promise<Facts> => factsOfBytes(readFileSync(folder.path));
const taken = async (): Promise<Facts> => factsOf(await folder.take());

test('is read as it was written', () => {
  const index = {
    ...EMPTY_INDEX,
    size: 7,
    marks: [[1, 7]] as const,
    prompts: 'é\n',
    secrets: [[1, 2]] as const,
  };
  writeFileSync(join(folder.root, 'redacted.jsonl'), '');
  writeIndex(folder.root, index);
  expect(readIndex(folder.root)).toEqual(index);
});

test('is empty where there is none', () => {
  expect(readIndex(join(folder.root, 'none'))).toBe(EMPTY_INDEX);
});

describe('a damaged cache is one that is not there', () => {
  /** What a hook says and leaves behind after the damage, and what the next one says. */
  const check = async (damage: () => void, isRepaired = true): Promise<void> => {
    rmSync(folder.dir, { recursive: true, force: true });
    folder.write(FIRST);
    await folder.take();
    folder.append(MORE);
    damage();
    expect(await taken()).toEqual(await truth());
    if (isRepaired) expect(folder.read().index.items).toBe(5);
    expect(await taken()).toEqual(await truth());
    folder.append(row('last swordfish77'));
    expect(await taken()).toEqual(await truth());
    expect(folder.read().index.redacted).toBeLessThanOrEqual(
      isRepaired ? statSync(folder.redactedFile).size : Number.POSITIVE_INFINITY,
    );
  };
  const instead = (make: () => void) => {
    rmSync(folder.redactedFile);
    make();
  };
  const index = () => readFileSync(folder.indexFile, 'utf8');
  const edit = (change: object) => () =>
    writeFileSync(folder.indexFile, JSON.stringify({ ...JSON.parse(index()), ...change }));

  test('index torn at any byte', async () => {
    folder.write(FIRST);
    await folder.take();
    folder.append(MORE);
    const whole = readFileSync(folder.indexFile);
    const empty = readIndex(join(folder.root, 'none'));
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(folder.indexFile, whole.subarray(0, length));
      expect(readIndex(folder.dir)).toBe(empty);
    }
    for (const length of [0, 1, whole.length >> 1, whole.length - 1])
      await check(() => truncateSync(folder.indexFile, length));
  }, 60_000);

  test.each<[string, () => void]>([
    ['garbage', () => writeFileSync(folder.indexFile, '\0\xff{')],
    ['another value', () => writeFileSync(folder.indexFile, '[]')],
    ['another version', edit({ version: 2 })],
    ['without a field', edit({ calls: undefined })],
    ['with a field of another kind', edit({ size: '7' })],
    ['with a negative size', edit({ size: -1 })],
    ['with chunks that are no ids', edit({ chunks: [['../x', 3]] })],
    ['that speaks of more than there is', edit({ redacted: 1e9 })],
    ['that speaks of a longer transcript', edit({ size: 1e9 })],
    ['with another digest', edit({ head: '' })],
    ['missing', () => rmSync(folder.indexFile)],
  ])('index %s', async (_, damage) => {
    await check(damage);
  });

  test('index in the form of a folder', async () => {
    const damage = () => {
      rmSync(folder.indexFile);
      mkdirSync(folder.indexFile);
    };
    await check(damage, false);
  });

  test.each<[string, () => void, isRepaired?: false]>([
    ['shorter', () => truncateSync(folder.redactedFile, 100)],
    ['shorter by one', () => truncateSync(folder.redactedFile, statSync(folder.redactedFile).size - 1)],
    ['empty', () => truncateSync(folder.redactedFile, 0)],
    ['longer: a killed writer', () => appendFileSync(folder.redactedFile, `${row('half')}{"ty`)],
    ['much longer', () => appendFileSync(folder.redactedFile, row('x'.repeat(100_000)))],
    ['missing', () => rmSync(folder.redactedFile)],
    ['a link to nowhere', () => instead(() => symlinkSync('none', folder.redactedFile))],
    ['a folder', () => instead(() => mkdirSync(folder.redactedFile)), false],
  ])('lines %s', async (_, damage, isRepaired) => {
    await check(damage, isRepaired ?? true);
  });

  test('lines behind a link are not written to', async () => {
    const theirs = join(folder.root, 'theirs');
    await check(() => {
      writeFileSync(theirs, readFileSync(folder.redactedFile));
      rmSync(folder.redactedFile);
      symlinkSync(theirs, folder.redactedFile);
    }, false);
    expect(readFileSync(theirs, 'utf8')).not.toContain('more');
  });

  test('a folder that cannot be made costs time, nothing else', async () => {
    writeFileSync(folder.commonDir, 'a file');
    folder.write(FIRST + MORE);
    expect(await taken()).toEqual(await truth());
    expect(await taken()).toEqual(await truth());
  });
});

describe('two writers that began with the same cache', () => {
  const both = async (first: string, second: string): Promise<void> => {
    folder.append(first);
    const a = await redactLive(folder.read());
    folder.append(second);
    const b = await redactLive(folder.read());
    for (const order of [
      [a, b],
      [b, a],
    ] as const) {
      for (const transcript of order) saveRedacted(transcript, LIKE);
      expect(factsOf(await redactLive(folder.read()))).toEqual(await truth());
    }
    folder.append(row('after swordfish77'));
    expect(await taken()).toEqual(await truth());
    expect(await taken()).toEqual(await truth());
  };

  test('none', async () => {
    await both(FIRST, MORE);
  });

  test('one', async () => {
    folder.write(FIRST);
    await folder.take();
    await both(MORE, row('and more'));
  });

  test('one with a secret that only the second meets', async () => {
    folder.write(row('swordfish77'));
    await folder.take();
    await both(MORE, row('password=swordfish77'));
    expect(folder.cached()).not.toContain('swordfish77');
  });

  test('the faster one stays', async () => {
    folder.write(FIRST);
    await folder.take();
    folder.append(MORE);
    const slow = await redactLive(folder.read());
    folder.append(row('and more'));
    await folder.take();
    saveRedacted(slow, LIKE);
    expect(folder.read().index.items).toBe(6);
  });

  test.each([
    ['shorter', row('compacted')],
    ['longer', row('compacted'.repeat(200))],
  ])('one of them before the transcript was rewritten: %s', async (_, text) => {
    folder.write(FIRST);
    await folder.take();
    folder.append(MORE);
    const slow = await redactLive(folder.read());
    folder.write(text);
    saveRedacted(slow, LIKE);
    expect(await taken()).toEqual(await truth());
    saveRedacted(slow, LIKE);
    expect(await taken()).toEqual(await truth());
    expect(folder.cached()).not.toContain('more');
  });
});

describe('a writer that is killed', () => {
  /** Calls after `count` others fail, as if there were nobody to make them; a last write is torn. */
  const dieAfter = (count: number) => {
    const real = { ...disk };
    const names = ['openSync', 'writeSync', 'renameSync', 'rmSync', 'chmodSync'] as const;
    let made = 0;
    const calls = names.map((name) => [
      name,
      (...args: unknown[]) => {
        if (made++ < count) return (real[name] as (...args: unknown[]) => unknown)(...args);
        const [fd, bytes, start, , position] = args as [number, Buffer, number, number?, number?];
        if (name === 'writeSync' && made === count + 1)
          real.writeSync(fd, bytes, start, (bytes.length - start) >> 1, position);
        throw Object.assign(new Error('EIO: killed'), { code: 'EIO' });
      },
    ]);
    const undo = replaceDisk(Object.fromEntries(calls));
    return () => {
      undo();
      return made > count;
    };
  };

  test.each([
    ['its first', ''],
    ['an addition', FIRST],
    ['another text', row('old swordfish77').repeat(20)],
    ['the same text, redacted again', row('swordfish77').repeat(20)],
  ])(
    'at any moment of %s',
    async (kind, before) => {
      for (let count = 0, died = true; died; count++) {
        rmSync(folder.dir, { recursive: true, force: true });
        folder.write(before);
        if (before !== '') await folder.take();
        if (kind === 'another text') folder.write(FIRST + MORE);
        else folder.append(FIRST + MORE);
        const transcript = await redactLive(folder.read());
        const stop = dieAfter(count);
        saveRedacted(transcript, LIKE);
        died = stop();
        const after = await redactLive(folder.read());
        expect(factsOf(after)).toEqual(await truth());
        folder.append(row('after the kill: swordfish77'));
        expect(await taken()).toEqual(await truth());
        expect(await taken()).toEqual(await truth());
        expect(folder.cached()).not.toContain('swordfish77');
        expect(count).toBeLessThan(60);
      }
    },
    60_000,
  );
});
