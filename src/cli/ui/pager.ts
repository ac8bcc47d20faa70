import { runProgram } from '../../base/process/program.ts';
import { programPlaceAt } from '../../git/program-place.ts';
import { withoutLinks } from './hyperlink.ts';
import { fitted, warnOf } from './terminal.ts';

/** What decides whether a pager is started. */
export interface Screen {
  readonly isTerminal: boolean;
  /** Lines of the terminal, where they are known. */
  readonly rows: number | undefined;
  readonly env: NodeJS.ProcessEnv;
}

const DEFAULT_ROWS = 24;

/** The pager to start; `undefined` to print directly: what fits on the screen, is piped, or would hinder somebody. */
export function choosePager(text: string, { isTerminal, rows, env }: Screen): string | undefined {
  if (!isTerminal || env.ACCESSIBLE || env.TERM === 'dumb') return undefined;
  if (text.split('\n').length <= (rows || DEFAULT_ROWS) - 2) return undefined;
  const pager = env.PAGER?.trim() || 'less';
  return pager === 'cat' ? undefined : pager;
}

/**
 * Prints a text and a line end, as wide as the terminal, through a pager where that helps: without its links, which older ones show as
 * garbage. Where it cannot start, the text is printed directly.
 */
export async function page(long: string, noPager: boolean): Promise<void> {
  const text = fitted(long);
  const screen = { isTerminal: process.stdout.isTTY === true, rows: process.stdout.rows, env: process.env };
  const pager = noPager ? undefined : choosePager(text, screen);
  if (pager === undefined || !(await runPager(pager, `${withoutLinks(text)}\n`)))
    process.stdout.write(`${text}\n`);
}

async function runPager(pager: string, input: string): Promise<boolean> {
  const ignore = (): void => {}; // Ctrl-C belongs to the pager while it runs
  process.on('SIGINT', ignore);
  const { code, failure } = await runProgram({
    program: pager,
    forbidden: programPlaceAt(process.cwd()).forbidden,
    args: [],
    input,
    // As git has it: leave at the end of a short text, keep colours, leave the text on the screen.
    env: { LESS: 'FRX', LV: '-c', ...process.env },
    shell: /\s/.test(pager), // a name alone is started as it is; only one with arguments is left to the shell
    onTerminal: true,
    timeoutMs: 0,
  });
  process.off('SIGINT', ignore);
  if (failure?.message.includes('(')) warnOf(`No pager: ${failure.message}.`);
  return failure === undefined && code !== 126 && code !== 127;
}
