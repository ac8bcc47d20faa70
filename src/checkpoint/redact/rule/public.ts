import type { Region } from '../regions.ts';
import { Starts } from '../walk.ts';
import { isCheckedBase58 } from './coins.ts';

/**
 * What looks random and is public by purpose: checksums, public keys, addresses, ids of documents and contents. Only what
 * looks random is asked about; a shape or a name that gives a secret away is not.
 */

const KEY_64 = 'A-Za-z0-9+/';
/** Where a word begins: in a text that is still escaped also behind `\\n`. */
const WORD = '(?:\\b|(?<=\\\\[nrt]))';
/** Stretches of text, by what they begin with; their base64 may have `/` in it, so that a run is only a part of one. */
const PUBLIC: ReadonlyArray<readonly [starts: string, pattern: string]> = [
  [
    'sha Sha SHA h1: pin-sha256=',
    `${WORD}(?:sha-?(?:1|256|384|512)[-:=/]|h1:|pin-sha256=\\\\{0,3}"?)[${KEY_64}]{27,88}={0,2}`,
  ], // checksums: integrity of packages, Go sums, ssh
  [
    'data: Data: DATA:',
    `${WORD}data:(?:image|font|audio|video|application/(?:pdf|wasm|json|zip|octet-stream|(?:x-)?font[a-z-]{0,20}|vnd\\.ms-fontobject))(?:/[a-z0-9.+%-]{1,40})?(?:;[a-z0-9=-]{1,40}){0,3};base64(?:,|%2[cC])[${KEY_64}=%]{1,4000000}`,
  ],
  ['mappings', `${WORD}mappings\\\\{0,3}"\\s{0,4}:\\s{0,4}\\\\{0,3}"[${KEY_64},;]{1,4000000}`], // source maps
  [
    'ssh- ecdsa- sk-ssh- sk-ecdsa-',
    `${WORD}(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]{3,40} AAAA[${KEY_64}]{40,2000}={0,2}`,
  ], // public keys
  [
    'AAAAB3NzaC1 AAAAC3NzaC1 AAAAE2VjZHNh',
    `${WORD}AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh)[${KEY_64}]{40,2000}={0,2}`,
  ],
  ['|1|', `\\|1\\|[${KEY_64}]{27}=\\|[${KEY_64}]{27}=`], // hosts that ssh knows
  [
    '-----BEGIN',
    `-----BEGIN (?:[A-Z0-9 ]{0,30} )?(?:CERTIFICATE|PUBLIC KEY|PUBLIC KEY BLOCK|CERTIFICATE REQUEST|CRL|SIGNATURE|PGP MESSAGE)-----(?:\\s|\\\\n|[${KEY_64}=:.#>|]){1,20000}`,
  ],
  ['age1', `${WORD}age1[a-z0-9]{58}\\b`],
  ['ocid1.', `${WORD}ocid1\\.[a-z0-9-]{2,40}\\.[\\w.-]{10,200}`], // Oracle's ids
  ['AAAA, AAAA;', `${WORD}AAAA[,;](?:[${KEY_64}]{0,80}[,;]{1,4}){0,20000}[${KEY_64}]{0,80}`], // source maps, without what names them
  ['nonce-', `${WORD}nonce-[${KEY_64}_-]{16,88}={0,2}`], // what a page says of its scripts
  ['pk.eyJ', 'pk\\.eyJ[\\w-]{10,400}(?:\\.[\\w-]{10,100})?'],
  ['/nix/store/', '/nix/store/[a-z0-9]{32}-[\\w.+-]{1,100}'],
  ['/var/folders/', '/var/folders/\\w\\w/\\w{20,40}'], // macOS's temporary files
  ['ENC[', `ENC\\[AES256_GCM,[${KEY_64}:,_=]{10,20000}`], // what sops encrypted
  ['=?U =?u =?I =?i', '=\\?[\\w-]{3,20}\\?[BQ]\\?[^\\s?]{1,200}\\?='], // a header of a mail
  ['W/" W/\\', 'W/\\\\{0,3}"[\\w+/=-]{8,80}'], // an entity tag
];
const STARTS = new Starts(
  PUBLIC.flatMap(([starts, pattern]) => {
    const expression = new RegExp(pattern, 'iy');
    return starts.split(' ').map((start) => [start, expression] as const);
  }),
);

