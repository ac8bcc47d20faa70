import { expect, test } from 'vitest';
import { echo, scripted } from '../../integration/support/agent/spoken-agents.ts';
import { Session } from './session.ts';
import { InMemoryStorage } from './storage/in-memory.ts';

/** A promise and what fulfils it. */
function latch(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((fulfil) => {
    open = fulfil;
  });
  return { opened, open: () => open() };
}

test('a turn that is running is kept as far as it has come, as an unfinished one', async () => {
  const storage = new InMemoryStorage();
  const [early, late] = [latch(), latch()];
  const agent = scripted(async function* ({ remember }) {
    await early.opened;
    remember({ of: 'this turn' });
    yield { type: 'text', text: 'ha' };
    yield { type: 'tool_use', id: 't', name: 'Read', input: {} };
    await late.opened;
    yield { type: 'tool_use', id: 'u', name: 'Read', input: {} };
  });
  const session = new Session(agent, { storage, sessionId: 'kept', onEvent: () => {} });
  const turn = session.chat('go');
  await Promise.resolve();
  await session.save();
  expect((await storage.load('kept'))?.messages).toMatchObject([{ content: 'go' }]);
  early.open();
  await new Promise((fulfil) => setTimeout(fulfil, 10));
  await session.save();
  const killed = await Session.resume('kept', echo, storage);
  expect(killed.messages).toMatchObject([
    { content: 'go' },
    { content: [{ text: 'ha' }, { id: 't' }], stopped: 'unfinished' },
  ]);
  expect(killed.metadata.agent_memory).toEqual({ of: 'this turn' });
  expect(session.messages).toHaveLength(1);
  late.open();
  await turn;
  await session.save();
  const messages = (await storage.load('kept'))?.messages ?? [];
  expect(messages).toEqual(session.messages);
  expect(messages[1]).toMatchObject({ content: [{ text: 'ha' }, { id: 't' }, { id: 'u' }] });
  expect(messages[1]).not.toHaveProperty('stopped');
});
