/** What was said on stderr, without the lines that a command says to whoever waits longer than a second: a busy machine is slow. */
export const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^[A-Z][^\n:]*(?: …|: \d+(?: of \d+)?)\n/gm, '');
