import type { CheckpointId } from '../../base/ids.ts';
import { describeJson, isObject, isShallow, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { TokenUsage } from '../../session/state.ts';

/**
 * A slot's `metadata.json` as far as it makes sense, whoever wrote it; what could not be read is empty. Read by hand and
 * not by the writers' schema: a list of a hundred checkpoints must not wait for a schema library, and a reader takes
 * what a writer must refuse.
 */
export interface StoredMetadata {
  readonly sessionId: string;
  readonly cliVersion: string;
  readonly strategy: string;
  /** RFC 3339, as a rule in UTC. */
  readonly createdAt: string;
  readonly branch: string;
  readonly checkpointsCount: number;
  readonly filesTouched: readonly string[];
  readonly agent: string;
  readonly turnId: string;
  /** Item of the transcript where the checkpoint's own part begins. */
  readonly checkpointTranscriptStart: number;
  readonly tokenUsage: TokenUsage | undefined;
  /** Relative to the home folder; empty when it lies elsewhere. */
  readonly transcriptPath: string;
  /** Every other key, as it stands there: `summary`, `initial_attribution`, `is_task`, later ones. */
  readonly other: Readonly<Record<string, unknown>>;
}

/** @param id the checkpoint by the name of its folder */
export function parseMetadata(
  json: string,
  id: CheckpointId,
): { metadata: StoredMetadata; problems: string[] } {
  const parsed = parseJson(json);
  const value = isObject(parsed) ? parsed : {};
  const reader = new Fields(value);
  const metadata = {
    sessionId: reader.text('session_id'),
    cliVersion: reader.text('cli_version'),
    strategy: reader.text('strategy'),
    createdAt: reader.text('created_at'),
    branch: reader.text('branch'),
    checkpointsCount: reader.count('checkpoints_count'),
    filesTouched: reader.texts('files_touched'),
    agent: reader.text('agent'),
    turnId: reader.text('turn_id'),
    checkpointTranscriptStart:
      reader.count('checkpoint_transcript_start') || reader.count('transcript_lines_at_start'),
    tokenUsage: reader.usage('token_usage'),
    transcriptPath: reader.text('transcript_path'),
    other: reader.others(['checkpoint_id', 'transcript_lines_at_start']),
  };
  if (!isObject(parsed)) return { metadata, problems: ['metadata.json is not a JSON object'] };
  const { problems } = reader;
  if (metadata.sessionId === '' && !('session_id' in value))
    problems.push('metadata.json: session_id is missing');
  const claimed = value.checkpoint_id;
  if (claimed === undefined) problems.push('metadata.json: checkpoint_id is missing');
  else if (claimed !== id) problems.push(`metadata.json belongs to checkpoint ${describeJson(claimed)}`);
  return { metadata, problems };
}

/** Reads one key after the other, and notes those that hold what they must not. */
class Fields {
  readonly problems: string[] = [];
  private readonly value: JsonObject;
  private readonly known = new Set<string>();

  constructor(value: JsonObject) {
    this.value = value;
  }

  text(key: string): string {
    return this.read(key, (value) => (typeof value === 'string' ? value : undefined)) ?? '';
  }

  count(key: string): number {
    return this.read(key, (value) => (isCount(value) ? value : undefined)) ?? 0;
  }

  texts(key: string): string[] {
    const list = this.read(key, (value) => (Array.isArray(value) ? (value as unknown[]) : undefined)) ?? [];
    const texts = list.filter((item): item is string => typeof item === 'string');
    if (texts.length < list.length) this.problems.push(`metadata.json: ${key} holds what is not a file name`);
    return texts;
  }

  usage(key: string): TokenUsage | undefined {
    return this.read(key, parseUsage);
  }

  others(but: readonly string[]): Record<string, unknown> {
    const kept = Object.entries(this.value).filter(([key]) => !this.known.has(key) && !but.includes(key));
    const usable = kept.filter(([key, value]) => {
      if (isShallow(value)) return true;
      this.problems.push(`metadata.json: ${key} is nested too deep`);
      return false;
    });
    return Object.fromEntries(usable);
  }

  private read<T>(key: string, parse: (value: unknown) => T | undefined): T | undefined {
    this.known.add(key);
    const value = Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    if (value === undefined || value === null) return undefined;
    const parsed = parse(value);
    if (parsed === undefined) this.problems.push(`metadata.json: ${key} is unusable`);
    return parsed;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parseUsage(value: unknown): TokenUsage | undefined {
  if (!isObject(value) || !isShallow(value)) return undefined;
  const number = (key: string): number => (isCount(value[key]) ? value[key] : 0);
  const subagentTokens = parseUsage(value.subagent_tokens);
  return {
    inputTokens: number('input_tokens'),
    cacheCreationTokens: number('cache_creation_tokens'),
    cacheReadTokens: number('cache_read_tokens'),
    outputTokens: number('output_tokens'),
    apiCallCount: number('api_call_count'),
    ...(subagentTokens ? { subagentTokens } : {}),
  };
}

/** Sums over sessions; those without a usage count nothing. */
export function sumUsage(usages: ReadonlyArray<TokenUsage | undefined>): TokenUsage | undefined {
  const counted = usages.flatMap((usage) => usage ?? []);
  if (counted.length === 0) return undefined;
  const sum = (key: Exclude<keyof TokenUsage, 'subagentTokens'>): number =>
    counted.reduce((total, usage) => total + usage[key], 0);
  const subagentTokens = sumUsage(counted.map((usage) => usage.subagentTokens));
  return {
    inputTokens: sum('inputTokens'),
    cacheCreationTokens: sum('cacheCreationTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    outputTokens: sum('outputTokens'),
    apiCallCount: sum('apiCallCount'),
    ...(subagentTokens ? { subagentTokens } : {}),
  };
}
