import type { Message } from '../agents/message.ts';
import { EntireError } from '../base/errors.ts';
import { parseSessionId } from '../base/ids.ts';
import { isObject, parseJson } from '../base/json.ts';

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

/**
 * Reads a stored session.
 *
 * @param where names the place in a failure
 * @throws {EntireError} `STATE_UNREADABLE` when it is none
 */
export function parseSessionData(text: string, where: string): SessionData {
  const value = parseJson(text);
  const wrong = value === undefined ? 'it is no JSON' : findFault(value);
  if (wrong === undefined) return value as SessionData;
  throw new EntireError('STATE_UNREADABLE', `${where} holds no session: ${wrong}.`, {
    hint: 'It is left as it is.',
  });
}

/** Why a value is no session, as the end of a sentence; `undefined` when it is one. */
export function findFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is no object';
  const { session_id, messages, system, parent_id, created_at, updated_at, metadata } = value;
  if (parseSessionId(session_id) === undefined) return '`session_id` is no id';
  if (!Array.isArray(messages) || !messages.every(isMessage)) return '`messages` is no list of messages';
  if (system !== null && typeof system !== 'string') return '`system` is no text';
  if (parent_id !== null && parseSessionId(parent_id) === undefined) return '`parent_id` is no id';
  if (!Number.isFinite(created_at) || !Number.isFinite(updated_at)) return 'a time is no number';
  return isObject(metadata) ? undefined : '`metadata` is no object';
}

const isMessage = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.role === 'string' &&
  (typeof value.content === 'string' ||
    (Array.isArray(value.content) &&
      value.content.every((block) => isObject(block) && typeof block.type === 'string')));
