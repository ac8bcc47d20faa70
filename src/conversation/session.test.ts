import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../agents/turn-event.ts';
import { EntireError } from '../base/errors.ts';
import { SummaryCompaction } from '../context/summary-compaction.ts';
import type { Agent, Turn } from './agent.ts';
import { Session } from './session.ts';
import { SessionTree } from './session-tree.ts';
import { InMemoryStorage } from './storage/in-memory.ts';

/** Says again what was said, in capitals: an agent of ten lines. */
const echo: Agent = {
  name: 'echo',
  async *run({ message }) {
    yield { type: 'text', text: message.toUpperCase() };
  },
};

/** Does in each turn what the next of these bodies does. */
function scripted(...bodies: ((turn: Turn) => AsyncIterable<TurnEvent>)[]): Agent {
  return { name: 'scripted', run: (turn) => (bodies.shift() ?? echo.run)(turn) };
}

const words = (session: Session): string[] =>
  session.messages.map(({ role, content }) => `${role}: ${typeof content === 'string' ? content : '…'}`);

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
    expect(words(session)).toEqual(['user: hello', 'assistant: HELLO', 'user: again', 'assistant: AGAIN']);
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
    expect(words(session).slice(2)).toEqual(['user: later', 'assistant: LATER']);
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
    expect(words(session)).toEqual([
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
    expect(words(session).filter((line) => line.startsWith('user'))).toEqual([
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
    expect(words(session)[1]).toBe('assistant: HELLO');
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

describe('fork', () => {
  test('both go their own ways, and nothing is shared', async () => {
    const session = new Session(echo, { metadata: { tags: ['a'] } });
    await session.chat('base');
    const fork = await session.fork();
    await fork.chat('there');
    await session.chat('here');
    expect(fork.parentId).toBe(session.sessionId);
    expect(words(fork).slice(2)).toEqual(['user: there', 'assistant: THERE']);
    expect(words(session).slice(2)).toEqual(['user: here', 'assistant: HERE']);
    expect(fork.messages[0]).not.toBe(session.messages[0]);
    expect(fork.metadata.tags).not.toBe(session.metadata.tags);
    expect(fork.metadata.tags).toEqual(['a']);
  });

  test('an agent that keeps something itself says what the fork begins with; one that does not, nothing', async () => {
    const remembering = (name: string): Agent => ({
      name,
      async *run({ memory, remember }) {
        yield { type: 'text', text: String(memory.of) };
        remember({ of: name });
      },
    });
    const forking: Agent = { ...remembering('b'), fork: ({ of }) => ({ of: `fork of ${of}` }) };
    for (const [agent, expected] of [
      [remembering('a'), 'undefined'],
      [forking, 'fork of b'],
    ] as const) {
      const session = new Session(agent);
      await session.chat('1');
      expect(await session.chat('2')).toMatchObject({ text: agent.name });
      expect(await (await session.fork()).chat('3')).toMatchObject({ text: expected });
    }
  });

  test('not in the middle of a turn', async () => {
    const session = new Session(echo);
    const turn = session.chat('hello');
    await expect(session.fork()).rejects.toMatchObject({ code: 'SESSION_BUSY' });
    await turn;
    await session.fork();
  });

  test('what one agent remembers is not for another', async () => {
    const storage = new InMemoryStorage();
    const agent = (name: string): Agent => ({
      name,
      async *run({ memory, remember }) {
        yield { type: 'text', text: JSON.stringify(memory) };
        remember({ of: name });
      },
    });
    const session = new Session(agent('a'), { storage, sessionId: 's' });
    await session.chat('1');
    await session.save();
    const other = await Session.resume('s', agent('b'), storage);
    expect(await other.chat('2')).toMatchObject({ text: '{}' });
  });
});

describe('switchBranch', () => {
  test('one session object works on several branches of a tree', async () => {
    const storage = new InMemoryStorage();
    const tree = new SessionTree();
    const session = new Session(echo, { storage, tree, sessionId: 'root' });
    await session.chat('base');
    const fork = await session.fork({ branch: 'idea' });
    await fork.save();
    await session.chat('main');
    await session.switchBranch('idea');
    expect(session.sessionId).toBe(fork.sessionId);
    await session.chat('there');
    await session.switchBranch('root');
    expect(words(session)).toEqual(['user: base', 'assistant: BASE', 'user: main', 'assistant: MAIN']);
    expect(tree.current).toBe('root');
    expect((await storage.load(fork.sessionId))?.messages).toHaveLength(4);
    await expect(session.switchBranch('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('what is not saved anywhere is not left behind: the branch stays what it is', async () => {
    const storage = new InMemoryStorage();
    const tree = new SessionTree();
    const session = new Session(echo, { storage, tree, sessionId: 'root' });
    await session.fork({ branch: 'unsaved' });
    await expect(session.switchBranch('unsaved')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(session.sessionId).toBe('root');
    expect(tree.current).toBe('root');
  });
});

describe('autoCompact', () => {
  const long = 'x'.repeat(400);

  test('what has become too long is compacted after the turn; the last turn stays, files are told', async () => {
    const summary = new SummaryCompaction((messages) => `summary of ${messages.length}`);
    const agent = scripted(async function* () {
      yield { type: 'tool_use', id: 't', name: 'Edit', input: { file_path: 'src/a.ts' } };
      yield { type: 'tool_result', tool_use_id: 't', content: long };
      yield { type: 'text', text: 'done' };
    });
    const options = { autoCompact: true, compaction: summary, compactAtTokens: 200 };
    const session = new Session(agent, options);
    await session.chat('edit');
    expect(session.messages).toHaveLength(4);
    await session.chat(`more ${long.slice(0, 100)}`);
    expect(session.messages).toHaveLength(3);
    expect(session.messages[0]?.content).toContain('Modified: src/a.ts');
    expect(session.messages.slice(1)).toMatchObject([{ role: 'user' }, { role: 'assistant' }]);
    expect(session.metadata.files).toMatchObject({ modified_files: ['src/a.ts'], read_files: [] });
    await session.chat(long);
    await session.chat(long);
    expect(session.messages[0]?.content).toContain('Modified: src/a.ts'); // of the compaction before
  });

  test('a compaction that fails costs nothing but a notice', async () => {
    const notices: string[] = [];
    const compaction = new SummaryCompaction(() => {
      throw new Error('no model');
    });
    const session = new Session(echo, {
      ...{ autoCompact: true, compaction, compactAtTokens: 10 },
      onEvent: (event) => event.type === 'notice' && notices.push(event.text),
    });
    expect(await session.chat(long)).toMatchObject({ stopped: undefined });
    expect(session.messages).toHaveLength(2);
    expect(notices).toEqual(['not compacted: no model']);
  });

  test('needs a strategy', () => {
    expect(() => new Session(echo, { autoCompact: true })).toThrow('`autoCompact` needs a `compaction`');
  });
});
