import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { ClientSessionWorld, type SessionClient } from '../client-session-world.ts';
import { pi } from '../drivers/pi.ts';
import { extendWithWorld } from '../fixture.ts';
import { describeSessions } from '../session-suite.ts';

const client: SessionClient = {
  driver: pi,
  agent: 'pi',
  program: 'pi',
  words: ['--provider', 'mock', '--model', 'mock-model'],
};

describeSessions(client, {
  forksByCopy: true,
  tellsTokens: true,
  hears: true,
  withoutLogin: { words: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5'] },
});

const test = extendWithWorld([pi], (files) => new ClientSessionWorld(files));

test('a command of an extension that asks no model is over when it is done', async ({ world }) => {
  const model = await world.model([{ keyword: 'TUESDAY', steps: [{ say: 'All of tuesday.' }] }]);
  mkdirSync(world.path('.pi/extensions'), { recursive: true });
  writeFileSync(
    world.path('.pi/extensions/ping.ts'),
    `import { writeFileSync } from 'node:fs';
     export default (pi) => pi.registerCommand('ping', { handler: async () => writeFileSync('pinged', '') });`,
  );
  const session = world.begin(client, world.provide(client, model));
  expect(await session.chat('/ping')).toMatchObject({ text: '', stopped: undefined });
  expect(world.read('pinged')).toBe('');
  expect(model.requests.filter(({ scene }) => scene)).toEqual([]);
  expect(await session.chat('TUESDAY, please')).toMatchObject({ text: 'All of tuesday.' });
});
