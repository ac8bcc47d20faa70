import { isAbsolute, join, relative, resolve } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import { asList, asObject, isObject, parseJson } from '../../base/text/json.ts';
import type { Waiting } from '../setup.ts';
import { settingsOf } from '../shared/hook-table/settings.ts';
import type { HookTable } from '../shared/hook-table/table.ts';
import { clientHome } from './hook-input.ts';

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

/**
 * Whether Copilot CLI runs the hooks of a worktree as things stand. It says nothing itself: in a folder that the user
 * does not trust it passes over all of them in silence.
 *
 * - `project`: the folder is not among those that `file` names as trusted. The client asks when it is started there in a
 *   terminal; `-p` does not ask, and wants `--trust-folder`, which is for that one session.
 */
export type HookTrust =
  | { readonly is: 'trusted' }
  | { readonly is: 'project'; readonly file: string; readonly project: string };

/**
 * Judges trust from where the client notes it. A folder is trusted with all that lies below it, and a repository with its
 * linked worktrees. What one run is told for itself is not asked here, save for what stands in the environment.
 *
 * @param root worktree root, physical
 */
export function judgeHookTrust(root: string, env: NodeJS.ProcessEnv): HookTrust {
  if (env.COPILOT_ALLOW_ALL === 'true') return { is: 'trusted' };
  const file = join(clientHome(env), 'config.json');
  const folders = readTrusted(file);
  const isTrusted = [root, mainCheckout(root)].some((one) => folders.some((folder) => isWithin(folder, one)));
  return isTrusted ? { is: 'trusted' } : { is: 'project', file, project: root };
}

const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && !/^\.\.(?:[/\\]|$)/.test(way));
};

/** The client begins the file with comments of its own. */
function readTrusted(file: string): string[] {
  const text = readQuietly(file).replace(/^\s*\/\/.*$/gm, '');
  const config = parseJson(text);
  return asList(asObject(config).trustedFolders).filter(
    (folder): folder is string => typeof folder === 'string' && isAbsolute(folder),
  );
}

/** Where the repository of a linked worktree is checked out itself; the worktree, where it is none. */
function mainCheckout(root: string): string {
  const [, gitDir] = /^gitdir: (.+)$/m.exec(readQuietly(join(root, '.git'))) ?? [];
  const [, main] = /^(.*)[/\\]\.git[/\\]worktrees[/\\][^/\\]+$/.exec(resolve(root, gitDir ?? '.')) ?? [];
  return main || root;
}

/** What cannot be read says nothing here: `.git` is a folder in most cases. */
function readQuietly(file: string): string {
  try {
    return readUserText(file, 'home') ?? '';
  } catch {
    return '';
  }
}

/** See `Agent.findWaiting`. */
export function findWaiting(root: string, env: NodeJS.ProcessEnv): Waiting | undefined {
  const trust = judgeHookTrust(root, env);
  if (trust.is === 'trusted') return undefined;
  const need =
    'Copilot CLI runs hooks in trusted folders only: start `copilot` here once and let it remember the folder.';
  return { file: trust.file, need };
}

/** Settings of a repository that Copilot CLI asks. What a user's own settings say of `disableAllHooks` is not for these. */
const FILES = [
  '.github/copilot/settings.local.json',
  '.github/copilot/settings.json',
  '.claude/settings.local.json',
  '.claude/settings.json',
];

/** The settings file that switches off all hooks of a project, ours included; `undefined` where none does. */
export const findHookSwitch = (root: string): string | undefined =>
  FILES.map((file) => join(root, file)).find((file) => switchesOff(file));

/** What cannot be read says nothing here. */
function switchesOff(file: string): boolean {
  try {
    const settings = parseJson(readUserText(file, 'home') ?? '');
    return isObject(settings) && settings.disableAllHooks === true;
  } catch {
    return false;
  }
}
