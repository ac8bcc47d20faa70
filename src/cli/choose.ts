import { createInterface } from 'node:readline';
import { say } from './terminal.ts';

/** A question with a list of answers. */
export interface Choice<T extends string> {
  readonly title: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
}

/**
 * Lets a person choose from a list. `ACCESSIBLE` asks for a number on a plain line. Only where `canAsk`.
 *
 * @returns `undefined` for Escape, Ctrl-C and the end of input
 */
export async function choose<T extends string>({ title, options }: Choice<T>): Promise<T | undefined> {
  if (process.env.ACCESSIBLE || process.env.TERM === 'dumb') return chooseOnLine({ title, options });
  const prompts = await import('@clack/prompts');
  const list = options.map(({ value, label }) => ({ value: value as string, label }));
  const answer = await prompts.select({ message: title, options: list });
  return options.find(({ value }) => value === answer)?.value; // a cancelled prompt answers with a symbol
}

async function chooseOnLine<T extends string>({ title, options }: Choice<T>): Promise<T | undefined> {
  say(title);
  for (const [index, { label }] of options.entries()) say(`${index + 1}. ${label}`);
  for (;;) {
    process.stdout.write(`Enter a number between 1 and ${options.length}: `);
    const line = await readTyped();
    const chosen = options[Number(line) - 1];
    if (line === undefined) say();
    if (line === undefined || chosen) return chosen?.value;
  }
}

/** Lines that came together with one that was asked for: they answer the next questions. */
const typed: string[] = [];

/** The next line, trimmed; `undefined` at the end of input. */
function readTyped(): Promise<string | undefined> {
  if (typed.length > 0) return Promise.resolve(typed.shift());
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      typed.push(line.trim());
      setImmediate(() => lines.close()); // the others of the same read come first
    });
    lines.once('close', () => resolve(typed.shift()));
  });
}
