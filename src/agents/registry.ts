import { claudeTranscript } from './claude-code/transcript.ts';
import { codexTranscript } from './codex/transcript.ts';
import { copilotTranscript } from './copilot-cli/transcript.ts';
import { cursorTranscript } from './cursor/transcript.ts';
import { externalTranscript } from './external/transcript.ts';
import { droidTranscript } from './factoryai-droid/transcript.ts';
import { geminiTranscript } from './gemini/transcript.ts';
import { AGENTS, type AgentName, DEFAULT_AGENT } from './names.ts';
import { opencodeTranscript } from './opencode/transcript.ts';
import { piTranscript } from './pi/transcript.ts';
import { qwenTranscript } from './qwen-code/transcript.ts';
import type { TranscriptFormat } from './transcript/transcript.ts';

/** How each agent's transcripts are read. */
const FORMATS: Readonly<Record<AgentName, TranscriptFormat>> = {
  'claude-code': claudeTranscript,
  codex: codexTranscript,
  gemini: geminiTranscript,
  opencode: opencodeTranscript,
  'copilot-cli': copilotTranscript,
  'qwen-code': qwenTranscript,
  pi: piTranscript,
  'factoryai-droid': droidTranscript,
  cursor: cursorTranscript,
};

/** Words for the default agent in records of older releases, which name none or did not know it. */
const GENERIC: readonly string[] = ['', 'Unknown', 'Agent'];

/** The agent that a type in metadata stands for; `undefined` for one that is not built in. */
export function agentOfType(agentType: string): AgentName | undefined {
  if (GENERIC.includes(agentType)) return DEFAULT_AGENT;
  const names = Object.keys(AGENTS) as AgentName[];
  return names.find((candidate) => AGENTS[candidate].type === agentType);
}

/** The format of an agent's transcripts. */
export const formatOf = (agent: AgentName): TranscriptFormat => FORMATS[agent];

/** The format of a transcript, by the agent type that stands beside it. Agents that are not built in have one in common. */
export function transcriptFormatOf(agentType: string): TranscriptFormat {
  const name = agentOfType(agentType);
  return name ? formatOf(name) : externalTranscript;
}
