import { isWordy } from './redact-entropy.ts';
import { isPlaceholder, looksLikePassword, type Naming } from './redact-passwords.ts';
import type { Region } from './redact-regions.ts';

/**
 * One shape of a secret. Every expression is linear: repeated classes never overlap with what follows, and have a
 * greatest length.
 */
interface Rule {
  /** What the shape begins with. */
  readonly starts: readonly string[];
  /** The secret is the first group, which ends the match; or, without a group, the match. */
  readonly pattern: RegExp;
  /** Says no to what has the shape and is no secret. */
  readonly isSecret?: (secret: string) => boolean;
  /** Whether the match may follow a letter or digit. */
  readonly anywhere?: true;
}

const hasDigit = (text: string): boolean => /[0-9]/.test(text);
const isReal = (password: string): boolean => !isPlaceholder(password);
const withEach = (ends: string, ...starts: string[]): string[] =>
  starts.flatMap((start) => ends.split(' ').map((end) => start.replace('*', end)));

const RULES: readonly Rule[] = [
  { starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], pattern: /.{4}[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { starts: withEach('p o u s r', 'gh*_'), pattern: /gh._[A-Za-z0-9_]{36,255}/y },
  { starts: ['github_pat_'], pattern: /github_pat_[A-Za-z0-9_]{22,255}/y },
  {
    starts: withEach('pat dt rt cbt ptt ft imt agent soat ffct oas', 'gl*-'),
    pattern: /gl[a-z]+-[A-Za-z0-9_.-]{20,255}/y,
  },
  { starts: ['xox'], pattern: /xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,255}/y, isSecret: hasDigit },
  { starts: ['xapp-'], pattern: /xapp-[0-9]-[A-Za-z0-9-]{10,255}/y },
  {
    starts: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{8,120})/y,
  },
  { starts: ['AIza'], pattern: /AIza[A-Za-z0-9_-]{35}/y },
  { starts: ['GOCSPX-'], pattern: /GOCSPX-[A-Za-z0-9_-]{20,64}/y },
  { starts: ['ya29.'], pattern: /ya29\.[A-Za-z0-9_-]{20,2000}/y },
  { starts: withEach('live test prod', 'sk_*_', 'rk_*_'), pattern: /.k_[a-z]+_[A-Za-z0-9]{10,255}/y },
  { starts: ['whsec_'], pattern: /whsec_[A-Za-z0-9+/=]{24,255}/y },
  {
    starts: ['sk-'],
    pattern: /sk-(?:ant|proj|svcacct|admin|or|lf|None)-[A-Za-z0-9_-]{16,255}/y,
    isSecret: hasDigit,
  },
  {
    starts: ['sk-'],
    pattern: /sk-(?:[A-Za-z0-9]{20,255}|[A-Za-z0-9_-]{40,255})/y,
    isSecret: (secret) => hasDigit(secret) && !isWordy(secret),
  },
  { starts: ['npm_'], pattern: /npm_[A-Za-z0-9]{36,255}/y },
  {
    starts: ['_authToken='],
    pattern: /_authToken=([^\s"'$][^\s"']{7,255})/y,
    isSecret: isReal,
    anywhere: true,
  },
  {
    starts: ['pypi-'],
    pattern: /pypi-(?:AgE[A-Za-z0-9_-]{16,1000}|[A-Za-z0-9_-]{40,1000})/y,
    isSecret: hasDigit,
  },
  { starts: ['sb_secret_'], pattern: /sb_secret_[A-Za-z0-9_-]{16,255}/y },
  { starts: ['sbp_'], pattern: /sbp_[a-f0-9]{40}/y },
  { starts: ['SG.'], pattern: /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/y },
  { starts: withEach('at ca pa ss', 'shp*_'), pattern: /shp.._[A-Za-z0-9]{32,64}/y },
  { starts: ['lin_api_'], pattern: /lin_api_[A-Za-z0-9_]{32,128}/y },
  { starts: ['hf_'], pattern: /hf_[A-Za-z0-9]{30,64}/y },
  { starts: ['dop_v1_'], pattern: /dop_v1_[a-f0-9]{64}/y },
  { starts: ['ops_ey'], pattern: /ops_ey[A-Za-z0-9+/=]{100,2000}/y },
  {
    // A token begins only where a run begins: otherwise `eyJeyJ…` would be walked again from each of its parts.
    starts: ['eyJ'],
    pattern:
      /(?<!(?<!\\)[A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,16000}\.[A-Za-z0-9_-]{8,4000}/y,
    anywhere: true,
  },
  {
    starts: ['-----BEGIN '],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-\0]{0,20000}(?:-{1,4}[^-\0]{1,20000}){0,20}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y,
    isSecret: (block) => /[A-Za-z0-9+/]{16}/.test(block.slice(block.indexOf('KEY'))),
    anywhere: true,
  },
  {
    starts: ['-----BEGIN '], // cut off before its end
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nrt]){1,8}[A-Za-z0-9+/=]{16,200}){1,400}/y,
    anywhere: true,
  },
  {
    starts: ['://'],
    pattern: /:\/\/[^\s:@/?#"'`<>\0]{0,100}:([^\s@/"'`<>\0]{3,255})(?=@)/y,
    isSecret: isReal,
    anywhere: true,
  },
  {
    starts: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,255})(?=@|:x-oauth-basic@)/y,
    isSecret: hasDigit,
    anywhere: true,
  },
  {
    starts: withEach('Bearer bearer BEARER Basic basic BASIC Token token', '* '),
    pattern: /[A-Za-z]+ {1,4}([A-Za-z0-9._~+/-]{15,4000}[A-Za-z0-9_-]={0,2})/y,
    isSecret: (secret) => hasDigit(secret) && !isWordy(secret.replaceAll(/[./~]/g, '-')),
  },
  {
    starts: ['curl '],
    pattern: /curl [^\n\0]{0,300}? (?:-u|--user)[ =]["']?[^\s:"'\0]{1,100}:([^\s"'\0]{3,255})/y,
    isSecret: isReal,
  },
];

