import { relative } from 'node:path';
import type { Act, Cue, Rehearsal, Stage } from '../shared/headless/rehearsal.ts';

/**
 * A session as Codex plays it: one prompt, one patch, and the end of the turn.
 *
 * @see https://developers.openai.com/codex/hooks
 */
export const codexRehearsal: Rehearsal = { cue, environment: () => ({}) };

const CALL = 'call_selftest0001';
const TURN = 'turn-selftest-1';
const MODEL = 'self-test';

function cue(act: Act, stage: Stage): Cue {
  const { sessionId, root, transcript, prompt, lastWords } = stage;
  const base = { session_id: sessionId, transcript_path: transcript, cwd: root };
  const on = (event: string, payload: Cue['payload'], lines: Cue['transcript'] = []): Cue => ({
    event,
    tool: undefined,
    payload: { ...base, ...payload, hook_event_name: event },
    transcript: lines,
  });
  const inTurn = { turn_id: TURN, model: MODEL, permission_mode: 'default' };
  switch (act) {
    case 'start':
      return on('SessionStart', { model: MODEL, permission_mode: 'default', source: 'startup' }, [
        row(stage, 0, 'session_meta', { id: sessionId, timestamp: stage.time, cwd: root }),
      ]);
    case 'prompt':
      return on('UserPromptSubmit', { ...inTurn, prompt }, [
        item(stage, 1, { type: 'UserMessage', id: 'selftest-1', content: [{ type: 'text', text: prompt }] }),
      ]);
    case 'edit':
      return edit(stage, { ...base, ...inTurn });
    case 'stop':
      return on('Stop', { ...inTurn, stop_hook_active: false, last_assistant_message: lastWords }, [
        row(stage, 5, 'response_item', {
          type: 'message',
          id: 'msg_selftest5',
          role: 'assistant',
          content: [{ type: 'output_text', text: lastWords }],
        }),
        row(stage, 6, 'token_usage_record', { response_id: 'resp_selftest6', usage: USAGE }),
      ]);
    case 'end':
      return on('SessionEnd', { reason: 'other' });
  }
}

const USAGE = { input_tokens: 1, cached_input_tokens: 0, cache_write_input_tokens: 0, output_tokens: 1 };

function edit(stage: Stage, base: Record<string, unknown>): Cue {
  const { root, file, content } = stage;
  const path = relative(root, file);
  const added = content.replace(/\n$/, '').replaceAll(/^/gm, '+');
  const envelope = `*** Begin Patch\n*** Add File: ${path}\n${added}\n*** End Patch\n`;
  const answer = `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA ${path}\n`;
  return {
    event: 'PostToolUse',
    tool: 'apply_patch',
    payload: {
      ...base,
      hook_event_name: 'PostToolUse',
      tool_name: 'apply_patch',
      tool_input: { command: envelope },
      tool_response: answer,
      tool_use_id: CALL,
    },
    transcript: [
      row(stage, 2, 'response_item', {
        type: 'custom_tool_call',
        id: 'ctc_selftest2',
        status: 'completed',
        call_id: CALL,
        name: 'apply_patch',
        input: envelope,
      }),
      item(stage, 3, {
        type: 'FileChange',
        id: CALL,
        changes: { [file]: { type: 'add', content } },
        status: 'completed',
      }),
      row(stage, 4, 'response_item', {
        type: 'custom_tool_call_output',
        id: 'ctco_selftest4',
        call_id: CALL,
        output: answer,
      }),
    ],
  };
}

const row = ({ time }: Stage, ordinal: number, type: string, payload: Record<string, unknown>) => ({
  timestamp: time,
  ordinal,
  type,
  payload,
});

const item = (stage: Stage, ordinal: number, of: Record<string, unknown>) =>
  row(stage, ordinal, 'event_msg', {
    type: 'item_completed',
    thread_id: stage.sessionId,
    turn_id: TURN,
    item: of,
  });
