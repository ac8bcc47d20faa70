import type { Finding, Region } from './redact-regions.ts';

/** Bits per character above which a run of letters and digits is taken for random. */
const RANDOM_BITS = 4.5;
/** A run of n characters has at most log2(n) bits, so 22 can never be over the line. */
const MIN_RUN = 23;
/** `/` would catch paths. */
const IN_RUN = new Uint8Array(1 << 16);
for (const unit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+_=-')
  IN_RUN[unit.charCodeAt(0)] = 1;
/** Random by nature, public by purpose; their base64 may have `/` in it, so that a run is only a part of one. */
const PUBLIC = new RegExp(
  [
    '\\b(?:sha-?(?:1|256|384|512)[-:=]|h1:)[A-Za-z0-9+/]{27,88}={0,2}', // checksums: integrity of packages, Go sums, ssh
    '\\bdata:(?:image|font|audio|video)/[a-z0-9.+%-]{1,40}(?:;[a-z0-9=-]{1,40}){0,3};base64,[A-Za-z0-9+/=%]{1,4000000}',
    '\\b(?:ssh|ecdsa|sk-ssh)-[a-z0-9@.-]{3,40} AAAA[A-Za-z0-9+/]{40,2000}={0,2}', // public keys
    '-----BEGIN (?:[A-Z0-9 ]{0,30} )?(?:CERTIFICATE|PUBLIC KEY|CERTIFICATE REQUEST|CRL)-----(?:\\s|\\\\n|[A-Za-z0-9+/=]){1,20000}',
    '\\bage1[a-z0-9]{58}\\b',
    '/nix/store/[a-z0-9]{32}-[\\w.+-]{1,100}',
  ].join('|'),
  'gi',
);
/** Ids that agents and their services hand out. */
const SERVICE_ID =
  /^(?:(?:srv|mcp)?toolu|msg|msgbatch|req|call|resp|chatcmpl|fc|rs|run|task|agent|thread|asst|step|file|vs|container|session|batch|conv|item|ev[ta]?|cus|sub|pi|pm|ch|in|price|prod|acct|org|proj|user)[_-][A-Za-z0-9]{14,64}$/;
/** A function's name as compilers write it, and a file that a bundler named after its content. */
const MANGLED = /^_{1,2}(?:Z|R)[A-Z0-9]\w+$/;
const ASSET_ENDING =
  /^\.(?:[cm]?jsx?|css|map|wasm|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|webm)\b/;

/** Finds runs that look random: keys of vendors nobody has heard of. */
export function findRandomRuns(text: string): Finding[] {
  let known: Region[] | undefined;
  const found: Finding[] = [];
  let next = 0;
  for (const run of longRuns(text)) {
    const start = run.start + escapeLetters(text, run.start);
    const { end } = run;
    const letters = text.slice(start, end);
    if (entropy(letters) <= RANDOM_BITS || isName(letters, text.slice(end, end + 8))) continue;
    known ??= findPublic(text); // most texts have nothing to ask about
    while ((known[next]?.end ?? text.length) < end) next++;
    const around = known[next];
    if (around && around.start <= start && end <= around.end) continue;
    found.push({ start, end, rule: 'entropy' });
  }
  return found;
}

const findPublic = (text: string): Region[] =>
  [...text.matchAll(PUBLIC)].map(({ 0: run, index }) => ({ start: index, end: index + run.length }));

/** Runs of letters and digits of at least {@link MIN_RUN}. Looks only at each so manieth unit where there are none. */
function longRuns(text: string): Region[] {
  const runs: Region[] = [];
  let start = 0; // the first place where one may begin
  while (start + MIN_RUN <= text.length) {
    let first = start + MIN_RUN;
    while (first > start && isInRun(text, first - 1)) first--;
    if (first > start) {
      start = first;
      continue;
    }
    let end = start + MIN_RUN;
    while (end < text.length && isInRun(text, end)) end++;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}

const isInRun = (text: string, at: number): boolean => IN_RUN[text.charCodeAt(at)] === 1;

const isName = (run: string, after: string): boolean =>
  SERVICE_ID.test(run) || MANGLED.test(run) || ASSET_ENDING.test(after) || isWordy(withoutHex(run));

/** UUIDs, object ids and time stamps stand in the middle of many names. */
const withoutHex = (run: string): string =>
  run.replaceAll(/(?<![A-Za-z0-9])[0-9a-f]{6,}(?![A-Za-z0-9])/g, '');

/** In text that is still escaped, the `n` of `\nmodel` belongs to the backslash. */
function escapeLetters(text: string, at: number): number {
  if (text[at - 1] !== '\\') return 0;
  const length = /^(?:[nrtbf]|u[0-9A-Fa-f]{4})/.exec(text.slice(at, at + 5))?.[0].length;
  return length ?? 0;
}

const counts = new Uint32Array(128);

/** Shannon entropy of ASCII text, bits per character. */
export function entropy(run: string): number {
  counts.fill(0);
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at) & 127;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  for (let code = 0; code < 128; code++) {
    const count = counts[code] ?? 0;
    if (count > 0) bits -= (count / run.length) * Math.log2(count / run.length);
  }
  return bits;
}

/**
 * Tells names from noise: `mcp__contextServer__listDesignTokens-v2` is words, `k9Jx2mQz` is not.
 *
 * Three quarters of the letters and digits stand in words of four letters or more that have a vowel, between
 * separators also in shorter ones; few are digits.
 */
export function isWordy(run: string): boolean {
  if (/ABCDEFGHIJKLMNOPQRSTUVWXYZ|abcdefghijklmnopqrstuvwxyz/.test(run)) return true; // an encoder's alphabet
  if (run.length > 200) return false; // nobody types such a name
  if (/^[A-Z2-7=]*[2-7][A-Z2-7=]*$/.test(run)) return false; // base32
  let wordy = 0;
  let digits = 0;
  let total = 0;
  for (const [group] of run.matchAll(/[A-Za-z0-9]+/g)) {
    total += group.length;
    if (/^(?:[A-Z]?[a-z]{2,3}|[A-Z]{2,3})$/.test(group)) {
      wordy += group.length;
      continue;
    }
    for (const [part] of group.matchAll(/[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g)) {
      if (/^[0-9]/.test(part)) digits += part.length;
      else if (part.length > 3 && /[aeiouy]/i.test(part)) wordy += part.length;
    }
  }
  return wordy >= total * 0.75 && digits <= total * 0.12;
}
