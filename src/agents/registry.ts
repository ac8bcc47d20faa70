import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code/agent.ts';
import { codex } from './codex/agent.ts';
import { copilotCli } from './copilot-cli/agent.ts';
import { cursor } from './cursor/agent.ts';
import { readMessages as readExternal } from './external/conversation.ts';
import { externalAgent, findExternalByType } from './external/locate.ts';
import { externalTranscript } from './external/transcript.ts';
import { droid } from './factoryai-droid/agent.ts';
import { gemini } from './gemini/agent.ts';
import { AGENT_NAMES, AGENTS, type AgentName, type AnyAgent, DEFAULT_AGENT, isBuiltIn } from './names.ts';
import { opencode } from './opencode/agent.ts';
import { pi } from './pi/agent.ts';
import { qwenCode } from './qwen-code/agent.ts';
import type { SessionHome } from './shared/session/session-home.ts';
import type { TranscriptFormat } from './shared/transcript/transcript.ts';

/** The agents that are built in. Beside its folder, one more is named here and in `names.ts`. */
const DEFINITIONS: Readonly<Record<AgentName, Agent>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode,
  'copilot-cli': copilotCli,
  'qwen-code': qwenCode,
  pi,
  'factoryai-droid': droid,
  cursor,
};

export const agentOf = (name: AgentName): Agent => DEFINITIONS[name];

export const allAgents = (): Agent[] => Object.values(DEFINITIONS);

export const sessionHomeOf = (agent: AnyAgent): SessionHome =>
  isBuiltIn(agent) ? agentOf(agent).home : externalAgent(agent).home;

/** Those that can be driven without a terminal. */
export const headlessAgents = (): AgentName[] => AGENT_NAMES.filter((name) => agentOf(name).loadHeadless);

/** The format of an agent's transcripts. */
export const formatOf = (agent: AgentName): TranscriptFormat => agentOf(agent).transcript;

/** The format of a transcript, by the agent type that stands beside it. Agents that are not built in have one in common. */
export function transcriptFormatOf(agentType: string): TranscriptFormat {
  const name = agentOfType(agentType);
  return name ? formatOf(name) : externalTranscript;
}

/** How the messages of an agent's transcripts are read; agents that are not built in have one way in common. */
export const messageReaderOf = (agent: AgentName | undefined): Agent['readMessages'] =>
  agent === undefined ? readExternal : agentOf(agent).readMessages;

/** Words for the default agent in records of older releases, which did not know it. */
const GENERIC: readonly string[] = ['Unknown', 'Agent'];

const findByType = (agentType: string): AgentName | undefined =>
  GENERIC.includes(agentType) ? DEFAULT_AGENT : AGENT_NAMES.find((name) => AGENTS[name].type === agentType);

/**
 * The agent that a type in metadata stands for; `undefined` for one that is not built in. Older releases wrote no type for the
 * default one.
 */
export const agentOfType = (agentType: string): AgentName | undefined =>
  agentType === '' ? DEFAULT_AGENT : findByType(agentType);

/** The agent that metadata names by its type, built in or not; `undefined` for one that nobody here knows, or for no type. */
export const findAgent = (agentType: string): AnyAgent | undefined =>
  findByType(agentType) ?? (agentType === '' ? undefined : findExternalByType(agentType)?.name);

/** Whether a path of a repository, in its root or in a folder with settings of its own, is an agent's settings file. */
export function isAgentSettings(path: string): boolean {
  const at = path.lastIndexOf('/.');
  const local = at === -1 ? path : path.slice(at + 1);
  return allAgents().some(({ settingsFiles }) => settingsFiles.test(local));
}

/** What an agent is called: in metadata, and in a sentence. */
export const identityOf = (agent: AnyAgent): { readonly type: string; readonly description: string } =>
  isBuiltIn(agent) ? AGENTS[agent] : externalAgent(agent);

export const typeOf = (agent: AnyAgent): string => identityOf(agent).type;
