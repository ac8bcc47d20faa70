import { describe, expect, test } from 'vitest';
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
});
