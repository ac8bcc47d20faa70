import { asObject, asText, isObject, parseJson } from '../../base/text/json.ts';
import { readBackwards } from '../transcript/json-lines.ts';
import { isDocument, parseDocument } from './messages.ts';

const REWIND = '$rewindTo:';

/** Id of the last message; after a rewind, which leaves none of its own, the mark of that. Empty without either. */
export function readLastIdentifier(text: string): string {
  if (isDocument(text)) return (parseDocument(text)?.messages ?? []).map(markOf).findLast(Boolean) ?? '';
  return readBackwards(text, (line) => markOf(parseJson(line)));
}

function markOf(item: unknown): string {
  if (!isObject(item)) return '';
  if (typeof item.$rewindTo === 'string') return `${REWIND}${item.$rewindTo}`;
  return asText(item.id);
}

/**
 * The beginning of a transcript as one of another session: every item as the client wrote it, up to and including the
 * last one with the mark `last`, with the id of the session replaced.
 *
 * @returns `undefined` when there is none with that mark
 */
export function forkTranscript(text: string, last: string, id: string): string | undefined {
  if (last === '') return undefined;
  const document = parseDocument(text);
  if (document) {
    const end = document.messages.findLastIndex((message) => markOf(message) === last);
    if (end === -1) return undefined;
    return JSON.stringify(
      { ...document, sessionId: id, messages: document.messages.slice(0, end + 1) },
      null,
      2,
    );
  }
  const lines = text.split('\n');
  const name = last.replace(REWIND, '');
  const end = lines.findLastIndex((line) => line.includes(name) && markOf(parseJson(line)) === last);
  if (end === -1) return undefined;
  return `${lines
    .slice(0, end + 1)
    .map((line) => renamed(line, id))
    .join('\n')}\n`;
}

/** Header and `$set` name the session; what tools were called with is none of ours. */
function renamed(line: string, id: string): string {
  const record = line.includes('"sessionId":') ? parseJson(line) : undefined;
  if (!isObject(record)) return line;
  const named = record.sessionId ?? asObject(record.$set).sessionId;
  if (typeof named !== 'string') return line;
  return line.replace(`"sessionId":${JSON.stringify(named)}`, () => `"sessionId":${JSON.stringify(id)}`);
}
