import type { TimeSpan } from '../../../base/clock.ts';

/** Tokens as an agent's transcript reports them, sub-agents not included. */
export interface TranscriptUsage {
  readonly inputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  readonly apiCallCount: number;
}

/** Tokens of any number of calls. */
export type TokenTotals = Omit<TranscriptUsage, 'apiCallCount'>;

/** One call of the model. */
export interface ModelCall {
  readonly id: string;
  /** Line of the text, from 0, that tells of it. */
  readonly item: number;
  readonly usage: TokenTotals;
  /** It made the summary of a compaction: what it was given is not what the session goes on with. */
  readonly isSummary?: boolean;
  /** In milliseconds since 1970; 0 where the line does not say. */
  readonly timeMs: number;
}

/** A tool call that returned from a sub-agent, or sent it into the background. */
export interface SubagentMention {
  /** Line of the text, from 0. */
  readonly item: number;
  /** Letters, digits, `_` and `-`. */
  readonly agentId: string;
}

/** Which tool call a sub-agent works for. */
export interface SubagentNote {
  /** As the client wrote it: not checked. */
  readonly toolUseId: string;
  readonly description: string;
}

/** What one call of a tool wrote into a file. */
export interface RecordedEdit {
  /** As the tool named it, absolute where the transcript allows it. */
  readonly path: string;
  /** Whole lines that it wrote, without line ends; `undefined` where only the fact is on record. */
  readonly lines: readonly string[] | undefined;
  /** Those of them that may be parts of lines. */
  readonly fragments: readonly string[];
  /** Whole lines that it took away, as far as that is on record. */
  readonly removed?: readonly string[];
  /** The name that the file had before it, where it moved it: what was written under that is in it, too. */
  readonly movedFrom?: string;
  /** The lines are all that the file had then: some of them may have been there before. */
  readonly isWhole?: boolean;
  /** A command made it, as the client saw: what it brought may have been somewhere before. */
  readonly isByCommand?: boolean;
  /** That command had git put into files what was written elsewhere, as a merge or a stash: nobody wrote it here. */
  readonly isBroughtByGit?: boolean;
}

/** What a part of a transcript says about the lines that were written in it. */
export interface EditRecord {
  readonly edits: readonly RecordedEdit[];
  /** Tool calls that sub-agents worked for; what those wrote is in transcripts of their own. */
  readonly agents: readonly string[];
  /** No shell command ran that may have written a file without a word. */
  readonly isComplete: boolean;
  /**
   * Folders that commands ran in which changed nothing but what was reported: nobody looked at other repositories than theirs. Left out
   * where there were none.
   */
  readonly watched?: readonly WatchedFolder[];
  /** When tools were at work, each from its call to its answer; `undefined` where that is not known of all, or one may have gone on behind its answer. */
  readonly calls?: readonly TimeSpan[] | undefined;
}

/** A folder whose repository a client compared before and after a command. */
export interface WatchedFolder {
  readonly folder: string;
  /** It is the root of a worktree, which may lie in another one. */
  readonly isRoot: boolean;
}

/** One thing that was said or done, as a person reads a transcript. */
export type TranscriptEntry =
  | { readonly kind: 'user' | 'assistant'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly name: string;
      /** What it was used on, in a few words; may be empty. */
      readonly detail: string;
    };

/** A compaction that a transcript tells of, with the tokens of the context where it says so. */
export interface Compacted {
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
}

/**
 * What we read from a transcript or a part of one, cut at line ends. Every function takes any bytes: broken parts say
 * nothing, and never throw.
 */
