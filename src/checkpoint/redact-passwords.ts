import { isWordy } from './redact-entropy.ts';
import { REDACTED } from './redact-regions.ts';

/** How a value got its name. */
export interface Naming {
  readonly name: string;
  readonly quoted: boolean;
  /** `NAME=value` in capitals, `--name value` and connection strings say the value; code may say an expression. */
  readonly style: 'literal' | 'code';
}

const STAND_INS =
  /^(?:change[-_]?(?:me|it)|dummy|fake|sample|todo|tbd|none|null|undefined|true|false|string|number|boolean|(?:my|the|a|some|new|old|your|user|test|db|this)?[-_]?(?:passw(?:or)?d|passwd|pass|pwd|secret|token|key|api[-_]?key)[0-9]{0,3}|required|optional|default|disabled|enabled|inherit|x-oauth-basic)$/i;
const HINTS = /example|changeme|placeholder|your[-_]|[-_]here$|^\.{3}|\.{3}$/i;
const EXPRESSION = /^(?:[$%<{]|\{\{|process\.|os\.|env\.|secrets\.|@)|^(.)\1*$|^[*x.\-_•…]+$/i;

/** Whether `value` only keeps a secret's place: `changeme`, `<password>`, `${TOKEN}`, `****`, `REDACTED`. */
export function isPlaceholder(value: string): boolean {
  if (value.includes(REDACTED)) return true;
  return value.length <= 100 && (STAND_INS.test(value) || HINTS.test(value) || EXPRESSION.test(value));
}

const PATH = /^(?:\.{0,2}|~)\/[\w./@-]*$|^[a-z][a-z0-9+.-]*:\/\//i;
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[!?]?$/;
const CONSTANT = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const WORDS = /^[A-Za-z]+(?:[-_.:/][A-Za-z]+)+[-_.]?[0-9]{0,2}$/;
const VERSION = /^[v^~]?[0-9]+(?:\.[0-9]+)+/;

/** Whether a value under a name that says secret is one: not a placeholder, a path, a type, or more code. */
export function looksLikePassword(value: string, { name, quoted, style }: Naming): boolean {
  if (value.length < (style === 'literal' ? 4 : 6) || isPlaceholder(value) || PATH.test(value)) return false;
  if (value.length > 256) return true;
  if (MEMBER.test(value) || CONSTANT.test(value) || VERSION.test(value)) return false;
  if (style === 'literal') return true;
  if (WORDS.test(value)) return false;
  const isPassword = /pass|pwd/i.test(name);
  if (/^[0-9.]+$/.test(value)) return quoted && isPassword;
  if (/[0-9]/.test(value) && /[A-Za-z]/.test(value)) {
    return quoted || (value.length >= (isPassword ? 6 : 8) && !isWordy(value));
  }
  return quoted && value.length >= 8 && /[!@#$%^&*+=?~]/.test(value);
}
