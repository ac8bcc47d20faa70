import { isObject, parseJson } from '../../base/text/json.ts';
import { wordsOf } from '../transcript/message-blocks.ts';
import { stripTags } from '../transcript/prompt-tags.ts';

export interface Line {
  readonly role: unknown;
  readonly content: unknown;
}

let parsed: { readonly text: string; readonly lines: readonly Line[] } = { text: '', lines: [] };

/** Every message; the last text is remembered, since its readers come one after the other. */
export function parse(text: string): readonly Line[] {
  if (parsed.text !== text) parsed = { text, lines: text.split('\n').flatMap((raw) => parseLine(raw) ?? []) };
  return parsed.lines;
}

function parseLine(raw: string): Line | undefined {
  const value = raw === '' ? undefined : parseJson(raw);
  if (!isObject(value) || !isObject(value.message)) return undefined;
  return { role: value.role, content: value.message.content };
}

export const promptOf = ({ role, content }: Line): string | undefined =>
  role === 'user' ? cleanPrompt(wordsOf(content)) || undefined : undefined;

/** What was typed stands between tags, where there are any; beside them the client says what was open and selected. */
export function cleanPrompt(text: string): string {
  const typed: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf(OPEN, at);
    const end = start === -1 ? -1 : text.indexOf(CLOSE, start);
    if (end === -1) break;
    typed.push(text.slice(start + OPEN.length, end).trim());
    at = end + CLOSE.length;
  }
  return stripTags(typed.length > 0 ? typed.filter(Boolean).join('\n\n') : text);
}

const OPEN = '<user_query>';
const CLOSE = '</user_query>';
