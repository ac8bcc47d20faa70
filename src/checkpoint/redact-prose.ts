import { isWordy } from './redact-entropy.ts';
import { isPlaceholder } from './redact-passwords.ts';
import type { Finding } from './redact-regions.ts';

/** What secrets are called in a sentence. One walk looks for these; what stands behind them is read at each. */
const WORD =
  /pass(?:word|phrase|code)|passwort|kennwort|mot de passe|contrase\u00f1a|p(?:wd|w|in)(?=[ :=-])|(?:api|access|private)[ -]?key|token|secret|cred(?:ential)?s/gi;
/** ` is x`, ` for ada: x`. A sentence may go on behind it. */
const SAID =
  /(?: (?:for|of|on|to|f\u00fcr|von|de) [^\s\0]{1,40}(?: [^\s\0]{1,20})?)?(?:(?: is| was| ist| lautet| to| now| es| est)(?: now| still)?:?|:| =| -) {0,3}(["'`]?)([^\s"'`<>\\\0]{6,100})/iy;
/** ` 9f86d081…`: hexadecimal digits are an id in most places, and none beside such a word. */
const BESIDE = /s?(?: is)?[ \t]{1,2}([0-9a-f]{32,128}|[0-9A-F]{32,128})(?![0-9A-Za-z])/y;

/** Finds secrets that somebody tells in a sentence: with a digit in them or a sign, or quoted. */
export function findSaid(text: string): Finding[] {
  const found: Finding[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (/[\w:/.-]/.test(text[index - 1] ?? '') && !/\\[nrt]$/.test(text.slice(index - 2, index))) continue;
    const from = index + word.length;
    SAID.lastIndex = from;
    const match = SAID.exec(text);
    if (match) {
      const [all, quote = '', said = ''] = match;
      const secret = said.replace(/[.,;:!?)\]]+$/, (end) => (quote === '' ? '' : end));
      const start = from + all.length - said.length;
      const isQuoted = quote !== '' && text[start + said.length] === quote;
      if (isSaidSecret(secret, isQuoted)) found.push({ start, end: start + secret.length, rule: 'said' });
    }
    BESIDE.lastIndex = from;
    const [all = '', hex = ''] = BESIDE.exec(text) ?? [];
    if (/[a-f]/i.test(hex) && /[0-9]/.test(hex))
      found.push({ start: from + all.length - hex.length, end: from + all.length, rule: 'said' });
  }
  return found;
}

function isSaidSecret(secret: string, isQuoted: boolean): boolean {
  if (secret.length < 6 || isPlaceholder(secret) || /[(){}[\]]|^!|^[-/~.$%#@]|^https?:/i.test(secret))
    return false;
  if (/^v?[0-9.:-]+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[0-9]+[a-z]{1,8}$/.test(secret)) return false;
  if (
    /^[\w$]+(?:\.[\w$]+)+$/.test(secret) &&
    (isWordy(secret.replaceAll('.', '-')) ||
      !/[0-9]/.test(secret) ||
      /^[a-z]\w*(?:\.[a-z]\w*)+$/.test(secret))
  )
    return false;
  const hasDigit = /[0-9]/.test(secret);
  const hasLetter = /[A-Za-z]/.test(secret);
  const hasSign = /[!@#$%^&*+=?~]/.test(secret.slice(0, -1));
  if (hasDigit && hasLetter)
    return isQuoted || hasSign || !isWordy(secret) || /^[A-Za-z]+[0-9]{2,4}$/.test(secret);
  return hasLetter && hasSign && secret.length >= 8;
}
