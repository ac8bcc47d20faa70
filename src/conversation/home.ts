import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

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
