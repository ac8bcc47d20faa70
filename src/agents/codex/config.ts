import { dirname, join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import { readUserText } from '../../base/file/small-file.ts';
import { asObject, type JsonObject } from '../../base/text/json.ts';
import { codexHome } from './session-home.ts';

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
