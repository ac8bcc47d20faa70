import { parseEvent } from './events.ts';

/**
 * The beginning of a transcript as one of another session: every line as the client wrote it, up to and including the
 * event `last`, with the id of the session replaced.
 *
 * @returns `undefined` when the event is not in it, as after the client's own way back
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line.includes(last) && parseEvent(line)?.id === last);
  if (last === '' || end === -1) return undefined;
  return `${lines
    .slice(0, end + 1)
    .map((line) => renamed(line, id))
    .join('\n')}\n`;
}

/** In a string of JSON quotes are escaped: what is found is a key. Sub-agents keep their ids. */
function renamed(line: string, id: string): string {
  const event = parseEvent(line);
  if (event?.type !== 'session.start' && event?.type !== 'hook.start') return line;
  return event.agentId === ''
    ? line.replaceAll(/"sessionId":"(?:[^"\\]|\\.)*"/g, `"sessionId":"${id}"`)
    : line;
}
