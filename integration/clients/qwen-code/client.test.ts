/** Qwen Code: what every client has to show, and what its sub-agents do. */
import { describe, expect } from 'vitest';
import { claudeCode } from '../drivers/claude-code.ts';
import { qwenCode } from '../drivers/qwen-code.ts';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import { describeClient, describeTogether } from '../suite.ts';
import { World } from '../world.ts';

describeClient(qwenCode);
describeTogether(qwenCode, claudeCode);

const test = extendWithWorld([qwenCode], (files) => new World(files));
const { calls } = qwenCode;

describe('sub-agents of Qwen Code', () => {
  test.for([false, true])(
    'work for the session that began them, in the background: %j',
    async (away, { world }) => {
      const input = {
        description: 'Help',
        prompt: 'WATER-THE-TREE',
        subagent_type: 'general-purpose',
        run_in_background: away,
      };
      const model = await world.model([
        {
          keyword: 'PLANT-A-TREE',
          steps: [
            { call: 'agent', input },
            ...calls.create(world, 'own.txt', 'own\n'),
            { say: 'The tree stands.' },
          ],
        },
        {
          keyword: 'WATER-THE-TREE',
          steps: [...calls.create(world, 'sub.txt', 'water\n'), { say: 'Watered.' }],
        },
      ]);
      const { sessionId } = await world.start(qwenCode, model, { prompt: 'PLANT-A-TREE' }).done;
      const log = world.read('.entire/logs/entire.log');
      expect(log).toMatch(/"hook":"subagent-stop"/);
      const commit = world.commitAsUser('Plant a tree', 'own.txt', 'sub.txt');
      const slots = readCheckpoint(world, readCheckpointId(world, commit));
      expect(slots).toMatchObject([{ sessionId, filesTouched: ['own.txt', 'sub.txt'] }]);
      expect(slots[0]?.tokenUsage).toMatchObject({ subagent_tokens: { api_call_count: 2 } });
      expect(slots[0]?.prompts.trim()).toBe('PLANT-A-TREE');
      const id = readCheckpointId(world, commit);
      const names = world.git(
        'ls-tree',
        '-r',
        '--name-only',
        'entire/checkpoints/v1',
        `${id.slice(0, 2)}/${id.slice(2)}/`,
      );
      expect(names).toMatch(/\/tasks\/[^/]+\/agent-general-purpose-[\w-]+\.jsonl$/m);
    },
  );
});

test('what failed is not taken for done, and a command that fails may have committed', async ({ world }) => {
  const [wrong] = calls.edit(world, 'old.txt', 'nowhere to be found', 'x').slice(-1);
  const model = await world.model([
    {
      keyword: 'TRY-HARD',
      steps: [
        ...calls.edit(world, 'old.txt', 'nowhere to be found', 'x').slice(0, 1),
        ...(wrong ? [wrong] : []),
        ...calls.create(world, 'new.txt', 'new\n'),
        ...calls.shell("git add new.txt && git -c core.hooksPath= commit --quiet -m 'Add it' && false"),
        { say: 'I tried.' },
      ],
    },
  ]);
  await world.start(qwenCode, model, { prompt: 'TRY-HARD' }).done;
  const note = world.git('log', '-1', '--notes=refs/notes/entire', '--format=%N').trim();
  const [, id = ''] = /^Entire-Checkpoint: ([0-9a-f]{12})$/m.exec(note) ?? [];
  expect(readCheckpoint(world, id)).toMatchObject([{ agent: 'Qwen Code', filesTouched: ['new.txt'] }]);
});
