import * as z from 'zod/mini';

/** Who wrote the lines of a commit. All counts are lines. */
export interface AttributionCounts {
  readonly agentLines: number;
  readonly humanAdded: number;
  /** Lines that the user put in the place of others. */
  readonly humanModified: number;
  readonly humanRemoved: number;
  readonly totalCommitted: number;
  /** 0 to 100, not rounded. */
  readonly agentPercentage: number;
}

/** `initial_attribution` in a slot's `metadata.json` (format of v0.4.4). */
export interface InitialAttribution extends AttributionCounts {
  /** RFC 3339, UTC. */
  readonly calculatedAt: string;
}

const stored = z.object({
  calculated_at: z.string(),
  agent_lines: z.number(),
  human_added: z.number(),
  human_modified: z.number(),
  human_removed: z.number(),
  total_committed: z.number(),
  agent_percentage: z.number(),
});

/** Reads the attribution from a file's value; `undefined` when it is none, or has keys of later versions. */
export function parseInitialAttribution(value: unknown): InitialAttribution | undefined {
  const { data } = stored.safeParse(value);
  if (!data || Object.keys(value as object).some((key) => !Object.hasOwn(stored.shape, key)))
    return undefined;
  return {
    calculatedAt: data.calculated_at,
    agentLines: data.agent_lines,
    humanAdded: data.human_added,
    humanModified: data.human_modified,
    humanRemoved: data.human_removed,
    totalCommitted: data.total_committed,
    agentPercentage: data.agent_percentage,
  };
}

/** The attribution in the words of the file. */
export function toStoredAttribution(attribution: InitialAttribution): Record<string, unknown> {
  return {
    calculated_at: attribution.calculatedAt,
    agent_lines: attribution.agentLines,
    human_added: attribution.humanAdded,
    human_modified: attribution.humanModified,
    human_removed: attribution.humanRemoved,
    total_committed: attribution.totalCommitted,
    agent_percentage: attribution.agentPercentage,
  };
}

/** Of two parts of one commit (an amend adds the second) what both make together. */
export function addAttribution(
  a: InitialAttribution | undefined,
  b: InitialAttribution | undefined,
): InitialAttribution | undefined {
  if (!a || !b) return a ?? b;
  const agentLines = a.agentLines + b.agentLines;
  const totalCommitted = a.totalCommitted + b.totalCommitted;
  return {
    calculatedAt: b.calculatedAt,
    agentLines,
    humanAdded: a.humanAdded + b.humanAdded,
    humanModified: a.humanModified + b.humanModified,
    humanRemoved: a.humanRemoved + b.humanRemoved,
    totalCommitted,
    agentPercentage: totalCommitted === 0 ? 0 : (agentLines / totalCommitted) * 100,
  };
}
