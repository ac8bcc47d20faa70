/** What a real Copilot CLI tells its model of its files once the conversation was compacted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ClientDriver } from '../driver.ts';
import { copilotCli } from '../drivers/copilot-cli.ts';
import { extendWithWorld } from '../fixture.ts';
import type { Step } from '../model/scene.ts';
import { fileSection, readFileSections, toldIn } from '../told-files.ts';
import { World } from '../world.ts';

const { calls } = copilotCli;
const test = extendWithWorld([copilotCli], (files) => new World(files));

const view = (path: string): Step => ({ call: 'view', input: { path } });

test('Copilot CLI, compacted: its model hears of its files with the next prompt, and once', async ({
  world,
}) => {
  for (const name of ['read.txt', 'unread.txt']) writeFileSync(world.path(name), `${name}\n`);
  const model = await world.model([
    {
      keyword: 'MANY-FILES',
      steps: [
        view(world.path('read.txt')),
        view(world.path('missing.txt')), // fails, and is no file that was read
        view(world.repo), // nor is a folder
        ...calls.create(world, 'new.txt', 'new\n'),
        view(world.path('old.txt')),
        ...calls.edit(world, 'old.txt', 'two', 'TWO'),
        ...calls.shell("printf 'shell\\n' > by-shell.txt"),
        { say: 'Done.' },
      ],
    },
    { keyword: 'AND-NOW', steps: [...calls.shell('true'), { say: 'I remember.' }] },
  ]);
  const { sessionId: resume = '' } = await world.start(copilotCli, model, { prompt: 'MANY-FILES' }).done;
  await world.start(copilotCli, model, { prompt: '/compact', resume }).done;
  expect(model.requests.flatMap(readFileSections)).toEqual([]);

  await world.start(copilotCli, model, { prompt: 'AND-NOW', resume }).done;
  const section = fileSection({ modified: 'new.txt, old.txt, by-shell.txt', read: 'read.txt, old.txt' });
  expect(toldIn(model, 'AND-NOW')).toEqual([[section], [section]]);
  expect(model.requests.find(({ scene }) => scene === 'AND-NOW#0')?.body).toContain('<summary>'); // in the place of what was said
  const kept = readFileSync(join(world.repo, '.git/entire/compactions', `${resume}.json`), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({
    tokens_before: expect.any(Number),
    tokens_after: expect.any(Number),
  });
});

test('Copilot CLI, compacted in the middle of a turn: its model hears of its files with a shell command, and once', async ({
  world,
}) => {
  writeFileSync(world.path('read.txt'), 'read.txt\n');
  const shortOfMemory: ClientDriver = {
    ...copilotCli,
    env: (place) => ({ ...copilotCli.env(place), COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '20000' }),
  };
  const commands = (count: number): Step[] =>
    Array.from({ length: count }, (_, at) => calls.shell(`sleep 1; echo ${at}`)).flat();
  const model = await world.model([
    { keyword: 'MUCH-WAS-SAID', steps: [...commands(6), { say: 'Done.' }] }, // what the client goes on with
    { keyword: 'create a detailed summary of the conversation', steps: [{ say: 'MUCH-WAS-SAID' }] },
    {
      keyword: 'TALK-MUCH',
      steps: [
        view(world.path('read.txt')),
        ...calls.create(world, 'new.txt', 'new\n'),
        ...calls.shell('yes some words on a line | head -c 14000'),
        ...calls.shell('yes other words on a line | head -c 14000'),
        ...commands(20), // the client compacts meanwhile
        { say: 'Never compacted.' },
      ],
    },
  ]);
  await world.start(shortOfMemory, model, { prompt: 'TALK-MUCH' }).done;
  const compacted = model.requests.findIndex(({ body }) => body.includes('MUCH-WAS-SAID'));
  expect(compacted).toBeGreaterThan(0);
  const told = model.requests.map(readFileSections);
  expect(told.slice(0, compacted + 1).flat()).toEqual([]);
  expect(told.at(-1)).toEqual([fileSection({ modified: 'new.txt', read: 'read.txt' })]);
});
