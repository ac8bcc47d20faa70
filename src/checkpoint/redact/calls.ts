import { isPlaceholder, looksLikePassword } from './rule/passwords.ts';
import { hasDigit, type Rule } from './rule/vendor-rule.ts';

const QUOTE = '\\\\{0,3}["\'`]';
/** What stands between quotes, and ends before the closing one. */
const TEXT = `([^"'\`\\\\\\n\\0]{4,200})(?=${QUOTE})`;
/** An argument that is no secret: a name, a number, a text. */
const OTHER = `[^,()"'\`\\n\\0]{0,60}(?:${QUOTE}[^"'\`\\n\\0]{0,200}${QUOTE})? ?`;
const NAME = '(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api_?key|credential)';

const isReal = (secret: string): boolean => !isPlaceholder(secret) && !/\s/.test(secret);
const isTyped = (secret: string): boolean =>
  !/\s/.test(secret) && looksLikePassword(secret, { name: 'password', quoted: true, style: 'code' });
/** Four groups of four letters, as Google makes them for programs, are a password, too. */
const isMailed = (secret: string): boolean =>
  isTyped(secret) || /^[a-z0-9]{2,4}(?: [a-z]{4}){3}$/.test(secret);

/** A call whose argument behind so many others is a password. */
function call(names: string, others: string, isSecret = isTyped): Rule {
  return {
    id: 'argument',
    starts: names.split(' ').map((name) => `${name}(`),
    pattern: new RegExp(`[\\w.:]+\\(${others}(?:Some\\( ?)?[bfrN@]?${QUOTE}${TEXT}`, 'y'),
    isSecret,
    anywhere: true,
  };
}

