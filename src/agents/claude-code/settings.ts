import { propertyOf } from '../../base/text/json-edit.ts';
import { settingsOf } from '../hook-table/settings.ts';
import type { HookTable } from '../hook-table/table.ts';

/** Older releases forbade the agent to read our metadata; newer clients then ask for leave on unrelated reads. */
const DENY_RULE = 'Read(./.entire/metadata/**)';

/** Our hooks in Claude Code's project settings. */
export const CLAUDE_HOOKS: HookTable = {
  agent: 'claude-code',
  formerly: ['claudecode'],
  file: '.claude/settings.json',
  liberties: ['byte-order-mark'],
  projectVariable: 'CLAUDE_PROJECT_DIR',
  shape: 'groups',
  isTyped: true,
  slots: [
    { event: 'PostToolUse', matcher: 'Task', verb: 'post-task' },
    { event: 'PostToolUse', matcher: 'TodoWrite', verb: 'post-todo' },
    { event: 'PostToolUse', matcher: 'Write', verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: 'Edit', verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: 'NotebookEdit', verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: 'MultiEdit', verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: 'Bash', verb: 'post-file-edit' },
    { event: 'PostToolUse', matcher: 'Read', verb: 'post-file-read' },
    { event: 'PreCompact', matcher: '', verb: 'pre-compact' },
    { event: 'PreToolUse', matcher: 'Task', verb: 'pre-task' },
    { event: 'SessionEnd', matcher: '', verb: 'session-end' },
    { event: 'SessionStart', matcher: '', verb: 'session-start' },
    { event: 'Stop', matcher: '', verb: 'stop' },
    { event: 'SubagentStop', matcher: '', verb: 'subagent-stop' },
    { event: 'UserPromptSubmit', matcher: '', verb: 'user-prompt-submit' },
  ],
  findObsolete(root) {
    const deny = propertyOf(propertyOf(root, 'permissions'), 'deny');
    if (deny?.type !== 'array') return [];
    return (deny.children ?? []).flatMap(({ value }, index) =>
      value === DENY_RULE ? [['permissions', 'deny', index]] : [],
    );
  },
};

/** @see https://code.claude.com/docs/en/hooks */
export const claudeSettings = settingsOf(CLAUDE_HOOKS);
