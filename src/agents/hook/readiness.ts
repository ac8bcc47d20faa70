import { judgeHookTrust as judgeCodex } from '../codex/hook-trust.ts';
import { judgeHookTrust as judgeCopilot } from '../copilot-cli/hook-trust.ts';
import type { AgentName } from '../names.ts';
import { findDistrust as findQwenDistrust } from '../qwen-code/hook-trust.ts';

/** What the user still has to do in the client itself before it runs our hooks. The client says nothing of it. */
export interface Waiting {
  /** The file that tells, absolute. */
  readonly file: string;
  /** One or two sentences. */
  readonly need: string;
}

/** Clients that run no hooks of a project until somebody has agreed to them. `undefined`: nothing is known to be in the way. */
const JUDGES: Readonly<
  Partial<Record<AgentName, (root: string, env: NodeJS.ProcessEnv) => Waiting | undefined>>
> = {
  codex: judgeCodexHooks,
  'copilot-cli': judgeCopilotHooks,
  'qwen-code': judgeQwenHooks,
};

/**
 * What keeps an agent from running our hooks in a worktree, as far as its own files tell. Never throws.
 *
 * @param root worktree root, physical
 */
export function findWaiting(agent: AgentName, root: string, env: NodeJS.ProcessEnv): Waiting | undefined {
  try {
    return JUDGES[agent]?.(root, env);
  } catch {
    return undefined; // files of another program, of a form that we do not know
  }
}

function judgeCodexHooks(root: string, env: NodeJS.ProcessEnv): Waiting | undefined {
  const trust = judgeCodex(root, env);
  switch (trust?.is) {
    case 'project':
      return {
        file: trust.file,
        need: 'Start `codex` here once, trust the folder, and review its hooks with /hooks.',
      };
    case 'hooks': {
      const isNew = trust.waiting.some(({ why }) => why === 'new');
      const why = isNew
        ? 'Codex has not been told that our hooks may run'
        : 'It seems that our hooks changed since they were reviewed, or are off';
      return { file: trust.file, need: `${why}: start \`codex\` here and review them with /hooks.` };
    }
    case 'elsewhere':
      return {
        file: trust.file,
        need: 'Codex reads the hooks of the main checkout: run `entire enable --agent codex` there.',
      };
    case 'no-folder':
      return {
        file: trust.file,
        need: 'Codex reads no hooks in a linked worktree without a folder of that name: make one.',
      };
    case 'unreadable':
      return {
        file: trust.file,
        need: 'Codex passes over the whole file: it has to be strict JSON, with `hooks` and nothing else.',
      };
    default:
      return undefined;
  }
}

function judgeCopilotHooks(root: string, env: NodeJS.ProcessEnv): Waiting | undefined {
  const trust = judgeCopilot(root, env);
  if (trust.is === 'trusted') return undefined;
  const need =
    'Copilot CLI runs hooks in trusted folders only: start `copilot` here once and let it remember the folder.';
  return { file: trust.file, need };
}

function judgeQwenHooks(root: string, env: NodeJS.ProcessEnv): Waiting | undefined {
  const file = findQwenDistrust(root, env);
  const need =
    'Qwen Code reads no settings of a folder that is not trusted: start `qwen` here once and trust it.';
  return file === undefined ? undefined : { file, need };
}
