/** What the real OpenCode sends to its model once the conversation was compacted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ClientDriver } from '../driver.ts';
import { opencode } from '../drivers/opencode.ts';
import { extendWithWorld } from '../fixture.ts';
import { fileSection, readFileSections } from '../told-files.ts';
import { World } from '../world.ts';

// At its first start in a home and in a repository the client installs a package of its own from the registry.
vi.setConfig({ testTimeout: 300_000 });

const { calls } = opencode;

/** Its model has room for few tokens; the client compacts what is longer by itself, in the middle of a turn. */
const forgetful: ClientDriver = {
  ...opencode,
  files: (place) =>
    Object.fromEntries(
      Object.entries(opencode.files(place)).map(([path, text]) => {
        const config = JSON.parse(text);
        config.provider.mock.models['mock-model'].limit = { context: 7_000, output: 1_000 };
        return [path, JSON.stringify(config)];
      }),
    ),
};

const test = extendWithWorld([forgetful], (files) => new World(files));

test('after a compaction each request of OpenCode names the files that were read and modified', async ({
  world,
}) => {
  for (const name of ['read.txt', 'later.txt', 'unread.txt']) writeFileSync(world.path(name), `${name}\n`);
  const read = (name: string) => ({ call: 'read', input: { filePath: join(world.repo, name) } });
  const model = await world.model([
    {
      keyword: 'MANY-FILES',
      steps: [
        read('read.txt'),
        read('missing.txt'), // fails, and is no file that was read
        read('.'), // lists the folder
        ...calls.shell("printf 'shell\\n' > by-shell.txt"),
        ...calls.create(world, 'new.txt', 'new\n'),
        ...calls.edit(world, 'old.txt', 'two', 'TWO'),
        { say: 'This is not asked for any more.' },
      ],
    },
    // What the client says itself behind a compaction of its own.
    { keyword: 'Continue if you have next steps', steps: [read('later.txt'), { say: 'Done.' }] },
    { keyword: 'AND-THEN', steps: [{ say: 'Still.' }] },
  ]);
  const section = (read: string) => fileSection({ modified: 'new.txt, old.txt, by-shell.txt', read });
  const tell = async (prompt: string, resume?: string) => {
    const before = model.requests.length;
    const answer = await world.start(forgetful, model, { prompt, ...(resume && { resume }) }).done;
    const told = model.requests.slice(before).map((request) => [request.scene, readFileSections(request)]);
    return { ...answer, told: told.filter(([, sections]) => sections?.length) };
  };
  const { sessionId, text, told } = await tell('MANY-FILES');
  expect(text).toBe('Done.');
  expect(told).toEqual([
    ['Continue if you have next steps#0', [section('read.txt, old.txt')]],
    ['Continue if you have next steps#1', [section('read.txt, old.txt')]],
  ]);
  // Before it the client had room for 6,000; behind it there are four messages, of 512 tokens each but the first.
  const { last_compaction: tokens } = JSON.parse(world.entire('files', '--json'));
  expect(tokens.tokens_before).toBeGreaterThan(6_000);
  expect(Math.floor(tokens.tokens_after / 512)).toBe(3);
  // A client that was started again asks again; of what it was told before, nothing is kept in the session.
  expect((await tell('AND-THEN', sessionId)).told).toEqual([
    ['AND-THEN#0', [section('read.txt, old.txt, later.txt')]],
  ]);
});
