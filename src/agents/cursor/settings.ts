import { settingsOf } from '../shared/hook-table/settings.ts';
import type { HookTable } from '../shared/hook-table/table.ts';

/** Our hooks in Cursor's list of hooks of a project. */
const CURSOR_HOOKS: HookTable = {
  agent: 'cursor',
  file: '.cursor/hooks.json',
  shape: 'flat',
  isTyped: false,
  requirements: [{ path: ['version'], value: 1 }],
  slots: [
    { event: 'sessionStart', verb: 'session-start' },
    { event: 'sessionEnd', verb: 'session-end' },
    { event: 'beforeSubmitPrompt', verb: 'before-submit-prompt' },
    { event: 'stop', verb: 'stop' },
    { event: 'preCompact', verb: 'pre-compact' },
    { event: 'subagentStart', verb: 'subagent-start' },
    { event: 'subagentStop', verb: 'subagent-stop' },
    { event: 'afterFileEdit', verb: 'post-file-edit' },
    { event: 'afterShellExecution', verb: 'post-shell' },
  ],
};

/** @see https://cursor.com/docs/agent/hooks */
export const cursorSettings = settingsOf(CURSOR_HOOKS);
