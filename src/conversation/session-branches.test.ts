import { describe, expect, test } from 'vitest';
import { echo, scripted, spokenIn } from '../../integration/support/agent/spoken-agents.ts';
import { SummaryCompaction } from '../context/compaction/summary-compaction.ts';
import type { Agent } from './agent.ts';
import { Session } from './session.ts';
import { SessionTree } from './session-tree.ts';
import { InMemoryStorage } from './storage/in-memory.ts';

describe('fork', () => {
  test('both go their own ways, and nothing is shared', async () => {
    const session = new Session(echo, { metadata: { tags: ['a'] } });
    await session.chat('base');
    const fork = await session.fork();
    await fork.chat('there');
    await session.chat('here');
    expect(fork.parentId).toBe(session.sessionId);
    expect(spokenIn(fork).slice(2)).toEqual(['user: there', 'assistant: THERE']);
    expect(spokenIn(session).slice(2)).toEqual(['user: here', 'assistant: HERE']);
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
    expect(spokenIn(session)).toEqual(['user: base', 'assistant: BASE', 'user: main', 'assistant: MAIN']);
    expect(tree.current).toBe('root');
    expect((await storage.load(fork.sessionId))?.messages).toHaveLength(4);
    await expect(session.switchBranch('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a fork without a name has none, also when the tree is read again', async () => {
    const storage = new InMemoryStorage();
    const tree = new SessionTree();
    const session = new Session(echo, { storage, tree, sessionId: 'root' });
    const named = await session.fork({ branch: 'idea' });
    await named.save();
    await session.switchBranch('idea');
    const nameless = await session.fork();
    await nameless.save();
    expect(nameless.metadata).not.toHaveProperty('branch');
    expect(tree.find('idea')).toBe(named.sessionId);
    expect((await SessionTree.load(storage)).find('idea')).toBe(named.sessionId);
    await expect(session.fork({ branch: ' ' })).rejects.toMatchObject({ code: 'INVALID_ID' });
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

  test('files of patches and of what Codex notes are told as well', async () => {
    const patch =
      '*** Begin Patch\n*** Add File: src/new.ts\n+x\n*** Update File: a.ts\n*** Move to: b.ts\n*** End Patch';
    const calls: readonly [string, unknown][] = [
      ['apply_patch', { input: patch }],
      ['file_change', { changes: [{ path: 'noted.ts', kind: 'add' }] }],
    ];
    for (const [name, input] of calls) {
      const agent = scripted(async function* () {
        yield { type: 'tool_use', id: 't', name, input };
        yield { type: 'tool_result', tool_use_id: 't', content: long };
      });
      const compaction = new SummaryCompaction(() => 'summary');
      const session = new Session(agent, { autoCompact: true, compaction, compactAtTokens: 50 });
      await session.chat('go');
      const files = name === 'apply_patch' ? ['src/new.ts', 'a.ts', 'b.ts'] : ['noted.ts'];
      expect(session.metadata.files).toMatchObject({ modified_files: files, read_files: [] });
      expect(session.messages[0]?.content).toContain(`Modified: ${files.join(', ')}`);
    }
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

describe('a turn that is asked for meanwhile', () => {
  test('is no part of a fork that was begun before it', async () => {
    const agent: Agent = { ...echo, fork: () => new Promise((resolve) => setTimeout(resolve, 20, {})) };
    const session = new Session(agent);
    await session.chat('base');
    const forking = session.fork();
    await session.chat('later');
    expect(spokenIn(await forking)).toEqual(['user: base', 'assistant: BASE']);
  });

  test('waits for the branch that is switched to, which keeps what is said of it', async () => {
    const storage = new InMemoryStorage();
    const tree = new SessionTree();
    const session = new Session(echo, { storage, tree, sessionId: 'root', metadata: { title: 'main' } });
    await session.chat('base');
    const fork = await session.fork({ branch: 'idea' });
    fork.metadata = { ...fork.metadata, title: 'idea' };
    await fork.save();
    const switching = session.switchBranch('idea');
    const turn = session.chat('there');
    await switching;
    await turn;
    expect(spokenIn(session)).toEqual(['user: base', 'assistant: BASE', 'user: there', 'assistant: THERE']);
    expect(session.metadata.title).toBe('idea');
    expect((await storage.load('root'))?.messages).toHaveLength(2);
  });
});
