import { isAbsolute } from 'node:path';
import { locateRepo, type Repo } from '../git/locate.ts';

/**
 * The worktree a session lives in. Claude Code names the folder it was started in to its hooks, and keeps naming it
 * when the agent moves to a sub-directory or into another worktree; the payload's `cwd` moves along. Other clients that name
 * theirs do so under the same name, too.
 */
export const locateSessionHome = (cwd: string | undefined): Repo | undefined =>
  locateRepo(sessionFolder(cwd));

/** The folder to look from. */
export function sessionFolder(cwd: string | undefined): string {
  const project = process.env.CLAUDE_PROJECT_DIR;
  return project && isAbsolute(project) ? project : (cwd ?? process.cwd());
}
