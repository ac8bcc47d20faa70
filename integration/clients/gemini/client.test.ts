import { expect } from 'vitest';
import { gemini } from '../drivers/gemini.ts';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import { describeClient, describeTogether } from '../suite.ts';
import { World } from '../world.ts';

describeClient(gemini);
describeTogether(gemini, gemini);

const test = extendWithWorld([gemini], (files) => new World(files));

test('what a sub-agent writes is of its session, and its tokens are counted apart', async ({ world }) => {
  const { create } = gemini.calls;
  const model = await world.model([
    {
      keyword: 'ASK-SOMEBODY',
      steps: [
        { call: 'invoke_agent', input: { agent_name: 'generalist', prompt: 'DIG-A-HOLE' } },
        { say: 'It is dug.' },
      ],
    },
    {
      keyword: 'DIG-A-HOLE',
      steps: [...create(world, 'hole.txt', 'deep\n'), { call: 'complete_task', input: { result: 'Dug.' } }],
    },
  ]);
  await world.start(gemini, model, { prompt: 'ASK-SOMEBODY' }).done;
  const commit = world.commitAsUser('Dig', 'hole.txt');
  expect(readCheckpoint(world, readCheckpointId(world, commit))).toMatchObject([
    {
      agent: 'Gemini CLI',
      filesTouched: ['hole.txt'],
      prompts: expect.not.stringContaining('DIG-A-HOLE'),
      tokenUsage: {
        api_call_count: 2,
        subagent_tokens: { api_call_count: expect.toSatisfy((count: number) => count > 0) },
      },
    },
  ]);
});
