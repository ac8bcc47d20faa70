import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/**
 * A session as Claude Code plays it: one prompt, one file written, and the end of the turn.
 *
 * @see https://code.claude.com/docs/en/hooks
 */
export const claudeRehearsal: Rehearsal = {
  cue,
  environment: ({ root }) => ({ CLAUDE_PROJECT_DIR: root }),
};

const TOOL_USE = 'toolu_selftest000000000000001';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, prompt, lastWords } = stage;
  const base = (event: string) => ({
    session_id: sessionId,
    transcript_path: transcript,
    cwd: root,
    hook_event_name: event,
  });
  const on = (event: string, payload: Record<string, unknown>, lines: Cue['transcript'] = []): Cue => ({
    event,
    tool: undefined,
    payload: { ...base(event), ...payload },
    transcript: lines,
  });
  switch (act) {
    case 'start':
      return on('SessionStart', { source: 'startup' });
    case 'prompt':
      return on('UserPromptSubmit', { prompt }, [user(stage, 1, prompt)]);
    case 'edit':
      return edit(stage, base('PostToolUse'));
    case 'stop':
      return on('Stop', { stop_hook_active: false, last_assistant_message: lastWords }, [
        assistant(stage, 4, [{ type: 'text', text: lastWords }]),
      ]);
    case 'end':
      return on('SessionEnd', { reason: 'other' });
  }
}

function edit(stage: Stage, base: Record<string, unknown>): Cue {
  const { file, content } = stage;
  const input = { file_path: file, content };
  const result = [{ tool_use_id: TOOL_USE, type: 'tool_result', content: 'File created' }];
  return {
    event: 'PostToolUse',
    tool: 'Write',
    payload: {
      ...base,
      tool_name: 'Write',
      tool_input: input,
      tool_response: { type: 'create', filePath: file, content, structuredPatch: [] },
      tool_use_id: TOOL_USE,
    },
    transcript: [
      assistant(stage, 2, [{ type: 'tool_use', id: TOOL_USE, name: 'Write', input }]),
      user(stage, 3, result),
    ],
  };
}

const common = ({ sessionId, root, time }: Stage, row: number) => ({
  uuid: `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`,
  timestamp: time,
  cwd: root,
  sessionId,
});

const user = (stage: Stage, row: number, content: unknown) => ({
  ...common(stage, row),
  type: 'user',
  message: { role: 'user', content },
});

const assistant = (stage: Stage, row: number, content: unknown) => ({
  ...common(stage, row),
  type: 'assistant',
  message: {
    id: `msg_selftest${row}`,
    role: 'assistant',
    content,
    usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  },
});
