/** Every client understands the scripted model and the calls of its driver, without `entire` in between. */
import { expect, test } from 'vitest';
import { claudeCode } from './drivers/claude-code.ts';
import { codex } from './drivers/codex.ts';
import { copilotCli } from './drivers/copilot-cli.ts';
import { factoryaiDroid } from './drivers/factoryai-droid.ts';
import { gemini } from './drivers/gemini.ts';
import { opencode } from './drivers/opencode.ts';
import { pi } from './drivers/pi.ts';
import { qwenCode } from './drivers/qwen-code.ts';
import { skipUnlessHad } from './fixture.ts';
import { World } from './world.ts';

const DRIVERS = [claudeCode, gemini, opencode, codex, copilotCli, factoryaiDroid, qwenCode, pi];

for (const driver of DRIVERS) {
  test(`${driver.type} plays two turns, with every kind of call`, async ({ skip }) => {
    skipUnlessHad(driver, skip);
    await using world = new World({ 'old.txt': 'one\ntwo\n' });
    const model = await world.model([
      {
        keyword: 'PLANT-A-TREE',
        steps: [
          ...driver.calls.create(world, 'new.txt', 'leaf\n'),
          ...driver.calls.edit(world, 'old.txt', 'two', 'TWO'),
          ...driver.calls.shell("printf 'second\\n' >> log.txt"),
          { say: 'The tree stands tall.' },
        ],
      },
      { keyword: 'GO-ON', steps: [...driver.calls.create(world, 'b.txt', 'b\n'), { say: 'And on.' }] },
    ]);
    const first = await world.start(driver, model, { prompt: 'PLANT-A-TREE here' }).done;
    expect(first.text).toContain('The tree stands tall.');
    expect(['new.txt', 'old.txt', 'log.txt'].map((name) => world.read(name))).toEqual([
      'leaf\n',
      'one\nTWO\n',
      'second\n',
    ]);
    const resume = first.sessionId ?? 'last';
    const second = await world.start(driver, model, { prompt: 'GO-ON', resume }).done;
    expect(second.text).toContain('And on.');
    expect(world.read('b.txt')).toBe('b\n');
    expect(model.requests.filter(({ status }) => status !== 200)).toEqual([]);
  });
}
