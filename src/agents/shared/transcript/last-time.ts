import { constants } from 'node:buffer';
import { isObject, parseJson } from '../../../base/text/json.ts';

const NEWLINE = 0x0a;

/**
 * When the last entry of a transcript was written, in milliseconds since 1970; `undefined` when nothing in it says. In
 * JSON Lines the last line with a time counts, of whatever length it is: clients write lines without one behind it. A
 * transcript that is one JSON document says it with its last message, or with `lastUpdated`. Any bytes are taken.
 */
export function readLastTime(transcript: Buffer): number | undefined {
  for (let end = transcript.length; end > 0; ) {
    const start = transcript.lastIndexOf(NEWLINE, end - 1) + 1;
    const time = timeOf(parseJson(readText(transcript, start, end)));
    if (time !== undefined) return time;
    end = start - 1;
  }
  return documentTime(transcript);
}

function documentTime(transcript: Buffer): number | undefined {
  if (!/^\s*\{/.test(transcript.toString('utf8', 0, 64))) return undefined;
  return timeOf(parseJson(readText(transcript, 0, transcript.length)));
}

/** What is longer than any text can be says nothing. */
const readText = (bytes: Buffer, start: number, end: number): string =>
  end - start > constants.MAX_STRING_LENGTH ? '' : bytes.toString('utf8', start, end);

/** Of a line, or of a document. */
function timeOf(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const messages = Array.isArray(value.messages) ? value.messages : [];
  const last = messages.findLast(
    (message) => isObject(message) && parseTime(message.timestamp) !== undefined,
  );
  return (
    parseTime(isObject(last) ? last.timestamp : undefined) ??
    parseTime(value.lastUpdated ?? value.timestamp) ??
    timeOfMessage(value) ??
    messages.map(timeOfMessage).findLast((time) => time !== undefined)
  );
}

/** Messages that say in numbers when they were begun and ended. */
function timeOfMessage(value: unknown): number | undefined {
  const info = isObject(value) && Array.isArray(value.parts) && isObject(value.info) ? value.info : {};
  const { completed, created } = isObject(info.time) ? info.time : {};
  return [completed, created].find(isTime);
}

function parseTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The last moment that a date can be. */
const MAX_TIME = 8.64e15;

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_TIME;
