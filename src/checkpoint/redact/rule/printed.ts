import type { Piece } from '../json.ts';
import type { Finding } from '../regions.ts';
import { isWordy } from './entropy.ts';
import { isPlaceholder } from './passwords.ts';
import { hasDigit, type Rule } from './vendor-rule.ts';

const NAME =
  '[\\w./-]{0,60}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api_?key|_key|credential)[\\w.-]{0,20}';
const REST = '[^\\n;|&\\\\\\0]{0,160}';
/** Commands that print a secret and nothing else. */
const PRINTS = [
  `printenv ${NAME}`,
  `echo \\\\{0,3}"?\\$\\{?${NAME}`,
  'cat (?:[\\w./~-]{0,80}(?:/secrets?/|passw|\\.key\\b|token|secret_key))',
  `vault (?:kv get|read) ${REST}-field[= ]`,
  'op read ',
  `op item get ${REST}--fields `,
  'pass (?:show )?[\\w-]+(?:/[\\w.@-]+)+',
  'pass show ',
  `kubectl ${REST}get secrets? ${REST}(?:jsonpath|template)`,
  'kubectl create token ',
  '(?:gh|fly|flyctl|doctl|heroku) auth[: ]token',
  'gcloud auth (?:application-default )?print-',
  'gcloud secrets versions access ',
  `aws secretsmanager get-secret-value ${REST}--query `,
  `aws ssm get-parameter ${REST}--with-decryption`,
  'aws ecr get-login-password',
  `az (?:account get-access-token|keyvault secret show) ${REST}--query `,
  `security find-(?:generic|internet)-password ${REST}-\\w*w`,
  'secret-tool lookup ',
  `heroku config:get ${NAME}`,
  `doppler secrets get ${REST}--plain`,
  'bw get password ',
  `lpass show ${REST}--password`,
  `terraform output -raw ${NAME}`,
  `(?:gcloud|git|npm|pulumi|firebase) config get (?:--[\\w-]+ ){0,2}${NAME}`,
  'oc whoami -t',
  'openssl rand ',
  'pwgen ',
].join('|');
const COMMAND = new RegExp(`(?:^|[\\s;&|("'$\`])(?:${PRINTS})`, 'i');
const SHORTEST = 6;
const NEWLINE = '(?:\\\\n|\\r?\\n)';

/** Whether what was printed alone may be a secret: no word, no path, no number. */
const isPrinted = (word: string): boolean =>
  (hasDigit(word) || /[!@#$%^&*+=?~]/.test(word)) &&
  /[A-Za-z]/.test(word) &&
  !isPlaceholder(word) &&
  !/^[./~]|^https?:|[{}()<>]|\.[a-z]{1,4}$/.test(word) &&
  !isWordy(word);

/** The same where command and output stand in one text. */
export const PRINTED: Rule = {
  id: 'printed',
  starts:
    'printenv |echo |cat |vault |op |pass |kubectl |gh auth|fly auth|doctl auth|heroku |gcloud |aws |az |security find|secret-tool |doppler |bw get|lpass show|terraform output|oc whoami|openssl rand|pwgen |npm config get|pulumi config get'.split(
      '|',
    ),
  pattern: new RegExp(
    `(?:${PRINTS})[^\\n\\\\\\0]{0,200}${NEWLINE}[ \\t+>]{0,8}([^\\s"'\\\\\\0]{${SHORTEST},400})(?=[ \\t]{0,4}(?:${NEWLINE}|["'\\\\\\0]|$))`,
    'iy',
  ),
  isSecret: isPrinted,
  anywhere: true,
};

/** What a client writes before what a command printed. */
const PREAMBLE = /^[^\0]{0,200}?\nOutput:\n/;
const CALLED = /^(?:command|cmd|arguments|input)$/;
const OUTPUT = /^(?:content|stdout|output|text|aggregated_?output|formatted_?output)$/i;
/** The output stands in one of so many records behind the call. */
const MAX_UNITS = 6;

/**
 * Finds what commands printed that print a secret and nothing else: the call is one record, its output another one.
 *
 * @param separator units between two pieces where they are joined
 */
export function findPrinted(pieces: readonly Piece[], separator: number): Finding[] {
  const found: Finding[] = [];
  let left = 0; // records that may yet hold the output
  let unit: number | undefined;
  let isOver = false; // with the end of this record
  let offset = 0;
  for (const piece of pieces) {
    const { key, value } = piece;
    const start = offset;
    offset += value.length + separator;
    if (piece.unit !== unit) {
      unit = piece.unit;
      left = isOver ? 0 : left - 1;
      isOver = false;
    }
    if ((key === undefined || CALLED.test(key)) && value.length < 2000 && COMMAND.test(value)) {
      left = MAX_UNITS;
    } else if (left > 0 && left < MAX_UNITS && key !== undefined && OUTPUT.test(key)) {
      const body =
        value.length > 5000 ? '' : value.slice(PREAMBLE.exec(value.slice(0, 400))?.[0].length ?? 0);
      const printed = body.trim();
      if (printed !== '' && key !== 'text') isOver = true;
      if (printed.length < SHORTEST || /\s/.test(printed) || !isPrinted(printed)) continue;
      const from = start + value.length - body.length + body.indexOf(printed);
      found.push({ start: from, end: from + printed.length, rule: 'printed' });
    }
  }
  return found;
}
