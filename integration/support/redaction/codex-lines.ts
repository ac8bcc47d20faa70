import type { Chance } from './chance.ts';
import type { Said } from './positions.ts';

/** A line of Codex's rollout; see `integration/fixtures/codex/transcripts`. */
export function codexLine(said: Said, chance: Chance): unknown {
  const item = (payload: object) => ({
    timestamp: '2026-11-21T10:44:16.566Z',
    ordinal: 7,
    type: 'response_item',
    payload,
  });
  const call_id = chance.fill('call_«l10»');
  const message = (role: 'user' | 'assistant', type: string, text: string) =>
    item({ type: 'message', id: chance.fill('msg_«uuid»'), role, content: [{ type, text }] });
  const call = (name: string, input: unknown) =>
    item({
      type: 'function_call',
      id: chance.fill('fc_«l10»'),
      name,
      arguments: JSON.stringify(input),
      call_id,
    });
  const output = (text: string) =>
    item({ type: 'function_call_output', id: chance.fill('fco_«uuid»'), call_id, output: text });
  switch (said.as) {
    case 'prompt':
      return message('user', 'input_text', said.text);
    case 'text':
      return message('assistant', 'output_text', said.text);
    case 'tool input': {
      const added = said.text.replaceAll(/^/gm, '+');
      const input = `*** Begin Patch\n*** Add File: ${chance.fill('«file»')}\n${added}\n*** End Patch\n`;
      return item({
        type: 'custom_tool_call',
        id: chance.fill('ctc_«l10»'),
        call_id,
        name: 'apply_patch',
        input,
      });
    }
    case 'tool result':
      return output(`Exit code: 0\nWall time: 0 seconds\nOutput:\n${said.text}\n`);
    case 'nested JSON':
      return said.isResult ? output(JSON.stringify(said.value)) : call('http_request', said.value);
    case 'command':
      return call('exec_command', { cmd: said.command });
    case 'path':
      return call('view_image', { path: said.path });
    case 'branch':
      return {
        timestamp: '2026-11-21T10:44:16.323Z',
        type: 'session_meta',
        payload: { git: { branch: said.branch } },
      };
  }
}
