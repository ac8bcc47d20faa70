import { describe, expect, test } from 'vitest';
import { echo, scripted, spokenIn } from '../../integration/support/agent/spoken-agents.ts';
import type { TurnEvent } from '../agents/shared/headless/headless.ts';
import { EntireError } from '../base/errors.ts';
import type { Agent, Turn } from './agent.ts';
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

describe('chat', () => {
  test('an agent of ten lines answers, turn after turn', async () => {
    const session = new Session(echo, { system: 'Be loud.' });
    expect(await session.chat('hello')).toMatchObject({ text: 'HELLO', stopped: undefined });
    await session.chat('again');
    expect(spokenIn(session)).toEqual(['user: hello', 'assistant: HELLO', 'user: again', 'assistant: AGAIN']);
    expect(session.context.system).toBe('Be loud.');
    expect(session.context.messages).toBe(session.messages);
    expect(session.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('the agent gets what was said before, the environment and the id', async () => {
    const turns: Turn[] = [];
    const agent = scripted(echo.run, async function* (turn) {
      turns.push(turn);
      yield { type: 'text', text: '' };
    });
    const env = { cwd: '/somewhere', variables: { A: 'b' } };
    const session = new Session(agent, { sessionId: 'my-session', env, system: 'S' });
    await session.chat('one');
    await session.chat('two');
    expect(turns).toMatchObject([{ message: 'two', system: 'S', sessionId: 'my-session', env }]);
    expect(turns[0]?.messages.map(({ content }) => content)).toEqual(['one', 'ONE']);
  });

  test('tool calls and their results stand as messages of their own, with what the turn has cost', async () => {
    const usage = { input_tokens: 1, output_tokens: 2, cache_creation_tokens: 3, cache_read_tokens: 4 };
    const call = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a' } } as const;
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'text' } as const;
    const agent = scripted(async function* () {
      yield { type: 'text', text: 'I ' };
      yield { type: 'text', text: 'look.' };
      yield call;
      yield result;
      yield { type: 'usage', usage: { ...usage, input_tokens: 0 } };
      yield { type: 'text', text: 'Seen.' };
      yield { type: 'usage', usage };
    });
    const session = new Session(agent);
    const { text, messages } = await session.chat('look');
    expect(text).toBe('I look.\n\nSeen.');
    expect(messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
      { role: 'user', content: [result] },
      { role: 'assistant', content: 'Seen.', usage },
    ]);
    expect(session.messages).toEqual(messages);
  });

  test('one turn runs at a time', async () => {
    const { opened, open } = latch();
    const order: string[] = [];
    const agent: Agent = {
      name: 'slow',
      async *run({ message }) {
        order.push(`begin ${message}`);
        await opened;
        order.push(`end ${message}`);
        yield { type: 'text', text: 'done' };
      },
    };
    const session = new Session(agent);
    const turns = [session.chat('1'), session.queue('2'), session.chat('3')];
    open();
    await Promise.all(turns);
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  test('what fails is told, marked, and no reason to stop', async () => {
    const agent = scripted(async function* () {
      yield { type: 'text', text: 'half' };
      throw new EntireError('AGENT_FAILED', 'it died');
    });
    const session = new Session(agent);
    const next = session.queue('next');
    await expect(session.chat('later')).resolves.toMatchObject({ text: 'LATER' });
    await expect(next).rejects.toThrow('it died');
    expect(session.messages.slice(0, 2)).toMatchObject([
      { content: 'next' },
      { content: 'half', stopped: 'failed' },
    ]);
    expect(spokenIn(session).slice(2)).toEqual(['user: later', 'assistant: LATER']);
  });

  test('an agent that says nothing at all before it fails leaves a mark, too', async () => {
    const agent = scripted(async function* (): AsyncGenerator<TurnEvent> {
      yield* [];
      throw new EntireError('AGENT_TIMED_OUT', 'silent');
    });
    const session = new Session(agent);
    await expect(session.chat('hello')).rejects.toMatchObject({ code: 'AGENT_TIMED_OUT' });
    expect(session.messages.at(-1)).toMatchObject({ role: 'assistant', content: '', stopped: 'timed-out' });
  });
});

describe('steer', () => {
  test('what the running turn hears stands where it was heard', async () => {
    const { opened, open } = latch();
    const agent = scripted(async function* ({ onSteer }) {
      const heard: string[] = [];
      onSteer((message) => heard.push(message) > 0);
      yield { type: 'text', text: 'before' };
      await opened;
      for (const text of heard) yield { type: 'steered', text };
      yield { type: 'text', text: 'after' };
    });
    const session = new Session(agent, {
      onEvent: ({ type }) => {
        if (type === 'text' && !session.messages.some(({ steered }) => steered)) {
          expect(session.steer('to the left')).toBe(true);
          open();
        }
      },
    });
    await session.chat('go');
    expect(spokenIn(session)).toEqual([
      'user: go',
      'assistant: before',
      'user: to the left',
      'assistant: after',
    ]);
    expect(session.messages[2]).toMatchObject({ steered: true });
  });

  test('what an agent cannot hear, or does not before the end, is said in a turn of its own', async () => {
    const deaf = scripted(echo.run, async function* ({ onSteer }) {
      onSteer(() => true);
      yield { type: 'text', text: 'busy' };
    });
    const session = new Session(deaf, {
      onEvent: (event) => {
        if (event.type !== 'text') return;
        if (event.text === 'ONE') expect(session.steer('for the deaf')).toBe(false);
        if (event.text === 'busy') expect(session.steer('too late')).toBe(true);
      },
    });
    await session.chat('one');
    await session.chat('last');
    await session.queue('end');
    expect(spokenIn(session).filter((line) => line.startsWith('user'))).toEqual([
      'user: one',
      'user: for the deaf',
      'user: last',
      'user: too late',
      'user: end',
    ]);
  });

  test('where no turn is running it begins one', async () => {
    const session = new Session(echo);
    expect(session.steer('hello')).toBe(false);
    await session.queue('after that');
    expect(spokenIn(session)[1]).toBe('assistant: HELLO');
  });
});

describe('cancel', () => {
  test('the turn ends early, what was said stays, and others go on', async () => {
    const agent = scripted(async function* ({ token }) {
      yield { type: 'text', text: 'begun' };
      await new Promise<void>((fulfil) => token.onCancel(fulfil));
      throw new Error('interrupted');
    });
    const session = new Session(agent, {
      onEvent: (event) => {
        if (event.type === 'text' && event.text === 'begun') session.cancel();
      },
    });
    expect(await session.chat('long')).toMatchObject({ text: 'begun', stopped: 'cancelled' });
    expect(session.messages.at(-1)).toMatchObject({ content: 'begun', stopped: 'cancelled' });
    expect(await session.chat('short')).toMatchObject({ text: 'SHORT', stopped: undefined });
  });

  test('nothing is cancelled where nothing runs', async () => {
    const session = new Session(echo);
    session.cancel();
    expect(await session.chat('hello')).toMatchObject({ stopped: undefined });
  });
});

describe('save and resume', () => {
  test('a session goes on where it was saved, with exactly the fields of the format', async () => {
    const storage = new InMemoryStorage();
    const session = new Session(echo, { storage, sessionId: 'kept', system: 'S', metadata: { title: 'T' } });
    await session.chat('one');
    await session.save();
    const data = await storage.load('kept');
    expect(Object.keys(data ?? {}).sort()).toEqual([
      'created_at',
      'messages',
      'metadata',
      'parent_id',
      'session_id',
      'system',
      'updated_at',
    ]);
    expect(data).toMatchObject({ session_id: 'kept', system: 'S', parent_id: null });
    expect(data?.created_at).toBeCloseTo(Date.now() / 1000, -1);
    const again = await Session.resume('kept', echo, storage);
    expect(again.metadata).toMatchObject({ title: 'T' });
    await again.chat('two');
    await again.save();
    expect((await storage.load('kept'))?.messages).toHaveLength(4);
  });

  test('an unknown id is not found, and a bad one refused', async () => {
    const storage = new InMemoryStorage();
    await expect(Session.resume('nobody', echo, storage)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(Session.resume('../up', echo, storage)).rejects.toMatchObject({ code: 'INVALID_ID' });
    expect(() => new Session(echo, { sessionId: 'a/b' })).toThrow('no session id');
  });

  test('of two that save one session the second is told, and can keep its own as a fork', async () => {
    const storage = new InMemoryStorage();
    await new Session(echo, { storage, sessionId: 'shared' }).save();
    const [one, two] = await Promise.all([1, 2].map(() => Session.resume('shared', echo, storage)));
    await one?.chat('first');
    await two?.chat('second');
    await one?.save();
    await expect(two?.save()).rejects.toMatchObject({ code: 'SESSION_MOVED' });
    const fork = await two?.fork();
    await fork?.save();
    expect((await storage.load('shared'))?.messages[0]).toMatchObject({ content: 'first' });
    expect(await storage.load(fork?.sessionId ?? '')).toMatchObject({
      parent_id: 'shared',
      messages: [{ content: 'second' }, { content: 'SECOND' }],
    });
    await one?.save(); // who saved last may go on
  });

  test('a new session does not take the place of one that has its id', async () => {
    const storage = new InMemoryStorage();
    await new Session(echo, { storage, sessionId: 'taken' }).save();
    await expect(new Session(echo, { storage, sessionId: 'taken' }).save()).rejects.toMatchObject({
      code: 'SESSION_MOVED',
    });
  });
});

test('all turns are cancelled: those that wait are not heard, and their words are kept', async () => {
  const heard: string[] = [];
  const agent: Agent = {
    name: 'patient',
    async *run({ message, token }) {
      heard.push(message);
      await new Promise<void>((resolve) => token.onCancel(resolve));
      yield { type: 'text', text: 'stopped' };
    },
  };
  const session = new Session(agent);
  const turns = [session.chat('1'), session.queue('2')];
  await Promise.resolve();
  await session.cancelAll();
  expect(await Promise.all(turns)).toMatchObject([{ stopped: 'cancelled' }, { stopped: 'cancelled' }]);
  expect(heard).toEqual(['1']);
  expect(session.messages.filter(({ role }) => role === 'user')).toMatchObject([
    { content: '1' },
    { content: '2' },
  ]);
});
