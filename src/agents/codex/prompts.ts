import { asText } from '../../base/text/json.ts';
import { contentTexts, type Row } from './rows.ts';

/** What a person typed: items of today's clients, events of older ones. Messages of the user's role say more than that. */
export function promptOf({ type, kind, payload }: Row): string | undefined {
  const isItem = type === 'item_completed' && kind === 'UserMessage';
  const isEvent = type === 'event_msg' && kind === 'user_message';
  const said = isItem ? contentTexts(payload).join('\n\n') : isEvent ? asText(payload.message) : '';
  return cleanPrompt(said) || undefined;
}

/** IDEs put what is open in them before the prompt, under headings. */
const REQUEST = /^#{2,3} My request for Codex:[ \t]*$/m;

/** One prompt without what IDEs put before it. */
export function cleanPrompt(prompt: string): string {
  const request = REQUEST.exec(prompt);
  return (request ? prompt.slice(request.index + request[0].length) : prompt).trim();
}
