import * as z from 'zod/mini'; // a third of the time to load: every prompt, stop and commit pays it
import { now, renderUtc } from '../base/clock.ts';
import { type CheckpointId, parseCheckpointId, type SessionId } from '../base/ids.ts';
import { parseRepoPath, type RepoPath } from '../base/repo-path.ts';
import { omitEmpty, renderPrettyJson } from '../base/text/json.ts';
import { type Phase, parsePhase, type SessionEvent, transition } from './phase.ts';
import {
  type PromptAttribution,
  parsePromptAttribution,
  parsePromptAttributions,
  toStoredPromptAttribution,
} from './record/prompt-attribution.ts';

/** Sums of what the model read and wrote. Stored as `token_usage`. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  readonly apiCallCount: number;
  readonly subagentTokens?: TokenUsage | undefined;
}

/** What is true of one agent session: `<git-common-dir>/entire-sessions/<id>.json`, readable by v0.4.4. */
export interface SessionState {
  readonly sessionId: SessionId;
  readonly cliVersion: string;
  /** Commit that names the shadow branch. */
  readonly baseCommit: string;
  readonly attributionBaseCommit: string;
  readonly worktreePath: string;
  readonly worktreeId: string;
  /** RFC 3339, any offset. So are the other times. */
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  readonly phase: Phase;
  readonly turnId: string;
  /** Checkpoints of commits the agent made in the current turn; their transcripts are completed at its end. */
  readonly turnCheckpointIds: readonly CheckpointId[];
  readonly lastInteractionTime: string | undefined;
  /** Steps on the shadow branch since the last condensation. */
  readonly checkpointCount: number;
  /** Transcript item where the part that no checkpoint has yet begins. */
  readonly checkpointTranscriptStart: number;
  readonly untrackedFilesAtStart: readonly string[];
  readonly filesTouched: readonly RepoPath[];
  readonly lastCheckpointId: CheckpointId | undefined;
  readonly agentType: string;
  readonly tokenUsage: TokenUsage | undefined;
  readonly transcriptIdentifierAtStart: string;
  readonly transcriptPath: string;
  readonly firstPrompt: string;
  /** One for each step since the last condensation. */
  readonly promptAttributions: readonly PromptAttribution[];
  /** Measured when the turn began; the next step takes it. */
  readonly pendingPromptAttribution: PromptAttribution | undefined;
  /** Keys of other versions, kept as they were. */
  readonly other: Readonly<Record<string, unknown>>;
}

const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value ?? ''),
);
const count = z.pipe(
  z.nullish(z.int().check(z.nonnegative())),
  z.transform((value) => value ?? 0),
);
const list = z.pipe(
  z.nullish(z.array(z.string())),
  z.transform((value) => value ?? []),
);
const checkpointId = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => parseCheckpointId(value)),
);

const tokenUsage: z.ZodMiniType<TokenUsage> = z.pipe(
  z.object({
    input_tokens: count,
    cache_creation_tokens: count,
    cache_read_tokens: count,
    output_tokens: count,
    api_call_count: count,
    get subagent_tokens() {
      return z.nullish(tokenUsage);
    },
  }),
  z.transform((usage) => ({
    inputTokens: usage.input_tokens,
    cacheCreationTokens: usage.cache_creation_tokens,
    cacheReadTokens: usage.cache_read_tokens,
    outputTokens: usage.output_tokens,
    apiCallCount: usage.api_call_count,
    ...(usage.subagent_tokens ? { subagentTokens: usage.subagent_tokens } : {}),
  })),
);

const stored = z.looseObject({
  session_id: z.string().check(z.minLength(1)),
  cli_version: text,
  base_commit: text,
  attribution_base_commit: text,
  worktree_path: text,
  worktree_id: text,
  started_at: text,
  ended_at: z.nullish(z.string()),
  phase: z.pipe(z.optional(z.unknown()), z.transform(parsePhase)),
  turn_id: text,
  turn_checkpoint_ids: list,
  last_interaction_time: z.nullish(z.string()),
  checkpoint_count: count,
  checkpoint_transcript_start: count,
  condensed_transcript_lines: count,
  untracked_files_at_start: list,
  files_touched: list,
  last_checkpoint_id: checkpointId,
  agent_type: text,
  token_usage: z.nullish(tokenUsage),
  transcript_lines_at_start: count,
  transcript_identifier_at_start: text,
  transcript_path: text,
  first_prompt: text,
  prompt_attributions: z.pipe(z.optional(z.unknown()), z.transform(parsePromptAttributions)),
  pending_prompt_attribution: z.pipe(z.optional(z.unknown()), z.transform(parsePromptAttribution)),
});

