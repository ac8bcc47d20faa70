/** What Copilot CLI has to show beyond the rest: its sub-agents, Claude's hooks, and folders that nobody trusts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { judgeHookTrust } from '../../../src/agents/copilot-cli/settings.ts';
import type { ClientDriver } from '../driver.ts';
import { copilotCli } from '../drivers/copilot-cli.ts';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import type { Step } from '../model/scene.ts';
import { describeClient } from '../suite.ts';
import { World } from '../world.ts';

describeClient(copilotCli);

const { calls } = copilotCli;
const test = extendWithWorld([copilotCli], (files) => new World(files));

const delegate = (prompt: string, mode: 'sync' | 'background'): Step => ({
  call: 'task',
  input: { description: 'Help', prompt, agent_type: 'general-purpose', name: 'help', mode },
});

describe.each(['sync', 'background'] as const)('Copilot CLI, a sub-agent in %s', (mode) => {
  test('what it writes is its task and its session’s, and no session of its own', async ({ world }) => {
    const model = await world.model([
      { keyword: 'LET-IT-DIG', steps: [delegate('DIG-A-HOLE', mode), { say: 'It digs.' }] },
      {
        keyword: 'DIG-A-HOLE',
        steps: [
          ...calls.create(world, 'hole.txt', 'deep\n'),
          ...calls.shell("printf 'high\\n' > pile.txt"),
          { say: 'It has dug.' },
        ],
      },
    ]);
    const { sessionId } = await world.start(copilotCli, model, { prompt: 'LET-IT-DIG' }).done;
    const id = readCheckpointId(world, world.commitAsUser('Dig', '.'));
    const [slot, ...others] = readCheckpoint(world, id);
    expect(others).toEqual([]);
    expect(slot).toMatchObject({ sessionId, filesTouched: ['hole.txt', 'pile.txt'], prompts: 'LET-IT-DIG' });
    const names = world.git('ls-tree', '-r', '--name-only', 'entire/checkpoints/v1').trim().split('\n');
    const [transcript = '', ...more] = names.filter((name) => /\/agent-[\w-]+\.jsonl$/.test(name));
    expect(more).toEqual([]);
    expect(world.git('show', `entire/checkpoints/v1:${transcript}`)).toContain('It has dug.');
  });
});

test('Copilot CLI runs Claude’s hooks, too, and its session is still its own', async ({ world }) => {
  world.entire('enable', '--agent', 'claude-code');
  const model = await world.model([
    { keyword: 'ONE-FILE', steps: [...calls.create(world, 'a.txt', 'a\n'), { say: 'One.' }] },
  ]);
  await world.start(copilotCli, model, { prompt: 'ONE-FILE' }).done;
  const slots = readCheckpoint(world, readCheckpointId(world, world.commitAsUser('Take a', 'a.txt')));
  expect(slots).toMatchObject([{ agent: 'Copilot CLI', filesTouched: ['a.txt'] }]);
});

test('Copilot CLI runs no hooks in a folder that is not trusted, and we know which are', async ({
  world,
}) => {
  const wary: ClientDriver = {
    ...copilotCli,
    env: (place) => ({ ...copilotCli.env(place), COPILOT_ALLOW_ALL: '' }),
    args: (turn, place) => copilotCli.args(turn, place).filter((argument) => argument !== '--trust-folder'),
  };
  const model = await world.model([
    { keyword: 'UNSEEN', steps: [...calls.create(world, 'unseen.txt', 'a\n'), { say: 'Done.' }] },
    { keyword: 'SEEN', steps: [...calls.create(world, 'seen.txt', 'b\n'), { say: 'Done.' }] },
  ]);
  const judge = () => judgeHookTrust(world.repo, world.env).is;
  expect(judge()).toBe('project');
  await world.start(wary, model, { prompt: 'UNSEEN' }).done;
  expect(world.trailers(world.commitAsUser('Take it', 'unseen.txt'))).toEqual([]);

  const config = join(world.home, '.copilot/config.json');
  mkdirSync(join(world.home, '.copilot'), { recursive: true });
  writeFileSync(config, JSON.stringify({ trustedFolders: [world.base] }));
  expect(judge()).toBe('trusted');
  await world.start(wary, model, { prompt: 'SEEN' }).done;
  readCheckpointId(world, world.commitAsUser('Take that', 'seen.txt'));
});
