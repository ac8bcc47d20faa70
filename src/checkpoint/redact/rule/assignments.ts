import type { Finding } from '../regions.ts';
import { isWordy } from './entropy.ts';
import { looksLikePassword, type Naming } from './passwords.ts';
import { isKey, keyStart } from './words.ts';

/** Keys that are secret whatever they are for. */
const KEYS =
  'api|app|access|private|priv|auth|encryption|signing|master|account|service|secret|jwt|hmac|subscription|preshared|shared|session|consumer|admin|webhook|license|client|storage|integration|ingest|ingestion|deploy|wrapping|cipher|cookie|publisher|server|write';
const NAME =
  `(?:passw(?:or)?d|passwd|passphrase|passcode|passwort|kennwort|[_.-]pass|pass(?=\\\\{0,3}["']?\\]?[ \\t]{0,4}[:=])|pwd|secret|token|credential|mnemonic|[_-]creds|[_-]?psk|[_-]pat|[_.-]pw(?=\\\\{0,3}["']?\\]?[ \\t]{0,4}\\??[:=])|(?:${KEYS})[._-]?keys?)` +
  '(?:[._-]?(?:id(?=["\'\\\\]{0,4}[ \\t]{0,4}[:=][ \\t]{0,4}["\'\\\\]{0,4}[0-9a-fA-F]{8}-)|key|value|base|data|prod|dev|live|test|staging|root|default|primary|secondary|old|new|hash|confirm(?:ation)?|[0-9]{1,3})){0,2}';
const SECRET_NAME = new RegExp(`${NAME}$`, 'i');
/** Names of what is public, or only says how to go on, although a part of them says secret. */
const PUBLIC_NAME =
  /public[_-]?key[_-]?token$|(?:next|page|continuation|sync|cursor|resume|skip|marker|cancell?ation|max|min|total|prompt|completion|input|output|cache[a-z]{0,8}|num|public|publishable|anon|eos|bos|pad|unk|sep|cls|mask|special|image|stop|start|end)[_-]?tokens?$|(?:publishable|public|primary|foreign|sort|partition|cache|site|idempotency)[_-]?key$|^(?:by|com|sur|tres|over|under|multi|single)pass$/i;
/** The value of a pair stands under a name of its own: `name: DB_PASSWORD`, `value: …`, in markup as attributes. */
const PAIRED =
  '(?:\\\\{0,3}["\'])?(?:,|[ \\t\\n]|\\\\n){1,20}\\\\{0,3}["\']?value\\\\{0,3}["\']?[ \\t]{0,4}[:=]';
/** `getProperty("db.password", "…")` */
const ARGUMENT = '\\\\{0,3}["\'],[ \\t]{0,4}(?=\\\\{0,3}["\'])';
/** `=` and `:` may be escaped as in JSON or a URL, or bold; a default stands behind `||`; an element of markup has its value between tags. */
const SIGN = `(=>|:=|\\?\\?=?|\\|\\||or(?=[ \\t]{1,4}["'])|\\??={1,3}|:(?:\\*\\*)?|\\*\\*:|[ \\t]|\\\\{1,2}u003[aAdD]|%3[aAdD]|>|${PAIRED}|${ARGUMENT})`;
/** What makes bytes or a secret of a text, and marks of texts in some languages. */
const WRAPPER =
  '(?:(?:bytes\\.fromhex|bytearray\\.fromhex|Buffer\\.from|(?:base64\\.)?b64decode|atob|hex\\.DecodeString|\\[\\]byte|Encoding\\.\\w{1,10}\\.GetBytes|(?:binascii\\.)?unhexlify|SecretStr|Secret|String|str|new [A-Z]\\w{0,30}|[A-Z]\\w{0,30}\\.(?:of|from|new|create))\\(|[bBrRuUfFnNL@])?';
