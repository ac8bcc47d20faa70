import * as z from 'zod/mini';
import type { CheckpointId } from '../base/ids.ts';
import { sortedUnique } from '../base/repo-path.ts';
import { omitEmpty, renderPrettyJson } from '../base/text/json.ts';
import { addUsage, parseTokenUsage, type TokenUsage, toStoredUsage } from '../session/state.ts';
import {
  type InitialAttribution,
  parseInitialAttribution,
  toStoredAttribution,
} from './initial-attribution.ts';
import { checkpointDir } from './metadata-branch.ts';

/** `metadata.json` of one session in a checkpoint (format of v0.4.4). */
export interface SlotMetadata {
  readonly cliVersion: string;
  readonly checkpointId: CheckpointId;
  readonly sessionId: string;
  readonly strategy: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  readonly branch: string;
  readonly checkpointsCount: number;
  readonly filesTouched: readonly string[];
  readonly agent: string;
  readonly turnId: string;
  /** It is the checkpoint of a sub-agent, which was called by this tool use. */
  readonly isTask?: boolean | undefined;
  readonly toolUseId?: string | undefined;
  readonly transcriptIdentifierAtStart: string;
  readonly checkpointTranscriptStart: number;
  readonly tokenUsage: TokenUsage | undefined;
  /** Who wrote the lines of the commit; only where the session had a step. */
  readonly initialAttribution?: InitialAttribution | undefined;
  /** Relative to the home folder; empty when it lies elsewhere. */
  readonly transcriptPath: string;
  /** Keys that stand elsewhere (`summary`: see `summary.ts`) or come later, kept as they were. */
  readonly other: Readonly<Record<string, unknown>>;
}

/** Where the files of one slot lie, as the root summary lists them. */
export interface SlotFiles {
  readonly hasPrompt: boolean;
  readonly hasContext: boolean;
}

export { checkpointDir };

export function renderSlot(slot: SlotMetadata): string {
  return renderPrettyJson({
    cli_version: omitEmpty(slot.cliVersion),
    checkpoint_id: slot.checkpointId,
    session_id: slot.sessionId,
    strategy: slot.strategy,
    created_at: slot.createdAt,
    branch: omitEmpty(slot.branch),
    checkpoints_count: slot.checkpointsCount,
    files_touched: slot.isTask && slot.filesTouched.length === 0 ? null : slot.filesTouched,
    agent: omitEmpty(slot.agent),
    turn_id: omitEmpty(slot.turnId),
    is_task: slot.isTask || undefined,
    tool_use_id: omitEmpty(slot.toolUseId),
    transcript_identifier_at_start: omitEmpty(slot.transcriptIdentifierAtStart),
    checkpoint_transcript_start: omitEmpty(slot.checkpointTranscriptStart),
    transcript_lines_at_start: omitEmpty(slot.checkpointTranscriptStart),
    token_usage: slot.tokenUsage && toStoredUsage(slot.tokenUsage),
    ...slot.other,
    initial_attribution: slot.initialAttribution
      ? toStoredAttribution(slot.initialAttribution)
      : slot.other.initial_attribution,
    transcript_path: omitEmpty(slot.transcriptPath),
  });
}

const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value ?? ''),
);
const count = z.pipe(
  z.nullish(z.number()),
  z.transform((value) => value ?? 0),
);

const storedSlot = z.looseObject({
  cli_version: text,
  checkpoint_id: z.string().check(z.regex(/^[0-9a-f]{12}$/, 'must be 12 lowercase hex characters')),
  session_id: z.string(),
  strategy: text,
  created_at: text,
  branch: text,
  checkpoints_count: count,
  files_touched: z.pipe(
    z.nullish(z.array(z.string())),
    z.transform((value) => value ?? []),
  ),
  agent: text,
  turn_id: text,
  is_task: z.nullish(z.boolean()),
  tool_use_id: text,
  transcript_identifier_at_start: text,
  checkpoint_transcript_start: count,
  transcript_lines_at_start: count,
  token_usage: z.pipe(z.optional(z.unknown()), z.transform(parseTokenUsage)),
  transcript_path: text,
});

