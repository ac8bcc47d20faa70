/** What the real Pi sends to its model once the conversation was compacted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ClientDriver } from '../driver.ts';
import { pi } from '../drivers/pi.ts';
import { extendWithWorld } from '../fixture.ts';
import { fileSection, readFileSections, toldIn } from '../told-files.ts';
import { World } from '../world.ts';

const { calls } = pi;

/** It compacts a context of more than 4,000 tokens, and keeps the last words of it only. */
const forgetful: ClientDriver = {
  ...pi,
  files: (place) => ({
    ...pi.files(place),
    [join(place.home, '.pi/agent/settings.json')]: JSON.stringify({
      compaction: { enabled: true, reserveTokens: 128_000 - 4_000, keepRecentTokens: 1 },
    }),
  }),
};

const test = extendWithWorld([forgetful], (files) => new World(files));

test('after a compaction each request of Pi names the files that were read and modified', async ({
  world,
}) => {
  for (const name of ['read.txt', 'unread.txt']) writeFileSync(world.path(name), `${name}\n`);
  const read = (path: string) => ({ call: 'read', input: { path } });
  const model = await world.model([
    {
      keyword: 'MANY-FILES',
      steps: [
        read('read.txt'),
        read('missing.txt'), // fails, and is no file that was read
        ...calls.create(world, 'new.txt', 'new\n'),
        ...calls.edit(world, 'old.txt', 'two', 'TWO'),
        ...calls.shell("printf 'shell\\n' > by-shell.txt"),
        { say: 'Done.' },
      ],
    },
    { keyword: 'AND-NOW', steps: [read('old.txt'), { say: 'I remember.' }] },
    { keyword: 'AND-THEN', steps: [{ say: 'Still.' }] },
  ]);
  // It compacts when a turn is over, or before the next prompt.
  const { sessionId: resume = '' } = await world.start(forgetful, model, { prompt: 'MANY-FILES' }).done;
  expect(model.requests.flatMap(readFileSections)).toEqual([]);

  const section = (read: string) => fileSection({ modified: 'new.txt, old.txt, by-shell.txt', read });
  const tell = async (prompt: string) => {
    await world.start(forgetful, model, { prompt, resume }).done;
    return toldIn(model, prompt);
  };
  expect(await tell('AND-NOW')).toEqual([[section('read.txt')], [section('read.txt')]]);
  const { last_compaction: tokens } = JSON.parse(world.entire('files', '--json'));
  expect(tokens.tokens_before).toBeGreaterThan(4_000);
  expect(tokens.tokens_after).toBeLessThan(4_000);
  // A client that was started again asks again; of what it was told before, nothing is kept in the session.
  expect(await tell('AND-THEN')).toEqual([[section('read.txt, old.txt')]]);
});
