/**
 * Sessions of ours in which the real Claude Code answers: by the library, and by `entire session chat`. Its environment is
 * that of the other tests of this client.
 */
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { TurnEvent } from '../../../src/agents/shared/headless/headless.ts';
import { CliAgent } from '../../../src/conversation/cli/agent.ts';
import { Session } from '../../../src/conversation/session.ts';
import { FileStorage } from '../../../src/conversation/storage/file.ts';
import { claudeCode } from '../drivers/claude-code.ts';
import { readPhase } from '../facts.ts';
import { extendWithWorld } from '../fixture.ts';
import type { MockModel } from '../model/server.ts';
import { SessionWorld } from '../session-world.ts';

const test = extendWithWorld([claudeCode], (files) => new SessionWorld(files));

const WORDS = ['--dangerously-skip-permissions'];
const agent = (): CliAgent => new CliAgent('claude-code', { words: WORDS });
const ownId = (session: Session): string =>
  (session.metadata.agent_memory as { session_id: string }).session_id;

const shell = (command: string) => ({ call: 'Bash', input: { command, description: 'Run it' } });
/** The client refuses to wait for a bare `sleep`. */
const forEver = shell("bash -c 'while :; do sleep 0.2; done'");

/** What the model was sent with the request that played a step. */
const sentFor = ({ requests }: MockModel, scene: string): string =>
  requests.find((request) => request.scene === scene)?.body ?? '';

const count = (text: string, word: string): number => text.split(word).length - 1;

describe('the library', () => {
  test('chat, save, resume and fork: the client goes on with its own session', async ({ world }) => {
    const model = await world.model([
      {
        keyword: 'PLANT',
        steps: [
          { call: 'Write', input: { file_path: world.path('tree.txt'), content: 'leaf\n' } },
          { say: 'Planted.' },
        ],
      },
      { keyword: 'WATER', steps: [{ say: 'Watered.' }] },
      { keyword: 'CUT', steps: [{ say: 'Cut.' }] },
      { keyword: 'PRAISE', steps: [{ say: 'Thank you.' }] },
    ]);
    const env = world.at(claudeCode, 'claude', model);
    const storage = new FileStorage({ directory: join(world.base, 'sessions') });
    const session = new Session(agent(), { env, storage, system: 'Speak of TREES only.' });
    expect(await session.chat('PLANT a tree')).toMatchObject({ text: 'Planted.', stopped: undefined });
    expect(world.read('tree.txt')).toBe('leaf\n');
    expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(session.messages[3]?.usage).toMatchObject({ output_tokens: expect.any(Number) });
    expect(sentFor(model, 'PLANT#0')).toContain('Speak of TREES only.');
    await session.save();
    expect(readPhase(world, ownId(session))).toBe('ended'); // the hooks of the client recorded it as ever

    const again = await Session.resume(session.sessionId, agent(), storage, { env });
    await again.chat('WATER it');
    expect(ownId(again)).toBe(ownId(session));
    expect(count(sentFor(model, 'WATER#0'), 'PLANT a tree')).toBe(1);
    expect(sentFor(model, 'WATER#0')).toContain('Planted.');

    const fork = await again.fork();
    await again.chat('PRAISE it');
    await fork.chat('CUT it');
    expect(ownId(fork)).not.toBe(ownId(again));
    expect(sentFor(model, 'CUT#0')).toContain('WATER it');
    expect(sentFor(model, 'CUT#0')).not.toContain('PRAISE it');
    expect(sentFor(model, 'CUT#0')).not.toContain('<conversation>'); // it did not have to be told
    expect(fork.parentId).toBe(session.sessionId);
  });

  test('a system prompt that does not fit into a command is told all the same', async ({ world }) => {
    const model = await world.model([{ keyword: 'WATER', steps: [{ say: 'Watered.' }] }]);
    const env = world.at(claudeCode, 'claude', model);
    const system = `--help ${'at length '.repeat(16_000)}and always.`;
    const session = new Session(agent(), { env, system });
    expect(await session.chat('WATER it')).toMatchObject({ text: 'Watered.' });
    expect(sentFor(model, 'WATER#0')).toContain(system);
  });

  test('what is said into a turn is heard in it, and one that is cancelled is gone on with', async ({
    world,
  }) => {
    const model = await world.model([
      { keyword: 'DIG', steps: [shell('sleep 1.5; echo dug'), { say: 'Dug.' }] },
      { keyword: 'WAIT', steps: [forEver] },
      { keyword: 'REST', steps: [{ say: 'Rested.' }] },
    ]);
    const env = world.at(claudeCode, 'claude', model);
    const act = (event: TurnEvent): void => {
      if (event.type !== 'tool_use') return;
      if (JSON.stringify(event.input).includes('dug')) expect(session.steer('deeper, please')).toBe(true);
      else session.cancel();
    };
    const session = new Session(agent(), { env, onEvent: act });
    await session.chat('DIG a hole');
    expect(session.messages.filter(({ steered }) => steered)).toMatchObject([{ content: 'deeper, please' }]);
    expect(sentFor(model, 'DIG#1')).toContain('deeper, please');
    expect(await session.chat('WAIT for ever')).toMatchObject({ stopped: 'cancelled' });
    expect(session.messages.at(-1)).toMatchObject({ stopped: 'cancelled' });
    expect(await session.chat('REST now')).toMatchObject({ text: 'Rested.', stopped: undefined });
    expect(sentFor(model, 'REST#0')).toContain('WAIT for ever');
  });

  test('what is said too late for the turn gets an answer of its own', async ({ world }) => {
    let isOver = false;
    const taken: boolean[] = [];
    const model = await world.model([
      { keyword: 'DIG', steps: [shell('true'), { say: 'Dug.', until: () => isOver }] },
      { keyword: 'LATE', steps: [{ say: 'Better late.' }] },
    ]);
    const env = world.at(claudeCode, 'claude', model);
    const session = new Session(agent(), {
      env,
      onEvent: ({ type }) => {
        if (type !== 'tool_result') return;
        setTimeout(() => taken.push(session.steer('LATE, sorry'), session.steer('and once more')), 500);
        setTimeout(() => {
          isOver = true;
        }, 1_000);
      },
    });
    await session.chat('DIG a hole');
    await session.idle();
    expect(taken).toEqual([true, true]);
    const words = session.messages.map(({ content }) => content);
    for (const late of ['LATE, sorry', 'and once more'])
      expect(words.filter((word) => word === late)).toHaveLength(1); // the client joins them
    expect(words.at(-1)).toBe('Better late.');
  });

  test('a conversation of another agent, or one that was compacted, is told', async ({ world }) => {
    const model = await world.model([{ keyword: 'WATER', steps: [{ say: 'Watered.' }] }]);
    const env = world.at(claudeCode, 'claude', model);
    const storage = new FileStorage({ directory: join(world.base, 'sessions') });
    const other = {
      name: 'other',
      async *run() {
        yield { type: 'text', text: 'Planted.' } as const;
      },
    };
    const session = new Session(other, { storage, sessionId: 'handed-over' });
    await session.chat('Please plant a tree');
    await session.save();
    const taken = await Session.resume('handed-over', agent(), storage, { env });
    expect(await taken.chat('WATER it')).toMatchObject({ text: 'Watered.' });
    const sent = sentFor(model, 'WATER#0');
    expect(sent).toContain('User: Please plant a tree');
    expect(sent).toContain('Assistant: Planted.');
  });
});

