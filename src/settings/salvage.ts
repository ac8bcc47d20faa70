import { isObject, isShallow, type JsonObject, parseJson } from '../base/text/json.ts';

/** What can still be told from the text of a settings file that does not parse. */
export interface Salvaged {
  /** What it seems to refuse, and its rules of redaction where their section stands whole. */
  readonly values: JsonObject;
  /** It may have had rules that nobody knows now. */
  readonly lacksRules: boolean;
}

/** The section that stands for a file that cannot be read: all that rules of ours find of what is personal. */
export const CAUTIOUS: JsonObject = { pii: { enabled: true, address: true } };

/** The section that stands for rules which nobody knows. */
export const MISSING_RULES: JsonObject = {};

const REDACTION = '"redaction"';

/** A typo must not switch on what somebody switched off, nor take a secret's rule away that stands beside it. */
export function salvage(text: string, maxDepth: number): Salvaged {
  const tokens = [...text.matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)];
  const refused = seemsToSayNo(text) ? { enabled: false } : {};
  let depth = 0;
  for (const [at, { 0: word, index }] of tokens.entries()) {
    if (word === '{') depth++;
    else if (word === '}') depth--;
    else if (word === REDACTION && depth <= 1) {
      const redaction = parseJson(objectAfter(text, index + word.length, tokens.slice(at + 1)) ?? '');
      const isSound = isObject(redaction) && isShallow(redaction, maxDepth);
      return { values: isSound ? { ...refused, redaction } : refused, lacksRules: !isSound };
    }
  }
  // A file that was cut off may have had more.
  return { values: refused, lacksRules: depth !== 0 || !tokens.some(([word]) => word === '{') };
}

/** The text of the object that follows a key. */
function objectAfter(text: string, from: number, tokens: readonly RegExpExecArray[]): string | undefined {
  const [first] = tokens;
  if (first?.[0] !== '{' || text.slice(from, first.index).trim() !== ':') return undefined;
  let depth = 0;
  for (const { 0: word, index } of tokens) {
    if (word === '{') depth++;
    if (word === '}') depth--;
    if (depth === 0) return text.slice(first.index, index + 1);
  }
  return undefined;
}

/** Whether a text that does not parse says `"enabled": false` where it would count. */
function seemsToSayNo(text: string): boolean {
  const plain = text.replace(/"(?:[^"\\\n]|\\.)*"/g, (word) => (word === '"enabled"' ? word : '""'));
  let depth = 0;
  for (const [word] of plain.matchAll(/[{}]|"enabled"\s*:\s*false\b/g)) {
    if (word === '{') depth++;
    else if (word === '}') depth--;
    else if (depth <= 1) return true;
  }
  return false;
}
