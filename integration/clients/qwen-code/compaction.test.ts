/** What a real Qwen Code tells its model of its files once the conversation was compacted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ClientDriver } from '../driver.ts';
import { qwenCode } from '../drivers/qwen-code.ts';
import { extendWithWorld } from '../fixture.ts';
import type { Scene, Step } from '../model/scene.ts';
import { fileSection, readFileSections, toldIn } from '../told-files.ts';
import { World } from '../world.ts';

const { calls } = qwenCode;

/** Without the agent that looks through each turn, in requests of its own, for what is worth remembering. */
const withoutMemory: ClientDriver = {
  ...qwenCode,
  files: (place) =>
    Object.fromEntries(
      Object.entries(qwenCode.files(place)).map(([path, text]) => [
        path,
        JSON.stringify({ ...JSON.parse(text), memory: { enableManagedAutoMemory: false } }),
      ]),
    ),
};

const test = extendWithWorld([withoutMemory], (files) => new World(files));

const read = (world: World, name: string): Step => ({
  call: 'read_file',
  input: { file_path: world.path(name) },
});

const manyFiles = (world: World, last: Step): Scene => ({
  keyword: 'MANY-FILES',
  steps: [
    read(world, 'read.txt'),
    read(world, 'missing.txt'), // fails, and is no file that was read
    ...calls.create(world, 'new.txt', 'new\n'),
    ...calls.edit(world, 'old.txt', 'two', 'TWO'), // reads it
    ...calls.shell("printf 'shell\\n' > by-shell.txt"),
    last,
  ],
});

const section = (read: string) => fileSection({ modified: 'new.txt, old.txt, by-shell.txt', read });

function addFiles(world: World): void {
  for (const name of ['read.txt', 'unread.txt']) writeFileSync(world.path(name), `${name}\n`);
}

describe('Qwen Code, compacted', () => {
  test('a session that is taken up again after /compress names the files that were read and modified', async ({
    world,
  }) => {
    addFiles(world);
    const model = await world.model([
      manyFiles(world, { say: 'Done.' }),
      { keyword: 'AND-NOW', steps: [read(world, 'unread.txt'), { say: 'I remember.' }] },
      { keyword: 'AND-THEN', steps: [{ say: 'Still.' }] },
    ]);
    const { sessionId: resume = '' } = await world.start(withoutMemory, model, { prompt: 'MANY-FILES' }).done;
    const { text } = await world.start(withoutMemory, model, { prompt: '/compress', resume }).done;
    expect(text).toContain('Context compressed');
    expect(model.requests.flatMap(readFileSections)).toEqual([]);
    expect(world.read('.entire/logs/entire.log')).toContain('"msg":"files noted"');

    // The client keeps what a hook told its model for as long as it runs: each time it is told again, with what is true then.
    await world.start(withoutMemory, model, { prompt: 'AND-NOW', resume }).done;
    const first = section('read.txt, old.txt');
    expect(toldIn(model, 'AND-NOW')).toEqual([[first], [first]]);
    const tokens = () => JSON.parse(world.read(`.git/entire/compactions/${resume}.json`)).tokens_before;
    const before = tokens();
    expect(before).toBeGreaterThan(0);
    await world.start(withoutMemory, model, { prompt: 'AND-THEN', resume }).done;
    expect(toldIn(model, 'AND-THEN')).toEqual([[section('read.txt, old.txt, unread.txt')]]);
    expect(tokens()).toBe(before); // of the compaction, which was no other one
  });

  test('in the middle of a turn its requests name them as soon as the hook has answered', async ({
    world,
  }) => {
    addFiles(world);
    // The hook runs while the client goes on. It is over once this is on record, and the client has what it said a moment later.
    const kept = join(world.repo, '.git/entire/compactions');
    const wait = calls.shell(`until grep -q reminded ${kept}/*; do sleep 0.1; done; sleep 2`);
    const model = await world.model([
      manyFiles(world, { ...(calls.shell('true')[0] as Step), tokens: 172_000 } as Step),
      // What the model says without a scene is the summary; the last result follows it.
      { keyword: 'Nothing to do.', steps: [{ say: 'Never.' }, ...wait, { say: 'On.' }] },
    ]);
    const { text } = await world.start(withoutMemory, model, { prompt: 'MANY-FILES' }).done;
    expect(text).toBe('On.');
    expect(toldIn(model, 'MANY-FILES').flat()).toEqual([]);
    expect(toldIn(model, 'Nothing to do.').at(-1)).toEqual([section('read.txt, old.txt')]);
  });
});
