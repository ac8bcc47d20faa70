import { type AnyAgent, isBuiltIn } from '../../agents/names.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { findShown } from '../../git/worktree/status.ts';
import { AGENT_SETTINGS } from '../../hooks/agent-settings.ts';
import { type HooksFolder, listScripts } from '../../hooks/git/hooks-folder.ts';
import { SETTINGS_FILE } from '../../settings/layers.ts';

/** What enabling writes to be shared with the repository, as far as `git status` shows it now: paths from the top of the worktree. */
export function listShared(repo: Repo, agents: readonly AnyAgent[], folder: HooksFolder): string[] {
  const files = agents.filter(isBuiltIn).map((agent) => AGENT_SETTINGS[agent].file);
  const paths = [SETTINGS_FILE, '.entire/.gitignore', ...files, ...listScripts(repo.worktreeRoot, folder)];
  return [...new Set(findShown(gitFor(repo), paths))].sort();
}
