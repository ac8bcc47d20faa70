import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/**
 * A session as Factory Droid plays it: one prompt, one file written, and the end of the turn.
 *
 * @see https://docs.factory.ai/reference/hooks-reference
 */
export const droidRehearsal: Rehearsal = {
  cue,
  environment: ({ root }) => ({
    FACTORY_PROJECT_DIR: root,
    DROID_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
};

const TOOL_USE = 'toolu_selftest000000000000001';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, prompt, lastWords, file, content } = stage;
  const on = (
    event: string,
    fields: Record<string, unknown>,
    lines: Cue['transcript'],
    tool?: string,
  ): Cue => ({
    event,
    tool,
    payload: {
      session_id: sessionId,
      transcript_path: transcript,
      cwd: root,
      permission_mode: 'auto-high',
      hook_event_name: event,
      ...fields,
    },
    transcript: lines,
  });
  switch (act) {
    case 'start':
      return on('SessionStart', { source: 'startup' }, [
        {
          type: 'session_start',
          id: sessionId,
          title: 'New Session',
          owner: 'unknown',
          version: 2,
          cwd: root,
        },
      ]);
    case 'prompt':
      return on('UserPromptSubmit', { message_id: rowId(1), prompt, has_images: false }, [
        message(stage, 1, 'user', [{ type: 'text', text: prompt }]),
      ]);
    case 'edit': {
      const input = { file_path: file, content };
      const answer = JSON.stringify({ success: true, file_path: file });
      const result = { type: 'tool_result', tool_use_id: TOOL_USE, is_error: false, content: answer };
      return on(
        'PostToolUse',
        { tool_name: 'Create', tool_input: input, tool_response: answer },
        [
          message(stage, 2, 'assistant', [{ type: 'tool_use', id: TOOL_USE, name: 'Create', input }]),
          message(stage, 3, 'user', [result]),
        ],
        'Create',
      );
    }
    case 'stop':
      return on('Stop', { message_id: rowId(4), stop_hook_active: false, tool_execution_count: 1 }, [
        message(stage, 4, 'assistant', [{ type: 'text', text: lastWords }]),
      ]);
    case 'end':
      return on('SessionEnd', { reason: 'other', message_count: 4 }, []);
  }
}

const rowId = (row: number): string => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;

const message = ({ time }: Stage, row: number, role: string, content: unknown) => ({
  type: 'message',
  id: rowId(row),
  ...(row > 1 ? { parentId: rowId(row - 1) } : {}),
  timestamp: time,
  message: { role, content },
});
