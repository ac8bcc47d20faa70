import * as z from 'zod/mini';
import { omitEmpty } from '../../base/text/json.ts';

/**
 * What the user had changed when a prompt was submitted, against the last step of the session (format of v0.4.4). In
 * a state's `prompt_attributions` once a step was saved that holds it, before that in `pending_prompt_attribution`.
 */
export interface PromptAttribution {
  /** The step that holds it, from 1. */
  readonly checkpointNumber: number;
  readonly userLinesAdded: number;
  readonly userLinesRemoved: number;
  /** What the steps so far made of the base. */
  readonly agentLinesAdded: number;
  readonly agentLinesRemoved: number;
  readonly userAddedPerFile: ReadonlyMap<string, number>;
  /** Keys of later versions, kept as they were. */
  readonly other: Readonly<Record<string, unknown>>;
}

const count = z.pipe(
  z.nullish(z.int().check(z.nonnegative())),
  z.transform((value) => value ?? 0),
);

const stored = z.looseObject({
  checkpoint_number: count,
  user_lines_added: count,
  user_lines_removed: count,
  agent_lines_added: count,
  agent_lines_removed: count,
  user_added_per_file: z.nullish(z.record(z.string(), count)),
});

/** A prompt's attribution without any line. */
export const emptyAttribution = (checkpointNumber: number): PromptAttribution => ({
  checkpointNumber,
  userLinesAdded: 0,
  userLinesRemoved: 0,
  agentLinesAdded: 0,
  agentLinesRemoved: 0,
  userAddedPerFile: new Map(),
  other: {},
});

/** Reads one from a file's value; `undefined` when it is none. */
export function parsePromptAttribution(value: unknown): PromptAttribution | undefined {
  const { data } = stored.safeParse(value);
  if (!data) return undefined;
  return {
    checkpointNumber: data.checkpoint_number,
    userLinesAdded: data.user_lines_added,
    userLinesRemoved: data.user_lines_removed,
    agentLinesAdded: data.agent_lines_added,
    agentLinesRemoved: data.agent_lines_removed,
    userAddedPerFile: new Map(Object.entries(data.user_added_per_file ?? {})),
    other: Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(stored.shape, key))),
  };
}

/** A list of them; what is none is left out. */
export const parsePromptAttributions = (value: unknown): PromptAttribution[] =>
  Array.isArray(value) ? value.flatMap((item) => parsePromptAttribution(item) ?? []) : [];

/** One in the words of the file. */
export function toStoredPromptAttribution(attribution: PromptAttribution): Record<string, unknown> {
  const files = [...attribution.userAddedPerFile].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    checkpoint_number: attribution.checkpointNumber,
    user_lines_added: attribution.userLinesAdded,
    user_lines_removed: attribution.userLinesRemoved,
    agent_lines_added: attribution.agentLinesAdded,
    agent_lines_removed: attribution.agentLinesRemoved,
    user_added_per_file: omitEmpty(files) && Object.fromEntries(files),
    ...attribution.other,
  };
}