/** Reads a slot's `metadata.json`. @throws {Error} when it is none */
export function parseSlot(json: string): SlotMetadata {
  const value = storedSlot.parse(JSON.parse(json));
  const known = new Set(Object.keys(storedSlot.shape));
  const initialAttribution = parseInitialAttribution(value.initial_attribution);
  if (initialAttribution) known.add('initial_attribution');
  return {
    cliVersion: value.cli_version,
    checkpointId: value.checkpoint_id as CheckpointId,
    sessionId: value.session_id,
    strategy: value.strategy,
    createdAt: value.created_at,
    branch: value.branch,
    checkpointsCount: value.checkpoints_count,
    filesTouched: value.files_touched,
    agent: value.agent,
    turnId: value.turn_id,
    isTask: value.is_task ?? undefined,
    toolUseId: value.tool_use_id || undefined,
    transcriptIdentifierAtStart: value.transcript_identifier_at_start,
    checkpointTranscriptStart: value.checkpoint_transcript_start || value.transcript_lines_at_start,
    tokenUsage: value.token_usage,
    initialAttribution,
    transcriptPath: value.transcript_path,
    other: Object.fromEntries(Object.entries(value).filter(([key]) => !known.has(key))),
  };
}

const storedRoot = z.object({
  sessions: z.array(
    z.object({ metadata: text, transcript: text, context: text, content_hash: text, prompt: text }),
  ),
});

/** The slots a root `metadata.json` lists; `undefined` when it is missing, unparsable, or the legacy flat form. */
export function parseRootSlots(json: string | undefined): SlotFiles[] | undefined {
  if (json === undefined) return undefined;
  try {
    const { sessions } = storedRoot.parse(JSON.parse(json));
    return sessions.map(({ prompt, context }) => ({ hasPrompt: prompt !== '', hasContext: context !== '' }));
  } catch {
    return undefined; // numbering then starts again at 0, as v0.4.4 does
  }
}

/** The root `metadata.json` over all slots; `latest` wrote last. */
export function renderRoot(
  slots: readonly { metadata: SlotMetadata; files: SlotFiles }[],
  latest: SlotMetadata,
): string {
  const dir = `/${checkpointDir(latest.checkpointId)}`;
  const files = sortedUnique(slots.flatMap(({ metadata }) => [...metadata.filesTouched]));
  const usage = slots.reduce<TokenUsage | undefined>(
    (sum, { metadata }) => addUsage(sum, metadata.tokenUsage),
    undefined,
  );
  return renderPrettyJson({
    cli_version: omitEmpty(latest.cliVersion),
    checkpoint_id: latest.checkpointId,
    strategy: latest.strategy,
    branch: omitEmpty(latest.branch),
    checkpoints_count: slots.reduce((sum, { metadata }) => sum + metadata.checkpointsCount, 0),
    files_touched: files.length > 0 ? files : null,
    sessions: slots.map((slot, index) => ({
      metadata: `${dir}/${index}/metadata.json`,
      transcript: `${dir}/${index}/full.jsonl`,
      context: slot.files.hasContext ? `${dir}/${index}/context.md` : '',
      content_hash: `${dir}/${index}/content_hash.txt`,
      prompt: slot.files.hasPrompt ? `${dir}/${index}/prompt.txt` : '',
    })),
    token_usage: usage && { ...toStoredUsage(usage), subagent_tokens: undefined },
  });
}

const ROOT_KEYS = new Set([
  ...['cli_version', 'checkpoint_id', 'strategy', 'branch', 'checkpoints_count', 'files_touched', 'sessions'],
  'token_usage',
]);

/** Keys of a root `metadata.json` that this version does not write; none where it does not parse. */
export function parseRootKeys(json: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '{}');
    if (typeof value !== 'object' || value === null || !('sessions' in value)) return {};
    return Object.fromEntries(Object.entries(value).filter(([key]) => !ROOT_KEYS.has(key)));
  } catch {
    return {};
  }
}

/** {@link renderRoot} over slots in the order of their time, with keys that another version wrote. */
export function renderMergedRoot(
  slots: readonly { metadata: SlotMetadata; files: SlotFiles }[],
  otherKeys: Readonly<Record<string, unknown>>,
): string {
  const { metadata } = slots.at(-1) as { metadata: SlotMetadata };
  return renderPrettyJson({ ...(JSON.parse(renderRoot(slots, metadata)) as object), ...otherKeys });
}
