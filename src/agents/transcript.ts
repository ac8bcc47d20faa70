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
  /** Whether an answer with exactly these words is in it. */
  holdsMessage(text: string, message: string): boolean;
}
