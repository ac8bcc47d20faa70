import { dirname, join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { disk } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { sha256Of } from '../../base/hash.ts';
import { asList, asObject, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Waiting } from '../setup.ts';
import { codexHome } from './session-home.ts';

/**
 * Whether Codex runs our hooks in a worktree as things stand, and if not, what keeps it from that. It says nothing itself:
 * hooks that a user has not reviewed are passed over in silence.
 *
 * - `project`: the user has not said that the project is trusted; nothing in its `.codex` is read.
 * - `hooks`: the user has not reviewed these hooks, or not as they are now, or has switched them off.
 * - `elsewhere`: this is a linked worktree, and Codex reads `file`, of the main checkout, which has no hooks of ours.
 * - `no-folder`: this is a linked worktree without a folder `.codex`, which Codex wants before it reads that of the main one.
 * - `unreadable`: `file` is not strict JSON, or has more in it than `hooks` and `description`; Codex passes over all of it.
 */
export type HookTrust =
  | { readonly is: 'trusted' }
  | { readonly is: 'project'; readonly file: string; readonly project: string }
  | { readonly is: 'hooks'; readonly file: string; readonly waiting: readonly WaitingHook[] }
  | { readonly is: 'elsewhere' | 'no-folder' | 'unreadable'; readonly file: string };

/** A hook of ours that Codex does not run. */
export interface WaitingHook {
  readonly event: string;
  readonly command: string;
  /** Never reviewed; changed since; switched off by the user. */
  readonly why: 'new' | 'changed' | 'off';
}

/**
 * Judges trust from the user's settings, which Codex writes when hooks are reviewed (`/hooks`) and a folder is
 * trusted. A run with `--dangerously-bypass-hook-trust` asks for none of it.
 *
 * @param root worktree root, physical
 * @returns `undefined` where no hooks of ours are set up
 */
export function judgeHookTrust(root: string, env: NodeJS.ProcessEnv): HookTrust | undefined {
  const main = mainCheckout(root);
  const [own, read] = [root, main].map((folder) => join(folder, '.codex', 'hooks.json')) as [string, string];
  const hooks = listOwnHooks(read);
  if (hooks === 'unreadable') return { is: 'unreadable', file: read };
  if (hooks.length === 0) {
    const isHere = main !== root && listOwnHooks(own).length > 0;
    return isHere ? { is: 'elsewhere', file: read } : undefined;
  }
  if (main !== root && !disk.existsSync(join(root, '.codex')))
    return { is: 'no-folder', file: join(root, '.codex') };
  const config = readConfig(userConfig(env));
  const levels = [root, main].map((folder) => table(table(config, 'projects'), folder).trust_level);
  if (levels.find((level) => level !== undefined) !== 'trusted')
    return { is: 'project', file: userConfig(env), project: main };
  const states = table(table(config, 'hooks'), 'state');
  const waiting = hooks.flatMap((hook): WaitingHook[] => {
    const why = judgeHook(table(states, `${read}:${hook.key}`), hook.hash);
    return why === undefined ? [] : [{ event: hook.event, command: hook.command, why }];
  });
  return waiting.length > 0 ? { is: 'hooks', file: userConfig(env), waiting } : { is: 'trusted' };
}

function judgeHook(state: JsonObject, hash: string | undefined): WaitingHook['why'] | undefined {
  if (state.enabled === false) return 'off';
  if (typeof state.trusted_hash !== 'string') return 'new';
  return hash === undefined || state.trusted_hash === hash ? undefined : 'changed';
}

/** A hook of ours by its place in the file, which is what trust hangs on. */
interface OwnHook {
  readonly event: string;
  readonly command: string;
  readonly key: string;
  /** `undefined` where the hook has members that we do not know the digest with. */
  readonly hash: string | undefined;
}

const OURS = /\bentire(?:\.exe)?['"]?\s+hooks codex\s/;

function listOwnHooks(file: string): readonly OwnHook[] | 'unreadable' {
  const text = readText(file);
  if (text === undefined) return [];
  const settings = parseJson(text);
  const isStrict =
    isObject(settings) && Object.keys(settings).every((key) => ['hooks', 'description'].includes(key));
  if (!isStrict) return OURS.test(text) ? 'unreadable' : [];
  return Object.entries(table(settings, 'hooks')).flatMap(([event, groups]) =>
    list(groups).flatMap((group, at) =>
      list(group.hooks).flatMap((hook, index): OwnHook[] => {
        const { command } = hook;
        if (typeof command !== 'string' || !OURS.test(command)) return [];
        const key = `${keyOf(event)}:${at}:${index}`;
        return [{ event, command, key, hash: hashHook(event, group.matcher, hook) }];
      }),
    ),
  );
}

const list = (value: unknown): JsonObject[] => asList(value).map(asObject);

function readText(file: string): string | undefined {
  try {
    return readUserText(file, 'home');
  } catch {
    return undefined;
  }
}

/** `PostToolUse` is `post_tool_use`. */
const keyOf = (event: string): string => event.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();

/** For these Codex forgets the matcher. */
const WITHOUT_MATCHER: readonly string[] = ['UserPromptSubmit', 'Stop', 'Interrupt'];
/** Seconds that a hook has which does not say, and at most; others have ten minutes and no bound. */
const SHORT: Readonly<Record<string, { usual: number; most: number }>> = {
  SessionEnd: { usual: 1, most: 3 },
  Interrupt: { usual: 1, most: 3 },
};

/**
 * The digest by which Codex knows a hook that was reviewed: of its members as JSON with sorted keys, what is not said
 * filled in.
 *
 * @see https://github.com/openai/codex/blob/main/codex-rs/hooks/src/engine/discovery.rs `command_hook_hash`
 */
export function hashHook(event: string, matcher: unknown, hook: JsonObject): string | undefined {
  const { type, command, timeout, async: inBackground, statusMessage, ...more } = hook;
  if (Object.keys(more).length > 0) return undefined;
  const { usual, most } = SHORT[event] ?? { usual: 600, most: Number.MAX_SAFE_INTEGER };
  const seconds = typeof timeout === 'number' ? Math.min(Math.max(timeout, 1), most) : usual;
  const identity = {
    event_name: keyOf(event),
    hooks: [
      {
        async: inBackground === true,
        command,
        ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
        timeout: seconds,
        type,
      },
    ],
    ...(typeof matcher === 'string' && !WITHOUT_MATCHER.includes(event) ? { matcher } : {}),
  };
  return `sha256:${sha256Of(JSON.stringify(identity))}`;
}

/** See `Agent.findWaiting`. */
export function findWaiting(root: string, env: NodeJS.ProcessEnv): Waiting | undefined {
  const trust = judgeHookTrust(root, env);
  switch (trust?.is) {
    case 'project':
      return {
        file: trust.file,
        need: 'Start `codex` here once, trust the folder, and review its hooks with /hooks.',
      };
    case 'hooks': {
      const isNew = trust.waiting.some(({ why }) => why === 'new');
      const why = isNew
        ? "Codex has not been told that Entire's hooks may run"
        : "It seems that Entire's hooks changed since they were reviewed, or are off";
      return { file: trust.file, need: `${why}: start \`codex\` here and review them with /hooks.` };
    }
    case 'elsewhere':
      return {
        file: trust.file,
        need: 'Codex reads the hooks of the main checkout: run `entire enable --agent codex` there.',
      };
    case 'no-folder':
      return {
        file: trust.file,
        need: 'Codex reads no hooks in a linked worktree without a folder of that name: make one.',
      };
    case 'unreadable':
      return {
        file: trust.file,
        need: 'Codex passes over the whole file: it has to be strict JSON, with `hooks` and nothing else.',
      };
    default:
      return undefined;
  }
}

/** Settings of the machine: what an administrator demands, and what is so unless a user says otherwise. */
const SYSTEM_FOLDER = '/etc/codex';

/**
 * The settings file that switches off all hooks of a project, ours included; `undefined` where none does. What an
 * administrator demands stands above all; of the others that say something the nearest counts.
 *
 * @see https://developers.openai.com/codex/hooks
 */
export function findHookSwitch(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const demanded = join(SYSTEM_FOLDER, 'requirements.toml');
  const demands = readConfig(demanded);
  if (demands.allow_managed_hooks_only === true || hooksFeature(demands) === false) return demanded;
  const files = [join(root, '.codex', 'config.toml'), userConfig(env), join(SYSTEM_FOLDER, 'config.toml')];
  const saying = files.find((file) => hooksFeature(readConfig(file)) !== undefined);
  return saying !== undefined && hooksFeature(readConfig(saying)) === false ? saying : undefined;
}

/** The switch, by its name and by the one it had before; `undefined` where the file has neither. */
function hooksFeature(config: JsonObject): boolean | undefined {
  const { hooks, codex_hooks: before } = table(config, 'features');
  return [hooks, before].find((value) => typeof value === 'boolean');
}

/** The user's own settings of Codex. Only this file says what is trusted. */
export const userConfig = (env: NodeJS.ProcessEnv): string => join(codexHome(env), 'config.toml');

/** A settings file of Codex. What cannot be read says nothing. */
export function readConfig(file: string): JsonObject {
  try {
    return asObject(parse(readUserText(file, 'home') ?? ''));
  } catch {
    return {}; // Codex does not start with such a file, and says so itself
  }
}

/** A table in a table; empty when there is none. */
export const table = (value: JsonObject, name: string): JsonObject =>
  asObject(Object.hasOwn(value, name) ? value[name] : undefined);

/**
 * The checkout that a linked worktree belongs to; `root` itself where it is none. Codex takes the hooks of a project from
 * there, and trust that was given to it holds for its worktrees.
 *
 * @see https://git-scm.com/docs/gitrepository-layout
 */
export function mainCheckout(root: string): string {
  try {
    const [, gitDir = ''] = /^gitdir: (.+?)\s*$/s.exec(readUserText(join(root, '.git'), 'git') ?? '') ?? [];
    const [, commonDir = ''] = /^(.+)[/\\]worktrees[/\\][^/\\]+$/.exec(gitDir && resolve(root, gitDir)) ?? [];
    return /[/\\]\.git$/.test(commonDir) ? dirname(commonDir) : root;
  } catch {
    return root; // `.git` is a folder
  }
}
