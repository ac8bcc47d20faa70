/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind } from '../kind.ts';

/** Key material. */
export const KEYS: readonly Kind[] = [
  kind('pkcs8 and ec keys', 'key material', [
    '-----BEGIN PRIVATE KEY-----\n[[«pem:PKCS8»]]\n-----END PRIVATE KEY-----',
    '-----BEGIN EC PRIVATE KEY-----\n[[«pem:EC»]]\n-----END EC PRIVATE KEY-----',
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\n[[«pem:PKCS8»]]\n-----END ENCRYPTED PRIVATE KEY-----',
  ]),
  kind('private key in one line', 'key material', [
    'JWT_PRIVATE_KEY="-----BEGIN PRIVATE KEY-----\\n[[«s64»]]\\n[[«s64»]]\\n[[«s48»]]\\n-----END PRIVATE KEY-----\\n"',
    "privateKey: '-----BEGIN EC PRIVATE KEY-----\\n[[«s64»]]\\n[[«s64»]]\\n[[«s28»]]==\\n-----END EC PRIVATE KEY-----'",
  ]),
  kind('private key with line numbers', 'key material', [
    '     1\t-----BEGIN PRIVATE KEY-----\n     2\t[[«s64»]]\n     3\t[[«s64»]]\n     4\t[[«s40»]]\n     5\t-----END PRIVATE KEY-----',
    '1→-----BEGIN RSA PRIVATE KEY-----\n2→[[«s64»]]\n3→[[«s64»]]\n4→-----END RSA PRIVATE KEY-----',
    'key.pem-12-[[«s64»]]\nkey.pem-13-[[«s64»]]\nkey.pem:14:-----END RSA PRIVATE KEY-----',
  ]),
  kind('ethereum and bitcoin keys', 'key material', [
    'PRIVATE_KEY=0x[[«h64»]]',
    "new ethers.Wallet('0x[[«h64»]]', provider)",
    'cast send --private-key 0x[[«h64»]] «word».eth',
    'bitcoin-cli importprivkey [[K«wif»]]',
    'privateKey: "[[«h64»]]"',
  ]),
  kind('totp seed', 'key material', [
    'otpauth://totp/«Org»:«email»?secret=[[«totp»]]&issuer=«Org»',
    'oathtool --totp -b [[«B32»]]',
    'MFA_SECRET=[[«totp»]]',
    "speakeasy.totp({ secret: '[[«B32»]]', encoding: 'base32' })",
  ]),
  kind('recovery codes', 'key material', [
    'Recovery codes:\n[[«h5»-«h5»]]\n[[«h5»-«h5»]]\n[[«h5»-«h5»]]',
    'Save these backup codes:\n  1. [[«d4» «d4»]]\n  2. [[«d4» «d4»]]',
    'GitHub recovery codes\n[[«l5»-«l5»]]\n[[«l5»-«l5»]]',
  ]),
  kind('app-specific passwords', 'key material', [
    'GMAIL_APP_PASSWORD="[[«c4» «c4» «c4» «c4»]]"',
    'app-specific password: [[«c4»-«c4»-«c4»-«c4»]]',
    'fastlane: FASTLANE_APPLE_APPLICATION_SPECIFIC_PASSWORD=[[«c4»-«c4»-«c4»-«c4»]]',
    'SMTP_PASS=[[«c16»]]',
  ]),
];
