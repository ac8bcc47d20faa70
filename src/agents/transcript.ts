/** Tokens as an agent's transcript reports them, sub-agents not included. */
export interface TranscriptUsage {
  readonly inputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  readonly apiCallCount: number;
}

/** One call of the model. */
export interface ModelCall {
  readonly id: string;
  /** Line of the text, from 0, that tells of it. */
  readonly item: number;
  readonly usage: Omit<TranscriptUsage, 'apiCallCount'>;
}

/** Which tool call a sub-agent works for. */
export interface SubagentNote {
  /** As the client wrote it: not checked. */
  readonly toolUseId: string;
  readonly description: string;
}

/**
 * What we read from a transcript or a part of one, cut at line ends. Every function takes any bytes: broken parts say
 * nothing, and never throw.
 */
export interface TranscriptFormat {
  /** What people typed, in order, without what clients wrap around it. */
  readPrompts(text: string): string[];
  /** One prompt without what clients wrap around it; empty when nobody typed anything. */
  cleanPrompt(text: string): string;
  /** First text of the agent's last answer. */
  readSummary(text: string): string | undefined;
  /** Files that tools wrote, as first seen, absolute where the transcript allows it. */
  readFilesTouched(text: string): string[];
  /** Whether the agent ran a shell command, which can change any file without a word. */
  ranShell(text: string): boolean;
  /** Calls of the model, each once. */
  readCalls(text: string): ModelCall[];
  /** Id of the last message, or `''`. */
  readLastIdentifier(text: string): string;
  /** Id of the message that holds what a tool call returned, or `''`. */
  findToolResult(text: string, toolUseId: string): string;
  /** Where the transcript of a sub-agent may be, given that of its session; the likeliest first. */
  subagentTranscripts(sessionTranscript: string, sessionId: string, agentId: string): string[];
  /** The file in which clients note what a sub-agent is for, given where its transcript is. */
  subagentNote(subagentTranscript: string): string;
  /** Reads that file; `undefined` when it does not say which tool call it belongs to. */
  parseSubagentNote(text: string): SubagentNote | undefined;
  /** Whether an answer with exactly these words is in it. */
  holdsMessage(text: string, message: string): boolean;
}