describe('what goes wrong', () => {
  test('a client that is killed in the middle of a turn loses nothing', async ({ world }) => {
    const model = await world.model([
      { keyword: 'WAIT', steps: [shell('echo $PPID > pid; kill -9 $PPID')] },
      { keyword: 'REST', steps: [{ say: 'Rested.' }] },
    ]);
    const env = world.at(claudeCode, 'claude', model);
    const session = new Session(agent(), { env });
    await expect(session.chat('WAIT here')).rejects.toMatchObject({
      code: 'AGENT_FAILED',
      message: expect.stringContaining('in the middle of the turn'),
    });
    expect(session.messages.at(-1)).toMatchObject({ stopped: 'failed' });
    expect(await session.chat('REST now')).toMatchObject({ text: 'Rested.' });
    expect(sentFor(model, 'REST#0')).toContain('WAIT here');
  });

  test('one that never answers is given up', async ({ world }) => {
    const model = await world.model([{ keyword: 'WAIT', steps: [forEver] }]);
    const env = world.at(claudeCode, 'claude', model);
    const silent = new CliAgent('claude-code', { words: WORDS, silenceMs: 4_000 });
    const session = new Session(silent, { env });
    await expect(session.chat('WAIT here')).rejects.toMatchObject({ code: 'AGENT_TIMED_OUT' });
    expect(session.messages.at(-1)).toMatchObject({ stopped: 'timed-out' });
  });

  test('one that wants a login says so', async ({ world }) => {
    const model = await world.model([]);
    const { cwd, variables } = world.at(claudeCode, 'claude', model);
    const { ANTHROPIC_API_KEY: _, ...without } = variables;
    const session = new Session(agent(), { env: { cwd, variables: without } });
    await expect(session.chat('hello')).rejects.toMatchObject({
      code: 'AGENT_FAILED',
      message: expect.stringContaining('wants a login'),
      hint: expect.stringContaining('log in'),
    });
  });
});

