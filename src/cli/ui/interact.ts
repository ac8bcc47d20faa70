import { createInterface, type Key } from 'node:readline';
import { widthOf } from './width.ts';

/** How much of the terminal a picture may take. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** A picture on the terminal that changes with the keys that somebody presses. */
export interface Interaction<T> {
  /** The picture as it is now: no more lines than there are rows, none wider than there are columns. */
  draw(room: Room): readonly string[];
  /** Hears a key. An answer ends the interaction. */
  press(key: Key, room: Room): { readonly answer: T } | undefined;
}

const STOPPED_BY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const [HIDE_CURSOR, SHOW_CURSOR] = ['\x1b[?25l', '\x1b[?25h'];
const [CLEAR_LINE, CLEAR_BELOW] = ['\x1b[K', '\x1b[J'];

/** A lone Escape is one after that; the keys that begin with it come in one piece. */
const ESCAPE_MS = 50;

/**
 * Draws a picture below what stands there, and hears keys until one is answered: then the picture is gone, and the terminal is as it was.
 * Written here, since @clack/core ends at every Escape, draws only when a key is pressed, and leaves an empty line. Only to be called where
 * somebody can be asked.
 *
 * @param begin given what draws the picture anew, for what is known later
 * @returns the answer; `undefined` after Ctrl-C, and at the end of input
 */
export async function interact<T>(begin: (redraw: () => void) => Interaction<T>): Promise<T | undefined> {
  const { stdin, stdout } = process;
  // The last column stays free: a terminal that was written to its edge may be on the next line, or not.
  const room = (): Room => ({ columns: Math.max(20, (stdout.columns || 80) - 1), rows: stdout.rows || 24 });
  let shown: readonly string[] = [];
  let isOver = false;
  const back = (): string => {
    const { columns } = stdout;
    // What was drawn in a wider terminal takes more lines by now.
    const taken = shown.map((line) => Math.max(1, Math.ceil(widthOf(line) / (columns || 80))));
    const up = taken.reduce((sum, lines) => sum + lines, 0) - 1;
    return up > 0 ? `\r\x1b[${up}A` : '\r';
  };
  const redraw = (): void => {
    if (isOver) return;
    const start = back();
    shown = picture.draw(room());
    stdout.write(`${start}${shown.map((line) => CLEAR_LINE + line).join('\r\n')}${CLEAR_BELOW}`);
  };
  const picture = begin(redraw);
  const keys = createInterface({ input: stdin, escapeCodeTimeout: ESCAPE_MS, terminal: true });
  const leave = (): void => {
    if (isOver) return;
    isOver = true;
    stdout.write(`${back()}${CLEAR_BELOW}${SHOW_CURSOR}`);
    keys.close();
    stdin.setRawMode(false);
  };
  const stop = (signal: NodeJS.Signals): void => {
    for (const one of STOPPED_BY) process.off(one, stop);
    try {
      leave();
    } finally {
      process.kill(process.pid, signal); // also where the terminal is gone
    }
  };
  return new Promise<T | undefined>((resolve, reject) => {
    const hear = (_: string | undefined, key: Key): void => {
      try {
        if (key.ctrl && key.name === 'd') return end(); // readline ends there only as long as nothing was typed
        const pressed = picture.press(key, room());
        if (pressed) end(pressed.answer);
        else redraw();
      } catch (error) {
        reject(error);
        end();
      }
    };
    const end = (answer?: T): void => {
      if (isOver) return; // to leave closes the input, which ends here, too
      stdin.off('keypress', hear);
      stdout.off('resize', redraw);
      process.off('exit', leave);
      for (const one of STOPPED_BY) process.off(one, stop);
      leave();
      resolve(answer);
    };
    keys.on('SIGTSTP', () => {}); // the shell would get a terminal without a cursor
    keys.on('close', () => end()); // by Ctrl-C, by Ctrl-D, and at the end of input
    stdin.on('keypress', hear);
    stdout.on('resize', redraw);
    process.on('exit', leave);
    for (const one of STOPPED_BY) process.on(one, stop);
    stdout.write(HIDE_CURSOR);
    redraw();
  });
}
