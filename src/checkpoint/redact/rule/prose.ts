import type { Finding } from '../regions.ts';
import { isWordy } from './entropy.ts';
import { isPlaceholder } from './passwords.ts';
import { isKey, keyStart, type Signs } from './words.ts';

/** What secrets are called in a sentence; what stands behind them is read at each. */
const WORD =
  /pass(?:word|phrase|code|wd)|(?<=@[\w.-]{3,60} )pass(?= )|passwort|kennwort|mot de passe|contrase\u00f1a|p(?:wd|w|in)(?=[ :=-])|(?:api|access|private)[ -]?key|token|secret|cred(?:ential)?s|senha|clave|has\u0142o|\u043f\u0430\u0440\u043e\u043b\u044c|\u30d1\u30b9\u30ef\u30fc\u30c9|\u5bc6[\u7801\u78bc]|\ube44\ubc00\ubc88\ud638/iy;
/** Words for a password alone: of them also `password x` is said, without a verb. */
const PASSWORD =
  /^(?:pass(?:word|wd)?|passwort|kennwort|p(?:wd|w)|contrase\u00f1a|senha|clave|has\u0142o|\u043f\u0430\u0440\u043e\u043b\u044c|mot de passe|[^\x00-\xff]+)$/i;
/** ` is x`, ` for ada: x`, in writing without spaces, too. A sentence may go on behind it. */
const SAID =
  /(?: (?:for|of|on|to|f\u00fcr|von|de|di) [^\s\0]{1,40}(?: [^\s\0]{1,20})?)?(?:(?: is| was| ist| lautet| to| now| es| est| \u00e8| \u00e9)(?: now| still)?:?| ?[:\uff1a]| =| -|\u306f|\u662f|[\uc740\ub294]) {0,3}(["'`\u300c]?)([^\s"'`<>\\\0\u3001-\u303f\uff00-\uffef]{6,100})/iy;
/** ` x`, ` "x"` */
const NEXT = /[ \t]{1,2}(["'`\u300c]?)([^\s"'`<>\\\0\u3001-\u303f\uff00-\uffef]{6,100})/y;
/** ` is 4711`: of a PIN digits are all there is. */
const DIGITS = /(?: is| ist| lautet|:| =) {1,2}([0-9]{4,8})(?![\w.-])/iy;
/** What is called a key. */
const BEFORE_KEY = /(?:api|access|private)[ -]?$/i;
/** ` with ada:x`, `creds: ada / x` */
const ACCOUNT =
  /(?: [a-z]+ |[a-z]+:)(?:[ \t]|\r?\n|\\n){0,3}["'`]?[A-Za-z][\w.-]{1,40}(?::| ?\/ )([^\s"'`<>\\\0/]{6,64})/y;
/** What is done with an account, in the same line. */
const LOG_IN =
  /(?:log(?:ging)? ?in|sign(?:ing)? ?in|authenticate|connect|anmelden|einloggen|account)\b[^\n\\\0]{0,40}$/i;
/** ` 9f86d081…`: hexadecimal digits are an id in most places, and none beside such a word. */
const BESIDE = /s?(?: is)?[ \t]{1,2}([0-9a-f]{32,128}|[0-9A-F]{32,128})(?![0-9A-Za-z])/y;

/** Finds secrets that somebody tells in a sentence: with a digit in them or a sign, or quoted. */
export function findSaid(text: string, { words, accounts }: Signs): Finding[] {
  const found: Finding[] = [];
  let read = 0;
  for (const at of words) {
    const index = isKey(text, at) ? keyStart(text, at, BEFORE_KEY) : at;
    if (index < read) continue;
    WORD.lastIndex = index;
    const [word] = WORD.exec(text) ?? [];
    if (word === undefined) continue;
    read = index + word.length;
    if (
      /[\w:/.-]/.test(text[index - 1] ?? '') &&
      /^\w/.test(word) &&
      !/\\[nrt]$/.test(text.slice(index - 2, index))
    )
      continue;
    const from = index + word.length;
    if (/^PIN$/.test(word)) {
      DIGITS.lastIndex = from;
      const [all = '', pin = ''] = DIGITS.exec(text) ?? [];
      if (pin !== '')
        found.push({ start: from + all.length - pin.length, end: from + all.length, rule: 'said' });
    }
    SAID.lastIndex = from;
    const match = SAID.exec(text);
    if (match) {
      const { start, secret, isQuoted } = readSaid(text, from, match);
      if (isSaidSecret(secret, isQuoted)) found.push({ start, end: start + secret.length, rule: 'said' });
    } else if (PASSWORD.test(word)) {
      NEXT.lastIndex = from;
      const next = NEXT.exec(text);
      if (next) {
        const { start, secret, isQuoted } = readSaid(text, from, next);
        if (isSaidSecret(secret, isQuoted) && (isQuoted || isTyped(secret)))
          found.push({ start, end: start + secret.length, rule: 'said' });
      }
    }
    BESIDE.lastIndex = from;
    const [all = '', hex = ''] = BESIDE.exec(text) ?? [];
    if (/[a-f]/i.test(hex) && /[0-9]/.test(hex))
      found.push({ start: from + all.length - hex.length, end: from + all.length, rule: 'said' });
  }
  for (const index of accounts) {
    ACCOUNT.lastIndex = index;
    const [all = '', said = ''] = ACCOUNT.exec(text) ?? [];
    if (said === '' || (all.startsWith(' ') && !LOG_IN.test(text.slice(Math.max(0, index - 60), index))))
      continue;
    const secret = withoutEnd(said);
    const start = index + all.length - said.length;
    if (isSaidSecret(secret, false) && isTyped(secret))
      found.push({ start, end: start + secret.length, rule: 'said' });
  }
  return found;
}

/** Without what ends the sentence. */
const withoutEnd = (said: string): string => said.replace(/[.,;:!?)\]]+$/, '');

interface Said {
  readonly start: number;
  readonly secret: string;
  readonly isQuoted: boolean;
}

/** Reads what was matched from `from` on: a quote perhaps, and what is said, last. */
function readSaid(text: string, from: number, [all, quote = '', said = '']: RegExpExecArray): Said {
  const start = from + all.length - said.length;
  const close = quote === '\u300c' ? '\u300d' : quote;
  return {
    start,
    secret: quote === '' ? withoutEnd(said) : said,
    isQuoted: quote !== '' && text[start + said.length] === close,
  };
}

/** Whether letters and digits, two at least, stand together as in a password, and as in no version or name of a thing. */
const isTyped = (secret: string): boolean =>
  /[A-Za-z]/.test(secret) &&
  /[0-9]/.test(secret) &&
  (/[!@#$%^&*+=?~]/.test(secret) || (/[0-9]{2}|[A-Z].*[A-Z]/.test(secret) && secret.length >= 8)) &&
  !/^(?:v?[0-9]|sha|md|utf|es|rfc|base|argon|bcrypt|oauth|http)[\w.-]*$/i.test(secret);

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
