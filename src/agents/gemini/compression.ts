import { asObject, asObjects, asText, parseJson } from '../../base/text/json.ts';
import { findLines } from '../transcript/json-lines.ts';
import type { Compacted } from '../transcript/transcript.ts';

/** A new history in the place of the one before: at the start, on resuming and compressing. */
const HISTORY = '{"$set":{"messages":[';

/**
 * Finds a compression: a new history with an answer that no line before it told of. The client writes the summary, an answer to it
 * and what it keeps under new ids; whatever else it makes of a history, messages keep theirs, or have lines of their own.
 */
export function findCompression(fresh: Buffer, before: () => Buffer): Compacted | undefined {
  for (const { at, line } of findLines(fresh, HISTORY)) {
    const messages = asObjects(asObject(asObject(parseJson(line)).$set).messages);
    const answers = messages.filter(({ type, id }) => type === 'gemini' && asText(id) !== '');
    if (answers.length === 0) continue;
    const older = Buffer.concat([before(), fresh.subarray(0, at)]);
    if (answers.some(({ id }) => !older.includes(JSON.stringify(id))))
      return { tokensBefore: lastPromptTokens(older), tokensAfter: undefined };
  }
  return undefined;
}

/** What the last call of the model was sent, as it counted. */
function lastPromptTokens(transcript: Buffer): number | undefined {
  for (const { line } of findLines(transcript, '"tokens":{')) {
    const { input } = asObject(asObject(parseJson(line)).tokens);
    if (typeof input === 'number') return input;
  }
  return undefined;
}
