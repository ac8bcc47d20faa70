import { settingsOf } from '../hook-table/settings.ts';
import type { HookTable } from '../hook-table/table.ts';

/** Tools that name the files they write; a matcher is a regular expression over the whole name. */
const EDIT_TOOLS = 'Create|Edit|MultiEdit|ApplyPatch|Write|NotebookEdit';

/** Our hooks in Factory Droid's project settings. */
export const DROID_HOOKS: HookTable = {
  agent: 'factoryai-droid',
  file: '.factory/settings.json',
  liberties: ['comments'],
  shape: 'groups',
  isTyped: true,
  slots: [
    { event: 'PostToolUse', matcher: EDIT_TOOLS, verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: 'Read', verb: 'post-file-read' },
    { event: 'PostToolUse', matcher: 'Execute|Script', verb: 'post-shell' },
    { event: 'PostToolUse', matcher: 'Task', verb: 'post-tool-use' },
    { event: 'PreCompact', matcher: '', verb: 'pre-compact' },
    { event: 'PreToolUse', matcher: 'Task', verb: 'pre-tool-use' },
    { event: 'SessionEnd', matcher: '', verb: 'session-end' },
    { event: 'SessionStart', matcher: '', verb: 'session-start' },
    { event: 'Stop', matcher: '', verb: 'stop' },
    { event: 'UserPromptSubmit', matcher: '', verb: 'user-prompt-submit' },
  ],
};

/** @see https://docs.factory.ai/reference/hooks-reference */
export const droidSettings = settingsOf(DROID_HOOKS);