const rulesByStart = new Map<string, Rule[]>();
for (const rule of RULES) {
  for (const start of rule.starts) rulesByStart.set(start, [...(rulesByStart.get(start) ?? []), rule]);
}
/** One walk over the text for all rules: it is much longer than the table. */
const START = new RegExp(
  [...rulesByStart.keys()].map((start) => start.replaceAll('.', '\\.')).join('|'),
  'g',
);

/** Finds secrets whose shape, or whose name, gives them away. */
export function findKnownShapes(text: string): Region[] {
  const found: Region[] = [];
  START.lastIndex = 0;
  for (let start = START.exec(text); start; start = START.exec(text)) {
    const regions = (rulesByStart.get(start[0]) ?? []).flatMap((rule) => matchRule(text, start.index, rule));
    found.push(...regions);
    START.lastIndex = Math.max(start.index + 1, ...regions.map(({ end }) => end));
  }
  return findAssignments(text, found);
}

function matchRule(text: string, at: number, { pattern, isSecret, anywhere }: Rule): Region[] {
  if (!anywhere && followsWord(text, at)) return [];
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) return [];
  const secret = match[1] ?? match[0];
  const end = at + match[0].length;
  return !isSecret || isSecret(secret) ? [{ start: end - secret.length, end }] : [];
}

/** Whether a letter or digit stands before `at` that is not the letter of an escape (`\n`). */
function followsWord(text: string, at: number): boolean {
  if (!/[A-Za-z0-9]/.test(text[at - 1] ?? '')) return false;
  return !/\\(?:[nrtbf]|u[0-9A-Fa-f]{4})$/.test(text.slice(Math.max(0, at - 6), at));
}

