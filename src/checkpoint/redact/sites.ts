import { isWordy } from './rule/entropy.ts';
import { isPlaceholder, looksLikePassword } from './rule/passwords.ts';
import { hasDigit, type Rule } from './rule/vendor-rule.ts';

const NEWLINE = '(?:\\\\n|\\r?\\n)';
const ENDS = `(?=[ \\t]{0,8}(?:${NEWLINE}|["'\\\\\\0]|$))`;
const QUOTE = '\\\\{0,3}["\'`]';
const CODE = '[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,4}';
/** Whether a run of hexadecimal digits is no number. */
const isHex = (secret: string): boolean =>
  hasDigit(secret) && /[a-f]/.test(secret) && !/(.)\1{7}/.test(secret);
const isTyped = (secret: string): boolean =>
  looksLikePassword(secret, { name: 'password', quoted: true, style: 'code' });

/** Whether a word in a line of its own may be what the heading says: letters and digits, and no name of anything. */
const isTold = (secret: string): boolean =>
  hasDigit(secret) &&
  /[A-Za-z]/.test(secret) &&
  !isPlaceholder(secret) &&
  !/[(){}[\]<>:=,;/|]|^[-*.#$@]|\.[a-z]{1,4}$/.test(secret) &&
  !isWordy(secret);

/** Secrets whose shape says nothing, by what stands right before them: the call, the file or the heading. */
export const SITES: readonly Rule[] = [
  {
    id: 'named-value', // AZURE_OPENAI_KEY=…: hexadecimal digits are an id in most places, and none under such a name
    starts: ['_KEY', '-KEY'],
    pattern: new RegExp(
      `(?<!PUBLIC|PUBLISHABLE|PRIMARY|FOREIGN|SITE|CACHE|RESTORE|LOOKUP|HASH|SORT|PARTITION|OBJECT|IDEMPOTENCY)[_-]KEY(?:${QUOTE})? {0,4}[:=] {0,4}(?:${QUOTE})?([0-9a-f]{32,64})(?![0-9A-Za-z])`,
      'y',
    ),
    isSecret: isHex,
    anywhere: true,
  },
  {
    id: 'honeycomb',
    starts: ['oneycomb-team', 'oneycomb-Team', 'ONEYCOMB-TEAM'],
    pattern: new RegExp(`[a-z]+-team(?:${QUOTE})? ?[:=,] ?(?:${QUOTE})?([A-Za-z0-9_]{20,64})`, 'iy'),
    isSecret: hasDigit,
    anywhere: true,
  },
  {
    id: 'twilio', // Client("AC…", "…")
    starts: ['AC'],
    pattern: new RegExp(`AC[0-9a-f]{32}${QUOTE} ?, ?${QUOTE}([0-9a-f]{32})(?![0-9A-Za-z])`, 'y'),
  },
  {
    id: 'algolia',
    starts: ['algoliasearch(', 'searchClient('],
    pattern: new RegExp(`[a-zA-Z]+\\( ?${QUOTE}[A-Z0-9]{10}${QUOTE}, ?${QUOTE}([0-9a-f]{32})`, 'y'),
  },
  {
    id: 'openweather',
    starts: ['?appid=', '&appid=', '?APPID=', '&APPID='],
    pattern: /.appid=([0-9a-f]{32})(?![0-9A-Za-z])/iy,
    isSecret: isHex,
    anywhere: true,
  },
  {
    id: 'key-file', // cat config/master.key
    starts: ['master.key', 'production.key', 'staging.key', 'development.key', 'secret.key'],
    pattern: new RegExp(`[a-z]+\\.key${NEWLINE}([0-9a-f]{32}|[0-9a-f]{64})${ENDS}`, 'y'),
  },
  {
    id: 'recovery-code',
    starts: ['ecovery code', 'ackup code'],
    pattern: new RegExp(
      `[a-z]+ codes?:?[^\\n\\\\\\0]{0,60}(?:${NEWLINE}[ \\t*•.+>0-9-]{0,8}){1,2}(${CODE})${ENDS}`,
      'y',
    ),
    more: new RegExp(`${NEWLINE}[ \\t*•+>-]{0,8}(${CODE})${ENDS}`, 'y'),
    isSecret: hasDigit,
    anywhere: true,
  },
  {
    id: 'heading', // Jenkins' first password, in a line of its own
    starts: ['assword:', 'asswort:', 'oken:', 'ecret:', 'API key:', 'API Key:', 'installation:'],
    pattern: new RegExp(
      `[a-zA-Z ]+:(?:\\*\\*)?[ \\t]{0,4}(?:${NEWLINE}(?:\`{3}[a-z]{0,8}${NEWLINE})?[ \\t+>]{0,8}){1,3}\`{0,3}([^\\s"'\`\\\\\\0]{6,400})\`{0,3}${ENDS}`,
      'y',
    ),
    isSecret: (secret) => isTold(secret),
    anywhere: true,
  },
  {
    id: 'named-value', // BORG_PASSPHRASE='several words'
    starts: ['PASSPHRASE=', 'PASSWORD=', 'PASSCODE='],
    pattern: new RegExp(`[A-Z]+=${QUOTE}([^"'\`\\\\$<\\n\\0]{8,200})(?=${QUOTE})`, 'y'),
    isSecret: (secret) => !isPlaceholder(secret),
    anywhere: true,
  },
  {
    id: 'typed', // getByLabel('Password').fill('…'), type('#password', '…')
    starts: ['.fill(', '.type(', '.sendKeys(', '.send_keys(', '.setValue(', '.enterText('],
    pattern: new RegExp(
      `(?:(?<=(?:pass(?:word|wd|phrase|code)?|pwd|passwort|secret|token)[^\\n;\\0]{0,40})\\.\\w+\\( ?|\\.\\w+\\( ?${QUOTE}[^"'\`\\n\\0]{0,60}(?:pass|pwd|secret|token)[^"'\`\\n\\0]{0,20}${QUOTE}, ?)${QUOTE}([^"'\`\\\\\\n\\0]{4,100})(?=${QUOTE})`,
      'iy',
    ),
    isSecret: isTyped,
    anywhere: true,
  },
];
