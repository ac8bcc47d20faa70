/** What a real Factory Droid tells its model of its files once the conversation was compacted. */
import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { factoryaiDroid as droid, factoryaiDroidExec } from '../drivers/factoryai-droid.ts';
import { extendWithWorld } from '../fixture.ts';
import { claimOnce, type Step } from '../model/scene.ts';
import { fileSection, readFileSections, toldIn } from '../told-files.ts';
import { World } from '../world.ts';

const { calls } = droid;
const test = extendWithWorld([droid], (files) => new World(files));

const read = (world: World, name: string): Step => ({
  call: 'Read',
  input: { file_path: world.path(name) },
});

describe('Factory Droid, compacted', () => {
  test('each time its new session is opened the model is told which files the old one, and it, worked with', async ({
    world,
  }) => {
    for (const name of ['read.txt', 'unread.txt', 'later.txt']) writeFileSync(world.path(name), `${name}\n`);
    const model = await world.model([
      {
        keyword: 'MANY-FILES',
        steps: [
          read(world, 'read.txt'),
          read(world, 'missing.txt'), // fails, and is no file that was read
          ...calls.create(world, 'new.txt', 'new\n'),
          ...calls.edit(world, 'old.txt', 'two', 'TWO'), // reads it
          ...calls.shell("printf 'shell\\n' > by-shell.txt"),
          { say: 'Done.' },
        ],
      },
      { keyword: 'AND-NOW', steps: [read(world, 'later.txt'), { say: 'I remember.' }] },
      { keyword: 'AND-THEN', steps: [...calls.create(world, 'last.txt', 'last\n'), { say: 'Still.' }] },
      { keyword: 'AT-LAST', steps: [{ say: 'Of course.' }] },
    ]);
    const told = async (prompt: string, resume: string) => {
      const before = model.requests.length;
      await world.start(droid, model, { prompt, resume }).done;
      return model.requests
        .slice(before)
        .filter(({ scene }) => scene?.startsWith(prompt))
        .map(readFileSections);
    };
    const compact = async (resume: string) =>
      (await world.start(droid, model, { prompt: '/compact', resume }).done).sessionId ?? '';

    const { sessionId: first = '' } = await world.start(droid, model, { prompt: 'MANY-FILES' }).done;
    const second = await compact(first);
    expect(second).not.toBe(first);
    expect(model.requests.flatMap(readFileSections)).toEqual([]);
    const modified = 'new.txt, old.txt, by-shell.txt';
    const one = fileSection({ modified, read: 'read.txt, old.txt' });
    expect(await told('AND-NOW', second)).toEqual([[one], [one]]);
    // What a hook told the model is no part of the session.
    const two = fileSection({ modified, read: 'read.txt, old.txt, later.txt' });
    expect(await told('AND-THEN', second)).toEqual([[two], [two]]);
    const third = await compact(second);
    expect(await told('AT-LAST', third)).toEqual([
      [fileSection({ modified: `${modified}, last.txt`, read: 'read.txt, old.txt, later.txt' })],
    ]);
    // The one that was left holds all that was said.
    expect(await told('AT-LAST', first)).toEqual([[]]);
  });

  describe.each([
    ['droid exec', factoryaiDroidExec],
    ['through JSON-RPC', droid],
  ])('in the middle of a turn, %s', (_, driver) => {
    test('its model is told with the next shell command, and with each time that the session is opened', async ({
      world,
    }) => {
      const once = claimOnce(calls.create(world, 'new.txt', 'new\n')[0], 900_000);
      const shell = calls.shell('true')[0] as Step;
      const model = await world.model([
        { keyword: 'GO-ON', steps: [read(world, 'log.txt'), once, shell, shell, { say: 'On.' }] },
        { keyword: 'AND-NOW', steps: [{ say: 'I remember.' }] },
      ]);
      const { sessionId: resume = '' } = await world.start(driver, model, { prompt: 'GO-ON' }).done;
      await world.start(droid, model, { prompt: 'AND-NOW', resume }).done;
      const known = [fileSection({ modified: 'new.txt', read: 'log.txt' })];
      expect(toldIn(model, 'GO-ON')).toEqual([[], [], [], known, known]);
      expect(toldIn(model, 'AND-NOW')).toEqual([known]);
    });
  });

  test('where no shell command follows it is told with the next prompt', async ({ world }) => {
    const once = claimOnce(read(world, 'log.txt'), 900_000);
    const model = await world.model([
      { keyword: 'GO-ON', steps: [once, { say: 'On.' }] },
      { keyword: 'AND-NOW', steps: [{ say: 'I remember.' }] },
    ]);
    const { sessionId: resume = '' } = await world.start(droid, model, { prompt: 'GO-ON' }).done;
    expect(model.requests.flatMap(readFileSections)).toEqual([]);
    await world.start(droid, model, { prompt: 'AND-NOW', resume }).done;
    expect(toldIn(model, 'AND-NOW')).toEqual([[fileSection({ read: 'log.txt' })]]);
  });
});