/** Reads a state file's text, normalising what older versions wrote. @throws {Error} when it is no state file */
export function parseState(json: string): SessionState {
  const value = stored.parse(JSON.parse(json));
  const known = new Set(Object.keys(stored.shape));
  return {
    sessionId: value.session_id as SessionId, // old ids are read as they are, and never build a path
    cliVersion: value.cli_version,
    baseCommit: value.base_commit,
    attributionBaseCommit: value.attribution_base_commit || value.base_commit,
    worktreePath: value.worktree_path,
    worktreeId: value.worktree_id,
    startedAt: value.started_at,
    endedAt: value.ended_at ?? undefined,
    phase: value.phase,
    turnId: value.turn_id,
    turnCheckpointIds: value.turn_checkpoint_ids.flatMap((id) => parseCheckpointId(id) ?? []),
    lastInteractionTime: value.last_interaction_time ?? undefined,
    checkpointCount: value.checkpoint_count,
    checkpointTranscriptStart:
      value.checkpoint_transcript_start ||
      value.condensed_transcript_lines ||
      value.transcript_lines_at_start,
    untrackedFilesAtStart: value.untracked_files_at_start,
    filesTouched: value.files_touched.flatMap((path) => parseRepoPath(path) ?? []),
    lastCheckpointId: value.last_checkpoint_id,
    agentType: value.agent_type,
    tokenUsage: value.token_usage ?? undefined,
    transcriptIdentifierAtStart: value.transcript_identifier_at_start,
    transcriptPath: value.transcript_path,
    firstPrompt: value.first_prompt,
    promptAttributions: value.prompt_attributions,
    pendingPromptAttribution: value.pending_prompt_attribution,
    other: Object.fromEntries(Object.entries(value).filter(([key]) => !known.has(key))),
  };
}

/** The state file's text, keys in the order of the format. */
export function renderState(state: SessionState): string {
  return renderPrettyJson({
    session_id: state.sessionId,
    cli_version: omitEmpty(state.cliVersion),
    base_commit: state.baseCommit,
    attribution_base_commit: omitEmpty(state.attributionBaseCommit),
    worktree_path: omitEmpty(state.worktreePath),
    worktree_id: omitEmpty(state.worktreeId),
    started_at: state.startedAt,
    ended_at: state.endedAt,
    phase: state.phase,
    turn_id: omitEmpty(state.turnId),
    turn_checkpoint_ids: omitEmpty(state.turnCheckpointIds),
    last_interaction_time: state.lastInteractionTime,
    checkpoint_count: state.checkpointCount,
    checkpoint_transcript_start: omitEmpty(state.checkpointTranscriptStart),
    untracked_files_at_start: omitEmpty(state.untrackedFilesAtStart),
    files_touched: omitEmpty(state.filesTouched),
    last_checkpoint_id: state.lastCheckpointId,
    agent_type: omitEmpty(state.agentType),
    token_usage: state.tokenUsage && toStoredUsage(state.tokenUsage),
    transcript_identifier_at_start: omitEmpty(state.transcriptIdentifierAtStart),
    transcript_path: omitEmpty(state.transcriptPath),
    first_prompt: omitEmpty(state.firstPrompt),
    prompt_attributions: omitEmpty(state.promptAttributions.map(toStoredPromptAttribution)),
    pending_prompt_attribution:
      state.pendingPromptAttribution && toStoredPromptAttribution(state.pendingPromptAttribution),
    ...state.other,
  });
}

/** Reads token usage from a file's value; `undefined` when it is none. */
export function parseTokenUsage(value: unknown): TokenUsage | undefined {
  return z.nullish(tokenUsage).safeParse(value).data ?? undefined;
}

/** Token usage in the words of the files. */
export function toStoredUsage(usage: TokenUsage): Record<string, unknown> {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_tokens: usage.cacheCreationTokens,
    cache_read_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
    api_call_count: usage.apiCallCount,
    subagent_tokens: usage.subagentTokens && toStoredUsage(usage.subagentTokens),
  };
}

/** What the model read and wrote; what its sub-agents did is not in it. */
export const totalTokens = (usage: Omit<TokenUsage, 'apiCallCount'>): number =>
  usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens + usage.outputTokens;

/** Field-wise sum, sub-agents included. */
export function addUsage(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  if (!a || !b) return a ?? b;
  const subagentTokens = addUsage(a.subagentTokens, b.subagentTokens);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    apiCallCount: a.apiCallCount + b.apiCallCount,
    ...(subagentTokens ? { subagentTokens } : {}),
  };
}

/** Whether a session has work that no commit holds yet. The checkpoint of a task counts no step, but leaves files. */
export const isPending = (state: Pick<SessionState, 'checkpointCount' | 'filesTouched'>): boolean =>
  state.checkpointCount > 0 || state.filesTouched.length > 0;

/** Moves a session on: its phase, and the times that follow from it. */
export function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  const { next, actions } = transition(state.phase, event);
  return {
    ...state,
    phase: next,
    endedAt: actions.includes('clear-ended-at') ? undefined : state.endedAt,
    lastInteractionTime: actions.includes('touch') ? renderUtc(now()) : state.lastInteractionTime,
  };
}
