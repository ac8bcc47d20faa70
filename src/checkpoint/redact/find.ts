import { log } from '../../base/log.ts';
import { currentRedaction } from '../../settings/redaction.ts';
import { findBroken, findCut, findWrapped } from './broken.ts';
import { type CustomRules, compileCustomRules, findCustom, startClock } from './custom.ts';
import type { Piece } from './json.ts';
import { findMarked } from './marks.ts';
import {
  type Finding,
  findRepeats,
  mergeRegions,
  REDACTED,
  type Region,
  type Replacement,
  settleFindings,
} from './regions.ts';
import { isSecretField } from './rule/assignments.ts';
import { findRandomRuns } from './rule/entropy.ts';
import { findSplitKeys } from './rule/keys.ts';
import { findPersonal } from './rule/personal.ts';
import { findPrinted } from './rule/printed.ts';
import { findKnownShapes, findShapes, findVendors } from './rules.ts';
import { findWithSecretlint } from './secretlint.ts';

/** Ends a piece for every rule: the newline for those that stop at space, the NUL for those that do not. */
export const SEPARATOR = '\n\0';

/** What is to be replaced in pieces that {@link SEPARATOR} joins, in order. */
export interface Found {
  readonly replacements: readonly Replacement[];
  /** Secrets that their shape or a name gave away. */
  readonly learned: readonly string[];
}

/** Looks at all pieces with all rules: built-in ones, and those of the settings in force. */
export async function findSecrets(
  joined: string,
  pieces: readonly Piece[],
  known: readonly string[],
): Promise<Found> {
  const random = withoutIds([...findRandomRuns(joined, holdsSecret), ...findMarked(joined)], pieces);
  const { vendors, named } = findShapes(joined);
  const shaped = [
    ...vendors,
    ...findWrapped(joined, vendors),
    ...named,
    ...findFields(pieces),
    ...findSplitKeys(pieces, SEPARATOR.length),
    ...findBroken(joined, (whole) => [...findKnownShapes(whole), ...findRandomRuns(whole, holdsSecret)]),
    ...findCut(pieces, SEPARATOR.length, findVendors),
    ...findPrinted(pieces, SEPARATOR.length),
  ];
  const own = [...random, ...shaped];
  /** Rules by the secrets they found. */
  const secrets = new Map<string, string>();
  for (const { start, end, rule } of shaped) addSecret(joined.slice(start, end), rule, secrets);
  // Secretlint gets to see only what we did not find ourselves.
  for (const secret of await findWithSecretlint(cut(joined, own))) addSecret(secret, 'secretlint', secrets);
  const learned = [...secrets.keys()];
  for (const { start, end, rule } of random) addSecret(joined.slice(start, end), rule, secrets);
  for (const secret of known) if (!secrets.has(secret)) secrets.set(secret, 'seen-before');
  for (const [secret, rule] of [...secrets])
    for (const spelling of spellings(secret)) if (!secrets.has(spelling)) secrets.set(spelling, rule);
  const repeats = findRepeats(joined, secrets);
  const asked = await findAskedFor(joined, pieces);
  return { replacements: settleFindings(joined, [...shaped, ...repeats, ...random, ...asked]), learned };
}

/** Whether what base64 holds gives a secret away. */
const holdsSecret = (decoded: string): boolean => findKnownShapes(decoded).length > 0;

/** Ids look random by nature: of them only a shape says that they are secrets. */
function withoutIds(found: readonly Finding[], pieces: readonly Piece[]): Finding[] {
  const ids: Region[] = [];
  let offset = 0;
  for (const { isId, value } of pieces) {
    if (isId) ids.push({ start: offset, end: offset + value.length });
    offset += value.length + SEPARATOR.length;
  }
  let next = 0;
  return found.filter(({ start }) => {
    while ((ids[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    return start < (ids[next]?.start ?? Number.POSITIVE_INFINITY);
  });
}

/** How a secret is written inside JSON that is a text itself, and in addresses; not the secret as it is. */
export function spellings(secret: string): string[] {
  if (!/[^A-Za-z0-9_.-]/.test(secret) || secret.length > 1000) return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const all = [inJson, inJson.replaceAll('/', '\\/'), percentEncoded(secret)];
  return [...new Set(all)].filter((spelling) => spelling !== secret);
}

function percentEncoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret; // half of a surrogate pair has no encoding
  }
}

/** Whether a secret would be found standing alone, so that it was found wherever it stood. */
export function isEvident(secret: string): boolean {
  const found = mergeRegions([...findRandomRuns(secret), ...findKnownShapes(secret)]);
  return found[0]?.start === 0 && found[0].end === secret.length;
}

function findFields(pieces: readonly Piece[]): Finding[] {
  const found: Finding[] = [];
  let offset = 0;
  let before: Piece | undefined;
  for (const piece of pieces) {
    const { key, value } = piece;
    if (key !== undefined && (isSecretField(key, value) || isSecretPair(before, piece))) {
      found.push({ start: offset, end: offset + value.length, rule: 'named-value' });
    }
    before = piece;
    offset += value.length + SEPARATOR.length;
  }
  return found;
}

/** `{"name": "DB_PASSWORD", "value": "…"}` */
function isSecretPair(before: Piece | undefined, { key, value, unit }: Piece): boolean {
  const isNamed =
    before?.unit === unit && /^(?:name|key)$/i.test(before.key ?? '') && /^value$/i.test(key ?? '');
  return isNamed && isSecretField(before.value, value);
}

/** Blocks of several lines are remembered line by line as well: a patch lists them one by one. */
function addSecret(secret: string, rule: string, secrets: Map<string, string>): void {
  if (secret.replaceAll(REDACTED, '') === '' || secrets.has(secret)) return;
  secrets.set(secret, rule);
  if (!secret.startsWith('-----BEGIN')) return;
  for (const line of secret.split(/\s+|\\n/)) if (/^[A-Za-z0-9+/=]{24,}$/.test(line)) secrets.set(line, rule);
}

function cut(text: string, regions: readonly Region[]): string {
  let kept = '';
  let copied = 0;
  for (const { start, end } of mergeRegions(regions)) {
    kept += text.slice(copied, start) + REDACTED;
    copied = end;
  }
  return kept + text.slice(copied);
}

let compiled: { readonly of: unknown; readonly rules: Promise<CustomRules> } | undefined;

/** In the log, about each expression that cannot be used. */
export const RULE_SKIPPED = 'a redaction setting is of no use';

/** The expressions of the settings in force, and what is wrong with them. */
export function customRules(): Promise<CustomRules> {
  const settings = currentRedaction();
  if (compiled?.of === settings) return compiled.rules;
  const rules = compileCustomRules(settings).then((custom) => {
    for (const what of custom.problems) log('warn', RULE_SKIPPED, { what });
    return custom;
  });
  compiled = { of: settings, rules };
  return rules;
}

/** What the settings ask for, value by value: an expression says `^` for the beginning of one. */
async function findAskedFor(joined: string, pieces: readonly Piece[]): Promise<Finding[]> {
  const { rules } = await customRules();
  const found = findPersonal(joined, currentRedaction());
  if (rules.length === 0) return found;
  const deadline = startClock();
  let offset = 0;
  for (const { value } of pieces) {
    for (const finding of findCustom(value, rules, deadline)) {
      found.push({ ...finding, start: finding.start + offset, end: finding.end + offset });
    }
    offset += value.length + SEPARATOR.length;
  }
  return found;
}
