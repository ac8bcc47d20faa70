import { readUserText } from '../../base/file/small-file.ts';
import { asObject, type JsonObject, parseJson } from '../../base/text/json.ts';

/** A text, or what stands for one and sees which of its characters are looked at. */
type Characters = Pick<string, 'length' | 'charAt'>;

/** A JSON text with a space for each comment. */
export function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (const [start, end] of findComments(text)) {
    kept += `${text.slice(from, start)} `;
    from = end;
  }
  return kept + text.slice(from);
}

/**
 * Where the comments of a JSON text stand: the first character of each and the one behind its last. What looks like one within
 * a string is none, nor is one that does not end. Goes through the text once, whatever is in it.
 */
export function findComments(text: Characters): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    const next = char === '/' ? text.charAt(at + 1) : '';
    if (char === '"') at = endOfString(text, at);
    else if (next === '/' || next === '*') {
      const end = next === '/' ? endOfLine(text, at) : endOfBlock(text, at);
      if (end === undefined) break;
      found.push([at, end]);
      at = end;
    } else at += 1;
  }
  return found;
}

function endOfString(text: Characters, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char === '\\') at += 1;
  }
  return text.length;
}

function endOfLine(text: Characters, start: number): number {
  let at = start;
  while (at < text.length && text.charAt(at) !== '\n') at += 1;
  return at;
}

function endOfBlock(text: Characters, start: number): number | undefined {
  for (let at = start + '/*'.length, last = ''; at < text.length; at++) {
    const char = text.charAt(at);
    if (last === '*' && char === '/') return at + 1;
    last = char;
  }
  return undefined;
}

/** The object in a file of the client, which may have comments; an empty one for what is missing or cannot be read. */
export function readJson(file: string): JsonObject {
  try {
    return asObject(parseJson(withoutComments(readUserText(file, 'home') ?? '')));
  } catch {
    return {};
  }
}
