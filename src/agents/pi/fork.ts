import { isObject, parseJson } from '../../base/text/json.ts';

/**
 * The beginning of a session as one of another id: every line as Pi wrote it, up to and including the entry `last`, which then
 * is where the conversation goes on from. Only the header has the id of the session.
 *
 * @returns `undefined` when that entry is not in it, or there is no header
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => idOf(line, 'header') !== undefined);
  const end = lines.findIndex((line) => line.includes(last) && idOf(line, 'entry') === last);
  const header = lines[at];
  if (last === '' || header === undefined || end < at) return undefined;
  const old = JSON.stringify(idOf(header, 'header'));
  const kept = lines.slice(0, end + 1);
  kept[at] = header.replace(`"id":${old}`, () => `"id":${JSON.stringify(id)}`);
  return `${kept.join('\n')}\n`;
}

function idOf(line: string, of: 'header' | 'entry'): string | undefined {
  const row = parseJson(line);
  if (!isObject(row) || typeof row.id !== 'string') return undefined;
  return (row.type === 'session') === (of === 'header') ? row.id : undefined;
}
