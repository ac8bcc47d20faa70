/**
 * The beginning of a text in JSON with an end to what is cut: strings, lists and objects that are open are closed, and what nobody can
 * make a value of is dropped. A whole text stays as it is, and what is no JSON becomes none. Linear.
 */
export function closeCut(text: string): string {
  const open: Array<'{' | '['> = [];
  let isKeyNext = false;
  let string: 'key' | 'value' | undefined;
  let escapeAt = 0;
  let whole = 0; // up to here all values have an end, but for lists and objects
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (string !== undefined) {
      if (char === '\\') escapeAt = at++;
      else if (char === '"') {
        if (string === 'value') whole = at + 1;
        string = undefined;
      }
    } else if (char === '"') string = isKeyNext && open.at(-1) === '{' ? 'key' : 'value';
    else if (char === ':') isKeyNext = false;
    else if (char === ',') {
      isKeyNext = true;
      whole = at;
    } else if (char === '{' || char === '[') {
      open.push(char);
      isKeyNext = true;
      whole = at + 1;
    } else if (char === '}' || char === ']') {
      open.pop();
      whole = at + 1;
    }
  }
  const ends = open.reverse().map((char) => (char === '{' ? '}' : ']'));
  if (string === undefined && open.length === 0) return text;
  const kept = string === 'value' ? `${withoutCut(text, escapeAt)}"` : text.slice(0, whole);
  return kept + ends.join('');
}

/** Without the beginning of an escape, or of a character that was cut before this was a text. */
function withoutCut(text: string, escapeAt: number): string {
  const end = escapeAt + (text[escapeAt + 1] === 'u' ? 6 : 2);
  return (text[escapeAt] === '\\' && end > text.length ? text.slice(0, escapeAt) : text).replace(
    /\uFFFD$/,
    '',
  );
}
