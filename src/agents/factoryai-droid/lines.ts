import { isObject, parseJson } from '../../base/text/json.ts';
import { wordsOf } from '../transcript/message-blocks.ts';
import { stripTags } from '../transcript/prompt-tags.ts';

/** A line of a transcript; nothing of it is checked. */
export interface Line {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly timestamp?: unknown;
  readonly summaryText?: unknown;
  readonly reason?: unknown;
  readonly message?: {
    readonly role?: unknown;
    readonly content?: unknown;
    readonly usage?: unknown;
    readonly modelId?: unknown;
    readonly visibility?: unknown;
  };
}

/** `undefined` for what is half-written or foreign. */
export function parseLine(raw: string): Line | undefined {
  const value = raw === '' ? undefined : parseJson(raw);
  return isObject(value) ? value : undefined;
}

export const isMessage = (line: Line): boolean => line.type === 'message' && isObject(line.message);
export const isAnswer = (line: Line): boolean => line.message?.role === 'assistant';

/** In milliseconds since 1970; 0 where the line does not say. */
export const timeOf = (line: Line): number =>
  (typeof line.timestamp === 'string' && Date.parse(line.timestamp)) || 0;

/** What only the model sees was written by the client, and what only the user sees tells of hooks. */
export function promptOf({ message }: Line): string | undefined {
  if (message?.role !== 'user' || message.visibility === 'llm_only' || message.visibility === 'user_only')
    return undefined;
  return stripTags(wordsOf(message.content)) || undefined;
}
