import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/**
 * A session as Copilot CLI plays it: one prompt, one file written, and the end of the turn.
 *
 * @see https://docs.github.com/en/copilot/reference/hooks-reference
 */
export const copilotRehearsal: Rehearsal = {
  cue,
  environment: ({ root }) => ({ COPILOT_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
};

const CALL = 'call_selftest0001';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, prompt, lastWords } = stage;
  const on = (event: string, payload: Record<string, unknown>, lines: Cue['transcript'] = []): Cue => ({
    event,
    tool: undefined,
    payload: { sessionId, timestamp: Date.parse(stage.time), cwd: root, ...payload },
    transcript: lines,
  });
  switch (act) {
    case 'start':
      return on('sessionStart', { source: 'new', initialPrompt: prompt });
    case 'prompt':
      return on('userPromptSubmitted', { prompt }, [
        line(stage, 1, 'session.start', { sessionId, version: 1, context: { cwd: root } }),
        line(stage, 2, 'user.message', { content: prompt }),
      ]);
    case 'edit':
      return { ...on('postToolUse', edit(stage), editLines(stage)), tool: 'create' };
    case 'stop':
      return on(
        'agentStop',
        { transcriptPath: transcript, stopReason: 'end_turn', stop_hook_active: false },
        answer(stage, 5, lastWords, []),
      );
    case 'end':
      return on('sessionEnd', { reason: 'complete' });
  }
}

const argumentsOf = ({ file, content }: Stage) => ({ path: file, file_text: content });

const edit = (stage: Stage) => ({
  toolName: 'create',
  toolArgs: argumentsOf(stage),
  toolResult: { resultType: 'success', textResultForLlm: `Created file ${stage.file}` },
});

const editLines = (stage: Stage): Cue['transcript'] => [
  ...answer(stage, 3, '', [{ toolCallId: CALL, name: 'create', arguments: argumentsOf(stage) }]),
  line(stage, 4, 'tool.execution_start', {
    toolCallId: CALL,
    toolName: 'create',
    arguments: argumentsOf(stage),
  }),
  line(stage, 5, 'tool.execution_complete', {
    toolCallId: CALL,
    success: true,
    fileEdits: [{ path: stage.file, kind: 'create' }],
  }),
];

/** What the model answered, and what that cost. */
const answer = (stage: Stage, row: number, content: string, toolRequests: readonly unknown[]) => [
  line(stage, row * 10, 'session.usage_record', {
    usage: {
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      apiCallId: `call${row}`,
    },
  }),
  line(stage, row * 10 + 1, 'assistant.message', { content, toolRequests, apiCallId: `call${row}` }),
];

const line = ({ time }: Stage, row: number, type: string, data: Readonly<Record<string, unknown>>) => ({
  type,
  data,
  id: `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`,
  timestamp: time,
});
