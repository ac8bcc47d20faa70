import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { log } from '../../base/log.ts';
import { readPayloadSoon } from '../../hooks/stdin.ts';
import { parseTold, readStatus } from './facts.ts';
import { COLOURED_FORMAT, DEFAULT_FORMAT, parseFormat, renderStatus } from './format.ts';

/** What is asked for. */
export interface StatusLineFlags {
  readonly format: string | undefined;
  readonly isColoured: boolean;
  /** A client writes its JSON to stdin. */
  readonly isTold: boolean;
}

const WISHES = ['always', 'auto', 'never'];

/** Flags as status lines are set up with; `undefined` for others, which the parser of all commands sees to. */
export function parseFlags(words: readonly string[]): StatusLineFlags | undefined {
  let [format, isColoured, isTold]: [string | undefined, boolean, boolean] = [undefined, false, false];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const [flag, ...rest] = word.split('=');
    const value = (): string | undefined => (rest.length > 0 ? rest.join('=') : words[++at]);
    if (word === '--stdin') isTold = true;
    else if (word === '--no-color') isColoured = false;
    else if (flag === '--format') {
      format = value();
      if (format === undefined || 'problem' in parseFormat(format)) return undefined;
    } else if (word === '--color' && !WISHES.includes(words[at + 1] ?? '')) isColoured = true;
    else if (flag === '--color') {
      const when = value() ?? '';
      if (!WISHES.includes(when)) return undefined;
      isColoured = when === 'always';
    } else return undefined;
  }
  return { format, isColoured, isTold };
}

/**
 * Prints one line, or nothing where there is nothing to say. Never throws: whatever is wrong must not break a prompt, and goes to the log.
 * Loads no package, and starts no process.
 */
export function runStatusLine({ format, isColoured, isTold }: StatusLineFlags): void {
  try {
    const payload = readPayloadSoon(isTold);
    const status = readStatus(payload === undefined ? undefined : parseTold(payload), process.env);
    const parsed = parseFormat(format ?? (isColoured ? COLOURED_FORMAT : DEFAULT_FORMAT));
    if (!status || 'problem' in parsed) return;
    disk.writeSync(1, `${renderStatus(parsed.parts, status)}\n`);
  } catch (error) {
    log('warn', 'no status line', { error: describeError(error) });
  }
}
