/** Hook payloads as Claude Code sends them. @see https://docs.claude.com/en/docs/claude-code/hooks */

export interface Context {
  readonly sessionId: string;
  readonly transcript: string;
  readonly repo: string;
}

type Json = Record<string, unknown>;

export const sessionStart = (context: Context): string =>
  payload(context, 'SessionStart', { source: 'startup', model: 'claude-opus-5-5' });

export const promptSubmitted = (context: Context, prompt: string): string =>
  payload(context, 'UserPromptSubmit', { permission_mode: 'default', prompt });

/** The result of a Write over an existing file; `before` and `after` are its whole content. */
export function fileWritten(context: Context, file: string, before: string, after: string): string {
  const path = `${context.repo}/${file}`;
  const patch = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-old', '+new'] };
  return payload(context, 'PostToolUse', {
    permission_mode: 'default',
    tool_name: 'Write',
    tool_input: { file_path: path, content: after },
    tool_response: {
      type: 'update',
      filePath: path,
      content: after,
      structuredPatch: [patch],
      originalFile: before,
      userModified: false,
    },
    tool_use_id: 'toolu_018073b6f29964063217e27fa3',
    duration_ms: 3,
  });
}

/** What a status line is told. */
export const statusLine = (context: Context): string =>
  payload(context, 'Status', {
    model: { id: 'claude-opus-5-5', display_name: 'Opus' },
    workspace: { current_dir: context.repo, project_dir: context.repo },
    output_style: { name: 'default' },
  });

export const stopped = (context: Context, lastMessage: string): string =>
  payload(context, 'Stop', {
    permission_mode: 'default',
    stop_hook_active: false,
    last_assistant_message: lastMessage,
    background_tasks: [],
    session_crons: [],
  });

export const sessionEnd = (context: Context): string => payload(context, 'SessionEnd', { reason: 'other' });

function payload(context: Context, event: string, fields: Json): string {
  return JSON.stringify({
    session_id: context.sessionId,
    transcript_path: context.transcript,
    cwd: context.repo,
    prompt_id: '9f8e7c7d-5e7f-4916-9e2b-00219130f49b',
    hook_event_name: event,
    ...fields,
  });
}
