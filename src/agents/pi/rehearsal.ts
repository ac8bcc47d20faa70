import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/** A session as Pi plays it, and our extension tells of it: one prompt, one file written, and the end of the turn. */
export const piRehearsal: Rehearsal = { cue, environment: () => ({ PI_CODING_AGENT: 'true' }) };

const CALL = 'call_selftest0001';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, file, content, time, prompt, lastWords } = stage;
  const on = (event: string, more: Cue['payload'], lines: Cue['transcript'] = [], tool?: string): Cue => ({
    event,
    tool,
    payload: { type: event, session_id: sessionId, session_file: transcript, cwd: root, ...more },
    transcript: lines,
  });
  switch (act) {
    case 'start':
      return on('session_start', { source: 'startup' }, [
        { type: 'session', version: 3, id: sessionId, timestamp: time, cwd: root },
      ]);
    case 'prompt':
      return on('before_agent_start', { prompt }, [
        entry(stage, 1, { role: 'user', content: [{ type: 'text', text: prompt }] }),
      ]);
    case 'edit': {
      const call = { type: 'toolCall', id: CALL, name: 'write', arguments: { path: file, content } };
      const result = { role: 'toolResult', toolCallId: CALL, toolName: 'write', content: [], isError: false };
      const lines = [answer(stage, 2, call), entry(stage, 3, result)];
      return on('tool_result', { tool_name: 'write', path: file, before: null }, lines, 'write');
    }
    case 'stop':
      return on('agent_end', { last_assistant_message: lastWords }, [
        answer(stage, 4, { type: 'text', text: lastWords }),
      ]);
    case 'end':
      return on('session_shutdown', { reason: 'quit' });
  }
}

const id = (at: number): string => String(at).padStart(8, '0');

const entry = ({ time }: Stage, at: number, message: object) => ({
  type: 'message',
  id: id(at),
  parentId: at === 1 ? null : id(at - 1),
  timestamp: time,
  message,
});

const answer = (stage: Stage, at: number, part: object) =>
  entry(stage, at, {
    role: 'assistant',
    content: [part],
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
  });
