import { basename, dirname, join } from 'node:path';
import { EntireError } from '../base/errors.ts';
import { isObject, isShallow, type JsonObject } from '../base/json.ts';
import { log } from '../base/log.ts';
import { FileRefused, readWorktreeText } from '../base/small-file.ts';

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
      /** Where it is not empty nothing is permitted that some file has to permit. */
      readonly refused: readonly RefusedSettings[];
    }
  | {
      readonly kind: 'disabled';
      readonly root: string;
      readonly redaction: readonly unknown[];
      readonly refused: readonly RefusedSettings[];
    }
  | { readonly kind: 'not-set-up' };

/** A settings file that is not heard, and why. */
export interface RefusedSettings {
  /** Absolute. */
  readonly file: string;
  readonly reason: string;
}

export const SETTINGS_FILE = '.entire/settings.json';
export const LOCAL_SETTINGS_FILE = '.entire/settings.local.json';

/**
 * Says whether hooks may act in a worktree. `root` is where the settings were found.
 *
 * A linked worktree without settings of its own follows the main worktree: git hooks are shared by all of them,
 * and untracked settings do not travel with `git worktree add`. A file that cannot be read permits nothing, and stops no
 * recording: what another file refuses stays refused, and so does what its own text still seems to refuse, for a typo must not
 * switch on what somebody switched off.
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
  const refused: RefusedSettings[] = [];
  let strategy: string | undefined;
  for (const name of [SETTINGS_FILE, LOCAL_SETTINGS_FILE]) {
    const { values, refusal } = readOne(root, name);
    if (refusal !== undefined) refused.push({ file: join(root, name), reason: refusal });
    if (values === undefined) continue;
    found = true;
    if (typeof values.enabled === 'boolean') enabled = values.enabled;
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
  }
  if (!found) return { kind: 'not-set-up' };
  // The rules of a file that is not heard are not known: everything that rules of ours can find is replaced.
  if (refused.length > 0) redaction.push({ pii: { enabled: true, address: true } });
  return enabled
    ? {
        kind: 'enabled',
        root,
        logLevel,
        absoluteGitHookPath,
        commitLinking,
        summarize: summarize && refused.length === 0,
        keepsContents,
        remindsOfFiles,
        redaction,
        strategy,
        refused,
      }
    : { kind: 'disabled', root, redaction, refused };
}

/** What one file says, as far as it can be read; no `values` where there is none. */
function readOne(root: string, name: string): { values?: JsonObject; refusal?: string } {
  let text: string | undefined;
  try {
    text = readWorktreeText(root, name, 'settings');
    if (text === undefined) return {};
    const values = parseObject(text);
    if (values.enabled === undefined || values.enabled === null || typeof values.enabled === 'boolean')
      return { values };
    return { values: { enabled: false }, refusal: '"enabled" is neither true nor false' };
  } catch (error) {
    const values = text !== undefined && seemsToSayNo(text) ? { enabled: false } : {};
    return { values, refusal: reasonOf(error) };
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof FileRefused ? `it is ${error.reason}` : (error as Error).message;

/** Whether a text that does not parse says `"enabled": false` where it would count. */
function seemsToSayNo(text: string): boolean {
  const plain = text.replace(/"(?:[^"\\\n]|\\.)*"/g, (word) => (word === '"enabled"' ? word : '""'));
  for (const { index } of plain.matchAll(/"enabled"\s*:\s*false\b/g)) {
    const before = plain.slice(0, index);
    if (before.split('{').length - before.split('}').length <= 1) return true;
  }
  return false;
}

/** Leaves in the log which settings are not heard; `entire status` and `entire doctor` look for themselves. */
export function noteRefused(activation: Activation): void {
  if (activation.kind === 'not-set-up') return;
  for (const { file, reason } of activation.refused)
    log('warn', 'settings are not read, and permit nothing', { file, error: reason });
}

interface Options {
  readonly summarize?: { readonly enabled?: unknown } | null;
  readonly snapshots?: { readonly enabled?: unknown } | null;
  readonly compaction?: { readonly enabled?: unknown } | null;
}

/** Deeper than any setting; what has to go through all of a file ends in time. */
const MAX_DEPTH = 64;

/** The text of a settings file as an object. @throws {Error} when it is none */
export function parseObject(text: string): JsonObject {
  const value = parse(text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) throw new Error('not a JSON object');
  if (!isShallow(value, MAX_DEPTH)) throw new Error(TOO_DEEP);
  return value;
}

export const TOO_DEEP = 'nested too deep';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof RangeError ? new Error(TOO_DEEP) : error; // more than the stack holds
  }
}

/** What a settings file says, `undefined` where there is none. @throws {EntireError} `CONFIG_UNREADABLE` */
export function readSettingsObject(root: string, name: string): JsonObject | undefined {
  try {
    const text = readWorktreeText(root, name, 'settings');
    return text === undefined ? undefined : parseObject(text);
  } catch (error) {
    throw new EntireError('CONFIG_UNREADABLE', `${name} is not read: ${reasonOf(error)}.`, {
      hint: 'Correct the file and run the command again. Until then it permits nothing.',
    });
  }
}
