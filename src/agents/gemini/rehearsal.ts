import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/**
 * A session as Gemini CLI plays it: one prompt, one file written, and the end of the turn.
 *
 * @see https://geminicli.com/docs/hooks/reference
 */
export const geminiRehearsal: Rehearsal = {
  cue,
  environment: ({ root, sessionId }) => ({
    GEMINI_PROJECT_DIR: root,
    GEMINI_CWD: root,
    GEMINI_SESSION_ID: sessionId,
    CLAUDE_PROJECT_DIR: root,
  }),
};

const CALL = 'write_file__write_file_1_0';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, time, prompt, lastWords } = stage;
  const on = (event: string, payload: Record<string, unknown>, lines: Cue['transcript'] = []): Cue => ({
    event,
    tool: undefined,
    payload: {
      session_id: sessionId,
      transcript_path: transcript,
      cwd: root,
      hook_event_name: event,
      timestamp: time,
      ...payload,
    },
    transcript: lines,
  });
  switch (act) {
    case 'start':
      return on('SessionStart', { source: 'startup' }, [
        { sessionId, projectHash: '', startTime: time, lastUpdated: time, kind: 'main' },
      ]);
    case 'prompt':
      return on('BeforeAgent', { prompt }, [message(stage, 1, 'user', { content: [{ text: prompt }] })]);
    case 'edit':
      return { ...on('AfterTool', edit(stage), lines(stage)), tool: 'write_file' };
    case 'stop':
      return on('AfterAgent', { prompt, prompt_response: lastWords, stop_hook_active: false }, [
        message(stage, 4, 'gemini', { content: lastWords, tokens }),
      ]);
    case 'end':
      return on('SessionEnd', { reason: 'exit' });
  }
}

const tokens = { input: 1, output: 1, cached: 0, thoughts: 0, tool: 0, total: 2 };

const argsOf = ({ file, content }: Stage) => ({ file_path: file, content });

/** What the client shows of the edit, in the payload and in its transcript. */
const display = ({ file, content }: Stage) => ({
  filePath: file,
  originalContent: '',
  newContent: content,
  isNewFile: true,
});

const edit = (stage: Stage) => ({
  tool_name: 'write_file',
  tool_input: argsOf(stage),
  tool_response: { llmContent: 'File created', returnDisplay: display(stage) },
});

/** An answer is noted when it ends, and again with its calls when those are done. */
function lines(stage: Stage): Cue['transcript'] {
  const response = {
    functionResponse: { id: CALL, name: 'write_file', response: { output: 'File created' } },
  };
  const call = {
    id: CALL,
    name: 'write_file',
    args: argsOf(stage),
    result: [response],
    status: 'success',
    resultDisplay: display(stage),
  };
  return [
    message(stage, 2, 'gemini', { content: '', tokens }),
    message(stage, 2, 'gemini', { content: '', tokens, toolCalls: [call] }),
    message(stage, 3, 'user', { content: [response] }),
  ];
}

const message = ({ time }: Stage, row: number, type: string, fields: Record<string, unknown>) => ({
  id: `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`,
  timestamp: time,
  type,
  ...fields,
});
