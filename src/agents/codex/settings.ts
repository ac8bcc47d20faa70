import { settingsOf } from '../shared/hook-table/settings.ts';
import type { HookTable } from '../shared/hook-table/table.ts';

const PATIENT = { timeout: 30 };
/** Codex waits no longer at the end of a session or of a turn that is stopped, and one second where nothing is said. */
const AT_THE_END = { timeout: 3 };

/**
 * Our hooks in a project of Codex. What trust hangs on is the place of a hook in the file and everything it says: a change
 * of this table makes users review our hooks again.
 */
const CODEX_HOOKS: HookTable = {
  agent: 'codex',
  file: '.codex/hooks.json',
  liberties: [],
  shape: 'groups',
  isTyped: true,
  isStrict: true,
  slots: [
    { event: 'Interrupt', verb: 'interrupt', after: AT_THE_END },
    { event: 'PostToolUse', matcher: 'apply_patch', verb: 'post-file-edit', after: PATIENT },
    { event: 'PostToolUse', matcher: 'Bash', verb: 'post-shell', after: PATIENT },
    { event: 'PreCompact', verb: 'pre-compact', after: PATIENT },
    { event: 'SessionEnd', verb: 'session-end', after: AT_THE_END },
    { event: 'SessionStart', verb: 'session-start', after: PATIENT },
    { event: 'Stop', verb: 'stop', after: PATIENT },
    { event: 'SubagentStart', verb: 'subagent-start', after: PATIENT },
    { event: 'SubagentStop', verb: 'subagent-stop', after: PATIENT },
    { event: 'UserPromptSubmit', verb: 'user-prompt-submit', after: PATIENT },
  ],
};

/** @see https://developers.openai.com/codex/hooks */
export const codexSettings = settingsOf(CODEX_HOOKS);
