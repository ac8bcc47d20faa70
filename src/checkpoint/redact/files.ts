import { isWordy } from './rule/entropy.ts';
import { isPlaceholder, looksLikePassword, PUBLISHABLE } from './rule/passwords.ts';
import { hasDigit, isNoName, type Rule } from './rule/vendor-rule.ts';

const isReal = (password: string): boolean => !isPlaceholder(password);

/** How the names of secrets end. */
const SECRET_TAIL =
  '(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api[_-]?key|(?:access|private|auth|signing|encryption|secret|account)[_-]?key)(?:[_-]?(?:base|key|prod|dev|live|test|[0-9]{1,3}))?';
const NEWLINE = '(?:\\\\n|\\r?\\n)';

/** Whether text of the armour of a private key stands behind base64. */
function isEncodedKey(secret: string): boolean {
  return Buffer.from(secret.slice(0, 80), 'base64').toString('latin1').includes('PRIVATE KEY');
}

/** Secrets by their place in files of a known form. */
export const FILES: readonly Rule[] = [
  {
    id: 'pgpass',
    starts: [':5432:', ':5433:', ':6432:', ':6543:', ':26257:', ':*:'],
    pattern: /:(?:[0-9]{4,5}|\*):[^\s:/"'\0]{1,64}:[^\s:/"'\0]{1,64}:((?:\\:|[^\s:"'\\\0]){4,255})/y,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'private-key', // as base64: client-key-data, tls.key
    starts: ['LS0tLS1CRUdJTi'],
    pattern: /LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,20000}={0,2}/y,
    isSecret: isEncodedKey,
  },
  {
    id: 'password-hash',
    starts: [
      '$2a$',
      '$2b$',
      '$2y$',
      '$apr1$',
      '$1$',
      '$5$',
      '$6$',
      '$y$',
      '$argon2',
      '$pbkdf2',
      '$scrypt$',
      '$7$',
    ],
    pattern:
      /\$(?:2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}|(?:apr1|1|5|6|y|7)\$(?:rounds=[0-9]{1,9}\$|[./A-Za-z0-9]{1,8}\$)?[./A-Za-z0-9]{1,32}\$[./A-Za-z0-9]{22,90}|(?:argon2|pbkdf2|scrypt)[a-z0-9-]{0,12}\$[A-Za-z0-9+/=,.$]{30,200})/y,
    isSecret: hasDigit,
    anywhere: true,
  },
  {
    id: 'password-hash', // Django
    starts: ['pbkdf2_sha256$', 'pbkdf2_sha1$', 'scrypt:', 'pbkdf2:sha'],
    pattern:
      /(?:pbkdf2_sha(?:256|1)|scrypt:[0-9:]{5,20}|pbkdf2:sha[0-9]{1,3}:[0-9]{4,9})\$(?:[0-9]{4,8}\$)?[A-Za-z0-9./]{8,40}\$[A-Za-z0-9+/=]{28,140}/y,
    isSecret: hasDigit,
  },
  {
    id: 'registry-auth',
    starts: ['auth"', 'auth\\"', 'identitytoken"'],
    pattern: /(?:auth|identitytoken)\\{0,3}": ?\\{0,3}"([A-Za-z0-9+/]{12,2000}={0,2})(?=\\{0,3}")/y,
    isSecret: (secret) => isNoName(secret.replaceAll('/', '-')),
  },
  {
    id: 'xml', // <password><![CDATA[x]]></password>
    starts: ['<![CDATA['],
    pattern:
      /(?<=(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key)[\w.-]{0,12}(?:"[^<>\0]{0,80})?>\s{0,8})<!\[CDATA\[([^\]\s\0]{4,400})/iy,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'xml', // a property list
    starts: ['</key>'],
    pattern:
      /(?<=<key>[\w.-]{0,40}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key))<\/key>(?:\s|\\n|\\t){0,40}<string>([^<\s\0]{4,400})/iy,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'xml', // <property name="password">x</property>, <entry key="db.password">x</entry>
    starts: ['<property ', '<entry ', '<string ', '<param ', '<constructor-arg ', '<setting ', '<item '],
    pattern:
      /<[a-z-]+ (?:[^<>\0]{0,60} )?(?:name|key)=\\{0,3}["'][\w.-]{0,60}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key)\\{0,3}["'][^<>\0]{0,60}>(?:\s|\\n){0,20}(?:<value>(?:\s|\\n){0,20})?([^<>\s\0]{4,400})(?=(?:\s|\\n){0,20}<\/)/iy,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // wg set wg0 private-key <(echo x)
    starts: ['-key <('],
    pattern: /(?<=(?:private|preshared))-key <\(echo \\{0,3}["']?([A-Za-z0-9+/]{40,60}={0,2})/y,
    anywhere: true,
  },
  {
    id: 'generated', // what a command that makes secrets printed
    starts: [
      'openssl rand',
      'pwgen',
      'wg gen',
      'apg ',
      'token_urlsafe',
      'token_hex',
      '/dev/urandom',
      'randomBytes(',
      'rails secret',
      'mix phx.gen.secret',
      'key:generate',
      'keygen --raw',
      'gen-key',
      'generate-password',
    ],
    pattern: new RegExp(
      `[a-zA-Z./_(:-]+[^\\n\\\\\\0]{0,100}(?:\\\\{0,3}["'][^\\n\\\\\\0]{0,20})?${NEWLINE}[ \\t+>]{0,8}([^\\s"'\\\\\\0]{12,200})(?=[ \\t]{0,4}(?:${NEWLINE}|["'\\\\\\0]|$))`,
      'y',
    ),
    more: new RegExp(
      `${NEWLINE}[ \\t+>]{0,8}([^\\s"'\\\\\\0]{12,200})(?=[ \\t]{0,4}(?:${NEWLINE}|["'\\\\\\0]|$))`,
      'y',
    ),
    isSecret: (secret) =>
      isReal(secret) &&
      !isWordy(secret.replaceAll(/[./~]/g, '-')) &&
      /[0-9]|[a-z][A-Z].*[a-z][A-Z]/.test(secret),
    anywhere: true,
  },
  {
    id: 'url-code', // of a link that lets in whoever has it
    starts: ['code=', 'ticket=', 'invite=', 'otp=', '?t=', '&t=', '?k=', '&k=', '?key=', '&key='],
    pattern:
      /(?<=:\/\/[^\s"'?\0]{1,200}(?:magic|reset|verify|verif|invit|confirm|login|auth|activat|callback|join|unlock|sign-?in)[^\s"'\0]{0,200})(?:[?&][tk]|[?&]key|code|ticket|invite|otp)=([A-Za-z0-9_%.~-]{20,400})/y,
    isSecret: (secret) => hasDigit(secret) && !isWordy(secret),
    anywhere: true,
  },
  {
    id: 'url-signature',
    starts: ['Signature=', 'signature='],
    pattern: /(?<=[?&](?:X-Goog-|X-Amz-|x-oss-)?)signature=([A-Za-z0-9%+/_~-]{20,1000}={0,2})/iy,
    anywhere: true,
  },
  {
    id: 'named-value', // a YAML block: password: |
    starts: [': |', ': >', ':|', ': !!str |'],
    pattern: new RegExp(
      `(?<=${SECRET_TAIL}\\\\{0,3}["']?):\\s?(?:!!str )?[|>][+-]?[0-9]?[+-]?[ \\t]{0,4}${NEWLINE}[+#>]?[ \\t]{1,40}([^\\s"'\\\\\\0]{6,4000})(?=[ \\t]{0,8}(?:${NEWLINE}|["'\\\\\\0]|$))`,
      'iy',
    ),
    more: new RegExp(
      `${NEWLINE}[ \\t]{1,40}([^\\s"':=\\\\\\0]{16,4000}={0,2})(?=[ \\t]{0,8}(?:${NEWLINE}|["'\\\\\\0]|$))`,
      'y',
    ),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // setx NAME x, set -gx NAME x, setenv NAME x
    starts: ['setx ', 'set -', 'set --', 'setenv ', 'env set ', 'env:set '],
    pattern: new RegExp(
      `(?:setx|set|setenv|env[ :]set)(?: [/-]{1,2}[A-Za-z]{1,10}){0,4} [\\w.-]{0,80}${SECRET_TAIL} {1,8}\\\\{0,3}["']?([^\\s"'\\\\\\0]{4,1000})`,
      'iy',
    ),
    isSecret: isReal,
  },
  {
    id: 'named-value', // [Environment]::SetEnvironmentVariable("NAME", "x"), os.Setenv, putenv
    starts: ['SetEnvironmentVariable(', 'etenv(', 'setItem(', 'setProperty(', 'put(', 'set('],
    pattern: new RegExp(
      `[A-Za-z]+\\( ?\\\\{0,3}["'][\\w.-]{0,80}${SECRET_TAIL}\\\\{0,3}["'], {0,8}\\\\{0,3}["']([^"'\\\\\\n\\0]{6,1000})`,
      'iy',
    ),
    isSecret: (secret) => looksLikePassword(secret, { name: 'password', quoted: true, style: 'code' }),
    anywhere: true,
  },
  {
    id: 'named-value', // STRIPE_KEY=x, "maps_key": "x": only what looks like a key
    starts: ['_KEY', '_key', '-key', '-Key', 'Key"', "Key'", 'Key ', 'Key=', 'Key:', '.key', 'KEY='],
    pattern:
      /(?<!public|publishable|primary|foreign|site|cache|restore|lookup|hash|sort|partition|object|anon|host|idempotency)[_.-]?key\\{0,3}["']? {0,4}(?:=>|:=|[:=]) {0,4}\\{0,3}["'`]?([A-Za-z0-9+/_.~-]{16,200}={0,2})(?![A-Za-z0-9(.])/iy,
    isSecret: (secret) =>
      hasDigit(secret) &&
      /[A-Za-z]/.test(secret) &&
      isReal(secret) &&
      !PUBLISHABLE.test(secret) &&
      !isWordy(secret.replaceAll(/[./~]/g, '-')) &&
      !/^[0-9a-f-]+$/.test(secret),
    anywhere: true,
  },
];
