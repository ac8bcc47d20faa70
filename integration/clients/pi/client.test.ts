/** Pi: what every client has to show, and what a Pi within a Pi does. */
import { mkdirSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { ClientDriver } from '../driver.ts';
import { claudeCode } from '../drivers/claude-code.ts';
import { pi } from '../drivers/pi.ts';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import { describeClient, describeTogether } from '../suite.ts';
import { World } from '../world.ts';

describeClient(pi);
describeTogether(pi, claudeCode);

const test = extendWithWorld([pi], (files) => new World(files));
const { calls } = pi;

test('a Pi that is started by a Pi works for the outer one', async ({ world }) => {
  const installed = pi.install();
  const program = 'command' in installed ? installed.command.join(' ') : '';
  const model = await world.model([
    {
      keyword: 'PLANT-A-TREE',
      steps: [
        ...calls.create(world, 'own.txt', 'own\n'),
        ...calls.shell(`${program} --no-session --provider mock --model mock-model -p WATER-THE-TREE`),
        { say: 'The tree stands.' },
      ],
    },
    { keyword: 'WATER-THE-TREE', steps: [...calls.create(world, 'sub.txt', 'water\n'), { say: 'Watered.' }] },
  ]);
  const { sessionId } = await world.start(pi, model, { prompt: 'PLANT-A-TREE' }).done;
  expect(world.read('sub.txt')).toBe('water\n');
  const states = readdirSync(world.path('.git/entire-sessions')).filter((name) => name.endsWith('.json'));
  expect(states).toEqual([`${sessionId}.json`]);
  const commit = world.commitAsUser('Plant a tree', 'own.txt', 'sub.txt');
  const slots = readCheckpoint(world, readCheckpointId(world, commit));
  expect(slots).toMatchObject([{ sessionId, filesTouched: ['own.txt', 'sub.txt'] }]);
});

test('started in another folder than that of the extension Pi does not tell us', async ({ world }) => {
  const model = await world.model([
    { keyword: 'ELSEWHERE', steps: [...calls.create(world, '../a.txt', 'a\n'), { say: 'Done.' }] },
  ]);
  mkdirSync(world.path('sub'));
  const installed = pi.install();
  const command = 'command' in installed ? installed.command : [];
  const below: ClientDriver = {
    ...pi,
    install: () => ({ command: ['/bin/sh', '-c', 'cd "$0" && exec "$@"', world.path('sub'), ...command] }),
  };
  await world.start(below, model, { prompt: 'ELSEWHERE' }).done;
  expect(world.read('a.txt')).toBe('a\n');
  expect(world.trailers(world.commitAsUser('Add a', 'a.txt'))).toEqual([]);
});

test('where entire is not to be found Pi works as it would without us', async ({ world }) => {
  const model = await world.model([
    { keyword: 'ALONE', steps: [...calls.create(world, 'a.txt', 'a\n'), { say: 'Done.' }] },
  ]);
  const path = (world.env.PATH ?? '').replace(/^[^:]*:/, '');
  const alone: ClientDriver = { ...pi, env: (place) => ({ ...pi.env(place), PATH: path }) };
  const run = world.start(alone, model, { prompt: 'ALONE' });
  expect((await run.done).text).toBe('Done.');
  expect(run.lines.join('\n')).not.toContain('extension_error');
  expect(world.trailers(world.commitAsUser('Add a', 'a.txt'))).toEqual([]);
});
