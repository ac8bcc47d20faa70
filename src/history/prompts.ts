import type { OwnPrompts } from './own-prompts.ts';

/** What is known of the prompts of a point, in the order of the list: newest first. */
export interface PromptRow {
  /** The same for rows that lead to the same checkpoint. */
  readonly key: string;
  readonly sessionId: string;
  /** Stored with the point: as a rule all prompts of its session up to it. */
  readonly prompts: readonly string[];
  /** All of them are the point's own: its part of the transcript begins where the session does. */
  readonly isWhole: boolean;
}

interface FirstPrompt {
  /** Empty where there is none. */
  readonly prompt: string;
  /** It was taken out: private, or forgotten. */
  readonly isMasked: boolean;
}

/**
 * The first prompt of each point's own part of its session. That of the last prompt is sure where the point before it in the list
 * has all others; else only the point's own part of the transcript tells: points that lay between need not be in the list any more.
 *
 * @param readOwn what the own parts of rows say; asked once, for those that need it
 */
export function firstPrompts<R extends PromptRow>(
  rows: readonly R[],
  readOwn: (rows: readonly R[]) => ReadonlyMap<R, OwnPrompts>,
): FirstPrompt[] {
  const told = new Map(rows.map((row, index) => [row, tellWithoutTranscript(rows, row, index)]));
  const asked = rows.filter((row) => told.get(row) === undefined);
  const own = asked.length > 0 ? readOwn(asked) : new Map<R, OwnPrompts>();
  return rows.map((row) => {
    const known = told.get(row) ?? own.get(row)?.prompts[0];
    if (known !== undefined) return { prompt: known, isMasked: false };
    // What was taken out was its own; where nothing was, the prompt before it led to it.
    const isMasked = own.get(row)?.isMasked ?? false;
    return { prompt: (isMasked ? undefined : row.prompts.at(-1)) ?? '', isMasked };
  });
}

function tellWithoutTranscript<R extends PromptRow>(
  rows: readonly R[],
  { key, sessionId, prompts, isWhole }: R,
  index: number,
): string | undefined {
  if (isWhole) return prompts[0];
  const before = rows.find((row, at) => at > index && row.sessionId === sessionId && row.key !== key);
  const isNext = before?.prompts.length === prompts.length - 1;
  return isNext && before?.prompts.every((prompt, at) => prompt === prompts[at]) ? prompts.at(-1) : undefined;
}
