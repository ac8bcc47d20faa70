import { join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { asObject, parseJson } from '../../base/text/json.ts';
import { propertyOf } from '../../base/text/json-edit.ts';
import { settingsOf } from '../shared/hook-table/settings.ts';
import type { HookTable } from '../shared/hook-table/table.ts';
import { configDir } from './session-home.ts';

/** Older releases forbade the agent to read our metadata; newer clients then ask for permission on unrelated reads. */
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

/** Settings that an administrator deploys stand above all others. */
export const MANAGED: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  linux: '/etc/claude-code/managed-settings.json',
  win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
};

/**
 * The settings file that switches off all hooks of a project, ours included; `undefined` where none does. Of several
 * that say something the nearest counts: an administrator's, the user's own for the project, the project's, the user's.
 *
 * @see https://code.claude.com/docs/en/settings
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const managed = MANAGED[process.platform];
  const files = [
    join(root, '.claude', 'settings.local.json'),
    join(root, '.claude', 'settings.json'),
    join(configDir(env), 'settings.json'),
  ];
  if (managed !== undefined && read(managed).allowManagedHooksOnly === true) return managed;
  const saying = [...(managed ? [managed] : []), ...files].find(
    (file) => typeof read(file).disableAllHooks === 'boolean',
  );
  return saying !== undefined && read(saying).disableAllHooks === true ? saying : undefined;
}

/** What cannot be read says nothing here. */
function read(file: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(parseJson(readUserText(file, 'home') ?? ''));
  } catch {
    return {};
  }
}
