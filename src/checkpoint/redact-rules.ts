import { findAssignments } from './redact-assignments.ts';
import { isWordy } from './redact-entropy.ts';
import { isPlaceholder, isStandIn, looksLikePassword } from './redact-passwords.ts';
import type { Finding } from './redact-regions.ts';
import { hashAt } from './redact-table.ts';
import { type Rule, VENDORS } from './redact-vendors.ts';

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
    isSecret: isReal,
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
    pattern: /:\/\/([A-Za-z0-9_-]{20,255})(?=@|:x-oauth-basic@)/y,
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
    starts: ['curl '],
    pattern:
      /curl (?:[^\n\0]{0,300}? )?(?:-u|--user)[ =](?:\\{0,3}["'])?[^\s:"'\\\0]{1,100}:([^\s"'\\\0]{3,255})/y,
    isSecret: isReal,
  },
  {
    id: 'command-password',
    starts: ['docker login ', 'podman login ', 'registry login ', 'az login ', 'sshpass ', 'snowsql '],
    pattern: /[a-z ]+ (?:[^\n\0]{0,200}? )?-p[ =]?(?:\\{0,3}["'])?([^\s"'\\=-][^\s"'\\\0]{3,255})/y,
    isSecret: isReal,
  },
  {
    id: 'command-password',
    starts: ['mysql ', 'mysqldump ', 'mysqladmin '], // `-p` and the password are one word
    pattern: /mysql[a-z]* (?:[^\n\0]{0,200}? )?-p(?:\\{0,3}["'])?([^\s"'\\=-][^\s"'\\\0]{3,255})/y,
    isSecret: isReal,
  },
  {
    id: 'command-password',
    starts: ['redis-cli '],
    pattern: /redis-cli (?:[^\n\0]{0,200}? )?-a[ =](?:\\{0,3}["'])?([^\s"'\\\0]{4,255})/y,
    isSecret: isReal,
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
    id: 'command-password',
    starts: ['echo '],
    pattern:
      /echo (?:-n )?\\{0,3}["']?[\w.-]{1,32}:([^\s"'\\\0]{4,255})(?=\\{0,3}["']? {0,2}\| {0,2}(?:sudo )?chpasswd)/y,
    isSecret: isReal,
  },
  {
    id: 'command-password',
    starts: ['-pass'],
    pattern: /-pass(?:in|out)? \\{0,3}["']?pass:([^\s"'\\\0]{4,255})/y,
    isSecret: isReal,
  },
  {
    id: 'registry-auth',
    starts: ['auth"', 'auth\\"'],
    pattern: /auth\\{0,3}": ?\\{0,3}"([A-Za-z0-9+/]{12,400}={0,2})(?=\\{0,3}")/y,
    isSecret: (secret) => hasDigit(secret) && !isStandIn(secret) && !isWordy(secret.replaceAll('/', '-')),
  },
  {
    id: 'pgpass',
    starts: [':5432:'],
    pattern: /:5432:[^\s:/"'\0]{1,64}:[^\s:/"'\0]{1,64}:([^\s:"'\\\0]{4,255})/y,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'cookie',
    starts: ['ookie: ', 'ookie", "', 'ookie":"'],
    pattern: /ookie(?:: |", ?"|":")[^\s=;"'\0]{1,64}=([A-Za-z0-9%._~+/-]{16,4000})/y,
    isSecret: (secret) =>
      hasDigit(secret) && !isStandIn(secret) && !isWordy(secret.replaceAll(/[./~]/g, '-')),
    anywhere: true,
  },
];

/** Rules by the first three units of their starts, which say at most places of a text that nothing begins there. */
const byHash = new Map<number, Array<readonly [start: string, rule: Rule]>>();
const begins = new Uint8Array(1 << 16);
const ANY = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
for (const rule of [...VENDORS, ...PLACES]) {
  for (const start of rule.starts) {
    for (const key of start.length < 3 ? ANY.map((unit) => start + unit) : [start]) {
      const hash = hashAt(key, 0);
      byHash.set(hash, [...(byHash.get(hash) ?? []), [start, rule]]);
      begins[hash] = 1;
    }
  }
}

/** Finds secrets whose shape, or whose name, gives them away. One walk over the text for all rules. */
export function findKnownShapes(text: string): Finding[] {
  const found: Finding[] = [];
  for (let at = 0; at < text.length - 2; at++) {
    const hash = hashAt(text, at);
    if (begins[hash] === 0) continue;
    let end = 0;
    for (const [start, rule] of byHash.get(hash) ?? []) {
      if (!text.startsWith(start, at)) continue;
      const finding = matchRule(text, at, rule);
      if (finding) found.push(finding);
      end = Math.max(end, finding?.end ?? 0);
    }
    at = Math.max(at, end - 1);
  }
  found.push(...findAssignments(text));
  return found;
}

function matchRule(
  text: string,
  at: number,
  { id, pattern, isSecret, anywhere, before = 0 }: Rule,
): Finding | undefined {
  if (!anywhere && followsWord(text, at)) return undefined;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (!match) return undefined;
  const end = at + match[0].length;
  const start = end - (match[1] ?? match[0]).length - before;
  return !isSecret || isSecret(text.slice(start, end)) ? { start, end, rule: id } : undefined;
}

/** Whether a letter or digit stands before `at` that is not part of an escape (`\n`, `%3D`, a colour). */
function followsWord(text: string, at: number): boolean {
  if (!/[A-Za-z0-9]/.test(text[at - 1] ?? '')) return false;
  return !/(?:\\(?:[nrtbf]|u[0-9A-Fa-f]{4})|%[0-9A-Fa-f]{2}|\[[0-9;]{0,8}m)$/.test(
    text.slice(Math.max(0, at - 10), at),
  );
}