/** A name, perhaps quoted and typed, a sign, and a value in quotes or without. */
const ASSIGNMENT = new RegExp(
  `${NAME}(?:\\\\{0,3}["'\`](?:(?!,|[ \\t\\n]|\\\\n)|(?=[ \\t]{1,4}(?:=>|:=|[:=]))))?\\]?(?:[ \\t]{0,4}:[ \\t]{0,4}(?:&(?:'static )?)?(?:string|str|String|any|SecretStr|Option<String>)[?!]?(?=[ \\t]{0,8}=))?[ \\t]{0,8}${SIGN}[ \\t]{0,8}` +
    `(?:${WRAPPER}\\\\{0,3}["'\`]([^\\s"'\`\\0]{4,1000})(?=["'\`])` +
    '|([^\\s"\'`,;&<>(){}\\[\\]|\\\\\\0]{4,1000}))',
  'iy',
);

/** `host=… user=…`, `Server=…;`, `jdbc:…?user=…&` before a password; a comma would mean a function call. */
const DSN =
  /(?:^|[^a-z])(?:host|server|data source|user id|uid|user|username|dbname|database)=[^\n"',()\0]{0,200}[ ;&]$/i;
/** `machine … login …`, on one line or several. */
const NETRC = /(?:^|\s|\\n)(?:machine|login)(?:\s|\\[nt]){1,8}[^\s\\\0]{1,100}(?:\s|\\[nt]){1,8}$/;

/** Finds values assigned to a name that says secret: `DB_PASSWORD=…`, `apiKey: "…"`, `--token …`; `words` are where it may. */
export function findAssignments(text: string, words: readonly number[]): Finding[] {
  const found: Finding[] = [];
  let from = 0; // nothing before it is looked at
  for (const at of words) {
    const match = matchAt(text, at, from);
    if (!match) continue;
    const quoted = match[2]?.replace(/\\+$/, '');
    const value = quoted ?? match[3] ?? '';
    const end = match.index + match[0].length - ((match[2]?.length ?? 0) - (quoted?.length ?? 0));
    const naming = namingOf(text, match, end, value.length, quoted !== undefined);
    if (!naming || /[([]/.test(text[end] ?? '') || !looksLikePassword(value, naming)) {
      from = Math.max(match.index + 4, end - value.length); // `token: string, password: "…"`
    } else {
      found.push({ start: end - value.length, end, rule: 'named-value' });
      from = match.index + match[0].length;
    }
  }
  return found;
}

/** What a key is for; at the end of what stands before it. */
const BEFORE_KEY = new RegExp(`(?:${KEYS})[._-]?$`, 'i');

/** The assignment to a name that has its word at `at`, and begins at `from` or behind. */
function matchAt(text: string, at: number, from: number): RegExpExecArray | undefined {
  const starts = isKey(text, at) ? [keyStart(text, at, BEFORE_KEY)] : [at];
  if (/[_.-]/.test(text[at - 1] ?? '')) starts.unshift(at - 1); // `_pass`, `-psk`
  for (const start of starts) {
    if (start < from) continue;
    ASSIGNMENT.lastIndex = start;
    const match = ASSIGNMENT.exec(text);
    if (match) return match;
  }
  return undefined;
}

function namingOf(
  text: string,
  match: RegExpExecArray,
  end: number,
  length: number,
  quoted: boolean,
): Naming | undefined {
  let start = match.index;
  while (start > match.index - 64 && /[A-Za-z0-9_-]/.test(text[start - 1] ?? '')) start--;
  const before = text.slice(start, end - length);
  const sign = match[1] ?? '';
  if (sign === '>') {
    const isElement = /[<:.]/.test(text[start - 1] ?? '') && text.startsWith('</', end);
    return isElement ? { name: before, quoted: true, style: 'literal' } : undefined;
  }
  if (/^\\{0,3}["'],/.test(sign) && !sign.includes('value')) {
    const isCall = /\(\s{0,4}\\{0,3}["'][\w.-]{0,80}$/.test(
      text.slice(Math.max(0, match.index - 100), match.index),
    );
    return isCall ? { name: before, quoted: true, style: 'code' } : undefined;
  }
  if (/arn:[\w:/-]{1,80}$/.test(text.slice(Math.max(0, start - 90), start))) return undefined;
  const earlier = () => text.slice(Math.max(0, match.index - 200), match.index);
  if (sign.trim() === '' && !before.startsWith('--')) {
    // `--token value` needs no sign, and a message quotes: with password 'value'
    if (quoted && /pass/i.test(before)) return { name: before, quoted, style: 'code' };
    return NETRC.test(earlier()) ? { name: before, quoted: false, style: 'literal' } : undefined;
  }
  if (/^(?:==|\?\?|\|\||or)/.test(sign) && !quoted) return undefined; // compared with another variable, or taken from it
  const name = /^[\w-]*/.exec(before)?.[0] ?? '';
  const isDsn = sign === '=' && DSN.test(earlier());
  if (/^(?:OLD)?PWD$/.test(name) && !isDsn) return undefined; // the shell's directories
  if (PUBLIC_NAME.test(name)) return undefined;
  const isLiteral =
    /^[A-Z0-9_]+["'`\\]*(?: :|:| \?)?=(?:(?<=:=|\?=) )?["'`\\]*$/.test(before) || before.startsWith('--');
  const isOneWord = sign === '=' && !quoted && isQuote(text[start - 1]) && isQuote(text[end]);
  if (isLiteral || isDsn || isOneWord) return { name, quoted, style: 'literal' };
  const style = !quoted && isSetting(text, start, end, sign) ? 'setting' : 'code';
  return { name, quoted, style };
}

/** A line of settings that says who, or where to, as those beside a password do. */
const SIBLING =
  /(?:^|\n|\\n)[ \t#+>|-]{0,20}\\{0,3}["']?[\w.-]{0,40}(?:user(?:_?name)?|login|host(?:name)?|server|database|db(?:_?name)?|port|e?mail|url|uri|account|endpoint|driver|adapter|address)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?[\w@.:/+-]{1,120}\\{0,3}["']?[ \t]{0,4}(?:\r?\n|\\n|$)/i;
const LINE_START = /(?:(?:^|\n|\\n|\0|["'])[ \t#+>|-]{0,40}|--set(?:-string)?[ =])[\w.]{0,60}$/;

/** Whether a value without quotes ends its line in a file of settings: YAML, properties, INI. */
function isSetting(text: string, start: number, end: number, sign: string): boolean {
  if (sign !== '=' && sign !== ':') return false;
  const before = text.slice(Math.max(0, start - 240), start);
  if (!/^(?:[ \t]{0,4}(?:\r?\n|\\{0,3}["'nr]|#|\0)|$)/.test(text.slice(end, end + 8)))
    return sign === '=' && /--set(?:-string)?[ =][\w.]{0,80}$/.test(before.slice(-100)); // helm --set a.password=x
  if (!LINE_START.test(before.slice(-120))) return false;
  if (sign === '=' && /\.$/.test(before)) return true; // spring.datasource.password=x
  // Without a space around the sign nobody writes code; a word with a number behind it is no other name.
  if (
    sign === '=' &&
    text[end - 1] !== undefined &&
    /^[^\s=]{1,80}=[^\s=]{4,40}[0-9]$/.test(text.slice(start, end))
  )
    return true;
  // A word under it that is no short one stands for itself.
  if (
    sign === ':' &&
    /^(?:password|passwd|passphrase)$/i.test(text.slice(start, start + 10).replace(/:.*$/s, ''))
  )
    if (end - start >= 20) return true;
  return SIBLING.test(before) || SIBLING.test(text.slice(end, end + 240));
}

const isQuote = (unit: string | undefined): boolean => unit === '"' || unit === "'" || unit === '\\';

const names = new Map<string, boolean>();

/** Whether the value of the JSON field `key` is a secret because the key says so. */
export function isSecretField(key: string, value: string): boolean {
  if (/^secret_?id$/i.test(key)) return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
  if (key === 'auth')
    return (
      /^[A-Za-z0-9+/]{12,400}={0,2}$/.test(value) &&
      /[0-9]/.test(value) &&
      !isWordy(value.replaceAll('/', '-'))
    );
  const known = names.get(key);
  const isNamed = known ?? SECRET_NAME.test(key);
  if (known === undefined && names.size < 10_000) names.set(key, isNamed);
  return (
    isNamed &&
    !PUBLIC_NAME.test(key) &&
    !/\s/.test(value) &&
    looksLikePassword(value, { name: key, quoted: true, style: 'code' })
  );
}
