import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { quoteWord } from '../../../src/cli/ui/quote-word.ts';
import type { Shop } from './shop.ts';
import type { ScreenOf } from './table.ts';

export const WIDTHS = [60, 100, 160] as const;
export type Width = (typeof WIDTHS)[number];

/** What a terminal was sent, without and with colours. */
export interface Shown {
  readonly width: Width;
  readonly plain: string;
  readonly coloured: string;
}

/** A command line as somebody types it. */
export const lineOf = ({ command, args }: ScreenOf): string =>
  ['entire', ...command.split(' '), ...args].map(quoteWord).join(' ');

/** Runs the command in terminals of all widths. */
export function capture(shop: Shop, screen: ScreenOf): Shown[] {
  const line = lineOf(screen);
  const calls = WIDTHS.flatMap((width) =>
    ['NO_COLOR=1 ', ''].map((env) => `stty -F /dev/tty cols ${width}; ${env}${line}; printf '${END}'`),
  );
  const shown = screen.changes
    ? calls.flatMap((call) => afresh(shop, () => inTerminal(shop, call)))
    : inTerminal(shop, calls.join('\n'));
  if (shown.length !== calls.length) throw new Error(`${line}: ${shown.length} screens of ${calls.length}`);
  return WIDTHS.map((width, at) => ({
    width,
    plain: shown[2 * at] as string,
    coloured: shown[2 * at + 1] as string,
  }));
}

/** Behind what a call printed. */
const END = '\x1e';

/** Nobody types anything: standard input is no terminal. @returns what was shown of each call */
function inTerminal(shop: Shop, calls: string): string[] {
  const script = `exec 2>&1 </dev/null; stty -F /dev/tty rows 2000; ${calls}`;
  const words = ['--quiet', '--return', '--command', 'exec sh -c "$SCREENS"', '/dev/null'];
  const env = { TERM: 'xterm-256color', PAGER: 'cat', NO_COLOR: '', SCREENS: script };
  const { stdout } = shop.run('script', words, { env });
  return shop.asEver(stdout.replaceAll('\r\n', '\n')).split(END).slice(0, -1);
}

/** The home is put back afterwards, with its times. */
function afresh<T>(shop: Shop, body: () => T): T {
  const kept = join(shop.scratch, 'kept');
  const copy = (from: string, to: string): void => {
    const { status, stderr } = spawnSync('sh', ['-c', 'rm -rf "$2" && cp -a "$1" "$2"', 'sh', from, to]);
    if (status !== 0) throw new Error(`${stderr}`);
  };
  copy(shop.home, kept);
  try {
    return body();
  } finally {
    copy(kept, shop.home);
  }
}
