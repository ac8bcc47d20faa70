import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import { createHash } from '../../base/hash.ts';
import type { SessionId } from '../../base/ids.ts';
import { asList, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import {
  listPrivate,
  type PrivateRecord,
  readPrivate,
  readPrivateOfWorktree,
  type Stretch,
} from '../../session/private-record.ts';
import { covers, readPauses } from '../../session/record/pause.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';

/**
 * What of a transcript may not be stored: what was said in a private stretch, or was forgotten. It is overwritten in memory, byte
 * for byte, so that every item and every offset stays where it is: a line becomes spaces, the first of a run a line that says so.
 */
export interface Mask {
  readonly stretches: readonly Stretch[];
  readonly keys: ReadonlySet<string>;
  /** Those of `keys` that only say what a rewind gave up: nothing stands in its place. */
  readonly abandoned?: ReadonlySet<string>;
}

/** Longest first: a line that is too short for it says less. */
const NOTES = [
  '{"type":"entire-private","note":"A private stretch was left out here."}',
  '{"type":"entire-private"}',
];
const NOTE_TYPE = 'entire-private';
/** Shorter words are said all the time. */
const MIN_TEXT = 12;
/** Clients cut what they repeat of a prompt. */
const CUTS = [100, 200];
const SPACE = 0x20;
const NEWLINE = 0x0a;

/**
 * What is private in a session; `undefined` where nothing is, which one look tells. Of a session that nobody knew in a stretch of
 * its worktree the times tell. @throws {EntireError} `STATE_UNREADABLE`
 */
export function readMask(commonDir: string, id: SessionId): Mask | undefined {
  const { sessions, worktrees } = listPrivate(commonDir);
  if (sessions.length + worktrees.length === 0) return undefined;
  const records = sessions.map((one) => [one, readPrivate(commonDir, one)] as const);
  const own = records.find(([one]) => one === id)?.[1];
  const stretches = own?.stretches ?? ofWorktrees(commonDir, id, worktrees);
  // A fork repeats the lines of the session that it was made of.
  const hidden = records.flatMap(([, record]) => [...(record?.keys ?? [])]);
  const abandoned = new Set([...(own?.abandoned.values() ?? [])].flat());
  const keys = new Set([...hidden, ...abandoned]);
  return stretches.length + keys.size === 0 ? undefined : { stretches, keys, abandoned };
}

/** The private stretches of a session. @throws {EntireError} `STATE_UNREADABLE` */
export const readStretches = (commonDir: string, id: SessionId): readonly Stretch[] =>
  readMask(commonDir, id)?.stretches ?? [];

function ofWorktrees(commonDir: string, id: SessionId, worktrees: readonly string[]): readonly Stretch[] {
  const home = readStateIfReadable(sessionsDir(commonDir), id)?.worktreeId;
  return worktrees
    .filter((worktree) => home === undefined || worktree === home)
    .flatMap((worktree) => readPrivateOfWorktree(commonDir, worktree)?.stretches ?? []);
}

/** Whether a private stretch of a session goes on, wherever it lives: nothing new is read of it then. */
export function isPausedNow(commonDir: string, id: SessionId): boolean {
  const pauses = readPauses(commonDir);
  if (pauses === 'unreadable') return true;
  if (pauses.length === 0) return false;
  const home = readStateIfReadable(sessionsDir(commonDir), id)?.worktreeId;
  return pauses.some((pause) => (home === undefined ? true : covers(pause, home, id)));
}

export const digest = (kind: 'line' | 'id' | 'text', value: string): string =>
  createHash('sha256').update(`${kind}\0${value}`).digest('base64url').slice(0, 22);

/** Bytes of lines with what is private overwritten; the same length, and as many lines. */
export function maskLines(mask: Mask | undefined, bytes: Buffer): Buffer {
  if (mask === undefined || bytes.length === 0) return bytes;
  const masked = Buffer.from(bytes);
  let inherits = false;
  let isNoted = false;
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, at);
    const end = found === -1 ? bytes.length : found;
    const line = bytes.toString('utf8', at, end);
    const isBlank = line.trim() === '';
    const value = isBlank ? undefined : parseJson(line);
    inherits = inheritsAfter(mask, value, inherits);
    const kept: string | undefined = isBlank ? line : keep(mask, line, value, inherits);
    if (kept !== undefined && !isBlank) isNoted = false;
    if (kept === undefined) {
      masked.fill(SPACE, at, end);
      const isSilent: boolean =
        isNoted || (mask.abandoned !== undefined && isKnown(mask.abandoned, value, line));
      const note: string | undefined = isSilent ? undefined : NOTES.find((text) => text.length <= end - at);
      if (note) masked.write(note, at);
      isNoted ||= note !== undefined;
    } else if (kept !== line) {
      masked.fill(SPACE, at, end);
      masked.write(kept, at);
    }
    at = end + 1;
  }
  return masked;
}

