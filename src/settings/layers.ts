import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { EntireError, FileRefused } from '../base/errors.ts';
import { readUserText, readWorktreeText } from '../base/file/small-file.ts';
import { toRepoPath } from '../base/repo-path.ts';
import { isObject, isShallow, type JsonObject } from '../base/text/json.ts';
import { type HarmlessKey, valueAt } from './keys.ts';
import { salvage } from './salvage.ts';

export const SETTINGS_FILE = '.entire/settings.json';
export const LOCAL_SETTINGS_FILE = '.entire/settings.local.json';

/** A settings file, weakest first: the person's for all repositories, the one that is shared, and the person's for this worktree. */
export type LayerName = 'user' | 'project' | 'local';

/** One settings file that is there. */
export interface Layer {
  readonly name: LayerName;
  readonly file: string;
  /** Of a file that cannot be read no more than what it still seems to refuse, and its rules of redaction where they are whole. */
  readonly values: JsonObject;
  /** Why it is not heard: then nothing is permitted that some file has to permit. */
  readonly problem?: string;
  /** It may have rules of redaction that nobody knows now. */
  readonly lacksRules?: boolean;
}

/** The settings files that hold below `root`, later ones over earlier ones. Three small reads, without a schema library. */
export function readLayers(root: string, env: NodeJS.ProcessEnv = process.env): Layer[] {
  const user = userSettingsFile(env);
  const ofWorktree = (name: LayerName, path: string): Layer[] =>
    readLayer(name, join(root, path), () => readWorktreeText(root, path, 'settings'));
  return [
    // One that lies in the worktree, whoever says that it is the person's, came with the repository.
    ...(toRepoPath(root, user) ? [] : readLayer('user', user, () => readUserText(user, 'settings'))),
    ...ofWorktree('project', SETTINGS_FILE),
    ...ofWorktree('local', LOCAL_SETTINGS_FILE),
  ];
}

/** `$XDG_CONFIG_HOME/entire/settings.json`, else below `~/.config`. What is no absolute path does not count. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  const { XDG_CONFIG_HOME: folder = '', HOME: home } = env;
  const base = isAbsolute(folder) ? folder : join(home || homedir(), '.config');
  return join(base, 'entire', 'settings.json');
}

function readLayer(name: LayerName, file: string, read: () => string | undefined): Layer[] {
  let text: string | undefined;
  try {
    text = read();
    if (text === undefined) return [];
    const values = parseObject(text);
    if (typeof (values.enabled ?? true) === 'boolean') return [{ name, file, values }];
    const { redaction } = values;
    const heard = { enabled: false, ...(redaction === undefined ? {} : { redaction }) };
    return [{ name, file, values: heard, problem: '"enabled" is neither true nor false' }];
  } catch (error) {
    const known = text === undefined ? { values: {}, lacksRules: true } : salvage(text, MAX_DEPTH);
    return [{ name, file, ...known, problem: reasonOf(error) }];
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof FileRefused ? `it is ${error.reason}` : (error as Error).message;

/** Deeper than any setting; what has to go through all of a file ends in time. */
export const MAX_DEPTH = 64;
export const TOO_DEEP = 'nested too deep';

/** The text of a settings file as an object. @throws {Error} when it is none */
export function parseObject(text: string): JsonObject {
  const value = parse(text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) throw new Error('not a JSON object');
  if (!isShallow(value, MAX_DEPTH)) throw new Error(TOO_DEEP);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof RangeError ? new Error(TOO_DEEP) : error; // more than the stack holds
  }
}

/** How people know a settings file. */
export const whereOf = ({ name, file }: Layer): string =>
  name === 'user' ? file : name === 'project' ? SETTINGS_FILE : LOCAL_SETTINGS_FILE;

/** For commands, which fail loud. @throws {EntireError} `CONFIG_UNREADABLE` for a file that is not heard */
export function refuseUnreadable(layers: readonly Layer[]): void {
  const broken = layers.find(({ problem }) => problem !== undefined);
  if (broken === undefined) return;
  throw new EntireError('CONFIG_UNREADABLE', `${whereOf(broken)} is not read: ${broken.problem}.`, {
    hint: 'Correct the file and run the command again. Until then it permits nothing.',
  });
}

/** What the files say of a key that anyone may set: the last value that is one. */
export function pick<T>(
  layers: readonly Layer[],
  key: HarmlessKey,
  isValue: (value: unknown) => value is T,
): T | undefined {
  return layers.map(({ values }) => valueAt(values, key)).findLast(isValue);
}

export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
