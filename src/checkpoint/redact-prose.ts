import { isWordy } from './redact-entropy.ts';
import { isPlaceholder } from './redact-passwords.ts';
import type { Finding } from './redact-regions.ts';

/** `the password is x`, `Passwort: x`, `login with ada / x`. A sentence may go on behind it. */
const SAID =
  /(?:pass(?:word|phrase|code)|passwort|kennwort|mot de passe|contrase\u00f1a|pwd|pw|pin|api[ -]?key|access key|token|secret|credentials|creds)(?: (?:for|of|on|to|f\u00fcr|von|de) [^\s\0]{1,40}(?: [^\s\0]{1,20})?)?(?:(?: is| was| ist| to| now| es| est)(?: now| still)?:?|:| =| -) {0,3}(["'`]?)([^\s"'`<>\0]{6,100})/gi;

/** Finds secrets that somebody tells in a sentence: with a digit in them or a sign, or quoted. */
export function findSaid(text: string): Finding[] {
  const found: Finding[] = [];
  for (const match of text.matchAll(SAID)) {
    if (isWordUnit(text[match.index - 1])) continue;
    const [all, quote = '', said = ''] = match;
    const secret = said.replace(/[.,;:!?)\]]+$/, (end) => (quote === '' ? '' : end));
    const start = match.index + all.length - said.length;
    const isQuoted = quote !== '' && text[start + said.length] === quote;
    if (!isSaidSecret(secret, isQuoted)) continue;
    found.push({ start, end: start + secret.length, rule: 'said' });
  }
  return found;
}

const isWordUnit = (unit: string | undefined): boolean => unit !== undefined && /\w/.test(unit);

function isSaidSecret(secret: string, isQuoted: boolean): boolean {
  if (
    secret.length < 6 ||
    isPlaceholder(secret) ||
    /[(){}[\]]|^[\w$]+\.[a-z]|^[-/~.$%#@]|^https?:/i.test(secret)
  )
    return false;
  if (/^v?[0-9.:-]+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[0-9]+[a-z]{1,8}$/.test(secret)) return false;
  const hasDigit = /[0-9]/.test(secret);
  const hasLetter = /[A-Za-z]/.test(secret);
  const hasSign = /[!@#$%^&*+=?~]/.test(secret.slice(0, -1));
  if (hasDigit && hasLetter)
    return isQuoted || hasSign || !isWordy(secret) || /^[A-Za-z]+[0-9]{2,4}$/.test(secret);
  return hasLetter && hasSign && secret.length >= 8;
}
