/** What a text is about; a terminal shows each in a colour of its own, by the sixteen that people set up for themselves. */
export type Tone =
  | 'agent'
  | 'you'
  | 'id'
  | 'quiet'
  | 'open'
  | 'found'
  | 'added'
  | 'removed'
  | 'good'
  | 'warning';

const CODES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  agent: [35, 39],
  you: [94, 39],
  id: [33, 39],
  quiet: [2, 22],
  open: [36, 39],
  found: [1, 22],
  added: [32, 39],
  removed: [31, 39],
  good: [32, 39],
  warning: [31, 39],
};

/** What `--color` asks for. */
export const COLOUR_WISHES = ['auto', 'always', 'never'] as const;
export type ColourWish = (typeof COLOUR_WISHES)[number];

let wish: ColourWish = 'auto';

/** Notes what the command line asks for: it is heard before the environment. */
export function wishColour(asked: ColourWish): void {
  wish = asked;
  // What asks people (@clack/prompts) looks for itself, and so do programs that we start.
  if (asked === 'never') process.env.NO_COLOR = '1';
}

/**
 * Whether to print colours on a stream: where it is a terminal, unless somebody does not want them; where it is none, if somebody does.
 *
 * @see https://no-color.org, https://bixense.com/clicolors and https://force-color.org
 */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean | undefined): boolean {
  const asked = askedFor(env);
  if (asked !== 'auto') return asked === 'always';
  return isTerminal === true && env.TERM !== 'dumb';
}

/** What `git --color` is told; nothing where its own configuration decides. */
export function colourOfGit(env: NodeJS.ProcessEnv): readonly string[] {
  const asked = askedFor(env);
  return asked === 'auto' ? [] : [`--color=${asked}`];
}

function askedFor(env: NodeJS.ProcessEnv): ColourWish {
  const { NO_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_COLOR } = env;
  if (wish !== 'auto') return wish;
  if (NO_COLOR) return 'never';
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0') return 'always';
  if (FORCE_COLOR) return isOff(FORCE_COLOR) ? 'never' : 'always';
  return CLICOLOR === '0' ? 'never' : 'auto';
}

/** Not in the words of who named the variable, but as the programs read it that people know it from. */
const isOff = (text: string): boolean => text === '0' || text === 'false';

/** A text in the colour of what it is about. */
export const paint = (tone: Tone, text: string): string =>
  text.trim() === '' ? text : `\x1b[${CODES[tone][0]}m${text}\x1b[${CODES[tone][1]}m`;
