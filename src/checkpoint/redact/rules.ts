import { CALLS, findBefore } from './calls.ts';
import { FILES } from './files.ts';
import type { Finding } from './regions.ts';
import { findAccounts } from './rule/accounts.ts';
import { findAssignments } from './rule/assignments.ts';
import { findPhrases } from './rule/coins.ts';
import { COMMANDS } from './rule/commands.ts';
import { isWordy } from './rule/entropy.ts';
import { isPlaceholder, isStandIn, looksLikePassword } from './rule/passwords.ts';
import { PRINTED } from './rule/printed.ts';
import { findSaid } from './rule/prose.ts';
import type { Rule } from './rule/vendor-rule.ts';
import { VENDORS } from './rule/vendors.ts';
import { AI_VENDORS } from './rule/vendors-ai.ts';
import { SERVICE_VENDORS } from './rule/vendors-services.ts';
import { TOOL_VENDORS } from './rule/vendors-tools.ts';
import { SIGNS, type Sign } from './rule/words.ts';
import { SITES } from './sites.ts';
import { Starts } from './walk.ts';

const hasDigit = (text: string): boolean => /[0-9]/.test(text);
const isReal = (password: string): boolean => !isPlaceholder(password);
const withEach = (ends: string, ...starts: string[]): string[] =>
  starts.flatMap((start) => ends.split(' ').map((end) => start.replace('*', end)));

