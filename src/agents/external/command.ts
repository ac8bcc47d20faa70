/** What a shell would make more of than words. */
const SHELL_SYNTAX = /[|&;<>()$`\\*?[\]#~{}!\n\r]|^\s*\w+=/;

/**
 * A command line as program and arguments; `undefined` when there is nothing in it. One that only a shell understands is
 * given to a shell as it stands.
 */
export function splitCommand(line: string): readonly [string, ...string[]] | undefined {
  const text = line.trim();
  if (text === '' || text.includes('\0')) return undefined;
  const words = splitWords(text);
  const [program, ...args] = words ?? ['sh', '-c', text];
  return program === undefined ? undefined : [program, ...args];
}

/** Words between blanks, quotes taken off; `undefined` where that is not all that a shell would do. */
function splitWords(text: string): string[] | undefined {
  if (SHELL_SYNTAX.test(text.replace(/'[^']*'/g, ''))) return undefined;
  const words: string[] = [];
  let rest = text;
  while (rest !== '') {
    const [all, word = ''] = /^((?:[^\s'"]|'[^']*'|"[^"]*")+)\s*/.exec(rest) ?? [];
    if (all === undefined) return undefined; // a quote that is never closed
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    rest = rest.slice(all.length);
  }
  return words;
}
