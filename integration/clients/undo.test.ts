import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { AgentName } from '../../src/agents/names.ts';
/** Clients go on with the conversation from before a turn that was taken back. */
import { agentOf } from '../../src/agents/registry.ts';
import type { ClientDriver } from './driver.ts';
import { codex } from './drivers/codex.ts';
import { copilotCli } from './drivers/copilot-cli.ts';
import { factoryaiDroid } from './drivers/factoryai-droid.ts';
import { pi } from './drivers/pi.ts';
import { qwenCode } from './drivers/qwen-code.ts';
import { readCheckpoint, readCheckpointId } from './facts.ts';
import { extendWithWorld } from './fixture.ts';
import { World } from './world.ts';

describeUndo(codex);
describeUndo(pi);
describeUndo(copilotCli);
describeUndo(qwenCode);
describeUndo(factoryaiDroid);

function describeUndo(driver: ClientDriver): void {
  const { agent, calls, type } = driver;
  const home = agentOf(agent as AgentName).home;
  const test = extendWithWorld([driver], (files) => new World(files));

  test(`${type} goes on with the conversation from before the turn`, async ({ world }) => {
    const model = await world.model([
      { keyword: 'MONDAY', steps: [...calls.create(world, 'a.txt', 'monday\n'), { say: 'All of A.' }] },
      { keyword: 'TUESDAY', steps: [...calls.create(world, 'b.txt', 'tuesday\n'), { say: 'All of B.' }] },
      { keyword: 'FRIDAY', steps: [...calls.create(world, 'c.txt', 'friday\n'), { say: 'All of C.' }] },
    ]);
    const { sessionId: id = '' } = await world.start(driver, model, { prompt: 'MONDAY' }).done;
    await world.start(driver, model, { prompt: 'TUESDAY', resume: id }).done;
    const { conversation } = JSON.parse(world.entire('undo', '--conversation', '--json')) as {
      readonly conversation: { readonly session_id: string; readonly file: string };
    };
    const { session_id: forked, file } = conversation;
    expect([existsSync(world.path('a.txt')), existsSync(world.path('b.txt'))]).toEqual([true, false]);

    const again = await world.start(driver, model, { prompt: 'FRIDAY', resume: forked }).done;
    expect(again.text).toContain('All of C.');
    if (again.sessionId !== undefined) expect(again.sessionId).toBe(forked);
    const asked = model.requests.findLast(({ scene }) => scene !== undefined)?.body ?? '';
    expect(['MONDAY', 'TUESDAY', 'FRIDAY'].map((word) => asked.includes(word))).toEqual([true, false, true]);
    const env = { ...world.env, ...driver.env({ ...world, temp: '', url: model.url }) };
    const kept = home.list(env, 10, world.repo).map(({ sessionId, path }) => [sessionId, path]);
    expect(kept).toEqual([
      [forked, file],
      [id, expect.any(String)],
    ]);
    const slots = readCheckpoint(world, readCheckpointId(world, world.commitAsUser('Take c', 'c.txt')));
    expect(slots).toMatchObject([{ sessionId: forked, filesTouched: ['c.txt'] }]);
  });
}
