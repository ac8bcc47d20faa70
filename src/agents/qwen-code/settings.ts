import { dirname, join } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { asObject, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Waiting } from '../setup.ts';
import { settingsOf } from '../shared/hook-table/settings.ts';
import type { HookTable } from '../shared/hook-table/table.ts';
import { configDir } from './session-home.ts';

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

/**
 * The file by which the client does not trust a folder, and so does not look at the settings in it; `undefined` where it
 * does. It asks for trust only where its own settings say so.
 */
export function findDistrust(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const { system, user, defaults } = settingsOutside(env);
  const said = [system, user, defaults].map(trustSetting).find((value) => value !== undefined);
  return said !== true || isTrusted(root, env) ? undefined : trustFile(env);
}

const trustFile = (env: NodeJS.ProcessEnv): string =>
  env.QWEN_CODE_TRUSTED_FOLDERS_PATH || join(configDir(env), 'trustedFolders.json');

function trustSetting(file: string): unknown {
  const { security } = readObject(file);
  const trust = isObject(security) ? security.folderTrust : undefined;
  return isObject(trust) ? trust.enabled : undefined;
}

/** What is said of the folder itself, else of the nearest one above it; a rule may also be about all beside a folder. */
function isTrusted(root: string, env: NodeJS.ProcessEnv): boolean {
  const rules = new Map<string, boolean>();
  for (const [path, rule] of Object.entries(readObject(trustFile(env))))
    rules.set(rule === 'TRUST_PARENT' ? dirname(path) : path, rule !== 'DO_NOT_TRUST');
  for (let folder = root; ; folder = dirname(folder)) {
    const said = rules.get(folder);
    if (said !== undefined || folder === dirname(folder)) return said === true;
  }
}

/** See `Agent.findWaiting`. */
export function findWaiting(root: string, env: NodeJS.ProcessEnv): Waiting | undefined {
  const file = findDistrust(root, env);
  const need =
    'Qwen Code reads no settings of a folder that is not trusted: start `qwen` here once and trust it.';
  return file === undefined ? undefined : { file, need };
}

/**
 * The settings file by which the client runs no hooks of a project; `undefined` where it runs them. An administrator's
 * settings count before the project's, those before the user's.
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const { system, user, defaults } = settingsOutside(env);
  const files = [system, join(root, '.qwen', 'settings.json'), user, defaults];
  const saying = files.find((file) => typeof readObject(file).disableAllHooks === 'boolean');
  return saying !== undefined && readObject(saying).disableAllHooks === true ? saying : undefined;
}

/** Settings that an administrator deploys. */
const SYSTEM: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/QwenCode/settings.json',
  win32: 'C:\\ProgramData\\qwen-code\\settings.json',
};

/** Settings files that are not a project's: those of an administrator count before the user's, the defaults after them. */
function settingsOutside(env: NodeJS.ProcessEnv): { system: string; user: string; defaults: string } {
  const system =
    env.QWEN_CODE_SYSTEM_SETTINGS_PATH || SYSTEM[process.platform] || '/etc/qwen-code/settings.json';
  return {
    system,
    user: join(configDir(env), 'settings.json'),
    defaults: env.QWEN_CODE_SYSTEM_DEFAULTS_PATH || join(dirname(system), 'system-defaults.json'),
  };
}

/** An object in a JSON file; what cannot be read says nothing. */
export function readObject(file: string): JsonObject {
  try {
    return asObject(parseJson(readUserText(file, 'home') ?? ''));
  } catch {
    return {};
  }
}
