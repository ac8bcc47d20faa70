import { createInterface } from 'node:readline';
import { AGENT_MARKERS } from '../../agents/names.ts';
import { collapse, sanitizeForTerminal } from '../../base/text/text.ts';
import { terminalWidth, wrapLines } from './width.ts';

export { sanitizeForTerminal as plain } from '../../base/text/text.ts';

/** Text from elsewhere in one line of ours. */
export const oneLine = (text: string): string => collapse(sanitizeForTerminal(text));

/** One line, or several, on stdout: broken at words where the terminal ends, unless it is JSON. */
export const say = (text = ''): void => sayAsIs(/^[[{](["{[\n\]}]|$)/.test(text) ? text : fitted(text));

/** Contents, on stdout: nothing is broken that somebody may copy or a program reads. */
export const sayAsIs = (text: string): void => void process.stdout.write(`${text}\n`);

/** One line, or several, on stderr; broken where that is a terminal. */
export const warn = (text: string): void =>
  void process.stderr.write(
    `${process.stderr.isTTY ? wrapLines(text, terminalWidth(process.stderr)) : text}\n`,
  );

/** As wide as the terminal on stdout at most, less what is `taken`; as it is in a pipe. */
export function fitted(text: string, taken = 0): string {
  const width = terminalWidth();
  return wrapLines(text, width && width - taken);
}

/** A problem that was met on the way, on one line of stderr. */
export const warnOf = (problem: string): void => warn(oneLine(problem));

/** Whether somebody can answer a question: a real terminal on both sides, and no agent or build at the keyboard. */
export function canAsk(env: NodeJS.ProcessEnv = process.env): boolean {
  if (!process.stdin.isTTY || !process.stdout.isTTY || env.CI) return false;
  return !AGENT_MARKERS.some((name) => env[name]);
}

/** Whether questions come on plain lines: for who has them read out, and where nothing can be drawn. */
export const asksOnLine = ({ ACCESSIBLE, TERM }: NodeJS.ProcessEnv = process.env): boolean =>
  Boolean(ACCESSIBLE) || TERM === 'dumb';

export interface Question {
  readonly title: string;
  readonly details?: string;
  readonly yes: string;
  readonly no: string;
  readonly initial: boolean;
}

/**
 * Asks yes or no. Escape, Ctrl-C and the end of input count as "no". `ACCESSIBLE` asks on a plain line.
 * Only to be called where {@link canAsk}.
 */
export async function confirm(question: Question): Promise<boolean> {
  if (asksOnLine()) return confirmOnLine(question);
  const prompts = await import('@clack/prompts');
  if (question.details) prompts.log.message(question.details);
  const answer = await prompts.confirm({
    message: question.title,
    active: question.yes,
    inactive: question.no,
    initialValue: question.initial,
  });
  return answer === true; // a cancelled prompt answers with a symbol
}

/** One of several things to choose. */
export interface Choice<T> {
  readonly value: T;
  readonly label: string;
}

/**
 * Lets somebody choose; `undefined` when they would rather not. `ACCESSIBLE` asks for a number. Only to be called where
 * {@link canAsk}.
 */
export async function choose<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
  if (asksOnLine()) return chooseOnLine(title, choices);
  const prompts = await import('@clack/prompts');
  const options = choices.map(({ label }, at) => ({ value: at, label: sanitizeForTerminal(label) }));
  const answer = await prompts.select({ message: title, options });
  return typeof answer === 'number' ? choices[answer]?.value : undefined;
}

/**
 * Lets somebody choose any number; `undefined` when they would rather not. `ACCESSIBLE` asks for numbers. Only to be called
 * where {@link canAsk}.
 *
 * @param initial what is chosen unless something else is
 */
export async function chooseSome<T>(
  title: string,
  choices: readonly Choice<T>[],
  initial: readonly T[],
): Promise<T[] | undefined> {
  const marked = choices.flatMap(({ value }, at) => (initial.includes(value) ? [at] : []));
  const answer = asksOnLine()
    ? await chooseSomeOnLine(title, choices, marked)
    : await chooseSomeOnScreen(title, choices, marked);
  return answer?.flatMap((at) => choices[at]?.value ?? []);
}

async function chooseSomeOnScreen(
  message: string,
  choices: readonly Choice<unknown>[],
  initialValues: number[],
): Promise<number[] | undefined> {
  const prompts = await import('@clack/prompts');
  const options = choices.map(({ label }, at) => ({ value: at, label: sanitizeForTerminal(label) }));
  const answer = await prompts.multiselect({ message, options, initialValues, required: false });
  return Array.isArray(answer) ? answer : undefined; // a cancelled prompt answers with a symbol
}

async function chooseSomeOnLine(
  title: string,
  choices: readonly Choice<unknown>[],
  marked: readonly number[],
): Promise<readonly number[] | undefined> {
  for (const [at, { label }] of choices.entries()) say(sanitizeForTerminal(`  ${at + 1}) ${label}`));
  const usual = marked.map((at) => at + 1).join(' ');
  for (;;) {
    const answer = await nextLine(`${title} Numbers, or an empty line for ${usual || 'none'}: `);
    if (answer === undefined) return undefined;
    if (answer === '') return marked;
    const numbers = answer.split(/[\s,]+/).map(Number);
    if (numbers.every((number) => choices[number - 1] !== undefined)) return numbers.map((one) => one - 1);
  }
}

async function chooseOnLine<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
  for (const [at, { label }] of choices.entries()) say(sanitizeForTerminal(`  ${at + 1}) ${label}`));
  for (;;) {
    const answer = await nextLine(`${title} [1-${choices.length}] `);
    if (answer === undefined || answer === '') return undefined;
    const choice = choices[Number(answer) - 1];
    if (choice) return choice.value;
  }
}

async function confirmOnLine({ title, details, initial }: Question): Promise<boolean> {
  if (details) say(details);
  for (;;) {
    const answer = await nextLine(`${title} ${initial ? '[Y/n]' : '[y/N]'} `);
    if (answer === undefined) return false;
    if (answer === '') return initial;
    if (/^y(es)?$/i.test(answer)) return true;
    if (/^no?$/i.test(answer)) return false;
  }
}

/** Lines that came together with one that was asked for: they answer the next questions. */
const typed: string[] = [];

/** What somebody types, trimmed; `undefined` at the end of input. */
function nextLine(prompt: string): Promise<string | undefined> {
  process.stdout.write(prompt);
  if (typed.length > 0) return Promise.resolve(typed.shift());
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      typed.push(line.trim());
      setImmediate(() => lines.close()); // the others of the same read come first
    });
    lines.once('close', () => {
      if (typed.length === 0) say();
      resolve(typed.shift());
    });
  });
}

/**
 * JSON as commands print it: two spaces, and every character escaped that a terminal could take for a command, or that
 * reorders or hides text. Programs get the exact text; people who look at it are safe.
 */
export const renderJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(
    /[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
