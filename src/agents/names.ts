/** The coding agents we translate for: the word in commands, and the word in metadata. */
export const AGENTS = {
  'claude-code': { type: 'Claude Code', description: "Claude Code - Anthropic's CLI coding assistant" },
} as const;

export type AgentName = keyof typeof AGENTS;
export type AgentType = (typeof AGENTS)[AgentName]['type'];

export const DEFAULT_AGENT: AgentName = 'claude-code';

export function parseAgentName(text: string | undefined): AgentName | undefined {
  return text !== undefined && Object.hasOwn(AGENTS, text) ? (text as AgentName) : undefined;
}
