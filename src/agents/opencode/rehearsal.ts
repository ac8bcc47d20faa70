import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/** A session as our plugin in OpenCode tells of it: one prompt, one file written, and the end of the turn. */
export const opencodeRehearsal: Rehearsal = { cue, environment: () => ({}) };

const TOOL_USE = 'call_selftest000000000000001';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, file, prompt } = stage;
  const on = (event: string, payload: Record<string, unknown>, tool?: string): Cue => ({
    ...{ event, tool, transcript: [] },
    payload: { session_id: sessionId, cwd: root, ...payload },
  });
  switch (act) {
    case 'start':
      return on('session.created', { source: 'startup' });
    case 'prompt':
      return on('chat.message', { prompt, model: 'self-test', transcripts: handOver(stage, true, []) });
    case 'edit': {
      const payload = {
        tool_name: 'write',
        tool_use_id: TOOL_USE,
        tool_input: { filePath: file },
        before: null,
      };
      return on('tool.execute.after', payload, 'write');
    }
    case 'stop':
      return on('session.idle', { transcripts: handOver(stage, false, messages(stage)) });
    case 'end':
      return on('dispose', {});
  }
}

const handOver = ({ sessionId, root }: Stage, complete: boolean, said: readonly object[]) => [
  { session_id: sessionId, complete, info: { id: sessionId, directory: root }, messages: said },
];

function messages(stage: Stage): object[] {
  const { file, content, prompt, lastWords } = stage;
  const state = {
    status: 'completed',
    input: { filePath: file, content },
    output: 'Wrote file successfully.',
    metadata: { filepath: file, exists: false },
  };
  return [
    { info: info(stage, 1, 'user'), parts: [{ type: 'text', text: prompt }] },
    {
      info: info(stage, 2, 'assistant'),
      parts: [{ type: 'tool', tool: 'write', callID: TOOL_USE, state }],
    },
    { info: info(stage, 3, 'assistant'), parts: [{ type: 'text', text: lastWords }] },
  ];
}

function info({ sessionId, root, time }: Stage, row: number, role: string): object {
  const created = Date.parse(time);
  const common = { id: `msg_selftest${row}`, sessionID: sessionId, role };
  if (role === 'user') return { ...common, time: { created } };
  const cache = { read: 0, write: 0 };
  return {
    ...common,
    time: { created, completed: created },
    path: { cwd: root, root },
    tokens: { total: 2, input: 1, output: 1, reasoning: 0, cache },
  };
}
