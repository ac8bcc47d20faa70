/** A word of code is about three bytes to a model; for a text that must not be too long it is better to guess high. */
const TOKEN_BYTES = 3;

/** How many tokens a text is at most, as a rule. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / TOKEN_BYTES);

/** How many bytes a text of so many tokens has at most. */
export const maxBytes = (tokens: number): number => tokens * TOKEN_BYTES;