/** Secrets as arguments, where what is called says so. */
export const CALLS: readonly Rule[] = [
  call(
    '.password .passwd .withPassword .setPassword set_password SetPassword .secretKey .apiKey .api_key .authToken .auth_token .bearer_auth .withToken .clientSecret .client_secret',
    ' ?',
  ),
  call(
    'bcrypt.hash bcrypt.hashSync bcrypt.hashpw hashpw argon2.hash generate_password_hash make_password password_hash GenerateFromPassword bcrypt.compare bcrypt.compareSync',
    '(?:\\[\\]byte\\()? ?',
  ),
  call(
    'SetBasicAuth basic_auth BasicAuth HTTPBasicAuth UsernamePasswordCredentials UsernamePasswordCredential PasswordCredentials PasswordAuthentication BasicAuthentication UserPass Credentials.basic .login .authenticate .signIn .sign_in .logIn signInWithEmailAndPassword auth.basic auth auth=',
    `(?:[^,()"'\`\\n\\0]{0,60},)? ?${OTHER}, ?`,
    isMailed,
  ),
  call('getConnection new PDO', ` ?${QUOTE}[^"'\`\\n\\0]{4,200}${QUOTE}, ?${OTHER}, ?`),
  call('mysqli_connect new mysqli pymysql.connect MySQLdb.connect', `${OTHER}, ?${OTHER}, ?`),
  call(
    'pgp_sym_encrypt pgp_sym_decrypt aes_encrypt AES_ENCRYPT aes_decrypt AES_DECRYPT crypt',
    `${OTHER}, ?`,
  ),
  {
    id: 'argument', // requests.get(url, auth=("ada", "x"))
    starts: ['auth=('],
    pattern: new RegExp(`auth=\\( ?${QUOTE}[^"'\`\\n\\0]{1,80}${QUOTE}, ?${QUOTE}${TEXT}`, 'y'),
    isSecret: isTyped,
    anywhere: true,
  },
  {
    id: 'named-value', // add_argument("--password", default="x"), env: { name: …, default: … }
    starts: ['add_argument(', '.option(', 'flag.String(', 'variable "', 'variable \\"'],
    pattern: new RegExp(
      `[\\w.]+(?:\\( ?|[ ])${QUOTE}-{0,2}[\\w ,<>[\\]=-]{0,60}${NAME}[\\w ,<>[\\]=-]{0,40}${QUOTE}[^)}\\0]{0,300}?(?:default ?[=:] ?|, ?)${QUOTE}${TEXT}`,
      'iy',
    ),
    isSecret: isTyped,
    anywhere: true,
  },
  {
    id: 'named-value', // password = os.getenv("X") or 'x'
    starts: ['|| "', "|| '", '|| \\"', '?? "', "?? '", '?? \\"', ') or "', ") or '", ') or \\"'],
    pattern: new RegExp(
      `(?<=${NAME}[\\w.]{0,12}["']?(?: ?: ?[A-Za-z]{1,20})? ?[:=][^\\n;,\\0]{1,120})[|?) or]{2,5} ${QUOTE}${TEXT}`,
      'iy',
    ),
    isSecret: isTyped,
    anywhere: true,
  },
  {
    id: 'named-value', // a key of hexadecimal digits
    starts: [
      'key = B',
      'key = b',
      'key = u',
      'key = h',
      'key = 0x',
      'key: 0x',
      'key is 0x',
      'Key: 0x',
      'KEY=0x',
    ],
    pattern:
      /key(?: = (?:Buffer\.from|bytes\.fromhex|(?:binascii\.)?unhexlify|hex\.DecodeString)\( ?\\{0,3}["']|(?<=(?:eth|wallet|deployer|signer|account|priv(?:ate)?)[ _-]?key)(?: = |: | is |=)0x)([0-9a-f]{32,64})(?![0-9a-f])/iy,
    isSecret: hasDigit,
    anywhere: true,
  },
  {
    id: 'named-value', // what terraform says of a value that it will change
    starts: ['" -> "', '\\" -> \\"'],
    pattern: new RegExp(
      `(?<=${NAME}[\\w]{0,12}\\\\{0,3}"? *[:=] *${QUOTE}[^"\\n\\0]{1,200}?)\\\\{0,3}" -> \\\\{0,3}"${TEXT}`,
      'iy',
    ),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // {"db_password": {"sensitive": true, "value": "x"}}
    starts: ['"sensitive', '\\"sensitive'],
    pattern: new RegExp(
      `\\\\{0,3}"sensitive\\\\{0,3}" ?: ?true[^{}\\0]{0,300}?\\\\{0,3}"value\\\\{0,3}" ?: ?${QUOTE}${TEXT}`,
      'y',
    ),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // <input type="password" value="x">
    starts: ['type="pass', 'type=\\"pass', "type='pass"],
    pattern: new RegExp(`type=${QUOTE}password${QUOTE}[^<>\\0]{0,300}?\\bvalue=${QUOTE}${TEXT}`, 'y'),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // "-px" beside "mysqladmin"
    starts: ['"-p', '\\"-p', "'-p"],
    pattern: new RegExp(
      `(?<=(?:mysql|mysqladmin|mysqldump|mariadb|mariadb-admin)${QUOTE},[^\\n\\]\\0]{0,200})${QUOTE}-p${TEXT}`,
      'y',
    ),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // %22password%22%3A%22x%22
    starts: ['%22%3A', '%27%3A'],
    pattern: new RegExp(
      `(?<=${NAME}\\w{0,12})%2[27]%3A(?:%20|\\+)?%2[27]((?:[\\w.~!*'()-]|%(?!2[27])[0-9A-Fa-f]{2}){4,400})`,
      'iy',
    ),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'url-password',
    starts: ['%3A%2F%2F', '%3a%2f%2f'],
    pattern: /%3A%2F%2F[\w.~-]{1,100}%3A((?:[\w.~!*-]|%(?!40)[0-9A-F]{2}){3,255})(?=%40)/iy,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // BASIC_AUTH=ada:x
    starts: ['_AUTH=', '_auth=', '_auth: '],
    pattern: new RegExp(
      `(?<=basic|http|proxy|admin|ui)_auth(?:=|: )(?:${QUOTE})?[A-Za-z][\\w.@-]{0,40}:([^\\s"'\`\\\\\\0:]{4,200})`,
      'iy',
    ),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'named-value', // a word that a project's analysis logs in with
    starts: ['sonar.login=', 'sonar.token='],
    pattern: /sonar\.[a-z]+=\\{0,3}["']?([0-9a-f]{40}|sq[a-z]_[0-9a-f]{40})/y,
    anywhere: true,
  },
  {
    id: 'seed-phrase',
    starts: ['nemonic', 'NEMONIC', 'eed phrase', 'ecovery phrase', 'EED_PHRASE', 'eedPhrase', 'eed_phrase'],
    pattern: new RegExp(
      `[a-z_ ]+(?: is)?["'\\\\]{0,4} ?[:=]? ?(?:${QUOTE})?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?=\\s|\\\\|["'\`.\\0]|$)`,
      'iy',
    ),
    isSecret: (phrase) => new Set(phrase.split(' ')).size >= 10,
    anywhere: true,
  },
];

/** Where a password stands before what tells it: `ada:x@tcp(host)`, `"x".toCharArray()`. */
const BEFORE: ReadonlyArray<readonly [sign: string, pattern: RegExp]> = [
  ['@tcp(', /[\w.-]{1,40}:([^\s:@"'`\0]{3,80})$/],
  ['@unix(', /[\w.-]{1,40}:([^\s:@"'`\0]{3,80})$/],
  ['.toCharArray(', /["']([^\s"'\\\0]{6,80})\\{0,3}["']$/],
];
const MAX_BEFORE = 130;

/** Finds what stands before the sign that gives it away. */
export function findBefore(text: string): { start: number; end: number; rule: string }[] {
  const found = [];
  for (const [sign, pattern] of BEFORE) {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
      const [all, secret = ''] = pattern.exec(text.slice(Math.max(0, at - MAX_BEFORE), at)) ?? [];
      if (all === undefined || !isReal(secret)) continue;
      const start = at - all.length + all.lastIndexOf(secret);
      found.push({ start, end: start + secret.length, rule: 'argument' });
    }
  }
  return found;
}
