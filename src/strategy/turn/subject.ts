import { collapse, sanitizeForTerminal, truncate } from '../../base/text/text.ts';

const COURTESIES =
  /^(?:[Cc]an you|[Pp]lease|[Ll]et's|[Cc]ould you|[Ww]ould you|I want you to|I'd like you to|I need you to) /;

/** A commit subject from what the user asked for: courtesies dropped, one line that can be printed, at most 72 code points. */
export function subjectFromPrompt(prompt: string | undefined, agentType: string): string {
  let text = collapse(sanitizeForTerminal(prompt ?? ''));
  while (COURTESIES.test(text)) text = text.replace(COURTESIES, '');
  text = truncate(text.replace(/\?$/, '').trim(), 72).trim();
  const [first = '', ...rest] = [...text];
  return text === '' ? `${agentType} session updates` : first.toUpperCase() + rest.join('');
}
