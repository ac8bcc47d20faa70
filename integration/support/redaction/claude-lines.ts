import type { Chance } from './chance.ts';
import type { Said } from './positions.ts';

/** A line of Claude Code's transcript; see `integration/fixtures/claude-code/transcripts`. */
export function claudeLine(said: Said, chance: Chance): unknown {
  const branch = said.as === 'branch' ? said.branch : 'main';
  const place = {
    uuid: chance.fill('«uuid»'),
    timestamp: '2026-11-21T11:04:36.009Z',
    userType: 'external',
    entrypoint: 'cli',
    cwd: '/repo',
    sessionId: chance.fill('«uuid»'),
    version: '2.1.330',
    gitBranch: branch,
  };
  const parentUuid = chance.fill('«uuid»');
  const from = (type: 'user' | 'assistant', message: unknown, more: object = {}) => ({
    parentUuid,
    isSidechain: false,
    type,
    message,
    ...more,
    ...place,
  });
  const id = chance.fill('toolu_01«A22»');
  const assistant = (content: unknown) =>
    from(
      'assistant',
      {
        model: 'claude-opus-5-5',
        id: chance.fill('msg_01«A22»'),
        type: 'message',
        role: 'assistant',
        content: [content],
        stop_reason: 'tool_use',
        usage: { input_tokens: 3, cache_read_input_tokens: 18_204, output_tokens: 212 },
      },
      { requestId: chance.fill('req_011«A21»') },
    );
  const toolUse = (name: string, input: unknown) => assistant({ type: 'tool_use', id, name, input });
  const toolResult = (text: string) =>
    from(
      'user',
      { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: text, is_error: false }] },
      { toolUseResult: { stdout: text, stderr: '', interrupted: false, isImage: false } },
    );
  switch (said.as) {
    case 'prompt':
      return from('user', { role: 'user', content: said.text }, { promptId: chance.fill('«uuid»') });
    case 'branch':
      return from('user', { role: 'user', content: 'go on' });
    case 'text':
      return assistant({ type: 'text', text: said.text });
    case 'tool input':
      return chance.percent(50)
        ? toolUse('Write', { file_path: chance.fill('/repo/«file»'), content: said.text })
        : toolUse('Edit', {
            file_path: chance.fill('/repo/«file»'),
            old_string: 'TODO',
            new_string: said.text,
            replace_all: false,
          });
    case 'tool result':
      return toolResult(said.text);
    case 'nested JSON':
      return said.isResult
        ? toolResult(JSON.stringify(said.value))
        : toolUse('mcp__http__request', { url: '/v1', payload: JSON.stringify(said.value) });
    case 'command':
      return toolUse('Bash', { command: said.command, description: 'Run a command' });
    case 'path':
      return toolUse('Read', { file_path: said.path });
  }
}