export interface TranscriptFormat {
  /** Whether a file that begins so may be a transcript of this agent. An empty one may become one. */
  looksLike(head: string): boolean;
  /**
   * Whether a whole transcript is one JSON document whose items are messages, not lines. Such a one has no part that will
   * not change, and is read as a whole each time. Left out by clients that write nothing but lines.
   */
  isDocument?(text: string): boolean;
  /** What people typed, in order, without what clients wrap around it. */
  readPrompts(text: string): string[];
  /** One prompt without what clients wrap around it; empty when nobody typed anything. */
  cleanPrompt(text: string): string;
  /** What was said and which tools were used, in order; empty when nothing in it is of this format. */
  readEntries(text: string): TranscriptEntry[];
  /** The transcript from an item on, and before another one where that is named; empty when it has no more items than the first. */
  sliceItems(text: string, item: number, end?: number): string;
  /** How many items the transcript has. */
  countItems(text: string): number;
  /** First text of the agent's last answer. */
  readSummary(text: string): string | undefined;
  /** Files that tools wrote, as first seen, absolute where the transcript allows it. */
  readFilesTouched(text: string): string[];
  /** Which lines tools wrote. */
  readEdits(text: string): EditRecord;
  /** What was read from the cache is told, and stored, as a part of the input. Left out where it is told apart. */
  readonly inputHoldsCached?: true;
  /** Whether the agent ran a shell command, which can change any file without a word. */
  ranShell(text: string): boolean;
  /**
   * The last compaction of the session that the last part of a transcript tells of. Left out by clients with a hook for a session
   * that goes on after one, and by those whose transcripts say nothing.
   *
   * @param before reads what stands before that part, which may be long: asked for where a line cannot be judged without
   */
  findCompaction?(fresh: Buffer, before: () => Buffer): Compacted | undefined;
  /** Calls of the model, each once. */
  readCalls(text: string): ModelCall[];
  /**
   * What the session has cost so far, for clients that keep the sum in a file beside the transcript and not in its lines;
   * `undefined` where that file says nothing. Looks at the disk; never throws.
   *
   * @param transcript its path
   * @param beginning its first line, and perhaps more
   */
  readTotals?(transcript: string, beginning: string): TokenTotals | undefined;
  /** Sub-agents that tool calls worked with, as often as they are named. */
  readSubagents(text: string): SubagentMention[];
  /** When the first line was written that says so, in milliseconds since 1970; `undefined` when none does. */
  readTime(text: string): number | undefined;
  /** Id of the last message, or `''`. */
  readLastIdentifier(text: string): string;
  /** Id of the message that holds what a tool call returned, or `''`. */
  findToolResult(text: string, toolUseId: string): string;
  /** Where the transcript of a sub-agent may be, given that of its session; the likeliest first. */
  subagentTranscripts(sessionTranscript: string, sessionId: string, agentId: string): string[];
  /**
   * What of a session's transcript tells of one sub-agent, by clients that write it there and nowhere else. Whole items,
   * as they stand.
   */
  partOfSubagent?(text: string, agentId: string): string;
  /** The file in which clients note what a sub-agent is for, given where its transcript is. */
  subagentNote(subagentTranscript: string): string;
  /** Reads that file; `undefined` when it does not say which tool call it belongs to. */
  parseSubagentNote(text: string): SubagentNote | undefined;
  /**
   * The beginning of a transcript, up to and including the message `last`, as that of a session with another id;
   * `undefined` when that message is not in it.
   */
  fork(text: string, last: string, id: string): string | undefined;
  /** Whether an answer with exactly these words is in it. */
  holdsMessage(text: string, message: string): boolean;
}

/** Entries as people and models read them, a blank line between them; with files, those are named at the end. */
export function renderEntries(entries: readonly TranscriptEntry[], files: readonly string[] = []): string {
  const parts = entries.map(renderEntry);
  if (files.length > 0) parts.push(['[Files Modified]', ...files.map((file) => `- ${file}`)].join('\n'));
  return parts.join('\n\n');
}

function renderEntry(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'user':
      return `[User] ${entry.text}`;
    case 'assistant':
      return `[Assistant] ${entry.text}`;
    case 'tool':
      return `[Tool] ${entry.name}${entry.detail === '' ? '' : `: ${entry.detail}`}`;
  }
}
