import { homedir } from 'node:os';
import { join } from 'node:path';

/** What of a person's sessions is kept outside of repositories: `~/.entire`, absolute. */
export const entireHome = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env.HOME || homedir(), '.entire');

/** One JSON file for each session. */
export const sessionsFolder = (env?: NodeJS.ProcessEnv): string => join(entireHome(env), 'sessions');
export const sessionsDatabase = (env?: NodeJS.ProcessEnv): string => join(entireHome(env), 'sessions.db');
/** A folder for each run. */
export const eventLogFolder = (env?: NodeJS.ProcessEnv): string => join(entireHome(env), 'eventlog');
/** The manifest of `entire worktree`. */
export const worktreeManifest = (env?: NodeJS.ProcessEnv): string =>
  join(entireHome(env), 'worktrees', 'index.json');