/** A document with what is private blanked: as many messages, under their ids. */
export function maskDocument(mask: Mask | undefined, text: string): string {
  const value = mask && parseJson(text);
  if (mask === undefined || !isObject(value)) return text;
  let found = false;
  let inherits = false;
  const messages = asList(value.messages).map((message) => {
    inherits = inheritsAfter(mask, message, inherits);
    const isHidden = isObject(message) && isPrivate(mask, message, JSON.stringify(message), inherits);
    found ||= isHidden;
    return isHidden ? noteIn(blank(message)) : message;
  });
  if (!found) return text;
  const { summary: _, title: __, ...rest } = value; // made of what was said first
  return JSON.stringify({ ...rest, messages });
}

/** A whole transcript with what is private overwritten. */
export function maskTranscript(mask: Mask | undefined, format: TranscriptFormat, bytes: Buffer): Buffer {
  if (mask === undefined) return bytes;
  const text = bytes.toString('utf8');
  return format.isDocument?.(text) ? Buffer.from(maskDocument(mask, text)) : maskLines(mask, bytes);
}

/** What a client without a transcript on the disk hands over, without the messages that are private. */
export function dropPrivateMessages(mask: Mask | undefined, payload: unknown): unknown {
  if (mask === undefined || !isObject(payload) || !Array.isArray(payload.transcripts)) return payload;
  const isKept = (message: unknown): boolean =>
    !isObject(message) || !isPrivate(mask, message, JSON.stringify(message), false);
  const transcripts = payload.transcripts.map((handed: unknown) =>
    isObject(handed) ? { ...handed, messages: asList(handed.messages).filter(isKept) } : handed,
  );
  return { ...payload, transcripts };
}

const noteIn = (message: unknown): unknown =>
  isObject(message) && typeof message.type === 'string' ? { ...message, type: NOTE_TYPE } : message;

/** What of masked lines is stored: a line of spaces is an empty one. */
export const trimMasked = (mask: Mask | undefined, text: string): string =>
  mask === undefined
    ? text
    : text.replace(/^ +$/gm, '').replace(/^(\{"type":"entire-private".*\}) +$/gm, '$1');

/** Whether a line without a time is private, too: it belongs to the last one that had one. */
export function inheritsAfter(mask: Mask, value: unknown, inherits: boolean): boolean {
  const time = isObject(value) ? timeOf(value) : undefined;
  return time === undefined ? inherits : isIn(mask, time);
}

/** A line as it may be stored, or `undefined`. */
function keep(mask: Mask, line: string, value: unknown, inherits: boolean): string | undefined {
  if (!isObject(value)) {
    const known = mask.keys.has(digest('line', line.trim()));
    return known || inherits ? undefined : line;
  }
  if (isPrivate(mask, value, line, inherits)) return undefined;
  if (!repeats(value, line)) return line;
  const clean = withoutRepeated(mask, value);
  if (clean === value) return line;
  const text = JSON.stringify(clean);
  return Buffer.byteLength(text) <= Buffer.byteLength(line) ? text : undefined;
}

/** @param inherits what holds where it has no time */
export function isPrivate(mask: Mask, value: JsonObject, line: string, inherits: boolean): boolean {
  if (isKnown(mask.keys, value, line)) return true;
  const time = timeOf(value);
  return time === undefined ? inherits : isIn(mask, time);
}

