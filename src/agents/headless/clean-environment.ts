import { AGENT_MARKERS, SESSION_VARIABLES } from '../names.ts';

/** More variables that say that a process is a shell of an agent: clients refuse to start in one, or take it for theirs. */
const MORE = ['AGENT', 'CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SSE_PORT'] as const;

/** An environment in which an agent may be started, wherever we were: that of a person's shell. */
export function personsEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = new Set<string>([...AGENT_MARKERS, ...SESSION_VARIABLES, ...MORE]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.has(name)));
}
