/** What a real Gemini CLI tells its model of its files once the conversation was compressed. */
import { writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { gemini } from '../drivers/gemini.ts';
import { extendWithWorld } from '../fixture.ts';
import type { Scene, Step } from '../model/scene.ts';
import type { MockModel } from '../model/server.ts';
import { fileSection, toldIn } from '../told-files.ts';
import { World } from '../world.ts';

const { calls } = gemini;
const test = extendWithWorld([gemini], (files) => new World(files));

const read = (file_path: string): Step => ({ call: 'read_file', input: { file_path } });
const shell = (command: string): Step => calls.shell(command)[0] as Step;

/** A turn with reads, edits and a shell, and then one in which the client finds that the conversation is too long. */
async function playLong(world: World, rest: readonly Step[]): Promise<MockModel> {
  for (const name of ['read.txt', 'unread.txt']) writeFileSync(world.path(name), `${name}\n`);
  const scenes: Scene[] = [
    {
      keyword: 'MANY-FILES',
      steps: [
        read('read.txt'),
        read(world.path('missing.txt')), // fails, and is no file that was read
        ...calls.create(world, 'new.txt', 'new\n'),
        read(world.path('old.txt')),
        ...calls.edit(world, 'old.txt', 'two', 'TWO'),
        shell("printf 'shell\\n' > by-shell.txt"),
        { say: 'Done.' },
      ],
    },
    { keyword: 'GO-ON', steps: [{ ...shell('true'), tokens: 700_000 } as Step, ...rest, { say: 'On.' }] },
    {
      keyword: 'DIG-A-HOLE',
      steps: [shell('true'), { call: 'complete_task', input: { result: 'Dug.' } }],
    },
    { keyword: 'AND-NOW', steps: [{ say: 'I remember.' }] },
  ];
  const model = await world.model(scenes);
  const { sessionId: resume } = await world.start(gemini, model, { prompt: 'MANY-FILES' }).done;
  for (const prompt of ['GO-ON', 'AND-NOW'])
    await world.start(gemini, model, { prompt, ...(resume && { resume }) }).done;
  // The client asks the model for a summary, and whether that is complete.
  expect(model.requests.filter(({ body }) => body.includes('<state_snapshot>'))).not.toEqual([]);
  expect(toldIn(model, 'MANY-FILES').flat()).toEqual([]);
  return model;
}

const SECTION = fileSection({ modified: 'new.txt, old.txt, by-shell.txt', read: 'read.txt, old.txt' });

describe('Gemini CLI, compressed in the middle of a turn', () => {
  test('its model hears of its files with the next shell command', async ({ world }) => {
    const model = await playLong(world, [shell('true')]);
    expect(toldIn(model, 'GO-ON')).toEqual([[], [], [SECTION]]);
    // The client repeats what tools gave when it resumes a session: that was told once.
    expect(new Set(toldIn(model, 'AND-NOW').flat())).toEqual(new Set([SECTION]));
  });

  test('and not with that of a sub-agent', async ({ world }) => {
    const input = { agent_name: 'generalist', prompt: 'DIG-A-HOLE' };
    const model = await playLong(world, [{ call: 'invoke_agent', input }, shell('true')]);
    expect(toldIn(model, 'DIG-A-HOLE')).toEqual([[], []]);
    expect(toldIn(model, 'GO-ON')).toEqual([[], [], [], [SECTION]]);
  });

  test('or else with the next prompt', async ({ world }) => {
    const model = await playLong(world, []);
    expect(toldIn(model, 'GO-ON')).toEqual([[], []]);
    expect(toldIn(model, 'AND-NOW')).toEqual([[SECTION]]);
  });
});
