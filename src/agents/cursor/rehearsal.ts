import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/**
 * A session as Cursor is said to play it: one prompt, one file written, and the end of the turn.
 *
 * @see https://cursor.com/docs/agent/hooks
 */
export const cursorRehearsal: Rehearsal = {
  cue,
  environment: ({ root }) => ({ CURSOR_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root }),
};

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, prompt, lastWords, file, content } = stage;
  const on = (event: string, fields: Record<string, unknown>, lines: Cue['transcript'] = []): Cue => ({
    event,
    tool: undefined,
    payload: {
      conversation_id: sessionId,
      generation_id: 'selftest-1',
      model: 'self-test',
      hook_event_name: event,
      cursor_version: '2.0.0',
      workspace_roots: [root],
      transcript_path: transcript,
      ...fields,
    },
    transcript: lines,
  });
  switch (act) {
    case 'start':
      return on('sessionStart', { session_id: sessionId });
    case 'prompt':
      return on('beforeSubmitPrompt', { prompt, attachments: [] }, [
        said('user', { type: 'text', text: `<user_query>\n${prompt}\n</user_query>` }),
      ]);
    case 'edit':
      return on('afterFileEdit', { file_path: file, edits: [{ old_string: '', new_string: content }] }, [
        said('assistant', { type: 'tool_use', name: 'Write', input: { path: file, contents: content } }),
      ]);
    case 'stop':
      return on('stop', { status: 'completed', loop_count: 0 }, [
        said('assistant', { type: 'text', text: lastWords }),
      ]);
    case 'end':
      return on('sessionEnd', { session_id: sessionId, reason: 'completed', duration_ms: 1 });
  }
}

const said = (role: string, block: Readonly<Record<string, unknown>>) => ({
  role,
  message: { content: [block] },
});
