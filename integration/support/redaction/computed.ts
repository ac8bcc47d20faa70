import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { WORDS } from '../../../src/checkpoint/redact/rule/bip39-words.ts';
import type { Chance } from './chance.ts';
import { leetWord } from './passwords.ts';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: number, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits;
  return digits.padStart(length, '0');
}

/** GitHub's tokens and npm's end in the CRC-32 of what stands before: https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/ */
const withChecksum = (prefix: string, body: string): string => prefix + body + base62(crc32(body), 6);

const base64 = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');
const base64url = (text: string | Buffer): string => Buffer.from(text as string).toString('base64url');

function base58(bytes: Buffer): string {
  const zeros = bytes.findIndex((byte) => byte !== 0);
  let digits = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 58n)
    digits = BASE58[Number(rest % 58n)] + digits;
  return '1'.repeat(zeros) + digits;
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function base64Vlq(value: number): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let encoded = '';
  for (let rest = value < 0 ? (-value << 1) | 1 : value << 1; ; rest >>>= 5) {
    encoded += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
    if (rest <= 31) return encoded;
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const withDoubleHash = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]);

/** Placeholders whose values are more than characters of an alphabet. */
export const COMPUTED: Readonly<Record<string, (chance: Chance, argument: string) => string>> = {
  leet: (chance) => leetWord(chance, false),
  Leet: (chance) => leetWord(chance, true),
  crc62: (chance, prefix) => withChecksum(prefix, chance.fill('«A30»')),
  /** Random bytes in base64, base64url or hex: `b64:24`. */
  b64: (chance, count) => base64(chance.bytes(Number(count))),
  b64u: (chance, count) => base64url(chance.bytes(Number(count))),
  /** `user:password` as in an `Authorization` header. */
  basic: (chance) => base64(chance.fill('«user»:«gen»')),
  /** A human password in base64, as Kubernetes wants it. */
  b64pw: (chance) => base64(chance.fill('«gen»')),
  jwt: (chance, algorithm) => {
    const header = { alg: algorithm || chance.oneOf(['HS256', 'RS256', 'ES256']), typ: 'JWT' };
    const claims = {
      sub: chance.fill('«uuid»'),
      iss: chance.fill('https://«host»/'),
      iat: 1_767_000_000 + chance.below(9_000_000),
      scope: chance.fill('«noun»:«verb»'),
    };
    const signature = chance.bytes(header.alg === 'RS256' ? 256 : header.alg === 'ES256' ? 64 : 32);
    return [JSON.stringify(header), JSON.stringify(claims), signature].map(base64url).join('.');
  },
  /** An object as base64 of JSON without its `ey`: what 1Password, Grafana and Sentry hand out after a prefix. */
  b64json: (chance) =>
    base64(
      JSON.stringify({
        n: chance.fill('«svc»-«env»'),
        k: chance.fill('«A40»'),
        m: { r: chance.fill('«region»') },
        e: chance.fill('«email»'),
        s: chance.fill('«A64»'),
      }),
    )
      .slice(2)
      .replaceAll('=', ''),
  bip39: (chance, count) => phrase(chance, Number(count)),
  /** Lines of base64 after the DER head that a kind of key begins with. */
  pem: (chance, head) => pemLines(chance, head),
  discord: (chance) => {
    const id = `${1 + chance.below(9)}${chance.run('0123456789', 17 + chance.below(2))}`;
    return `${base64url(id)}.${chance.fill('«A6»')}.${base64url(chance.bytes(28)).slice(0, chance.oneOf([27, 38]))}`;
  },
  /** A private key of Bitcoin, compressed, with its checksum. */
  wif: (chance) =>
    base58(withDoubleHash(Buffer.concat([Buffer.from([0x80]), chance.bytes(32), Buffer.from([1])]))),
  /** An address of Bitcoin, with its checksum. */
  btc: (chance) => base58(withDoubleHash(Buffer.concat([Buffer.from([0]), chance.bytes(20)]))),
  /** Content ids: https://github.com/multiformats/cid, `Qm…`, or `bafybei…` of this codec. */
  cid0: (chance) => base58(Buffer.concat([Buffer.from([0x12, 0x20]), chance.bytes(32)])),
  cid1: (chance, codec) =>
    `b${base32(Buffer.concat([Buffer.from([1, Number(codec), 0x12, 0x20]), chance.bytes(32)]))}`,
  dockerjson: (chance) =>
    base64(chance.fill('{"auths":{"«host»":{"username":"«user»","password":"«gen»","auth":"«basic»"}}}')),
  b64envfile: (chance) => base64(chance.fill('«SVC»_TOKEN=«A40»\nDB_PASSWORD=«gen»\nPORT=«port»\n')),
  /** So many segments of a source map: https://tc39.es/ecma426/ */
  mappings: (chance, count) =>
    Array.from({ length: Number(count) }, () => {
      const name = chance.percent(30) ? [chance.below(40) - 10] : [];
      const fields = [chance.below(90), 0, chance.below(4), chance.below(80) - 40, ...name];
      return fields.map(base64Vlq).join('') + (chance.percent(8) ? ';' : ',');
    }).join(''),
  totp: (chance) => chance.fill(chance.oneOf(['«B16»', '«B32»', '«B26»'])),
};

/** Mnemonic with its checksum: https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki */
function phrase(chance: Chance, count: number): string {
  const entropy = chance.bytes((count * 4) / 3);
  const digest = sha256(entropy);
  const bits = [...entropy, digest[0] ?? 0].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: count }, (_, at) => WORDS[parseInt(bits.slice(at * 11, at * 11 + 11), 2)]).join(
    ' ',
  );
}

const HEADS: Readonly<Record<string, readonly [head: string, lines: number]>> = {
  RSA: ['MIIEpAIBAAKCAQEA', 25],
  PKCS8: ['MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC', 26],
  EC: ['MHcCAQEEI', 3],
  OPENSSH: ['b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW', 5],
  PGP: ['lQdGBF', 20],
};

function pemLines(chance: Chance, kind: string): string {
  const [head, lines] = HEADS[kind] ?? ['', 4];
  const body = head + chance.fill(`«s${lines * 64 - head.length - 2 - chance.below(30)}»`);
  return (body.padEnd(Math.ceil(body.length / 4) * 4, '=').match(/.{1,64}/g) ?? []).join('\n');
}
