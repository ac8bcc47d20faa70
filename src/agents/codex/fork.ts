import { asText } from '../../base/text/json.ts';
import { parseRow } from './rows.ts';

/**
 * The beginning of a rollout as one of another session: every line as the client wrote it, up to and including the message
 * `last` and what the client noted of it (tokens, the end of the turn), with the id of the session replaced.
 *
 * @returns `undefined` when the message is not in it
 */
export function forkTranscript(transcript: string, last: string, id: string): string | undefined {
  const lines = transcript.split('\n');
  const at = lines.findIndex((line) => line.includes(last) && idOf(line) === last);
  if (last === '' || at === -1) return undefined;
  const old = sessionOf(lines);
  const next = lines.findIndex((line, index) => index > at && beginsSomething(line));
  return `${lines
    .slice(0, next === -1 ? lines.length : next)
    .filter((line) => line !== '')
    .map((line) => (old === '' ? line : renamed(line, old, id)))
    .join('\n')}\n`;
}

function idOf(line: string): string {
  const row = parseRow(line);
  return row?.type === 'response_item' ? asText(row.payload.id) : '';
}

/** A further message, or a further turn. */
function beginsSomething(line: string): boolean {
  const row = parseRow(line);
  return row !== undefined && (row.type !== 'event_msg' || row.kind === 'task_started') && !isNote(row.type);
}

const isNote = (type: string): boolean => ['token_usage_record', 'item_completed'].includes(type);

function sessionOf(lines: readonly string[]): string {
  for (const line of lines) {
    const row = line.includes('"session_meta"') ? parseRow(line) : undefined;
    if (row?.type === 'session_meta') return asText(row.payload.id);
  }
  return '';
}

/** In a string of JSON quotes are escaped: what is found is a key. */
const renamed = (line: string, old: string, id: string): string =>
  ['id', 'session_id', 'thread_id'].reduce(
    (renamedSoFar, key) => renamedSoFar.replaceAll(`"${key}":"${old}"`, `"${key}":"${id}"`),
    line,
  );
