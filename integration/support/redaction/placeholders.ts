import { uppercaseFirst } from './case.ts';
import type { Chance } from './chance.ts';
import { COMPUTED } from './computed.ts';
import { humanPassword, strongPassword } from './passwords.ts';
import { WORDS } from './words.ts';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const ALPHABETS: Readonly<Record<string, string>> = {
  A: UPPER + LOWER + DIGITS,
  L: UPPER + LOWER,
  l: LOWER + DIGITS,
  u: UPPER + DIGITS,
  U: UPPER,
  c: LOWER,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  b: `${UPPER}${LOWER}${DIGITS}-_`,
  s: `${UPPER}${LOWER}${DIGITS}+/`,
  B: `${UPPER}234567`,
  E: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  t: `${LOWER}234567`,

  e: 'qpzry9x8gf2tvdw0s3jn54khce6mua7l', // bech32
};

/**
 * A value for what stands between `«` and `»`:
 *
 * - `A36`, `h8-12`: so many characters of an alphabet
 * - `word`, `Word`, `WORD`: one of a list of words; `host`, `uuid`, `ts`, …: put together
 * - `pw`: as people choose passwords, `gen`: as password managers make them
 * - `ghp`, `jwt`, `pem:RSA`, …: what has to be computed, see `computed.ts`
 *
 * @throws {Error} when nobody knows the placeholder
 */
export function fillPlaceholder(placeholder: string, chance: Chance): string {
  const [, alphabet, least, most] = /^([ALluUcdhHbsBeEt])([0-9]+)(?:-([0-9]+))?$/.exec(placeholder) ?? [];
  if (alphabet !== undefined) {
    const spread = most === undefined ? 0 : Number(most) - Number(least) + 1;
    return chance.run(ALPHABETS[alphabet] ?? '', Number(least) + chance.below(Math.max(spread, 1)));
  }
  const [key = '', argument = ''] = placeholder.split(':', 2);
  const together = PUT_TOGETHER[key];
  if (together !== undefined) return chance.fill(chance.oneOf(together));
  if (key === 'pw') return humanPassword(chance);
  if (key === 'gen') return strongPassword(chance, Number(argument) || undefined);
  const compute = COMPUTED[key];
  if (compute) return compute(chance, argument);
  const lower = key.toLowerCase();
  const list = WORDS[key] ?? WORDS[lower];
  if (!list) throw new Error(`no such placeholder: ${placeholder}`);
  const word = chance.oneOf(list);
  if (key in WORDS) return word;
  return key === key.toUpperCase() ? word.toUpperCase() : uppercaseFirst(word);
}

const PUT_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  host: ['«svc».«org».«tld»', '«svc»-«env».«org».«tld»', '«org».«tld»', '«svc»«d1».«region».«org».net'],
  email: ['«user»@«org».«tld»', '«svc»+«env»@«org».«tld»'],
  uuid: ['«h8»-«h4»-4«h3»-9«h3»-«h12»', '«h8»-«h4»-4«h3»-a«h3»-«h12»', '«h8»-«h4»-4«h3»-b«h3»-«h12»'],
  repo: ['«org»/«svc»', '«org»/«svc»-«noun»s', '«user»/«word»-«noun»'],
  file: [
    'src/«svc»/«noun».«ext»',
    'lib/«verb»-«noun».«ext»',
    '«svc»/«Noun».«ext»',
    'packages/«svc»/src/«noun».«ext»',
  ],
  ip: ['10.«n8».«n8».«n8»', '192.168.«n8».«n8»', '172.16.«n8».«n8»'],
  ts: [
    '2026-0«n1»-1«d1»T1«d1»:2«d1»:4«d1»Z',
    '2026-0«n1»-2«n5» 0«d1»:3«d1»:1«d1»',
    '2026-1«n2»-0«n1»T2«n3»:0«d1»:5«d1».«d3»Z',
  ],
  n1: [...'123456789'],
  n2: [...'012'],
  n3: [...'0123'],
  n5: [...'012345678'].slice(0, 8),
  n8: ['«n1»', '«n1»«d1»', '1«d2»'],
  count: ['«n1»', '«n1»«d1»', '«n1»«d2»', '«n1»«d3»'],
  port: ['5432', '3306', '8080', '6379', '9200', '443', '«n1»«d3»'],
  ver: ['«d1».«n1».«d1»', '«n1».«d1».«n1»«d1»', '«n1»«d1».«d1».«d1»'],
  fn: ['«verb»«Noun»', '«verb»«Word»«Noun»', '«noun»«Noun»'],
  Type: ['«Noun»«Noun»', '«Word»«Noun»Service', '«Noun»Factory', 'Abstract«Noun»«Noun»'],
  snake: ['«verb»_«noun»', '«word»_«noun»', '«noun»_«noun»_«word»'],
  kebab: ['«word»-«noun»', '«svc»-«word»-«noun»', '«verb»-«noun»s'],
  PRE: ['«SVC»', '«ORG»', '«SVC»_«ENV»', 'APP', '«ORG»_«SVC»'],
  awsid: ['AKIA', 'ASIA'],
  ghoar: ['«crc62:gho_»', '«crc62:ghu_»', 'ghr_«A76»'],
  glother: [
    'glrt-«b20»',
    'gldt-«b20»',
    'glcbt-64_«b20»',
    'glptt-«h40»',
    'glft-«b20»',
    'glagent-«b50»',
    'glsoat-«b20»',
  ],
  sqkind: ['p', 'u', 'a'],
  antkind: ['oat01', 'admin01'],
  stripekind: ['sk_test', 'rk_live', 'rk_test'],
  ldkind: ['sdk', 'api', 'mob'],
  pw0: ['«Pass»«d4»', '«pass»-«pass»«d2»', '«leet»«d3»', '«pass»_«d4»!'],
  genu: ['«L8»«d1»-«A6»', '«A6»_«d2»«L6»', '«A9».«d1»«L4»~«A3»', '«A14»!«d1»'],
  dir: ['/home/«user»/«svc»', '/srv/«org»/«svc»', '/Users/«user»/code/«org»', '/opt/«svc»', '/repo'],
};