/** Where a text holds what is public, in order. */
export function findPublic(text: string): Region[] {
  const found: Region[] = [];
  let end = 0;
  STARTS.each(text, (start, pattern) => {
    if (start < end) return;
    pattern.lastIndex = start;
    const [run] = pattern.exec(text) ?? [];
    if (run === undefined) return;
    end = start + run.length;
    found.push({ start, end });
  });
  return found;
}

/** Ids that agents, their services and shops hand out. */
const SERVICE_ID =
  /^(?:(?:srv|mcp)?toolu|msg|msgbatch|req|call|resp|chatcmpl|cmpl|fc|rs|ws|ig|ci|run|task|agent|thread|asst|step|file|upload|vs|container|cntr|session|sess|sesn|batch|conv|item|ev[ta]?|cus|sub|su|si|pi|pm|ch|cs|in|ii|il|py|po|re|tr|txn|seti|src|card|ba|dp|we|price|prod|plan|acct|org|orgmem|proj|prj|dpl|team|user|wrkspc|apikey|skill|env|ftjob|ft|modr|embd|usr|ord|inv|ses|wf|job|dep|app|db)[_-](?:test_|live_)?[A-Za-z0-9]{14,64}$/;
/** A function's name as compilers write it. */
const MANGLED = /^_{1,2}(?:Z|R)[A-Z0-9]\w+$/;
/** What begins a text that is public wherever it stands: publishable keys, keys and signatures in DER, ids of contents. */
const PUBLIC_ID = new RegExp(
  [
    '^(?:pk_(?:test|live)_|pk[.]eyJ|phc_|sb_publishable_|rzp_(?:test|live)_|pk-lf-|FLWPUBK|AC[0-9a-f]{32}$)',
    '^Qm[1-9A-HJ-NP-Za-km-z]{44}$|^baf[a-z2-7]{50,}$|^k51[a-z0-9]{50,62}$|^z6Mk[1-9A-HJ-NP-Za-km-z]{40,50}$', // contents and names of IPFS
    '^[xyzt]pub[1-9A-HJ-NP-Za-km-z]{100,112}$',
    '^(?!nsec)[a-z_]{1,12}1[02-9ac-hj-np-z]{38,}$', // bech32: addresses of coins
    '^[A-Z]{1,4}_k[A-Za-z0-9][A-Za-z0-9_-]{8,60}$', // GitHub's nodes
    '^[123][0-9A-Za-z]{26}$', // KSUID
    '^6L[a-z][A-Za-z0-9_-]{5}AAAAA[A-Za-z0-9_-]{27}$', // sites of reCAPTCHA
    '_(?:amd64|arm64|armhf|i386|x86_64|aarch64|noarch|all)$|-(?:linux|darwin|windows|w64|unknown)-', // packages, and what they are built for
    '^-{2,30}[A-Za-z]{0,20}Boundary[A-Za-z0-9]{8,40}$', // between the parts of a form
    '^css-[a-z0-9]{5,8}(?:-[A-Za-z]{2,30})+$', // classes that a program names
    '^[MLHVCSQTAZmlhvcsqtaz0-9-]{8,}$', // lines of a drawing
    '[0-9]PX75pxJACKVERYMINDBUSHWOLF', // the alphabet of nanoid, in each bundle that has it
  ].join('|'),
);

/** What files in base64 begin with, and signatures, certificates, public keys. */
const MAGIC =
  /^(?:ME[QUY]CI|MII.{3}CC|LS0tLS1CRUdJTiBD|LS0tLS1CRUdJTiBQVUJM|AGFzb|iVBOR|\/9j\/|R0lGOD|UklGR|JVBERi|UEsDB|H4sI|d09G|AAEAAAA|T1RUT|SUQz)/;

/** Whether a run is an id or a key that everybody may know. */
export function isPublicId(run: string): boolean {
  const id = run.slice(nameLength(run));
  return SERVICE_ID.test(id) || MANGLED.test(id) || PUBLIC_ID.test(id) || isCheckedBase58(id);
}

/** Units of a `name=` that is a part of the run. */
export const nameLength = (run: string): number => run.search(/=[^=]/) + 1;

/** What stands behind a run that names a file or an application. */
const PUBLIC_ENDING =
  /^\.(?:(?:[cm]?jsx?|d\.[cm]?ts|css|map|wasm|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|webm)\b|apps\.googl)/;
