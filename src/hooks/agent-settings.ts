import { join } from 'node:path';
import { externalAgent } from '../agents/external/locate.ts';
import { type AnyAgent, isBuiltIn } from '../agents/names.ts';
import { setupOf } from '../agents/setups.ts';
import type { AgentSettings, SettingsPlace } from '../agents/shared/hook-settings.ts';
import type { Repo } from '../git/locate.ts';

export const agentSettingsOf = (agent: AnyAgent): AgentSettings =>
  isBuiltIn(agent) ? setupOf(agent).settings : externalAgent(agent).settings;

/** Where an agent's settings are in `repo`; what they were before us is remembered for each worktree. */
export function settingsPlace(repo: Repo, agent: AnyAgent): SettingsPlace {
  const name = repo.worktreeId === '' ? agent : `${agent}@${repo.worktreeId}`;
  return {
    root: repo.worktreeRoot,
    recordFile: join(repo.commonDir, 'entire', 'agent-settings', `${name}.json`),
  };
}
