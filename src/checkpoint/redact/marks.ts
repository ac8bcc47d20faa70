import type { Finding } from './regions.ts';
import { isWordy } from './rule/entropy.ts';

/** Signs that password makers use and names do not have. */
const MARK = /[!@#$%^&*?~]/g;
/** What a password without brackets, quotes and separators is made of. */
const IN_WORD = new Uint8Array(1 << 16);
for (const unit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*+?~_=.-')
  IN_WORD[unit.charCodeAt(0)] = 1;
const SHORTEST = 14;
const LONGEST = 40;
/** Minified code and expressions: a comparison, a member behind its object, a range of letters, a name that a bundler made its own. */
const CODE =
  /[=!]==?|&&|\|\||\b[A-Za-z_$][\w$]*\.[A-Za-z_$][\w$]*[=?+*&!.]|[?+*=&!][A-Za-z_$][\w$]*\.[A-Za-z_$]|a-z|A-Z|0-9|^=\?[\w-]+\?|^[A-Za-z_$][A-Za-z0-9_]*\$\d{1,3}$|\$\{/;
const ENDS = /[\s"'`|,;:)\]}>\\\0]/;

/** Finds passwords that a program made: letters large and small, digits, and signs among them, in no order. */
export function findMarked(text: string): Finding[] {
  const found: Finding[] = [];
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
    const at = mark.index;
    let start = at;
    while (start > 0 && at - start <= LONGEST && IN_WORD[text.charCodeAt(start - 1)] === 1) start--;
    let end = at;
    while (end < text.length && end - start <= LONGEST && IN_WORD[text.charCodeAt(end)] === 1) end++;
    MARK.lastIndex = Math.max(at + 1, end);
    while (/[.?!]/.test(text[end - 1] ?? '')) end--; // of the sentence
    if (/^[+-]/.test(text[start] ?? '') && /[\n\0]/.test(text[start - 1] ?? '\n')) start++; // of a patch
    if (end - start < SHORTEST || end - start > LONGEST) continue;
    if (!ENDS.test(text[start - 1] ?? ' ') && text[start - 1] !== '(') continue;
    if (!ENDS.test(text[end] ?? ' ') && !/[.?!]/.test(text[end] ?? '')) continue;
    if (isMade(text.slice(start, end))) found.push({ start, end, rule: 'marks' });
  }
  return found;
}

function isMade(word: string): boolean {
  const count = (kind: RegExp): number => word.match(kind)?.length ?? 0;
  if (count(/[A-Z]/g) < 3 || count(/[a-z]/g) < 3 || count(/[0-9]/g) < 1 || count(/[!@#$%^&*?~]/g) < 1)
    return false;
  // An address, an escape of one, a version, a symbol as compilers write it, an assignment, a variable.
  if (
    /@[\w-]+\.[a-z]|%[0-9A-F]{2}|@[\d^~v]|[\^~]\d+\.|@@|\?\?|^[$%&*@#!?]+[A-Za-z_]+$|[a-z]{6}|[A-Z][a-z]{5}|&[a-z]+=/.test(
      word,
    ) ||
    CODE.test(word)
  )
    return false;
  let changes = 0;
  const kinds = word.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'b').replaceAll(/[0-9]/g, 'c');
  for (let at = 1; at < kinds.length; at++) if (kinds[at] !== kinds[at - 1]) changes++;
  return changes >= 0.5 * (word.length - 1) && !isWordy(word);
}
