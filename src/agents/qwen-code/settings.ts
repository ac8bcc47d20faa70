import { settingsOf } from '../hook-table/settings.ts';
import type { HookTable } from '../hook-table/table.ts';

/** Our hooks in Qwen Code's project settings. A matcher is a pattern for any part of a tool's name. */
const QWEN_HOOKS: HookTable = {
  agent: 'qwen-code',
  file: '.qwen/settings.json',
  liberties: ['comments', 'byte-order-mark'],
  shape: 'groups',
  isTyped: true,
  slots: [
    { event: 'PostToolUse', matcher: '^agent$', verb: 'post-task' },
    { event: 'PostToolUse', matcher: '^(write_file|edit|notebook_edit)$', verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: '^read_file$', verb: 'post-file-read' },
    { event: 'PostToolUse', matcher: '^run_shell_command$', verb: 'post-shell' },
    { event: 'PostToolUseFailure', matcher: '^run_shell_command$', verb: 'post-shell' },
    { event: 'PreCompact', verb: 'pre-compact' },
    { event: 'PreToolUse', matcher: '^agent$', verb: 'pre-task' },
    { event: 'SessionEnd', verb: 'session-end' },
    { event: 'SessionStart', verb: 'session-start' },
    { event: 'Stop', verb: 'stop' },
    { event: 'StopFailure', verb: 'stop' },
    { event: 'SubagentStop', verb: 'subagent-stop' },
    { event: 'UserPromptSubmit', verb: 'user-prompt-submit' },
  ],
  // The client notes the version of the format in every file that it reads. With nothing beside it, that is all it says.
  findObsolete: (root) => (root.children?.length === 1 && isVersion(root) ? [['$version']] : []),
};

const isVersion = (root: Parameters<NonNullable<HookTable['findObsolete']>>[0]): boolean =>
  root.children?.[0]?.children?.[0]?.value === '$version';

/** @see https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks */
export const qwenSettings = settingsOf(QWEN_HOOKS);
