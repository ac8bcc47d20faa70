import { basename, dirname, join } from 'node:path';
import { readTextIfExists } from '../base/disk.ts';
import { isObject, type JsonObject } from '../base/json.ts';

/** What hooks need to know of the settings, from two small reads and without a schema library. */
export type Activation =
  | {
      readonly kind: 'enabled';
      readonly root: string;
      readonly logLevel: string | undefined;
      /** Git hooks name the executable by its path, for programs that start git with a bare PATH. */
      readonly absoluteGitHookPath: boolean;
      /** `prompt`: a commit with a ready message is linked only after a question. */
      readonly commitLinking: string | undefined;
      /** Checkpoints are summarised once a turn is over. */
      readonly summarize: boolean;
      /** Contents of files are kept, so that `entire undo` can bring them back. */
      readonly keepsContents: boolean;
      /** What a session read is noted, so that the agent can be told of its files after a compaction. */
      readonly remindsOfFiles: boolean;
      /** The sections of that name, as they stand in the files: `settings/redaction.ts` reads them. */
      readonly redaction: readonly unknown[];
      /** As the settings name it; `undefined` when they do not. */
      readonly strategy: string | undefined;
    }
  | { readonly kind: 'disabled'; readonly root: string; readonly redaction: readonly unknown[] }
  | { readonly kind: 'not-set-up' }
  | { readonly kind: 'unreadable'; readonly root: string; readonly file: string; readonly reason: string };

export const SETTINGS_FILE = '.entire/settings.json';
export const LOCAL_SETTINGS_FILE = '.entire/settings.local.json';

/**
 * Says whether hooks may act in a worktree. `root` is where the settings were found.
 *
 * A linked worktree without settings of its own follows the main worktree: git hooks are shared by all of them,
 * and untracked settings do not travel with `git worktree add`. A file that does not parse counts as a "no":
 * a typo must not switch on what somebody switched off.
 */
export function readActivation(repo: {
  worktreeRoot: string;
  gitDir: string;
  commonDir: string;
}): Activation {
  const here = readAt(repo.worktreeRoot);
  if (here.kind !== 'not-set-up' || repo.gitDir === repo.commonDir) return here;
  // Of a bare repository, or of one whose git folder lies elsewhere: what is around that folder is not theirs.
  if (basename(repo.commonDir) !== '.git') return here;
  return readAt(dirname(repo.commonDir));
}

function readAt(root: string): Activation {
  let found = false;
  let enabled = true;
  let logLevel: string | undefined;
  let absoluteGitHookPath = false;
  let commitLinking: string | undefined;
  let summarize = false;
  let keepsContents = true;
  let remindsOfFiles = true;
  const redaction: unknown[] = [];
  let strategy: string | undefined;
  for (const name of [SETTINGS_FILE, LOCAL_SETTINGS_FILE]) {
    const file = join(root, name);
    try {
      const text = readTextIfExists(file);
      if (text === undefined) continue;
      found = true;
      const values = parseObject(text);
      const value: unknown = values.enabled ?? enabled;
      if (typeof value !== 'boolean') throw new Error('"enabled" is neither true nor false');
      enabled = value;
      if (typeof values.log_level === 'string' && values.log_level !== '') logLevel = values.log_level;
      if (typeof values.absolute_git_hook_path === 'boolean')
        absoluteGitHookPath = values.absolute_git_hook_path;
      if (typeof values.commit_linking === 'string' && values.commit_linking !== '')
        commitLinking = values.commit_linking;
      const options = values.strategy_options as Options | null | undefined;
      const wish = options?.summarize?.enabled;
      if (typeof wish === 'boolean') summarize = wish;
      const keeps = options?.snapshots?.enabled;
      if (typeof keeps === 'boolean') keepsContents = keeps;
      const reminds = options?.compaction?.enabled;
      if (typeof reminds === 'boolean') remindsOfFiles = reminds;
      if (values.redaction !== undefined) redaction.push(values.redaction);
      if (typeof values.strategy === 'string' && values.strategy !== '') strategy = values.strategy;
    } catch (error) {
      return { kind: 'unreadable', root, file, reason: (error as Error).message };
    }
  }
  if (!found) return { kind: 'not-set-up' };
  return enabled
    ? {
        kind: 'enabled',
        root,
        logLevel,
        absoluteGitHookPath,
        commitLinking,
        summarize,
        keepsContents,
        remindsOfFiles,
        redaction,
        strategy,
      }
    : { kind: 'disabled', root, redaction };
}

interface Options {
  readonly summarize?: { readonly enabled?: unknown } | null;
  readonly snapshots?: { readonly enabled?: unknown } | null;
  readonly compaction?: { readonly enabled?: unknown } | null;
}

/** The text of a settings file as an object. @throws {Error} when it is none */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) throw new Error('not a JSON object');
  return value;
}
