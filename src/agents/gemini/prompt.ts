import { asObjects } from '../../base/text/json.ts';
import { type Message, textOf } from './messages.ts';

/** What the client says in the user's name when it thinks that the model has more to do. */
const NUDGE = 'Please continue.';

/** What a person typed in a message; `undefined` for answers of tools, and for what the client says itself. */
export function promptOf({ type, fields }: Message): string | undefined {
  if (type !== 'user') return undefined;
  if (asObjects(fields.content).some((part) => 'functionResponse' in part)) return undefined;
  const said = textOf(fields.content);
  if (said.trim() === NUDGE) return undefined;
  // Where files were named with `@`, their contents are in the message, and what was typed stands beside it.
  const typed = fields.displayContent === undefined ? '' : textOf(fields.displayContent);
  return cleanPrompt(typed || said) || undefined;
}

const FILES_BEGIN = '--- Content from referenced files ---';
const FILES_END = '--- End of content ---';

/** A prompt without what the client adds to it: the folder and its files, contents of files, and what hooks had to say. */
export function cleanPrompt(text: string): string {
  return ['session_context', 'hook_context'].reduce(withoutElement, withoutFiles(text)).trim();
}

function withoutFiles(text: string): string {
  const start = text.indexOf(FILES_BEGIN);
  if (start === -1 || (start > 0 && text[start - 1] !== '\n')) return text;
  const end = text.lastIndexOf(FILES_END);
  return text.slice(0, start) + (end < start ? '' : text.slice(end + FILES_END.length));
}

/** Without the complete elements of that name. */
function withoutElement(text: string, name: string): string {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const kept: string[] = [];
  let at = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start);
    if (end === -1) break;
    kept.push(text.slice(at, start));
    at = end + close.length;
  }
  return [...kept, text.slice(at)].join('');
}