/** What is a secret by the place it stands at, whoever made it. */
const PLACES: readonly Rule[] = [
  {
    id: 'npm',
    starts: ['_authToken', '_auth'],
    pattern: /_auth(?:Token)?[ \t]{0,4}[= ][ \t]{0,4}"?([^\s"'$][^\s"']{7,255})/y,
    isSecret: (secret) => isReal(secret) && hasDigit(secret),
    anywhere: true,
  },
  {
    // A token begins only where a run begins: otherwise `eyJeyJ…` would be walked again from each of its parts.
    id: 'jwt',
    starts: ['eyJ'],
    pattern:
      /(?<!(?<!\\)[A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,16000}\.[A-Za-z0-9_-]{8,4000}/y,
    anywhere: true,
  },
  {
    id: 'private-key',
    starts: ['-----BEGIN '],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-\0]{0,20000}(?:-{1,4}[^-\0]{1,20000}){0,20}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y,
    isSecret: (block) => /[A-Za-z0-9+/]{16}/.test(block.slice(block.indexOf('KEY'))),
    anywhere: true,
  },
  {
    id: 'private-key',
    starts: ['-----BEGIN '], // cut off before its end
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nrt]){1,8}[A-Za-z0-9+/=]{16,200}){1,400}/y,
    anywhere: true,
  },
  {
    id: 'private-key',
    starts: ['Private-Lines: '], // PuTTY
    pattern: /Private-Lines: [0-9]{1,3}((?:(?:\s|\\[nrt]){1,8}[A-Za-z0-9+/=]{16,80}){1,400})/y,
    anywhere: true,
  },
  {
    id: 'url-password',
    starts: ['://'],
    pattern: /:\/\/[^\s:@/?#"'`<>\0]{0,100}:([^\s@/"'`<>\0]{3,255})(?=@)/y,
    isSecret: (secret) => isReal(secret) && !/^[^[]*\]/.test(secret), // [user[:password]@]host
    anywhere: true,
  },
  {
    id: 'url-password',
    starts: [':\\/', ':\\\\/'], // in JSON that is a text itself
    pattern: /:\\{1,2}\/\\{1,2}\/[^\s:@/?#"'`<>\\\0]{0,100}:([^\s@/"'`<>\\\0]{3,255})(?=@)/y,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'url-password',
    starts: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,255})(?=@(?!o[0-9]+\.ingest\.)|:x-oauth-basic@)/y, // of Sentry's a DSN is public
    isSecret: hasDigit,
    anywhere: true,
  },
  {
    id: 'authorization',
    starts: withEach('Bearer bearer BEARER Basic basic BASIC Token token SSWS Api-Token', '* '),
    pattern: /[A-Za-z-]+ {1,4}([A-Za-z0-9._~+/-]{15,4000}[A-Za-z0-9_-]={0,2})/y,
    isSecret: (secret) =>
      hasDigit(secret) && !isStandIn(secret) && !isWordy(secret.replaceAll(/[./~]/g, '-')),
  },
  {
    id: 'command-password',
    starts: ['wandb login ', 'cargo login ', 'npm config set ', 'add-authtoken '],
    pattern: /[a-z -]+ (?:[^\n\0]{0,100}? )?([A-Za-z0-9_-]{32,128})(?![\w./-])/y,
    isSecret: (secret) => hasDigit(secret) && !isStandIn(secret) && !isWordy(secret),
  },
  {
    id: 'named-value', // define('AUTH_KEY', '…'), getenv('PASSWORD', '…')
    starts: ['define(', 'get(', 'getenv(', 'env(', 'fetch(', 'config('],
    pattern:
      /[a-z]+\( ?\\{0,3}["'][\w.-]{0,40}(?:key|salt|pass|password|secret|token)\\{0,3}["'], {0,8}\\{0,3}["']([^"'\\\n\0]{8,200})/iy,
    isSecret: (secret) => looksLikePassword(secret, { name: 'password', quoted: true, style: 'code' }),
  },
  {
    id: 'signing-key',
    starts: ['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode(', 'createHmac('],
    pattern: /[a-zA-Z.]+\([^,\n\0]{1,200}, {0,8}\\{0,3}["']([^\s"'\\\0]{8,200})/y,
    isSecret: (secret) => looksLikePassword(secret, { name: 'secret', quoted: true, style: 'code' }),
  },
  {
    id: 'cookie',
    starts: ['ookie: ', 'ookie", "', 'ookie":"'],
    pattern:
      /ookie(?:: \\{0,3}["']?|", ?"|":")(?:[^\s=;"'\0]{1,64}=[^\s;"'\0]{0,200}; ?){0,10}?[^\s=;"'\0]{1,64}=([A-Za-z0-9%._~+/-]{16,4000})/y,
    more: /; ?(?:[^\s=;"'\0]{1,64}=[^\s;"'\0]{0,200}; ?){0,10}?[^\s=;"'\0]{1,64}=([A-Za-z0-9%._~+/-]{16,4000})/y,
    isSecret: (secret) =>
      hasDigit(secret) && !isStandIn(secret) && !isWordy(secret.replaceAll(/[./~]/g, '-')),
    anywhere: true,
  },
];

const starts = new Starts<Rule | Sign>([
  ...[
    ...VENDORS,
    ...AI_VENDORS,
    ...SERVICE_VENDORS,
    ...TOOL_VENDORS,
    ...PLACES,
    ...COMMANDS,
    ...FILES,
    ...SITES,
    ...CALLS,
    PRINTED,
  ].flatMap((rule) => rule.starts.map((start) => [start, rule] as const)),
  ...SIGNS,
]);

/** What one walk over a text finds. */
export interface Shapes {
  /** Secrets by the rules for vendors and places. */
  readonly vendors: readonly Finding[];
  /** Secrets by what they are called, or told to be. */
  readonly named: readonly Finding[];
}

/** Finds secrets whose shape, or whose name, gives them away. */
export function findShapes(text: string): Shapes {
  const signs = { words: [] as number[], accounts: [] as number[], inserts: [] as number[] };
  const vendors = walk(text, (at, sign) => signs[sign].push(at));
  const named = findAssignments(text, signs.words);
  for (const finding of findSaid(text, signs)) named.push(finding);
  for (const finding of findAccounts(text, signs)) named.push(finding);
  for (const finding of findPhrases(text)) named.push(finding);
  for (const finding of findBefore(text)) named.push(finding);
  return { vendors, named };
}

/** {@link findShapes}, all together. */
export function findKnownShapes(text: string): Finding[] {
  const { vendors, named } = findShapes(text);
  return [...vendors, ...named];
}

/** Finds secrets by the rules for vendors and places. */
export const findVendors = (text: string): Finding[] => walk(text, () => undefined);

function walk(text: string, tell: (at: number, sign: Sign) => void): Finding[] {
  const found: Finding[] = [];
  let here = 0;
  let from = 0; // what begins within what was found is a part of it
  let end = 0;
  const walked = new Map<Rule, number>();
  starts.each(text, (at, meant) => {
    if (typeof meant === 'string') return tell(at, meant);
    if (at !== here) [here, from] = [at, end];
    if (at < from) return;
    for (const finding of matchRule(text, at, meant, walked)) {
      found.push(finding);
      end = Math.max(end, finding.end);
    }
  });
  return found;
}

/** @param walked how far a rule that has `more` has come: what begins before that is on its way, also where it was no secret */
function* matchRule(text: string, at: number, rule: Rule, walked: Map<Rule, number>): Generator<Finding> {
  const { id, pattern, isSecret, anywhere, before = 0, more } = rule;
  if (more && at < (walked.get(rule) ?? 0)) return;
  if (!anywhere && followsWord(text, at)) return;
  for (let next: RegExp | undefined = pattern, from = at; next; next = more) {
    next.lastIndex = from;
    const match = next.exec(text);
    if (more) walked.set(rule, from);
    if (!match) return;
    const end = from + match[0].length;
    const start = end - (match[1] ?? match[0]).length - before;
    if (!isSecret || isSecret(text.slice(start, end))) yield { start, end, rule: id };
    from = end;
  }
}

/** Whether a letter or digit stands before `at` that is not part of an escape (`\n`, `%3D`, a colour). */
function followsWord(text: string, at: number): boolean {
  if (!/[A-Za-z0-9]/.test(text[at - 1] ?? '')) return false;
  return !/(?:\\(?:[nrtbf]|u[0-9A-Fa-f]{4})|%[0-9A-Fa-f]{2}|\[[0-9;]{0,8}m)$/.test(
    text.slice(Math.max(0, at - 10), at),
  );
}
