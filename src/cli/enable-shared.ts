import { type AnyAgent, isBuiltIn } from '../agents/names.ts';
import { listNames } from '../base/disk.ts';
import { toRepoPath } from '../base/repo-path.ts';
import { physicalPath, type Repo } from '../git/locate.ts';
import { gitFor } from '../git/run.ts';
import { findShown } from '../git/status.ts';
import { AGENT_SETTINGS } from '../hooks/agent-settings.ts';
import type { HooksFolder } from '../hooks/hooks-folder.ts';
import { GIT_HOOKS } from '../hooks/shims.ts';
import { SETTINGS_FILE } from '../settings/layers.ts';

/** What enabling writes to be shared with the repository, as far as `git status` shows it now: paths from the top of the worktree. */
export function listShared(repo: Repo, agents: readonly AnyAgent[], folder: HooksFolder): string[] {
  const files = agents.filter(isBuiltIn).map((agent) => AGENT_SETTINGS[agent].file);
  const paths = [SETTINGS_FILE, '.entire/.gitignore', ...files, ...listScripts(repo, folder)];
  return [...new Set(findShown(gitFor(repo), paths))].sort();
}

/** Our scripts and what they replaced, where the hooks are a part of the worktree. */
function listScripts({ worktreeRoot }: Repo, { dir, worktree }: HooksFolder): string[] {
  const path = worktree === worktreeRoot ? toRepoPath(worktreeRoot, physicalPath(dir)) : undefined;
  if (path === undefined) return [];
  const names = listNames(dir).filter((name) =>
    GIT_HOOKS.some((hook) => name === hook || name.startsWith(`${hook}.pre-entire`)),
  );
  return names.map((name) => `${path}/${name}`);
}
