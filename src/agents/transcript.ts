/** Tokens as an agent's transcript reports them, sub-agents not included. */
export interface TranscriptUsage {
  readonly inputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  readonly apiCallCount: number;
}

/**
 * What we read from a transcript. Offsets count items, whose unit belongs to the agent (lines for JSON Lines).
 * Every function takes any bytes: broken parts say nothing, and never throw.
 */
export interface TranscriptFormat {
  countItems(text: string): number;
  /** The transcript from an item on; empty when it has fewer items. */
  sliceFrom(text: string, item: number): string;
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
  readUsage(text: string): TranscriptUsage;
  /** Id of the last message, or `''`. */
  readLastIdentifier(text: string): string;
  /** Whether an answer with exactly these words is in it. */
  holdsMessage(text: string, message: string): boolean;
}
