import { isObject, parseJson } from '../../base/text/json.ts';
import { type Block, blocksOf, wordsOf } from '../transcript/message-blocks.ts';
import { stripTags } from '../transcript/prompt-tags.ts';

/** A line of a transcript; nothing of it is checked. */
export interface Line {
  readonly type?: unknown;
  readonly uuid?: unknown;
  readonly cwd?: unknown;
  readonly isMeta?: unknown;
  readonly isCompactSummary?: unknown;
  readonly timestamp?: unknown;
  readonly message?: { readonly id?: unknown; readonly content?: unknown; readonly usage?: unknown };
}

/** `undefined` for what is half-written or foreign: the line still counts as an item, it just says nothing. */
export function parseLine(raw: string): Line | undefined {
  if (raw === '') return undefined;
  const value = parseJson(raw);
  return isObject(value) ? value : undefined;
}

export const blocks = (line: Line): Block[] => blocksOf(line.message?.content);

/** In milliseconds since 1970; 0 where the line does not say. */
export const timeOf = (line: Line | undefined): number =>
  (typeof line?.timestamp === 'string' && Date.parse(line.timestamp)) || 0;

/** Rows typed by a person: not injected by the client, by a skill, or by a finished background task. */
export function isPrompt(line: Line): boolean {
  return isUsers(line) && line.isCompactSummary !== true && !saysInterrupted(line);
}

/** The client sums up what went before, in the user's name. */
export const isSummary = (line: Line): boolean => isUsers(line) && line.isCompactSummary === true;

/** The client says in the user's name that the turn was stopped. */
export const isInterruption = (line: Line): boolean => isUsers(line) && saysInterrupted(line);

const isUsers = (line: Line): boolean =>
  (line.type === 'user' || line.type === 'human') && line.isMeta !== true;

const saysInterrupted = (line: Line): boolean => INTERRUPTED.test(wordsOf(line.message?.content).trim());
const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/;

export const promptText = (line: Line): string | undefined =>
  cleanPrompt(wordsOf(line.message?.content)) || undefined;

/** One prompt without what clients wrap around it; empty when nobody typed anything. */
export function cleanPrompt(text: string): string {
  const clean = stripTags(text);
  const injected = ['Base directory for this skill:', '<task-notification>'].some((start) =>
    clean.startsWith(start),
  );
  return injected ? '' : clean;
}
