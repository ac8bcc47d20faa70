/** What our plugin in OpenCode does around a compaction; the real client is in `clients/opencode/compaction.test.ts`. */
import { afterEach, expect, test, vi } from 'vitest';
import { FakeOpenCode } from '../support/agent/opencode.ts';
import { Listener } from '../support/agent/opencode-listener.ts';
import { HANG, progressOf } from '../support/process/hanging.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('what was read is told, and waited for by a compaction only', async () => {
  const done = `echo '{}' > \${F%/*}/$(date +%s%N).read-done`;
  await using listener = new Listener(`test $3 = post-file-read && sleep 1 && ${done}; true`);
  const client = await new FakeOpenCode(listener.dir).load(listener.file);
  client.begin('ses_1');
  client.begin('ses_2', 'ses_1');
  const use = (id: string, tool: string, metadata: object = {}) =>
    client.use(id, tool, { filePath: 'a.txt' }, { ...metadata }, () => undefined);
  await use('ses_1', 'read', { display: { type: 'file' } });
  await use('ses_2', 'read'); // of a sub-agent, and by an older client
  await use('ses_1', 'read', { display: { type: 'directory' } });
  await use('ses_1', 'bash');
  await client.compact('ses_2'); // which is its own affair
  await client.compact('ses_1');
  const order = listener.verbs().filter((verb) => !['session-start', 'post-file-read'].includes(verb));
  expect(order).toEqual(['post-shell', 'read-done', 'read-done', 'compaction']);
  const reads = listener.told().filter(({ verb }) => verb === 'post-file-read');
  const told = { session_id: 'ses_1', tool_name: 'read', tool_input: { filePath: 'a.txt' } };
  expect(reads).toHaveLength(2);
  for (const { payload } of reads) expect(payload).toMatchObject(told);
  expect(reads.map(({ payload }) => payload.agent_id)).toEqual(expect.arrayContaining([undefined, 'ses_2'])); // at once
  await client.exit();
});

test('what is replied stands behind the compaction in each request, and is asked for once', async () => {
  const reply = `printf '%s' '{"additionalContext":"Read: a.txt"}'`;
  await using listener = new Listener(`test $3 = compacted && ${reply}; true`);
  const client = await new FakeOpenCode(listener.dir).load(listener.file);
  client.begin('ses_1');
  client.say('ses_1', 'Before.');
  expect(await client.request('ses_1')).toEqual(['Before.']);
  for (let times = 1; times <= 2; times++) {
    await client.compact('ses_1');
    for (let request = 0; request < 2; request++)
      expect(await client.request('ses_1')).toEqual(['Read: a.txt', 'The summary.']);
    expect(listener.verbs().filter((verb) => verb === 'compacted')).toHaveLength(times);
  }
  client.begin('ses_2', 'ses_1');
  await client.compact('ses_2');
  expect(await client.request('ses_2')).toEqual(['The summary.']);
  await client.exit();
});

test('messages that were kept from before a compaction do not hide it', async () => {
  await using listener = new Listener(`test $3 = compacted && printf '{"additionalContext":"Told."}'; true`);
  const client = await new FakeOpenCode(listener.dir).load(listener.file);
  client.begin('ses_1');
  await client.compact('ses_1');
  await client.compact('ses_1');
  const [first, firstSummary, second, secondSummary] = client.sessions.get('ses_1')?.messages ?? [];
  const messages = [second, secondSummary, first, firstSummary];
  await client.plugin['experimental.chat.messages.transform']?.({}, { messages });
  expect(messages.map((message) => message?.parts.length)).toEqual([2, 1, 1, 1]);
});

test.each(['', 'nonsense', '{"additionalContext":7}', 'null'])('the reply %j adds nothing', async (text) => {
  await using listener = new Listener(`test $3 = compacted && printf '%s' '${text}'; true`);
  const client = await new FakeOpenCode(listener.dir).load(listener.file);
  client.begin('ses_1');
  await client.compact('ses_1');
  for (let request = 0; request < 2; request++)
    expect(await client.request('ses_1')).toEqual(['The summary.']);
  expect(listener.verbs().filter((verb) => verb === 'compacted')).toHaveLength(1);
});

test('a reminder that does not come is waited for once, and not for long', async () => {
  await using listener = new Listener(`test $3 != compacted || ${HANG}`);
  const client = await new FakeOpenCode(listener.dir).load(listener.file);
  client.begin('ses_1');
  await client.compact('ses_1');
  for (let request = 0; request < 2; request++)
    expect(await client.request('ses_1')).toEqual(['The summary.']);
  expect(progressOf(listener.dir)).toBe('begun');
}, 60_000);
