/** Factory Droid: what every client has to show, in both of the ways to run it without a login. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { factoryaiDroidExec as droid, factoryaiDroid as droidByRpc } from '../drivers/factoryai-droid.ts';
import { readCheckpoint, readCheckpointId } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import { describeClient, describeTogether } from '../suite.ts';
import { World } from '../world.ts';

describe('droid exec', () => describeClient(droid));
describe('through JSON-RPC', () => describeClient(droidByRpc));
describeTogether(droid, droid);

const both = [
  ['droid exec', droid],
  ['through JSON-RPC', droidByRpc],
] as const;

for (const [name, driver] of both) {
  const test = extendWithWorld([driver], (files) => new World(files));

  test(`${name}: prompts are told once, and tokens are those of each turn`, async ({ world }) => {
    const model = await world.model([
      { keyword: 'MONDAY', steps: [...driver.calls.create(world, 'a.txt', 'a\n'), { say: 'All of A.' }] },
      { keyword: 'TUESDAY', steps: [...driver.calls.create(world, 'b.txt', 'b\n'), { say: 'All of B.' }] },
    ]);
    const { sessionId } = await world.start(driver, model, { prompt: 'MONDAY' }).done;
    const first = readCheckpointId(world, world.commitAsUser('Add a', 'a.txt'));
    await world.start(driver, model, { prompt: 'TUESDAY', resume: sessionId as string }).done;
    const second = readCheckpointId(world, world.commitAsUser('Add b', 'b.txt'));
    const slots = [first, second].flatMap((id) => readCheckpoint(world, id));
    expect(slots.map(({ prompts }) => prompts.match(/MONDAY|TUESDAY/g))).toEqual([
      ['MONDAY'],
      ['MONDAY', 'TUESDAY'],
    ]);
    const spent = slots.map(({ tokenUsage }) => tokenUsage as Record<string, number>);
    expect(spent.map(({ api_call_count }) => api_call_count)).toEqual([2, 2]);
    // The model writes 512 tokens into its cache at each request. What the client asks it besides, for a title, counts as well.
    const written = spent.map(({ cache_creation_tokens = 0 }) => cache_creation_tokens);
    for (const count of written) expect(count).toBeGreaterThanOrEqual(1024);
    expect((written[0] ?? 0) + (written[1] ?? 0)).toBe(readSum(world, sessionId as string));
  });
}

/** Tokens that the client says it had the model write into its cache in a session. */
function readSum(world: World, sessionId: string): number {
  const sessions = join(world.home, '.factory/sessions');
  const file = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith(`${sessionId}.settings.json`),
  );
  const settings = JSON.parse(readFileSync(join(sessions, file ?? ''), 'utf8')) as {
    readonly tokenUsage: { readonly cacheCreationTokens: number };
  };
  return settings.tokenUsage.cacheCreationTokens;
}
