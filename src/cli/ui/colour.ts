/** What a text is about; a terminal shows each in a colour of its own, by the sixteen that people set up for themselves. */
export type Tone = 'agent' | 'you' | 'id' | 'quiet' | 'open' | 'added' | 'removed' | 'good' | 'warning';

const CODES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  agent: [35, 39],
  you: [94, 39],
  id: [33, 39],
  quiet: [2, 22],
  open: [36, 39],
  added: [32, 39],
  removed: [31, 39],
  good: [32, 39],
  warning: [31, 39],
};

/**
 * Whether to print colours on stdout: where it is a terminal, unless somebody does not want them; where it is none, if somebody does.
 *
 * @see https://no-color.org and https://bixense.com/clicolors
 */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return isTerminal && env.TERM !== 'dumb' && env.CLICOLOR !== '0';
}

/** A text in the colour of what it is about. */
export const paint = (tone: Tone, text: string): string =>
  text.trim() === '' ? text : `\x1b[${CODES[tone][0]}m${text}\x1b[${CODES[tone][1]}m`;