const NAME =
  '(?:passw(?:or)?d|passwd|passphrase|[_-]pass|pwd|secret|token|credential|(?:api|access|private|auth|encryption|signing|master|account|service)[_-]?key)' +
  '(?:[_-]?(?:key|value|base|prod|dev|live|test|staging|root|default|primary|secondary|old|new|[0-9]{1,3})){0,2}';
const SECRET_NAME = new RegExp(`${NAME}$`, 'i');
/** A name, perhaps quoted and typed, `=` or `:`, and a value in quotes or without. */
const ASSIGNMENT = new RegExp(
  `${NAME}\\\\{0,3}["'\`]?\\]?(?:[ \\t]{0,4}:[ \\t]{0,4}(?:string|str|String|any))?[ \\t]{0,8}(=>|:=|={1,3}|:|[ \\t])[ \\t]{0,8}` +
    '(?:\\\\{0,3}["\'`]([^\\s"\'`\\0]{4,1000})(?=["\'`])|([^\\s"\'`,;&<>(){}\\[\\]|\\\\\\0]{4,1000}))',
  'gi',
);

/** `host=… user=…`, `Server=…;`, `jdbc:…?user=…&` before a password; a comma would mean a function call. */
const DSN =
  /(?:^|[^a-z])(?:host|server|data source|user id|uid|user|username|dbname|database)=[^\n"',()\0]{0,200}[ ;&]$/i;

/** Adds values assigned to a name that says secret: `DB_PASSWORD=…`, `apiKey: "…"`, `--token …`. */
function findAssignments(text: string, found: Region[]): Region[] {
  ASSIGNMENT.lastIndex = 0;
  for (let match = ASSIGNMENT.exec(text); match; match = ASSIGNMENT.exec(text)) {
    const quoted = match[2]?.replace(/\\+$/, '');
    const value = quoted ?? match[3] ?? '';
    const end = match.index + match[0].length - ((match[2]?.length ?? 0) - (quoted?.length ?? 0));
    const naming = namingOf(text, match, end - value.length, quoted !== undefined);
    if (!naming || /[([]/.test(text[end] ?? '') || !looksLikePassword(value, naming)) {
      ASSIGNMENT.lastIndex = Math.max(match.index + 4, end - value.length); // `token: string, password: "…"`
    } else {
      found.push({ start: end - value.length, end });
    }
  }
  return found;
}

function namingOf(
  text: string,
  match: RegExpExecArray,
  valueAt: number,
  quoted: boolean,
): Naming | undefined {
  let start = match.index;
  while (start > match.index - 64 && /[A-Za-z0-9_-]/.test(text[start - 1] ?? '')) start--;
  const before = text.slice(start, valueAt);
  const sign = match[1] ?? '';
  if (sign.trim() === '' && !before.startsWith('--')) return undefined; // `--token value` needs no sign
  if (sign.startsWith('==') && !quoted) return undefined; // compared with another variable
  const name = /^[\w-]*/.exec(before)?.[0] ?? '';
  if (/^(?:OLD)?PWD$/.test(name)) return undefined; // the shell's directories
  const isLiteral = /^[A-Z0-9_]+["'`\\]*=["'`\\]*$/.test(before) || before.startsWith('--');
  const isDsn = sign === '=' && DSN.test(text.slice(Math.max(0, match.index - 200), match.index));
  return { name, quoted, style: isLiteral || isDsn ? 'literal' : 'code' };
}

const names = new Map<string, boolean>();

/** Whether the value of the JSON field `key` is a secret because the key says so. */
export function isSecretField(key: string, value: string): boolean {
  const known = names.get(key);
  const isNamed = known ?? SECRET_NAME.test(key);
  if (known === undefined && names.size < 10_000) names.set(key, isNamed);
  return isNamed && !/\s/.test(value) && looksLikePassword(value, { name: key, quoted: true, style: 'code' });
}
