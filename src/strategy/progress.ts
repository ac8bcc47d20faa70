/** One line for the person who watches: agents and git show a hook's stderr, or keep it. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