/** Names of what is public; at the end of what stands before the value. */
const PUBLIC_NAME =
  /(?:digest|check_?sum|certificate(?:-authority)?(?:-data)?|\bcert|ca[-_]?(?:cert|bundle|data)|hash(?:es)?|integrity|e-?tag|\bcid|finger_?print|thumb_?print|addr(?:ess)?|wallet|contract|\bmint|pub(?:lic)?[-_ ]?key|site-?key|publishable(?:[-_]?key)?|sha-?(?:1|256|384|512)|md5|blake\w{0,4}|commit|revision|\brev|\boid|nonce|\bkid|x5[tc](?:#S256)?|\bjti|cursor|(?:next|page|continuation|sync)(?:[-_]?page)?[-_]?(?:token|cursor|marker)|signature|(?:site|anon|publishable|measurement)[-_]?key|code_challenge|playlist|slug|x-amz-id-2|\bprogram|tx|transaction|block|["'](?:n|x|y)|(?<!session|sess|sid|secret|key|token|auth|login)[_-]?\bid|[a-z](?<!ession|ess|ecret|ey|oken|uth|ogin)(?:_id|-id|Id|ID)s?)\\{0,3}["'`]?\s{0,3}(?:[:=]|=>|\s(?:is\s)?)\s{0,3}\\{0,3}["'`]?(?:W\/\\{0,3}")?(?:0x)?$/i;
/** Parts of an address that make its last one a secret. */
const PRIVATE_PATH =
  /hook|token|secret|invit|reset|verif|confirm|magic|auth|key|\/bot|private|unsubscribe|sign|log-?in|activat|passw|session|join|claim|unlock|\/t\/|access|credential/i;
const PUBLIC_QUERY =
  /[?&#](?:[a-z_-]{0,20}id|v|list|gid|usp|ref|rev|hash|h|cid|etag|commit|sha|(?:fb|g|ms|tt|dc)cl(?:src|id)|[gw]braid|_ga|_gl|utm_[a-z]+|resourcekey|version|cursor|page|after|before|q|query|state|nonce|code_challenge|tab|p|file|name|anchor|heading)=$/i;
/** What names a document in a path, whoever keeps it. */
const PUBLIC_PATH =
  /\/(?:d|document|documents|file|files|design|board|proto|folders|spreadsheets|presentation|ipfs|ipns|tx|address|account|blob|blobs|tree|commit|gist|embed|video|watch|playlist|o)\/(?:e\/|0\/)?$/;

/** Whether a run stands where what is public stands: under its name, in the address of a document, before a file's ending. */
export function isPublicPlace(text: string, start: number, end: number): boolean {
  if (MAGIC.test(text.slice(start, start + 24))) return true;
  if (PUBLIC_ENDING.test(text.slice(end, end + 12))) return true;
  const from = start + nameLength(text.slice(start, end));
  const before = text.slice(Math.max(0, from - 80), from);
  if (PUBLIC_NAME.test(before) || PUBLIC_PATH.test(before)) return true;
  const address = addressBefore(text, from);
  if (address === '') return false;
  if (/#[\w-]*$/.test(address)) return true; // a place in the document
  if (/[?#]/.test(address)) return PUBLIC_QUERY.test(address);
  return !PRIVATE_PATH.test(address.replace(/^[^/]{0,100}/, ''));
}

/** What stands before `at` of an address, behind `://`; `''` where it is none. */
function addressBefore(text: string, at: number): string {
  let start = at;
  while (start > at - 400 && !/[\s"'`<>()\0]/.test(text[start - 1] ?? ' ')) start--;
  const [, address = ''] = /:\\{0,2}\/\\{0,2}\/(.*)$/s.exec(text.slice(start, at)) ?? [];
  return address;
}

/** Of text each fourth letter of base64 is one of these. */
const ENCODED = /^(?:[I-Za-f][A-Za-z0-9+/]{3}){4}/;

/** The text that a run is base64 of, where somebody can read it. */
export function decodeText(run: string): string | undefined {
  if (run.length < 20 || !ENCODED.test(run)) return undefined;
  const text = Buffer.from(run.replace(/=+$/, ''), 'base64').toString('latin1');
  return /^[\x20-\x7e\r\n\t]+$/.test(text) && !/^[A-Za-z0-9+/_=-]+$/.test(text) ? text : undefined;
}
