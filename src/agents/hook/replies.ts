/** What clients read on a hook's stdout, as JSON. */

/** Shown to the user. @see https://code.claude.com/docs/en/hooks#json-output */
export const systemMessage = (text: string): string => JSON.stringify({ systemMessage: text });

/** Told to the model, on the hook of that name. @see https://code.claude.com/docs/en/hooks#sessionstart-decision-control */
export const hookContext =
  (hookEventName: string) =>
  (text: string): string =>
    JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });

/** Told to the model, by clients that know of no events there, and by our own plugins. */
export const plainContext = (text: string): string => JSON.stringify({ additionalContext: text });
