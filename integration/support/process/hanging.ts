import { existsSync } from 'node:fs';
import { join } from 'node:path';

const WAIT = "setTimeout(() => require('fs').writeFileSync(process.argv[1] + '.ended', ''), 20_000)";

/** The last line of a shell script that hangs for 20 seconds: one process, which a signal ends whole. It leaves notes beside the script. */
export const HANG = `{ : > "$0.begun"; exec '${process.execPath}' -e "${WAIT}" "$0"; }`;

/** How far `bin/entire` of a folder came, whose script ends with {@link HANG}. */
export function progressOf(dir: string): 'not begun' | 'begun' | 'ended' {
  const has = (note: string): boolean => existsSync(join(dir, `bin/entire.${note}`));
  return has('ended') ? 'ended' : has('begun') ? 'begun' : 'not begun';
}