describe('entire session chat', () => {
  test('one message; then another, by the id that was told; then a fork', async ({ world }) => {
    const model = await world.model([
      { keyword: 'PLANT', steps: [{ say: 'Planted.' }] },
      { keyword: 'WATER', steps: [{ say: 'Watered.' }] },
      { keyword: 'CUT', steps: [{ say: 'Cut.' }] },
    ]);
    const env = world.at(claudeCode, 'claude', model);
    const first = await world.talk(env, ['session', 'chat', 'PLANT a tree']).ended;
    expect(first).toMatchObject({ stdout: 'Planted.\n', code: 0 });
    const [, id = ''] = /--resume (\S+)/.exec(first.stderr) ?? [];
    const second = await world.talk(env, ['session', 'chat', '--resume', id], { input: 'WATER it' }).ended;
    expect(second).toMatchObject({ stdout: 'Watered.\n', code: 0 });
    expect(world.kept(id).messages.map(({ content }) => content)).toEqual([
      ...['PLANT a tree', 'Planted.', 'WATER it', 'Watered.'],
    ]);
    const third = await world.talk(env, ['session', 'chat', '--fork', id, '--json', 'CUT it']).ended;
    const events = third.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ type: 'session', session_id: expect.not.stringMatching(id) });
    expect(world.kept(events.at(-1).session_id)).toMatchObject({ parent_id: id });
    expect(sentFor(model, 'CUT#0')).toContain('WATER it');
  });

  test('a session that only the client keeps is gone on with, and forked', async ({ world }) => {
    const model = await world.model([
      { keyword: 'PLANT', steps: [{ say: 'Planted.' }] },
      { keyword: 'WATER', steps: [{ say: 'Watered.' }] },
      { keyword: 'CUT', steps: [{ say: 'Cut.' }] },
    ]);
    const env = world.at(claudeCode, 'claude', model);
    const { sessionId = '' } = await world.start(claudeCode, model, { prompt: 'PLANT a tree' }).done;
    const second = await world.talk(env, ['session', 'chat', '--fork', sessionId, 'CUT it']).ended;
    expect(second).toMatchObject({ stdout: 'Cut.\n', code: 0 });
    const first = await world.talk(env, ['session', 'chat', '--resume', sessionId, 'WATER it']).ended;
    expect(first).toMatchObject({ stdout: 'Watered.\n', code: 0 });
    const [, id = ''] = /--resume (\S+)/.exec(first.stderr) ?? [];
    expect(world.kept(id)).toMatchObject({
      messages: [...['PLANT a tree', 'Planted.', 'WATER it', 'Watered.'].map((content) => ({ content }))],
      metadata: { agent_memory: { session_id: sessionId } },
    });
    for (const scene of ['WATER#0', 'CUT#0']) expect(count(sentFor(model, scene), 'PLANT a tree')).toBe(1);
    expect(sentFor(model, 'CUT#0')).not.toContain('<conversation>');
    expect(sentFor(model, 'WATER#0')).not.toContain('CUT it');
  });

  test('in a terminal: a typed line steers, Ctrl-C cancels, twice leaves, and all is kept', async ({
    world,
  }) => {
    const model = await world.model([
      { keyword: 'DIG', steps: [shell('sleep 2; echo dug'), { say: 'Dug it.' }] },
      { keyword: 'WAIT', steps: [{ ...forEver, input: { ...forEver.input, description: 'Wait' } }] },
    ]);
    const env = world.at(claudeCode, 'claude', model);
    const args = ['session', 'chat', '--agent', 'claude-code', 'DIG a hole', '--', ...WORDS];
    const talk = world.talk(env, args, { isTerminal: true });
    await talk.sees('* Bash');
    talk.type('deeper\r');
    await talk.sees('heard: deeper');
    await talk.sees('Dug it.');
    await talk.sees('> ');
    talk.type('WAIT here\r');
    await talk.sees('WAIT here');
    await talk.sees('* Bash Wait');
    talk.type('\x03');
    await talk.sees('The turn was cancelled.');
    talk.type('\x03');
    const { stdout, code } = await talk.ended;
    expect(code).toBe(0);
    const [, id = ''] = /--resume (\S+)/.exec(stdout) ?? [];
    expect(world.kept(id).messages).toMatchObject([
      { role: 'user', content: 'DIG a hole' },
      { role: 'assistant' },
      { role: 'user' },
      { role: 'user', content: 'deeper', steered: true },
      { role: 'assistant', content: 'Dug it.' },
      { role: 'user', content: 'WAIT here' },
      { role: 'assistant' },
      { role: 'user' },
      { role: 'assistant', stopped: 'cancelled' },
    ]);
  });
});
