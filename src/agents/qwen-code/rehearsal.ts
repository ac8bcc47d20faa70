import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/** A session as Qwen Code plays it: one prompt, one file written, and the end of the turn. */
export const qwenRehearsal: Rehearsal = {
  cue,
  environment: ({ root, sessionId }) => ({ QWEN_PROJECT_DIR: root, QWEN_CODE_SESSION_ID: sessionId }),
};

const CALL = 'call_selftest0001';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, time, prompt, lastWords } = stage;
  const on = (event: string, more: Cue['payload'], lines: Cue['transcript'] = [], tool?: string): Cue => ({
    event,
    tool,
    payload: {
      session_id: sessionId,
      transcript_path: transcript,
      cwd: root,
      hook_event_name: event,
      timestamp: time,
      permission_mode: 'default',
      ...more,
    },
    transcript: lines,
  });
  switch (act) {
    case 'start':
      return on('SessionStart', { source: 'startup', model: 'self-test' });
    case 'prompt':
      return on('UserPromptSubmit', { prompt, submitted_prompt: prompt }, [
        row(stage, 1, 'user', {
          provenance: 'real_user',
          message: { role: 'user', parts: [{ text: prompt }] },
        }),
      ]);
    case 'edit': {
      const [more, lines] = edit(stage);
      return on('PostToolUse', more, lines, 'write_file');
    }
    case 'stop':
      return on(
        'Stop',
        { stop_hook_active: false, last_assistant_message: lastWords, background_tasks: [] },
        [answer(stage, 4, { text: lastWords })],
      );
    case 'end':
      return on('SessionEnd', { reason: 'other' });
  }
}

function edit(stage: Stage): [Cue['payload'], Cue['transcript']] {
  const { file, content } = stage;
  const input = { file_path: file, content };
  const said = `Successfully created and wrote to new file: ${file}.`;
  const functionResponse = { id: CALL, name: 'write_file', response: { output: said } };
  const payload = {
    tool_name: 'write_file',
    tool_input: input,
    tool_response: {
      llmContent: said,
      returnDisplay: { filePath: file, originalContent: '', newContent: content },
    },
    tool_use_id: 'toolu_selftest0001',
    tool_call_id: CALL,
  };
  const lines = [
    answer(stage, 2, { functionCall: { id: CALL, name: 'write_file', args: input } }),
    row(stage, 3, 'tool_result', {
      message: { role: 'user', parts: [{ functionResponse }] },
      toolCallResult: { callId: CALL, status: 'success' },
    }),
  ];
  return [payload, lines];
}

const uuid = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

const row = ({ sessionId, root, time }: Stage, at: number, type: string, more: object) => ({
  uuid: uuid(at),
  parentUuid: at === 1 ? null : uuid(at - 1),
  sessionId,
  timestamp: time,
  type,
  cwd: root,
  ...more,
});

const answer = (stage: Stage, at: number, part: object) =>
  row(stage, at, 'assistant', {
    message: { role: 'model', parts: [part] },
    usageMetadata: {
      promptTokenCount: 1,
      candidatesTokenCount: 1,
      totalTokenCount: 2,
      cachedContentTokenCount: 0,
    },
  });
