import type { HookReader } from './event.ts';

/** What has to be known of an agent at once, by every hook and every command. */
interface Named {
  /** Its word in metadata. */
  readonly type: string;
  /** What its client is started by. */
  readonly program: string;
  readonly description: string;
  /** What other tools call it, where that is not its program. */
  readonly tool?: string;
  /** Whose models it runs, as models.dev calls them; missing where they may be anybody's. */
  readonly models?: string;
  /** The variable that it sets in the shells it runs commands in. Those without one set nothing that is documented. */
  readonly marker?: string;
  /** Variables by which its shell says which session runs the command. */
  readonly sessionVariables?: readonly string[];
  /** Loads the reader of its payloads, and no other: this runs at each edit. */
  readonly loadHooks: () => Promise<HookReader>;
}

/** The coding agents that are built in, by their word in commands. All else stands in their folders: `registry.ts`. */
const NAMED = {
  'claude-code': {
    type: 'Claude Code',
    program: 'claude',
    models: 'anthropic',
    description: "Claude Code - Anthropic's CLI coding assistant",
    marker: 'CLAUDECODE',
    sessionVariables: ['CLAUDE_CODE_SESSION_ID'],
    loadHooks: async () => (await import('./claude-code/hook-input.ts')).claudeHooks,
  },
  codex: {
    type: 'Codex',
    program: 'codex',
    models: 'openai',
    description: "Codex - OpenAI's CLI coding agent",
    marker: 'CODEX_CI',
    sessionVariables: ['CODEX_SESSION_ID', 'CODEX_THREAD_ID'],
    loadHooks: async () => (await import('./codex/hook-input.ts')).codexHooks,
  },
  gemini: {
    type: 'Gemini CLI',
    program: 'gemini',
    models: 'google',
    description: "Gemini CLI - Google's AI coding assistant",
    marker: 'GEMINI_CLI',
    loadHooks: async () => (await import('./gemini/hook-input.ts')).geminiHooks,
  },
  opencode: {
    type: 'OpenCode',
    program: 'opencode',
    description: 'OpenCode - the open source AI coding agent',
    marker: 'OPENCODE',
    loadHooks: async () => (await import('./opencode/hook-input.ts')).opencodeHooks,
  },
  'copilot-cli': {
    type: 'Copilot CLI',
    program: 'copilot',
    description: "Copilot CLI - GitHub's coding agent for the terminal",
    marker: 'COPILOT_CLI',
    sessionVariables: ['COPILOT_AGENT_SESSION_ID'],
    loadHooks: async () => (await import('./copilot-cli/hook-input.ts')).copilotHooks,
  },
  'qwen-code': {
    type: 'Qwen Code',
    program: 'qwen',
    description: "Qwen Code - Qwen's CLI coding agent",
    marker: 'QWEN_CODE',
    sessionVariables: ['QWEN_CODE_SESSION_ID'],
    loadHooks: async () => (await import('./qwen-code/hook-input.ts')).qwenHooks,
  },
  pi: {
    type: 'Pi',
    program: 'pi',
    description: 'Pi - minimal coding agent for the terminal',
    marker: 'PI_CODING_AGENT',
    loadHooks: async () => (await import('./pi/hook-input.ts')).piHooks,
  },
  'factoryai-droid': {
    type: 'Factory AI Droid',
    program: 'droid',
    description: "Factory AI Droid - Factory's coding agent",
    loadHooks: async () => (await import('./factoryai-droid/hook-input.ts')).droidHooks,
  },
  cursor: {
    type: 'Cursor',
    program: 'cursor-agent',
    tool: 'cursor',
    description: 'Cursor - the AI code editor',
    loadHooks: async () => (await import('./cursor/hook-input.ts')).cursorHooks,
  },
} as const satisfies Record<string, Named>;

export type AgentName = keyof typeof NAMED;

export const AGENTS: Readonly<Record<AgentName, Named>> = NAMED;

export const AGENT_NAMES = Object.keys(NAMED) as readonly AgentName[];

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

/** What other tools call an agent of that type, and whose models it runs; one that is not known by its own name. */
export function toolOf(type: string): { readonly tool: string; readonly models: string | undefined } {
  const known = Object.values(AGENTS).find((agent) => agent.type === type);
  return { tool: known?.tool ?? known?.program ?? type.toLowerCase(), models: known?.models };
}

/**
 * Variables that coding agents set in the shells they run commands in. Where one is set nobody answers a question,
 * even if there is a terminal.
 */
export const AGENT_MARKERS: readonly string[] = Object.values(AGENTS).flatMap(({ marker }) => marker ?? []);

/** Whether an agent runs this process, and it says so. */
export const isAgentShell = (env: NodeJS.ProcessEnv): boolean =>
  AGENT_MARKERS.some((name) => env[name]) || sessionOfShell(env) !== undefined;

/** Whether this process may run in a shell of an agent of that type: not where its shells say so, and this one does not. */
export function mayBeShellOf(type: string, env: NodeJS.ProcessEnv): boolean {
  const marker = Object.values(AGENTS).find((agent) => agent.type === type)?.marker;
  return !marker || Boolean(env[marker]);
}

/** Variables by which an agent's shell says which session runs the command. */
export const SESSION_VARIABLES: readonly string[] = Object.values(AGENTS).flatMap(
  ({ sessionVariables = [] }) => sessionVariables,
);

/** The session whose agent runs this process, where the agent says so. */
export function sessionOfShell(env: NodeJS.ProcessEnv): string | undefined {
  return SESSION_VARIABLES.map((name) => env[name]).find(Boolean);
}

/** `Claude` for `Claude Code`: an agent as lists call it, which have no room for what all of them are called. @param type as metadata call it */
export const shortType = (type: string): string => type.replace(/^Factory AI | (Code|CLI)$/g, '');