const isKnown = (keys: ReadonlySet<string>, value: unknown, line: string): boolean =>
  keys.has(digest('line', line.trim())) ||
  (isObject(value) && idsOf(value).some((id) => keys.has(digest('id', id))));

const isIn = ({ stretches }: Mask, time: number): boolean =>
  stretches.some(({ fromMs, toMs }) => time >= fromMs && time <= toMs);

export const idsOf = (value: JsonObject): string[] =>
  [value.uuid, value.id, isObject(value.info) ? value.info.id : undefined].filter(
    (id): id is string => typeof id === 'string' && id.length >= 8,
  );

/** When something was said, in milliseconds since 1970; `undefined` where it does not say. */
export function timeOf(value: JsonObject): number | undefined {
  const inner = [value, value.message, value.payload, value.data, value.info, value.snapshot].filter(
    isObject,
  );
  for (const one of inner) {
    const created = isObject(one.time) ? one.time.created : one.time;
    // The header of Gemini CLI. Claude Code names the start of the session in the sum that it writes at each end.
    const begun = one.lastUpdated === undefined ? undefined : one.startTime;
    for (const said of [one.timestamp, created, one.ts, one.created_at, one.createdAt, begun]) {
      const time = typeof said === 'string' ? Date.parse(said) : Number(said ?? Number.NaN);
      if (Number.isFinite(time) && time > 0) return time < 1e11 ? time * 1000 : time;
    }
  }
  return undefined;
}

/** Lines that repeat older ones: notes of the client without a time, and histories. */
const repeats = (value: JsonObject, line: string): boolean =>
  timeOf(value) === undefined || /"(?:replacement_history|\$set|messages|history)":/.test(line);

/** What was said in private, taken out of what repeats it. */
function withoutRepeated(mask: Mask, value: unknown): unknown {
  if (typeof value === 'string') return isSaid(mask, value) ? '' : value;
  if (Array.isArray(value)) {
    const next = value.map((one) =>
      isObject(one) && isPrivate(mask, one, JSON.stringify(one), false)
        ? blank(one)
        : withoutRepeated(mask, one),
    );
    return next.every((one, at) => one === value[at]) ? value : next;
  }
  if (!isObject(value)) return value;
  const next = Object.entries(value).map(([key, one]) => [key, withoutRepeated(mask, one)] as const);
  return next.every(([key, one]) => one === value[key]) ? value : Object.fromEntries(next);
}

const isSaid = ({ keys }: Mask, text: string): boolean =>
  cutsOf(text.replace(/(?:…|\.\.\.)$/, '')).some((cut) => keys.has(digest('text', cut)));

/** A text, and what clients make of it where they repeat it. */
export function cutsOf(text: string): string[] {
  const plain = text.trim().replace(/\s+/g, ' ');
  if (plain.length < MIN_TEXT) return [];
  return [
    plain,
    ...CUTS.filter((length) => plain.length > length).map((length) => plain.slice(0, length).trim()),
  ];
}

/** Keys whose values say nothing but what kind of thing it is, and when. */
const SHAPE = new Set([
  'id',
  'uuid',
  'role',
  'type',
  'timestamp',
  'time',
  'created',
  'completed',
  'sessionID',
]);

function blank(value: unknown, key = ''): unknown {
  if (SHAPE.has(key) && !Array.isArray(value)) return isObject(value) ? value : value;
  if (Array.isArray(value)) return [];
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, blank(one, name)]));
  return typeof value === 'string' ? '' : typeof value === 'number' ? 0 : value;
}

/** The first thing that a session was asked, as far as it is private. */
export const isSaidInPrivate = (mask: Mask | undefined, text: string): boolean =>
  mask !== undefined && isSaid(mask, asText(text));

/** A record with one more stretch. */
export const withStretch = (
  record: PrivateRecord,
  stretch: Stretch,
  keys: Iterable<string>,
): PrivateRecord => ({
  ...record,
  stretches: [...record.stretches, stretch],
  keys: new Set([...record.keys, ...keys]),
});
