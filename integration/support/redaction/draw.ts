import { createHash } from 'node:crypto';

/** Kinds whose faults were reported, so that whoever writes rules has to know them. */
const REPORTED: ReadonlySet<string> = new Set([
  '1password service account',
  '1password secret key',
  'readme',
  'elevenlabs',
  'fireworks',
  'discord bot token',
  'discord webhook',
  'gh secret set',
  'aws secret string',
  'docker login by pipe',
  'setx',
  'fish set -x',
  'ConvertTo-SecureString',
  'zip -P',
  '7z -p',
  'IDENTIFIED BY',
  'code: password',
  'json: password',
  'yaml: password',
  'json: apiKey',
  'code: apiKey',
  'yaml block',
  'xml',
  'bip-39 phrase',
  'random: 24-31 letters and digits',
  'random: 32-64 letters and digits',
  'random: base64url',
  'random: base64',
  'random: hex beside a word',
  'random: lower case and digits',
  'random: 16-22 with marks',
  'cut by colours',
  'line continuation',
  'cut between records',
  'secret_id key',
  'aws_access_key_id key',
  'branch name',
  'file name',
  'said in other languages',
  'said without a verb',
  'argument of a call',
  'default behind an operator',
  'before its sign',
  'terraform values',
  'printed by a command',
  'under a heading',
  'encoded around',
]);

/** Chosen so that half of all kinds are kept aside, when the draw was made; it stays as it is when kinds are added. */
const SHARE = 0.5971;

/**
 * Whether a kind of this name is kept aside from whoever writes rules: by lot for all that were not reported. The lot
 * is the name's own, so that kinds that are added later move no other.
 */
export function isAside(name: string): boolean {
  if (REPORTED.has(name)) return false;
  const lot = createHash('sha256').update(`redaction/${name}`).digest().readUInt32BE(0);
  return lot / 2 ** 32 < SHARE;
}
