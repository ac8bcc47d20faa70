import { isObject, parseJson } from '../../base/text/json.ts';

/**
 * The beginning of a transcript as one of another session, for clients whose lines have a `uuid` and the session's id each: every line as the client wrote it, up to and including the message
 * `last`, with the id of the session replaced. What stands behind that message (a prompt that waits, for one) belongs to what
 * came after.
 *
 * @returns `undefined` when the message is not in it, as after a compaction
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line.includes(last) && uuidOf(line) === last);
  if (last === '' || end === -1) return undefined;
  return `${lines
    .slice(0, end + 1)
    .map((line) => renamed(line, id))
    .join('\n')}\n`;
}

const uuidOf = (line: string): unknown => {
  const value = parseJson(line);
  return isObject(value) ? value.uuid : undefined;
};

/** In a string of JSON quotes are escaped: what is found is a key. */
const renamed = (line: string, id: string): string =>
  line.replaceAll(/"sessionId":"(?:[^"\\]|\\.)*"/g, `"sessionId":"${id}"`);
