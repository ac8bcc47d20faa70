import { delimiter, join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { AGENTS, type AgentName } from '../names.ts';
import { SESSION_HOMES } from '../session/session-homes.ts';

/** By what an agent shows. */
export interface Traces {
  /** Files and folders in the root of a worktree that only this agent reads. */
  readonly here: readonly string[];
  /** What its program is called. */
  readonly program: string;
}

const TRACES: Readonly<Record<AgentName, Traces>> = {
  'claude-code': { here: ['.claude', 'CLAUDE.md'], program: 'claude' },
  codex: { here: ['.codex'], program: 'codex' },
  gemini: { here: ['.gemini', 'GEMINI.md'], program: 'gemini' },
  opencode: { here: ['.opencode', 'opencode.json', 'opencode.jsonc'], program: 'opencode' },
  'copilot-cli': {
    here: ['.github/hooks', '.github/copilot', '.github/copilot-instructions.md'],
    program: 'copilot',
  },
  'qwen-code': { here: ['.qwen', 'QWEN.md'], program: 'qwen' },
  pi: { here: ['.pi'], program: 'pi' },
  'factoryai-droid': { here: ['.factory'], program: 'droid' },
  cursor: { here: ['.cursor'], program: 'cursor' },
};

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
  const names = Object.keys(AGENTS) as AgentName[];
  return new Map(
    names.map((name) => {
      const { here, program } = TRACES[name];
      if (here.some((file) => isThere(join(root, file)))) return [name, 'here'] as const;
      const programs = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
      const isRunnable = folders.some((folder) =>
        programs.some((file) => quietly(() => isThere(join(folder, file)))),
      );
      const hasSessions = quietly(() => isThere(SESSION_HOMES[name].root(env)));
      return [name, isRunnable || hasSessions ? 'installed' : 'unknown'] as const;
    }),
  );
}

/** A folder that cannot be looked into has nothing for us. */
function quietly(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
