import { dirname, join, relative, resolve, sep } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { asObject, isObject, type JsonObject } from '../../base/text/json.ts';
import { settingsOf } from '../shared/hook-table/settings.ts';
import type { HookSlot, HookTable } from '../shared/hook-table/table.ts';
import { readJson } from './json-comments.ts';
import { configDir, stateDir } from './session-home.ts';

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

/** Folders of settings that an administrator deploys. */
const SYSTEM: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/GeminiCli',
  win32: 'C:\\ProgramData\\gemini-cli',
};

/**
 * The file that keeps our hooks in a project from running; `undefined` where none does: settings that switch off all hooks
 * or one of ours by its name, and the list of folders that the user does not trust. A folder on which nothing is said yet
 * is no matter: the client asks before it starts there, and refuses to work without an answer.
 *
 * @see https://geminicli.com/docs/reference/configuration and https://geminicli.com/docs/cli/trusted-folders
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const system = env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || join(systemDir(), 'settings.json');
  const defaults = env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH || join(dirname(system), 'system-defaults.json');
  const user = join(configDir(env), 'settings.json');
  const own = join(root, '.gemini', 'settings.json');
  const isAsked = lastSaying('security', 'folderTrust', [system, user, defaults])?.enabled !== false;
  const trusted = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(stateDir(env), 'trustedFolders.json');
  if (isAsked && env.GEMINI_CLI_TRUST_WORKSPACE !== 'true' && isDistrusted(trusted, root)) return trusted;
  const files = [system, own, user, defaults];
  const saying = files.find((file) => typeof sectionOf(file, 'hooksConfig').enabled === 'boolean');
  if (saying !== undefined && sectionOf(saying, 'hooksConfig').enabled === false) return saying;
  return files.find(disablesOurs);
}

const systemDir = (): string => SYSTEM[process.platform] ?? '/etc/gemini-cli';

const sectionOf = (file: string, name: string): JsonObject => asObject(readJson(file)[name]);

/** The first of `files` that says something decides. */
const lastSaying = (name: string, part: string, files: readonly string[]): JsonObject | undefined =>
  files
    .map((file) => sectionOf(file, name)[part])
    .filter(isObject)
    .find(({ enabled }) => typeof enabled === 'boolean');

/** Hooks are listed by their names, those without one by their commands. The lists of all files count. */
function disablesOurs(file: string): boolean {
  const { disabled } = sectionOf(file, 'hooksConfig');
  return (
    Array.isArray(disabled) &&
    disabled.some((name) => typeof name === 'string' && /^entire(?:-| hooks gemini )/.test(name))
  );
}

/** Of the rules for folders above, the one with the longest path counts. */
function isDistrusted(file: string, root: string): boolean {
  const here = physical(root);
  const [nearest] = Object.entries(readJson(file))
    .filter(([path, level]) => isWithin(physical(level === 'TRUST_PARENT' ? dirname(path) : path), here))
    .toSorted(([a], [b]) => b.length - a.length);
  return nearest?.[1] === 'DO_NOT_TRUST';
}

function isWithin(parent: string, folder: string): boolean {
  const path = relative(parent, folder);
  return path !== '..' && !path.startsWith(`..${sep}`) && resolve(parent, path) === folder;
}

function physical(path: string): string {
  try {
    return disk.realpathSync(path);
  } catch {
    return resolve(path); // no longer there
  }
}
