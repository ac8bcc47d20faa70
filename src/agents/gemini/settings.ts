import { settingsOf } from '../hook-table/settings.ts';
import type { HookSlot, HookTable } from '../hook-table/table.ts';

const slot = (event: string, verb: string, matcher?: string): HookSlot => ({
  event,
  matcher,
  verb,
  before: { name: `entire-${verb}` },
});

/**
 * Our hooks in Gemini CLI's project settings: those that tell something. The client waits for each, and has some that it
 * would run before and after every call of the model.
 */
export const GEMINI_HOOKS: HookTable = {
  agent: 'gemini',
  file: '.gemini/settings.json',
  liberties: ['comments'],
  projectVariable: 'GEMINI_PROJECT_DIR',
  shape: 'groups',
  isTyped: true,
  slots: [
    slot('SessionStart', 'session-start'),
    slot('SessionEnd', 'session-end'),
    slot('BeforeAgent', 'before-agent'),
    slot('AfterAgent', 'after-agent'),
    // An expression that is found anywhere in the name of a tool counts, also in that of somebody else's tool.
    slot('AfterTool', 'post-file-edit', '^(write_file|replace|edit_file|save_file)$'),
    slot('AfterTool', 'post-file-read', '^read_file$'),
    slot('AfterTool', 'post-shell', '^run_shell_command$'),
    slot('PreCompress', 'pre-compress', 'manual'),
  ],
  isStrict: true,
  requirements: [{ path: ['hooksConfig', 'enabled'], value: true }],
};

/** @see https://geminicli.com/docs/hooks/reference */
export const geminiSettings = settingsOf(GEMINI_HOOKS);
