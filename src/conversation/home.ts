import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { log } from '../base/log.ts';

const userHome = (env: NodeJS.ProcessEnv): string => env.HOME || homedir();

/** What of a person's sessions is kept outside of repositories: `~/.entire`, absolute. */
export const entireHome = (env: NodeJS.ProcessEnv = process.env): string => join(userHome(env), '.entire');

/** One JSON file for each session. */
export const sessionsFolder = (env?: NodeJS.ProcessEnv): string => join(entireHome(env), 'sessions');
export const sessionsDatabase = (env?: NodeJS.ProcessEnv): string => join(entireHome(env), 'sessions.db');
/** A folder for each run. */
export const eventLogFolder = (env?: NodeJS.ProcessEnv): string => join(entireHome(env), 'eventlog');
/** Transcripts that came with imported sessions, a folder for each session. */
export const importsFolder = (env?: NodeJS.ProcessEnv): string => join(entireHome(env), 'imports');
/** The manifest of `entire worktree`. */
export const worktreeManifest = (env?: NodeJS.ProcessEnv): string =>
  join(entireHome(env), 'worktrees', 'index.json');

/** A path that somebody wrote, absolute: a `~` at its beginning is the home of who runs this, as in a shell. */
export const resolveHome = (path: string, env: NodeJS.ProcessEnv = process.env): string =>
  resolve(path.replace(/^~(?=[/\\]|$)/, () => userHome(env)));

/** Drops what lists of sessions remember, where they remember one: caches, which are made again. Never throws. */
export function forgetInCaches(id: string, env: NodeJS.ProcessEnv = process.env): void {
  for (const name of ['session-heads.json', 'stats-cache.json']) {
    const file = join(entireHome(env), name);
    try {
      if (readOwnText(file, 'record')?.includes(id)) disk.rmSync(file, { force: true });
    } catch (error) {
      log('warn', 'cache not cleaned', { file, error: describeError(error) });
    }
  }
}
