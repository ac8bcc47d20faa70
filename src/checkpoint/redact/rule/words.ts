/** Where in a text something may be told, by what has to stand there. */
export interface Signs {
  /** Words that names of secrets have in them, and that secrets are called. */
  readonly words: readonly number[];
  /** What stands before an account: ` with ada:x`, `creds: ada / x`. */
  readonly accounts: readonly number[];
  readonly inserts: readonly number[];
}
export type Sign = keyof Signs;

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
/** `_pw`, `-pw`: a sign and a word. */
const afterSign = (words: string, signs: string): string[] =>
  words.split(' ').flatMap((word) => [...signs].map((sign) => sign + word));
const beforeSign = (words: string, signs: string): string[] =>
  words.split(' ').flatMap((word) => [...signs].map((sign) => word + sign));

const WORDS = [
  ...'pass pwd secret token cred mnemonic psk key kennwort contrase senha clave has\u0142o pin \u043f\u0430\u0440\u043e\u043b'.split(
    ' ',
  ),
  'mot de passe',
  ...afterSign('pw pat', '_-.'),
  ...beforeSign('pw', ' :=-'),
];
const ALSO = [
  '\u30d1\u30b9\u30ef\u30fc\u30c9',
  '\ube44\ubc00\ubc88\ud638',
  ...beforeSign('\u5bc6\u7801 \u5bc6\u78bc', '\u662f\uff1a: =\u4e3a\u70ba'),
];

/** What begins at the places of {@link Signs}, in small letters, with a capital and in capitals. */
export const SIGNS: ReadonlyArray<readonly [start: string, sign: Sign]> = [
  ...new Set([
    ...WORDS.flatMap((word) => [word, capitalised(word), word.toUpperCase()]),
    ...afterSign('Pw Pat', '_-.'),
    ...ALSO,
  ]),
]
  .map((start): readonly [string, Sign] => [start, 'words'])
  .concat(
    [
      ' with ',
      ' as ',
      ' using ',
      ' mit ',
      ' als ',
      ' con ',
      ' avec ',
      'creds:',
      'redentials:',
      'ugangsdaten:',
      'ogin:',
      'ogins:',
      'ccount:',
    ].map((start) => [start, 'accounts']),
    ['insert', 'INSERT', 'Insert'].map((start) => [start, 'inserts']),
  );

/** Where a name begins of which `at` is the word: before a `key`, the word that says what for. */
export function keyStart(text: string, at: number, before: RegExp): number {
  const [prefix] = before.exec(text.slice(Math.max(0, at - 14), at)) ?? [];
  return prefix === undefined ? -1 : at - prefix.length;
}

/** Whether `key` stands at `at`, however it is written. */
export const isKey = (text: string, at: number): boolean => text.slice(at, at + 3).toLowerCase() === 'key';
