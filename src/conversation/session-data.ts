import type { Message, TurnStop } from '../agents/shared/session/message.ts';
import { EntireError } from '../base/errors.ts';
import { parseSessionId } from '../base/ids.ts';
import { isObject, parseJson } from '../base/text/json.ts';

/** A session as it is stored; the names are those on disk. */
export interface SessionData {
  readonly session_id: string;
  /** Without the system prompt. */
  readonly messages: readonly Message[];
  readonly system: string | null;
  /** The session that this one was forked from. */
  readonly parent_id: string | null;
  /** In seconds since 1970, with a fraction. */
  readonly created_at: number;
  readonly updated_at: number;
  /** What else somebody wants to keep. Ours: see {@link SessionMetadata}. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** All of them, in the order in which they are written. */
const FIELDS = [
  'session_id',
  'messages',
  'system',
  'parent_id',
  'created_at',
  'updated_at',
  'metadata',
] as const satisfies readonly (keyof SessionData)[];

/** Below what Node can make one text of: all that is kept can be read by both builds. */
export const MAX_SESSION_BYTES = 500_000_000;

/**
 * Reads a stored session. There is no field for a version: a later form has a field that this one does not know.
 *
 * @param where names the place in a failure
 * @throws {EntireError} `STATE_UNREADABLE` when it is none
 */
export function parseSessionData(text: string, where: string): SessionData {
  if (text.trim() === '') throw unreadable(where, 'it is empty');
  const value = parseJson(text);
  if (value === undefined) throw unreadable(where, 'it is not JSON');
  return requireSessionData(value, where);
}

/** A value as a session. @param where names its place in a failure @throws {EntireError} `STATE_UNREADABLE` */
export function requireSessionData(value: unknown, where: string): SessionData {
  const wrong = findFault(value);
  if (wrong === undefined) return value as SessionData;
  const isLater = isObject(value) && findUnknownField(value) !== undefined;
  throw unreadable(where, wrong, isLater ? 'A later version of entire may have written it. ' : '');
}

const unreadable = (where: string, wrong: string, hint = ''): EntireError =>
  new EntireError('STATE_UNREADABLE', `${where} holds no session: ${wrong}.`, {
    hint: `${hint}It is left as it is.`,
  });

/**
 * A session as JSON: the fields in their order, nothing between them.
 *
 * @throws {EntireError} `UNSUPPORTED` for what is no session, or no JSON: what was stored could not be read again
 */
export function renderSessionData(data: SessionData): string {
  requireStorable(data);
  return renderJson(Object.fromEntries(FIELDS.map((field) => [field, data[field]])));
}

/** @throws {EntireError} `UNSUPPORTED` for what is no session */
export function requireStorable(data: SessionData): void {
  const wrong = findFault(data);
  if (wrong !== undefined) throw new EntireError('UNSUPPORTED', `this is not a session: ${wrong}.`);
}

/** @throws {EntireError} `UNSUPPORTED` where a value goes round in circles, has no end, is too large, or none of JSON's */
export function renderJson(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new EntireError(
      'UNSUPPORTED',
      `this session cannot be kept as JSON: ${(cause as Error).message}.`,
      {
        cause,
      },
    );
  }
  if (Buffer.byteLength(text) < MAX_SESSION_BYTES) return text;
  throw new EntireError(
    'UNSUPPORTED',
    'this session is too large to be kept: as JSON it has more than 500 MB.',
  );
}

/** Why a value is no session, as the end of a sentence; `undefined` when it is one. */
export function findFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is not an object';
  const { session_id, messages, system, parent_id, created_at, updated_at, metadata } = value;
  const unknownField = findUnknownField(value);
  if (unknownField !== undefined) return `\`${unknownField}\` is not a field of a session`;
  if (parseSessionId(session_id) === undefined) return '`session_id` is not an id';
  if (!Array.isArray(messages) || !isPlain(messages)) return '`messages` is not a list';
  const wrong = messages.findIndex((message) => !isMessage(message));
  if (wrong >= 0) return `\`messages[${wrong}]\` is not a message`;
  if (system !== null && typeof system !== 'string') return '`system` is not a text';
  if (parent_id !== null && parseSessionId(parent_id) === undefined) return '`parent_id` is not an id';
  if (!isNumber(created_at)) return '`created_at` is not a time';
  if (!isNumber(updated_at)) return '`updated_at` is not a time';
  return isObject(metadata) && isPlain(metadata) ? undefined : '`metadata` is not an object';
}

const findUnknownField = (value: object): string | undefined =>
  Object.keys(value).find((name) => !(FIELDS as readonly string[]).includes(name));

/** What the type promises; everything else is kept as it is. */
function isMessage(value: unknown): boolean {
  if (!isObject(value) || !isPlain(value) || typeof value.role !== 'string') return false;
  const { content, timestamp, usage, stopped, steered } = value;
  return (
    (typeof content === 'string' || (Array.isArray(content) && isPlain(content) && content.every(isBlock))) &&
    isLeftOutOr(isNumber, timestamp) &&
    isLeftOutOr(isUsage, usage) &&
    isLeftOutOr(isStop, stopped) &&
    isLeftOutOr((flag) => flag === true, steered)
  );
}

const isBlock = (block: unknown): boolean =>
  isObject(block) &&
  isPlain(block) &&
  typeof block.type === 'string' &&
  isLeftOutOr((text) => typeof text === 'string', block.text);

const isUsage = (usage: unknown): boolean =>
  isObject(usage) &&
  [
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_creation_tokens,
    usage.cache_read_tokens,
    usage.cost_usd ?? 0,
  ].every(isNumber);

const STOPS: Readonly<Record<TurnStop, true>> = {
  cancelled: true,
  failed: true,
  'timed-out': true,
  unfinished: true,
};
const isStop = (stop: unknown): boolean => typeof stop === 'string' && Object.hasOwn(STOPS, stop);

const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isLeftOutOr = (is: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || is(value);

/** Whether an object says what it is by its keys: one that speaks for itself may become anything as JSON. */
const isPlain = (value: object): boolean => !('toJSON' in value) || typeof value.toJSON !== 'function';
