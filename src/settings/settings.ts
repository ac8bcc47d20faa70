import { join } from 'node:path';
import { z } from 'zod';
import { describeError, EntireError } from '../base/errors.ts';
import type { RefusedSettings } from './enabled.ts';
import { KEYS, type Key, STRATEGIES } from './keys.ts';
import {
  isFlag,
  isText,
  type Layer,
  LOCAL_SETTINGS_FILE,
  pick,
  readLayers,
  SETTINGS_FILE,
} from './layers.ts';
import { readSettingsFile } from './settings-file.ts';

export type StrategyName = (typeof STRATEGIES)[number];
export const DEFAULT_STRATEGY = STRATEGIES[0];

const TYPES = { boolean: z.boolean().nullish(), string: z.string().nullish(), any: z.unknown().optional() };

/** One settings file, as far as the table of keys says what must stand there. */
const schema = toSchema(Object.values<Key>(KEYS));

function toSchema(keys: readonly { path: readonly string[]; type: Key['type'] }[]): z.ZodType {
  const names = new Set(keys.flatMap(({ path }) => path[0] ?? []));
  const shape = [...names].map((name) => {
    const inside = keys.filter(({ path }) => path[0] === name);
    const itself = inside.find(({ path }) => path.length === 1);
    const below = inside.map(({ path, type }) => ({ path: path.slice(1), type }));
    return [name, itself ? TYPES[itself.type] : toSchema(below).nullish()];
  });
  return z.looseObject(Object.fromEntries(shape));
}

/** What stands there besides is kept, and reported. */
const KNOWN = new Set(Object.values<Key>(KEYS).map(({ path }) => path[0]));

/** Values of one file, or of all of them merged; a key that is missing or null is absent. */
export interface SettingsValues {
  readonly strategy?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly logLevel?: string | undefined;
  /** Contents of files are kept for undo. */
  readonly snapshots?: boolean | undefined;
  readonly absoluteGitHookPath?: boolean | undefined;
  readonly commitLinking?: string | undefined;
}

/** What holds in a worktree: local over project over the person's over defaults, key by key. */
export interface Settings extends SettingsValues {
  readonly strategy: string;
  readonly enabled: boolean;
}

/** What anyone may set. Whether data may leave is asked of `settings/push.ts`, other permissions of `settings/permissions.ts`. */
export interface LoadedSettings {
  readonly effective: Settings;
  /** `undefined` when the file does not exist. */
  readonly project: SettingsValues | undefined;
  readonly local: SettingsValues | undefined;
  /** Keys that no release knows, such as a misspelt one. */
  readonly unknownKeys: readonly { readonly file: string; readonly key: string }[];
}

/**
 * Reads the files that hold below `root`. No file at all means the defaults.
 *
 * @throws {EntireError} `CONFIG_UNREADABLE` naming file, and line or key
 */
export function loadSettings(root: string): LoadedSettings {
  const unknownKeys = [SETTINGS_FILE, LOCAL_SETTINGS_FILE].flatMap((file) => checkFile(root, file));
  return { ...combine(readLayers(root)), unknownKeys };
}

/** {@link loadSettings} for those who only tell: what cannot be read does not count. */
export function loadHeardSettings(
  root: string,
): LoadedSettings & { readonly refused: readonly RefusedSettings[] } {
  const refused: RefusedSettings[] = [];
  const unknownKeys = [SETTINGS_FILE, LOCAL_SETTINGS_FILE].flatMap((file) => {
    try {
      return checkFile(root, file);
    } catch (error) {
      refused.push({ file: join(root, file), reason: describeError(error), lacksRules: false });
      return [];
    }
  });
  const heard = readLayers(root).filter(({ file }) => !refused.some((one) => one.file === file));
  return { ...combine(heard), unknownKeys, refused };
}

function combine(layers: readonly Layer[]): Omit<LoadedSettings, 'unknownKeys'> {
  const valuesOf = (wanted: Layer['name']) => {
    const layer = layers.find(({ name }) => name === wanted);
    return layer && toValues([layer]);
  };
  const { strategy = DEFAULT_STRATEGY, enabled = true, ...others } = toValues(layers);
  return {
    effective: { ...others, strategy, enabled },
    project: valuesOf('project'),
    local: valuesOf('local'),
  };
}

/** @returns keys that nobody knows @throws {EntireError} `CONFIG_UNREADABLE` */
function checkFile(root: string, file: string): { file: string; key: string }[] {
  const json = readSettingsFile(root, file);
  if (json === undefined) return [];
  const result = schema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new EntireError('CONFIG_UNREADABLE', `${file}: "${issue?.path.join('.')}" ${issue?.message}`, {
      hint: 'Correct the file and run the command again.',
    });
  }
  return Object.keys(json)
    .filter((key) => !KNOWN.has(key))
    .map((key) => ({ file, key }));
}

/** Empty texts mean "not set", so that a local file cannot blank out a shared value. */
function toValues(layers: readonly Layer[]): SettingsValues {
  const values = {
    strategy: pick(layers, KEYS.strategy, isText),
    enabled: pick(layers, KEYS.enabled, isFlag),
    logLevel: pick(layers, KEYS.logLevel, isText),
    snapshots: pick(layers, KEYS.snapshots, isFlag),
    absoluteGitHookPath: pick(layers, KEYS.absoluteGitHookPath, isFlag),
    commitLinking: pick(layers, KEYS.commitLinking, isText),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
