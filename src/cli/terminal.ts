import { createInterface } from 'node:readline';
import { AGENT_MARKERS } from '../agents/names.ts';

export { sanitizeForTerminal as plain } from '../base/text.ts';

/** One line, or several, on stdout. */
export const say = (text = ''): void => void process.stdout.write(`${text}\n`);

/** One line, or several, on stderr. */
export const warn = (text: string): void => void process.stderr.write(`${text}\n`);

/** Whether somebody can answer a question: a real terminal on both sides, and no agent or build at the keyboard. */
export function canAsk(env: NodeJS.ProcessEnv = process.env): boolean {
  if (!process.stdin.isTTY || !process.stdout.isTTY || env.CI) return false;
  return !AGENT_MARKERS.some((name) => env[name]);
}

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
  if (process.env.ACCESSIBLE || process.env.TERM === 'dumb') return confirmOnLine(question);
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

async function confirmOnLine({ title, details, initial }: Question): Promise<boolean> {
  if (details) say(details);
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  try {
    for (;;) {
      const answer = await nextLine(lines, `${title} ${initial ? '[Y/n]' : '[y/N]'} `);
      if (answer === undefined) return false;
      if (answer === '') return initial;
      if (/^y(es)?$/i.test(answer)) return true;
      if (/^no?$/i.test(answer)) return false;
    }
  } finally {
    lines.close();
  }
}

function nextLine(lines: ReturnType<typeof createInterface>, prompt: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const onClose = (): void => {
      say();
      resolve(undefined);
    };
    lines.once('close', onClose);
    lines.question(prompt, (answer) => {
      lines.off('close', onClose);
      resolve(answer.trim());
    });
  });
}
