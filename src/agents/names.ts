/** The coding agents we translate for: the word in commands, the word in metadata, and what their client is started by. */
export const AGENTS = {
  'claude-code': {
    type: 'Claude Code',
    program: 'claude',
    description: "Claude Code - Anthropic's CLI coding assistant",
  },
  codex: { type: 'Codex', program: 'codex', description: "Codex - OpenAI's CLI coding agent" },
  gemini: { type: 'Gemini CLI', program: 'gemini', description: "Gemini CLI - Google's AI coding assistant" },
  opencode: {
    type: 'OpenCode',
    program: 'opencode',
    description: 'OpenCode - the open source AI coding agent',
  },
  'copilot-cli': {
    type: 'Copilot CLI',
    program: 'copilot',
    description: "Copilot CLI - GitHub's coding agent for the terminal",
  },
  'qwen-code': { type: 'Qwen Code', program: 'qwen', description: "Qwen Code - Qwen's CLI coding agent" },
  pi: { type: 'Pi', program: 'pi', description: 'Pi - minimal coding agent for the terminal' },
  'factoryai-droid': {
    type: 'Factory AI Droid',
    program: 'droid',
    description: "Factory AI Droid - Factory's coding agent",
  },
  cursor: { type: 'Cursor', program: 'cursor-agent', description: 'Cursor - the AI code editor' },
} as const;

export type AgentName = keyof typeof AGENTS;

declare const external: unique symbol;

/** The name of an agent that an executable of the user's speaks for: `agents/external/`. */
export type ExternalName = string & { readonly [external]: true };

/** Any agent. What is known of one that is built in stands in tables; the others are asked. */
export type AnyAgent = AgentName | ExternalName;

export const isBuiltIn = (name: AnyAgent): name is AgentName => Object.hasOwn(AGENTS, name);

export const DEFAULT_AGENT: AgentName = 'claude-code';

export function parseAgentName(text: string | undefined): AgentName | undefined {
  return text !== undefined && Object.hasOwn(AGENTS, text) ? (text as AgentName) : undefined;
}

/** What the client of an agent of that type is started by; `undefined` where it is not known. */
export const programOf = (type: string): string | undefined =>
  Object.values(AGENTS).find((agent) => agent.type === type)?.program;

/** What each agent sets in the shells it runs commands in. Those that are not named set nothing that is documented. */
const MARKER_OF: Partial<Record<AgentName, string>> = {
  'claude-code': 'CLAUDECODE',
  gemini: 'GEMINI_CLI',
  opencode: 'OPENCODE',
  codex: 'CODEX_CI',
  'copilot-cli': 'COPILOT_CLI',
  'qwen-code': 'QWEN_CODE',
  pi: 'PI_CODING_AGENT',
};

/**
 * Variables that coding agents set in the shells they run commands in. Where one is set nobody answers a question,
 * even if there is a terminal.
 */
export const AGENT_MARKERS: readonly string[] = Object.values(MARKER_OF);

/** Whether an agent runs this process, and it says so. */
export const isAgentShell = (env: NodeJS.ProcessEnv): boolean =>
  AGENT_MARKERS.some((name) => env[name]) || sessionOfShell(env) !== undefined;

/** Whether this process may run in a shell of an agent of that type: not where its shells say so, and this one does not. */
export function mayBeShellOf(type: string, env: NodeJS.ProcessEnv): boolean {
  const agent = (Object.keys(AGENTS) as AgentName[]).find((name) => AGENTS[name].type === type);
  const marker = agent && MARKER_OF[agent];
  return !marker || Boolean(env[marker]);
}

/** Variables by which an agent's shell says which session runs the command. */
export const SESSION_VARIABLES = [
  'CLAUDE_CODE_SESSION_ID',
  'CODEX_SESSION_ID',
  'CODEX_THREAD_ID',
  'COPILOT_AGENT_SESSION_ID',
  'QWEN_CODE_SESSION_ID',
] as const;

/** The session whose agent runs this process, where the agent says so. */
export function sessionOfShell(env: NodeJS.ProcessEnv): string | undefined {
  return SESSION_VARIABLES.map((name) => env[name]).find(Boolean);
}
