import { join } from 'node:path';
import type { TurnEvent } from '../../agents/shared/headless/headless.ts';
import type { TurnStop } from '../../agents/shared/session/message.ts';
import { lstatIfExists, readPieces } from '../../base/file/disk.ts';
import { isObject, type JsonObject, parseJson } from '../../base/text/json.ts';

/** What the log of a run holds: what happens in its turns, and where these begin and end. */
export type RunEvent =
  | TurnEvent
  /** The user says something, which begins a turn; `steered`: into the running one. */
  | { readonly type: 'prompt'; readonly text: string; readonly steered?: true }
  /** The turn is over; `stopped` says why it did not come to its end. */
  | { readonly type: 'turn_end'; readonly stopped?: TurnStop };

/** One line of a log. Later releases may have other types, and other fields. */
export interface RecordedEvent extends JsonObject {
  readonly type: string;
  /** RFC 3339 in UTC. */
  readonly at: string;
}

export const eventsFile = (folder: string): string => join(folder, 'events.jsonl');

/**
 * What happened in a run, line by line; lines that were cut short and what is no event are passed over, as is a log that
 * is not there, or goes away while it is read.
 *
 * @param folder that of the run
 */
export function* readEvents(folder: string): Generator<RecordedEvent> {
  let rest = Buffer.alloc(0);
  try {
    if (!lstatIfExists(eventsFile(folder))?.isFile()) return; // a pipe would never answer
    for (const piece of readPieces(eventsFile(folder), 64 * 1024)) {
      const bytes = Buffer.concat([rest, piece]);
      const end = bytes.lastIndexOf(10) + 1;
      for (const line of bytes.toString('utf8', 0, end).split('\n')) {
        const event = parseEvent(line);
        if (event) yield event;
      }
      rest = Buffer.from(bytes.subarray(end));
    }
  } catch {
    // Whoever asks sees what there was until then.
  }
}

function parseEvent(line: string): RecordedEvent | undefined {
  const value = line === '' ? undefined : parseJson(line);
  if (!isObject(value)) return undefined;
  return typeof value.type === 'string' && typeof value.at === 'string'
    ? (value as RecordedEvent)
    : undefined;
}
