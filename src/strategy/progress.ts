import { sanitizeForTerminal } from '../base/text/text.ts';

/** One line for the person who watches, or several: agents and git show a hook's stderr, or keep it. */
export function tell(line: string): void {
  process.stderr.write(`${sanitizeForTerminal(line)}\n`);
}
