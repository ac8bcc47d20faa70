declare const sessionId: unique symbol;
declare const checkpointId: unique symbol;
declare const objectId: unique symbol;

/** An agent's session id that is safe to build file names from. */
export type SessionId = string & { readonly [sessionId]: true };
/** Twelve lowercase hexadecimal digits. */
export type CheckpointId = string & { readonly [checkpointId]: true };
/** A git object id, SHA-1 or SHA-256, lowercase hexadecimal. */
export type ObjectId = string & { readonly [objectId]: true };

/**
 * Returns `text` as a session id, or `undefined` when no path may be built from it.
 *
 * Letters, digits, `.`, `_`, `-`; at most 128; not starting with `.` or `-`; no `..`. A leading `-` would be
 * taken for an option by the programs that are given the id.
 */
export function parseSessionId(text: unknown): SessionId | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(text)) return undefined;
  return text.includes('..') ? undefined : (text as SessionId);
}

/** Returns `text` as a tool-use or sub-agent id (`[A-Za-z0-9_-]`, at most 128), or `undefined`. */
export function parseToolUseId(text: unknown): string | undefined {
  return typeof text === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(text) ? text : undefined;
}

/** Returns `text` as a checkpoint id, or `undefined`. */
export function parseCheckpointId(text: unknown): CheckpointId | undefined {
  return typeof text === 'string' && /^[0-9a-f]{12}$/.test(text) ? (text as CheckpointId) : undefined;
}

/** Returns `text` as an object id, or `undefined`; abbreviated ones are none. */
export function parseObjectId(text: unknown): ObjectId | undefined {
  return typeof text === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
    ? (text as ObjectId)
    : undefined;
}

/** A fresh random id, twelve lowercase hexadecimal digits: of a turn, a claim, a temporary file. */
export const newId = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');

/** {@link newId} for a checkpoint. */
export const newCheckpointId = (): CheckpointId => newId() as CheckpointId;

/** Beginnings of ids that are shorter could be anything, where a word may be something else. */
export const MIN_BEGINNING = 4;

/**
 * The ids that a word can mean: that one alone where it is one of them, else all that begin so.
 *
 * @param least a word of fewer characters is no beginning
 */
export const beginningWith = <Id extends string>(ids: readonly Id[], word: string, least = 1): Id[] => {
  const exact = ids.find((id) => id === word);
  return exact === undefined ? ids.filter((id) => word.length >= least && id.startsWith(word)) : [exact];
};
