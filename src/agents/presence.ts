import { delimiter, join } from 'node:path';
import { disk } from '../base/file/disk.ts';
import { AGENT_NAMES, AGENTS, type AgentName } from './names.ts';
import { agentOf } from './registry.ts';
import type { Waiting } from './setup.ts';
import { setupOf } from './setups.ts';

/** `here`: used in this worktree. `installed`: on this machine. */
export type Presence = 'here' | 'installed' | 'unknown';

/**
 * Which agents are used in a worktree, and which could be. Looks at names only; starts nothing.
 *
 * @param root worktree root
 */
export function findAgents(root: string, env: NodeJS.ProcessEnv): Map<AgentName, Presence> {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const isThere = (file: string): boolean => disk.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  return new Map(
    AGENT_NAMES.map((name) => {
      const { home } = agentOf(name);
      const { here, program = AGENTS[name].program } = setupOf(name).traces;
      if (here.some((file) => isThere(join(root, file)))) return [name, 'here'] as const;
      const programs = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
      const isRunnable = folders.some((folder) =>
        programs.some((file) => quietly(() => isThere(join(folder, file)))),
      );
      const hasSessions = quietly(() => isThere(home.root(env)));
      return [name, isRunnable || hasSessions ? 'installed' : 'unknown'] as const;
    }),
  );
}

/** What keeps an agent from running our hooks in a worktree (its root), as far as its own files tell. Never throws. */
export const findWaiting = (agent: AgentName, root: string, env: NodeJS.ProcessEnv): Waiting | undefined =>
  quietly(() => setupOf(agent).findWaiting?.(root, env)); // files of another program, of a form that we do not know

/** A folder that cannot be looked into has nothing for us. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
