/** What every client has to show, and what OpenCode's sub-agents do. */
import { expect, vi } from 'vitest';
import { opencode } from '../drivers/opencode.ts';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import { describeClient } from '../suite.ts';
import { World } from '../world.ts';

// At its first start in a home and in a repository the client installs a package of its own from the registry.
vi.setConfig({ testTimeout: 300_000 });

describeClient(opencode);

const test = extendWithWorld([opencode], (files) => new World(files));

test('a sub-agent works for the session that began it', async ({ world }) => {
  const { calls } = opencode;
  const input = { description: 'Help', prompt: 'WATER-THE-TREE', subagent_type: 'general' };
  const model = await world.model([
    {
      keyword: 'PLANT-A-TREE',
      steps: [
        { call: 'task', input },
        ...calls.create(world, 'own.txt', 'own\n'),
        { say: 'The tree stands.' },
      ],
    },
    { keyword: 'WATER-THE-TREE', steps: [...calls.create(world, 'sub.txt', 'water\n'), { say: 'Watered.' }] },
  ]);
  const { sessionId } = await world.start(opencode, model, { prompt: 'PLANT-A-TREE' }).done;
  const commit = world.commitAsUser('Plant a tree', 'own.txt', 'sub.txt');
  const slots = readCheckpoint(world, readCheckpointId(world, commit));
  expect(slots).toMatchObject([{ sessionId, filesTouched: ['own.txt', 'sub.txt'] }]);
  expect(slots[0]?.tokenUsage).toMatchObject({ api_call_count: 3, subagent_tokens: { api_call_count: 2 } });
  expect(slots[0]?.prompts).not.toContain('WATER-THE-TREE');
});
