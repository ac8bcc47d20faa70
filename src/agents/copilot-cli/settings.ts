import { settingsOf } from '../hook-table/settings.ts';
import type { HookTable } from '../hook-table/table.ts';

/** Copilot CLI and older releases of ours show it beside the command. */
const after = { comment: 'Entire CLI' };

/**
 * Our hooks for Copilot CLI, in a file that nobody else writes to. It is still edited as if somebody did: other
 * releases' entries are taken over, and fields that a user added to ours stay.
 */
export const COPILOT_HOOKS: HookTable = {
  agent: 'copilot-cli',
  file: '.github/hooks/entire.json',
  liberties: [],
  shape: 'flat',
  isTyped: true,
  commandKey: 'bash',
  requirements: [{ path: ['version'], value: 1 }],
  slots: [
    { event: 'agentStop', verb: 'agent-stop', after },
    {
      event: 'postToolUse',
      matcher: 'create|edit|str_replace_editor|apply_patch',
      verb: 'post-file-edit',
      after,
    },
    { event: 'postToolUse', matcher: 'view', verb: 'post-file-read', after },
    { event: 'postToolUse', matcher: 'bash|powershell', verb: 'post-shell', after },
    { event: 'preCompact', verb: 'pre-compact', after },
    { event: 'sessionEnd', verb: 'session-end', after },
    { event: 'sessionStart', verb: 'session-start', after },
    { event: 'subagentStart', verb: 'subagent-start', after },
    { event: 'subagentStop', verb: 'subagent-stop', after },
    { event: 'userPromptSubmitted', verb: 'user-prompt-submitted', after },
  ],
};

/** @see https://docs.github.com/en/copilot/reference/hooks-reference */
export const copilotSettings = settingsOf(COPILOT_HOOKS);
