import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { quoteWord } from '../../../src/cli/ui/restored-logs.ts';
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

const ENDS = '\x1e';

/** Runs the command in terminals of all widths. */
export function capture(shop: Shop, screen: ScreenOf): Shown[] {
  const words = ['entire', ...screen.command.split(' '), ...screen.args].map(quoteWord).join(' ');
  const calls = WIDTHS.flatMap((width) => ['NO_COLOR=1 ', ''].map((env) => `stty cols ${width}; ${env}${words}; printf '${ENDS}'`));
  const shown = screen.changes
    ? calls.flatMap((call) => afresh(shop, () => inTerminal(shop, call)))
    : inTerminal(shop, calls.join('\n'));
  return WIDTHS.map((width, at) => ({
    width,
    plain: shown[2 * at] ?? '',
    coloured: shown[2 * at + 1] ?? '',
  }));
}

/** @returns what was shown of each call */
function inTerminal(shop: Shop, calls: string): string[] {
  const script = `exec 2>&1 </dev/null; stty rows 2000 -F /dev/tty; ${calls.replaceAll('stty cols', 'stty -F /dev/tty cols')}`;
  const { stdout } = shop.run('script', ['--quiet', '--return', '--command', 'exec sh -c "$SCREENS"', '/dev/null'], {
    env: { TERM: 'xterm-256color', PAGER: 'cat', NO_COLOR: '', SCREENS: script },
  });
  return shop.asEver(stdout.replaceAll('\r\n', '\n')).split(ENDS).slice(0, -1);
}

/** The home is put back afterwards, with its times. */
function afresh<T>(shop: Shop, body: () => T): T {
  const kept = join(shop.scratch, 'kept');
  const copy = (from: string, to: string) => {
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
