import { isObject, parseJson } from '../../base/text/json.ts';

const NEWLINE = 0x0a;

/**
 * A transcript as it was at a checkpoint: of the one that lies here the lines that the checkpoint has, with the bytes they
 * have here, since the stored ones are redacted; the stored one where it is another text, or is gone.
 *
 * @param stored as the checkpoint has it: line by line the same, but for what was redacted
 */
export function cutBack(local: Buffer | undefined, stored: Buffer): Buffer {
  if (!local) return stored;
  const [here, there] = [splitLines(local), splitLines(stored)];
  if (here.length < there.length) return stored;
  const isSame = there.every((line, at) => {
    const mine = here[at] as Buffer;
    return mine.equals(line) || idOf(mine) === idOf(line);
  });
  return isSame ? Buffer.concat(here.slice(0, there.length)) : stored;
}

/**
 * The lines up to and with the one of that id, byte for byte, since the agent needs every field of them; `undefined`
 * where there is none.
 */
export function cutAfter(transcript: Buffer | undefined, uuid: string): Buffer | undefined {
  const lines = transcript ? splitLines(transcript) : [];
  const at = lines.findIndex((line) => line.includes(uuid) && idOf(line) === uuid);
  return at === -1 ? undefined : Buffer.concat(lines.slice(0, at + 1));
}

/** Lines that say something. */
export const countLines = (transcript: Buffer): number => splitLines(transcript).length;

/** Lines with their ends, and with the blank ones that follow them. */
function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    let end = bytes.indexOf(NEWLINE, at);
    end = end === -1 ? bytes.length : end + 1;
    while (bytes[end] === NEWLINE) end++;
    lines.push(bytes.subarray(at, end));
    at = end;
  }
  return lines;
}

/** The id of the message on a line; where it has none, the kind of line that it is. */
function idOf(line: Buffer): string {
  const value = parseJson(line.toString('utf8'));
  if (!isObject(value)) return '';
  return typeof value.uuid === 'string' ? value.uuid : `${String(value.type)} without an id`;
}
