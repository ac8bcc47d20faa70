/** Our plugin in OpenCode, loaded from where `enable` puts it; the real client is in `clients/opencode/client.test.ts`. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeOpenCode } from '../support/agent/opencode.ts';
import { Listener, stubEnvironment } from '../support/agent/opencode-listener.ts';
import { HANG, progressOf } from '../support/process/hanging.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const HOOKS = [
  'chat.message',
  'tool.execute.before',
  'tool.execute.after',
  'experimental.session.compacting',
  'experimental.chat.messages.transform',
] as const;

const playTurn = async (client: FakeOpenCode, id: string, prompt = 'Go.') => {
  await client.prompt(id, prompt);
  await client.write(id, 'a.txt', prompt);
  client.say(id, 'Done.');
  client.idle(id);
};

describe('alone', () => {
  test('it tells things in their order, and the client does not exit before they are told', async () => {
    await using listener = new Listener('sleep 0.2');
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    client.begin('ses_1');
    await playTurn(client, 'ses_1');
    await client.exit();
    expect(listener.verbs()).toEqual([
      'session-start',
      'turn-start',
      'post-file-edit',
      'turn-end',
      'session-end',
    ]);
    await client.exit();
    expect(listener.verbs()).toHaveLength(5);
  });

  test('a text is told as it was before the edit', async () => {
    await using listener = new Listener();
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    client.begin('ses_1');
    // The edit waits for nobody: the start of the session may be heard behind it.
    const edits = () => listener.told().filter(({ verb }) => verb === 'post-file-edit');
    for (const [content, before] of [
      ['one\n', null],
      ['two\n', 'one\n'],
    ] as const) {
      await client.write('ses_1', 'b.txt', content);
      expect(edits().at(-1)?.payload).toMatchObject({ before, tool_input: { filePath: 'b.txt' } });
    }
    writeFileSync(join(listener.dir, 'b.txt'), Buffer.from([0xff, 0xfe, 0]));
    await client.write('ses_1', 'b.txt', 'three\n');
    expect(edits()).toHaveLength(3);
    expect(edits().at(-1)?.payload).not.toHaveProperty('before');
  });

  test('the turn of a session goes on when a sub-agent of it has ended', async () => {
    await using listener = new Listener();
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    client.begin('ses_1');
    await client.prompt('ses_1', 'Delegate.');
    client.begin('ses_2', 'ses_1');
    await playTurn(client, 'ses_2');
    await client.write('ses_1', 'b.txt', 'b\n');
    expect(listener.verbs()).toEqual(['session-start', 'turn-start', 'post-file-edit', 'post-file-edit']);
    expect(
      listener
        .told()
        .map(({ payload }) => [payload.session_id, payload.agent_id])
        .slice(2),
    ).toEqual([
      ['ses_1', 'ses_2'],
      ['ses_1', undefined],
    ]);
    client.idle('ses_1');
    await client.exit();
    expect(listener.verbs().slice(4)).toEqual(['turn-end', 'session-end']);
  });

  test('a turn hands over what is new in it, however long the session is', async () => {
    await using listener = new Listener();
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    client.begin('ses_1');
    for (let turn = 0; turn < 50; turn++) client.say('ses_1', `Answer ${turn}`);
    await playTurn(client, 'ses_1');
    await client.prompt('ses_1', 'x'); // the file is there once the first turn has been taken in
    writeFileSync(join(listener.dir, '.entire/tmp/ses_1.jsonl'), '{}\n');
    client.idle('ses_1');
    await client.exit();
    await client.load(listener.file);
    await playTurn(client, 'ses_1', 'Once more.');
    client.asked = 0;
    await playTurn(client, 'ses_1', 'And again.');
    await client.exit();
    expect(client.asked).toBeLessThan(10);
    const [last] =
      listener
        .told()
        .filter(({ verb }) => verb === 'turn-end')
        .at(-1)?.payload.transcripts ?? [];
    expect(last).toMatchObject({ complete: false, messages: [{}, {}, {}] });
    expect(last).not.toHaveProperty('ids');
  });

  test('a message that was taken back is told', async () => {
    await using listener = new Listener();
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    client.begin('ses_1');
    writeFileSync(join(listener.dir, '.entire/tmp/ses_1.jsonl'), '{}\n');
    await playTurn(client, 'ses_1');
    const gone = client.sessions.get('ses_1')?.messages.at(-1)?.info.id;
    client.revert('ses_1');
    await client.prompt('ses_1', 'Again.');
    expect(listener.told().at(-1)?.payload.transcripts).toMatchObject([{ messages: [], removed: [gone] }]);
  });

  test('a session that is too much for one payload is told in parts', async () => {
    await using listener = new Listener();
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    client.begin('ses_1');
    for (let at = 0; at < 5; at++) client.say('ses_1', `${at}`.repeat(3_000_000));
    client.say('ses_1', 'picture'.repeat(2_000_000));
    await client.prompt('ses_1', 'Go.');
    const told = listener.told().filter(({ payload }) => payload.transcripts);
    expect(told.map(({ verb }) => verb)).toEqual(['transcript', 'transcript', 'turn-start']);
    const parts = told.flatMap(({ payload }) => payload.transcripts);
    expect(parts.map(({ messages }) => messages.length)).toEqual([2, 2, 2]);
    expect(parts.map(({ info, ids }) => [info?.id, ids?.length])).toEqual([
      ['ses_1', undefined],
      [undefined, undefined],
      [undefined, 6],
    ]);
    for (const { payload } of told) expect(JSON.stringify(payload).length).toBeLessThan(16 * 1024 * 1024);
    expect(parts[2].messages[1].parts).toEqual([]);
  });

  test('what did not arrive is told again', async () => {
    await using listener = new Listener('test $3 != turn-end');
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    client.begin('ses_1');
    writeFileSync(join(listener.dir, '.entire/tmp/ses_1.jsonl'), '{}\n');
    await playTurn(client, 'ses_1');
    await client.prompt('ses_1', 'Again.');
    expect(listener.told().at(-1)?.payload.transcripts).toMatchObject([
      { complete: true, messages: [{}, {}, {}] },
    ]);
  });

  test('a hook that hangs is not waited for without end', async () => {
    await using listener = new Listener(HANG);
    const client = await new FakeOpenCode(listener.dir).load(listener.file);
    await client.write('ses_1', 'a.txt', 'a\n');
    expect(progressOf(listener.dir)).toBe('begun');
    expect(listener.verbs()).toEqual(['post-file-edit']);
  }, 60_000);

  test('without the program, in a folder that is not enabled, and switched off it does nothing', async () => {
    await using listener = new Listener();
    const play = async () => {
      const client = await new FakeOpenCode(listener.dir).load(listener.file);
      client.begin('ses_1');
      await playTurn(client, 'ses_1');
      await client.exit();
      return client;
    };
    stubEnvironment({ ENTIRE: '0' });
    expect((await play()).plugin).toEqual({});
    stubEnvironment({ ENTIRE: '' });
    rmSync(join(listener.dir, '.entire'), { recursive: true });
    expect((await play()).asked).toBe(0);
    mkdirSync(join(listener.dir, '.entire'));
    rmSync(join(listener.dir, 'bin/entire'));
    stubEnvironment({ PATH: join(listener.dir, 'bin') });
    await play();
    expect(listener.told()).toEqual([]);
    expect(existsSync(join(listener.dir, 'a.txt'))).toBe(true);
  });

  test('events of another version, and calls that lack everything, are survived', async () => {
    await using listener = new Listener();
    const { plugin } = await new FakeOpenCode(listener.dir).load(listener.file);
    const odd = [
      undefined,
      null,
      {},
      { type: 'session.created' },
      { type: 'message.updated', properties: { info: {} } },
    ];
    const calls = [
      {},
      { sessionID: 'ses_1' },
      { sessionID: 'ses_1', tool: 'write', callID: 'c' },
      { tool: 'task' },
      { tool: 'read' },
    ];
    for (const event of odd) await plugin.event?.({ event: event as never });
    for (const input of calls)
      for (const hook of HOOKS)
        for (const output of [{}, { args: {} }, { message: {}, parts: [] }, { messages: [null] }])
          await plugin[hook]?.(input, output);
    await plugin.dispose?.();
  });
});
