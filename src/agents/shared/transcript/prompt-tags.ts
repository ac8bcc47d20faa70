const OPENING =
  /<(ide_[a-z_]*|local-command-caveat|system-reminder|command-name|command-message|command-args|local-command-stdout)(?:\s[^<>]*)?>/g;
const CLOSING_IDE = /<\/ide_[^<>]*>/g;

/** Removes the complete elements that IDEs and the client wrap around a prompt. Linear, whatever the text holds. */
export function stripTags(text: string): string {
  const kept: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  OPENING.lastIndex = 0;
  for (let open = OPENING.exec(text); open; open = OPENING.exec(text)) {
    const name = (open[1] as string).startsWith('ide_') ? 'ide_' : (open[1] as string);
    const end = unclosed.has(name) ? undefined : endOfElement(text, name, OPENING.lastIndex);
    if (end === undefined) {
      unclosed.add(name);
      continue;
    }
    kept.push(text.slice(at, open.index));
    at = end;
    OPENING.lastIndex = end;
  }
  return [...kept, text.slice(at)].join('').trim();
}

/** Where the element ends whose opening tag ends at `from`; any `ide_` tag closes any other. */
function endOfElement(text: string, name: string, from: number): number | undefined {
  if (name === 'ide_') {
    CLOSING_IDE.lastIndex = from;
    return CLOSING_IDE.exec(text) ? CLOSING_IDE.lastIndex : undefined;
  }
  const closing = `</${name}>`;
  const found = text.indexOf(closing, from);
  return found === -1 ? undefined : found + closing.length;
}
