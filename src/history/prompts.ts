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

/**
 * The first prompt of each point's own part of its session, from the stored prompts alone: those that the point before
 * it in the same session has, too, are not its own. Where that point is not in the list the last prompt counts, which
 * is its own in any case.
 */
export function firstPrompts(rows: readonly PromptRow[]): string[] {
  return rows.map(({ key, sessionId, prompts, isWhole }, index) => {
    if (isWhole) return prompts[0] ?? '';
    const before = rows.find((row, at) => at > index && row.sessionId === sessionId && row.key !== key);
    const continues = before?.prompts.every((prompt, at) => prompt === prompts[at]);
    return (before && continues ? prompts[before.prompts.length] : undefined) ?? prompts.at(-1) ?? '';
  });
}
