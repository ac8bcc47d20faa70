import { describe, expect, test } from 'vitest';
import { transcriptLines } from '../../../integration/support/agent/payloads.ts';
import { claudeTranscript as format } from './transcript.ts';

describe('sub-agents', () => {
  test('the message that holds what a task returned', () => {
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
    const rows = [
      { type: 'assistant', uuid: 'u1', message: { content: [{ type: 'tool_use', id: 'toolu_1' }] } },
      { type: 'user', uuid: 'u2', message: { content: [result('toolu_2')] } },
      { type: 'user', uuid: 'u3', message: { content: 'a tool_result of toolu_1' } },
      { type: 'user', uuid: 'u4', message: { content: [result('toolu_1')] } },
      { type: 'user', uuid: 'u5', message: { content: [result('toolu_1')] } },
    ];
    const text = `not JSON, toolu_1 tool_result\n${rows.map((row) => JSON.stringify(row)).join('\n')}`;
    expect(format.findToolResult(text, 'toolu_1')).toBe('u4');
    expect(format.findToolResult(text, 'toolu_3')).toBe('');
    expect(format.findToolResult('', 'toolu_1')).toBe('');
  });

  test('their transcripts are in a folder of the session, of older clients beside that of the session', () => {
    expect(format.subagentTranscripts('/p/s1.jsonl', 's1', 'a1')).toEqual([
      '/p/s1/subagents/agent-a1.jsonl',
      '/p/agent-a1.jsonl',
    ]);
  });

  test('what the client notes beside a transcript', () => {
    expect(format.subagentNote('/p/agent-a1.jsonl')).toBe('/p/agent-a1.meta.json');
    const note = { agentType: 'dev', description: 'Help', toolUseId: 'toolu_1' };
    for (const text of [JSON.stringify(note), JSON.stringify(note, undefined, 2)])
      expect(format.parseSubagentNote(text)).toEqual({ toolUseId: 'toolu_1', description: 'Help' });
    expect(format.parseSubagentNote('{"toolUseId":"t"}')).toEqual({ toolUseId: 't', description: '' });
    for (const text of ['', '{', '[]', 'null', '{"toolUseId":7}', '{"agentType":"dev"}'])
      expect(format.parseSubagentNote(text)).toBeUndefined();
  });

  const returned = (content: unknown, type = 'user') =>
    JSON.stringify({ type, message: { content: [{ type: 'tool_result', tool_use_id: 't', content }] } });

  test('which ones tool calls worked with, by any id of letters, digits, _ and -', () => {
    const text = [
      returned('agentId: a7d87b (use SendMessage)'),
      'not JSON agentId: a1',
      returned([
        { type: 'text', text: 'done' },
        { type: 'text', text: 'agentId: my-agent_2' },
        null,
        { type: 'image' },
      ]),
      returned('agentId: a7d87b', 'assistant'),
      JSON.stringify({ type: 'user', message: { content: 'agentId: typed' } }),
      returned(`agentId: ${'x'.repeat(129)} agentId: ../../up agentId: `),
      returned(7),
      returned('agentId: a7d87b\nagentId: b'),
    ].join('\n');
    expect(format.readSubagents(text)).toEqual([
      { item: 0, agentId: 'a7d87b' },
      { item: 2, agentId: 'my-agent_2' },
      { item: 7, agentId: 'a7d87b' },
      { item: 7, agentId: 'b' },
    ]);
    expect(format.readSubagents('')).toEqual([]);
  });

  test('in what a real client wrote', () => {
    const named = (name: string) =>
      format.readSubagents(transcriptLines(name, { repo: '/repo', home: '/home/u' }).join('\n'));
    expect(named('subagent-main').map(({ agentId }) => agentId)).toEqual(['a7d87b8247861f00b']);
    expect(named('subagent-background').map(({ agentId }) => agentId)).toEqual(['ae5b38b9d802254af']);
    expect(named('basic')).toEqual([]);
  });

  test('when a line was written', () => {
    const at = (timestamp: unknown) => JSON.stringify({ type: 'user', timestamp });
    const text = ['no JSON', at(7), at('never'), at('2026-01-02T03:04:05.678Z'), at('2027-01-01T00:00:00Z')];
    expect(format.readTime(text.join('\n'))).toBe(Date.parse('2026-01-02T03:04:05.678Z'));
    expect(format.readTime(text.slice(0, 3).join('\n'))).toBeUndefined();
    expect(format.readTime('')).toBeUndefined();
  });
});
