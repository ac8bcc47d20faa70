import { join } from 'node:path';
import { AGENT_NAMES, type AgentName, DEFAULT_AGENT } from '../../agents/names.ts';
import { setupOf } from '../../agents/setups.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { findShown } from '../../git/worktree/status.ts';
import { settingsPlace } from '../../hooks/agent-settings.ts';
import { type HooksFolder, installIn, listScripts, locateHooksFolder } from '../../hooks/git/hooks-folder.ts';
import { runningProgram } from '../../hooks/git/install.ts';
import { type Deed, done, left, oneByOne, type Repair } from './repair.ts';

/** Installs all git hooks; scripts of others are kept, and go on running. Never in a folder outside the repository. */
export const reinstallGitHooks: Repair = ({ repo, activation }, items): Deed[] => {
  const folder = locateHooksFolder(repo);
  const { dir } = folder;
  if (!folder.isOwn) return [left(dir, 'the folder serves other repositories as well')];
  const isAbsolute = activation.kind === 'enabled' && activation.absoluteGitHookPath;
  const { notices } = installIn(folder, isAbsolute ? runningProgram() : undefined);
  const kept = notices.flatMap(({ kind, hook, ...notice }) =>
    kind === 'backed-up' && 'backup' in notice ? [`${hook} is kept as ${notice.backup}`] : [],
  );
  // Of one that was found to be in order nothing was to be done.
  const extended = notices.flatMap(({ kind, hook }) => {
    const file = join(dir, hook);
    const isLeft = kind === 'extended' && items.includes(file);
    return isLeft ? [left(file, "has lines of your own beside Entire's; left as it is")] : [];
  });
  return [done(dir, ['git hooks installed', ...kept, ...toCommit(repo, folder)].join('; ')), ...extended];
};

/** In a folder that git tracks, or would. */
const toCommit = (repo: Repo, folder: HooksFolder): string[] =>
  folder.worktree !== undefined &&
  findShown({ ...gitFor(repo), cwd: folder.worktree }, listScripts(folder.worktree, folder)).length > 0
    ? ['git shows them there, for you to commit']
    : [];

/** Brings the hooks of each agent up to date of which something was found; where none has any, those of the default agent. */
export const reinstallAgentHooks: Repair = ({ repo }, items) => {
  const names = AGENT_NAMES;
  const used = names.filter((name) => hasHooks(repo, name));
  const wanted = used.filter((name) => items.includes(setupOf(name).settings.file));
  const byFile = new Map(
    (used.length > 0 ? wanted : [DEFAULT_AGENT]).map((n) => [setupOf(n).settings.file, n]),
  );
  return oneByOne([...byFile.keys()], (file) => {
    const name = byFile.get(file) ?? DEFAULT_AGENT;
    const { installed, removed } = setupOf(name).settings.install(settingsPlace(repo, name));
    return done(file, `${installed} hooks installed, ${removed} taken out`);
  });
};

function hasHooks(repo: Repo, name: AgentName): boolean {
  try {
    const { current, outdated } = setupOf(name).settings.inspect(settingsPlace(repo, name));
    return current + outdated > 0;
  } catch {
    return false; // a finding of its own, for a person to mend
  }
}
