import { REDACTED } from '../regions.ts';
import { isWordy } from './entropy.ts';

/** How a value got its name. */
export interface Naming {
  readonly name: string;
  readonly quoted: boolean;
  /**
   * `NAME=value` in capitals, `--name value` and connection strings say the value, and so do lines of settings, where it may
   * yet be a type; code may say an expression.
   */
  readonly style: 'literal' | 'setting' | 'code';
}

const STAND_INS =
  /^(?:(?:change|replace)[-_]?(?:me|it|this)|dummy|fake|foo|bar|foobar|sample|test|testing|todo|tbd|none|null|unset|not[-_]set|hidden|masked|undefined|true|false|string|number|boolean|(?:my|the|a|some|new|old|your|user|test|db|this)?[-_]?(?:passw(?:or)?d|passwd|pass|pwd|secret|token|key|api[-_]?key)[0-9]{0,3}|required|optional|default|disabled|enabled|inherit|x-oauth-basic)$/i;
const HINTS =
  /example|changeme|placeholder|your[-_]|^(?:insert|replace|enter|paste)[-_]|[-_]here$|^\.{3}|\.{3}$|(?:^|[-_])(?:dummy|fake)(?:[-_]|$)/i;
/** What people write where a key of a vendor's shape would stand: `ghp_xxxxxxxx…`, `AKIAIOSFODNN7EXAMPLE`. */
const STAND_IN = /example|placeholder|your[-_]|([xX0*.•])\1{7}|x{3,}[-_]x{3}/i;

const EXPRESSION =
  /^(?:\\?[$<{]|%(?:[sd({]|\w+%)|\{\{|process\.|os\.|env\.|secrets\.|@)|^(.)\1*$|^[*x.\-_•…]+$/i;

/** Whether `value` only keeps a secret's place: `changeme`, `<password>`, `${TOKEN}`, `****`, `REDACTED`. */
export function isPlaceholder(value: string): boolean {
  if (value.includes(REDACTED)) return true;
  if (isStandIn(value)) return true;
  return value.length <= 100 && (STAND_INS.test(value) || HINTS.test(value) || EXPRESSION.test(value));
}

/** Whether a text of a key's shape only shows the shape. */
export const isStandIn = (secret: string): boolean => secret.length <= 300 && STAND_IN.test(secret);

const PATH = /^(?:\.{0,2}|~)\/[\w./@-]*$|^[a-z][a-z0-9+.-]*:\/\//i;
const MEMBER = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[!?]?$/;
const CONSTANT = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const WORDS = /^[A-Za-z]+(?:[-_.:/][A-Za-z]+)+[-_.]?[0-9]{0,2}$/;
const VERSION = /^[v^~]?[0-9]+(?:\.[0-9]+)+/;

/** Letters whose case changes as no name's does. */
const isNoise = (value: string): boolean =>
  /^[A-Za-z]+$/.test(value) &&
  /[A-Z]{2}/.test(value) &&
  /(?:[a-z][A-Z]+){2}/.test(value.replaceAll(/[a-z]+/g, 'a')) &&
  !isWordy(value);

/** What is said about passwords, and never one: types, states, names of fields, and the word in other languages. */
const SAID =
  /pass|pwd|kennwort|contrase|senha|wachtwoord|parola|heslo|l\u00f6senord|adgangskode|salasana|has[l\u0142]o|mot[-_ ]?de|secret|token|^(?:api)?key|auth|login|user|input|field|error|invalid|require|label|form|valid|mismatch|missing|incorrect|wrong|hidden|visible|text|string|number|boolean|bytes|object|array|e-?mail|name|forgot|reset|confirm|current|change|update|create|optional|weak|strong|medium|expire|unknown|encrypt|hash|plain|bcrypt|argon|scrypt|base64|sha[0-9]|md5|prompt|manual|vault|env|config|setting|default|random|generat|value|empty|disable|enable|never|always|once|only|unchanged|refresh|bearer|oauth|basic|digest|cookie|session|header|query|body|credential|external|internal|admin|public|private|protected|readonly|redact|mask|protect|store|storage|provider|manager|service|module|import|export|return|await|async|self|this|super|nil|none|null|undefined|true|false|\b(?:yes|no|on|off)\b/i;
/** A name in code: words that capitals join. */
const IDENTIFIER = /^[a-z]+(?:[A-Z][a-z0-9]*)+$/;

/** A password that somebody thought of: a word, or several between hyphens. */
export const isHumanWord = (value: string): boolean =>
  /^[A-Za-z]{6,40}$|^[A-Za-z]{2,20}(?:-[A-Za-z]{2,20}){2,7}$|^[A-Za-z]{2,20}(?:[-_.][A-Za-z]{1,20}){1,7}[-_.]?[0-9]{1,4}$/.test(
    value,
  ) &&
  !SAID.test(value) &&
  !IDENTIFIER.test(value);

/** Keys that are made to be shown. */
export const PUBLISHABLE =
  /^(?:pk_(?:test|live)_|pk\.eyJ|phc_|sb_publishable_|rzp_(?:test|live)_|pk-lf-|FLWPUBK)/;
/** What templates say in a value's place: tags of YAML, expressions. */
const TAG = /^![A-Z]|^ENC\[|^(?:Fn::|ref\+|op:\/\/|vault:|arn:|ssm:|sops:|env:)/;

/** Whether a value under a name that says secret is one: not a placeholder, a path, a type, or more code. */
export function looksLikePassword(value: string, { name, quoted, style }: Naming): boolean {
  if (value.length < (style === 'literal' ? 4 : 6) || isPlaceholder(value) || PATH.test(value)) return false;
  if (
    PUBLISHABLE.test(value) ||
    TAG.test(value) ||
    /^(?:workspace|npm|file|link|catalog|portal|patch):/.test(value)
  )
    return false;
  if (value.length > 256) return true;
  if (CONSTANT.test(value) || VERSION.test(value)) return false;
  if (
    MEMBER.test(value) &&
    ((style === 'code' && !quoted) || isWordy(value.replaceAll('.', '-')) || !/[0-9]/.test(value))
  )
    return false;
  if (style === 'literal') return true;
  const isPassword = /pass|pwd|wort|psk/i.test(name);
  if (isPassword && (quoted || style === 'setting') && isHumanWord(value)) return true;
  if (WORDS.test(value) && !/[A-Z]{2}.*[a-z][A-Z]|[a-z][A-Z].*[a-z][A-Z].*[A-Z]{2}/.test(value)) return false;
  if (/^[0-9.]+$/.test(value)) return quoted && isPassword;
  if (/[0-9]/.test(value) && /[A-Za-z]/.test(value)) {
    return quoted || (value.length >= (isPassword ? 6 : 8) && (style === 'setting' || !isWordy(value)));
  }
  if (style === 'setting' && /[^\w.\u0080-\uffff-]/.test(value)) return true;
  return value.length >= 8 && ((quoted && /[!@#$%^&*+=?~]/.test(value)) || isNoise(value));
}
