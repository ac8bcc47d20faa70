import { sha256Of } from '../base/hash.ts';
import { isObject, type JsonObject } from '../base/text/json.ts';
import { MISSING_RULES } from './salvage.ts';

/** An expression of the user's, in RE2 syntax. */
export interface CustomExpression {
  readonly label: string;
  readonly expression: string;
  /** A secret becomes `REDACTED`, what is personal `[REDACTED_<LABEL>]`. */
  readonly kind: 'secret' | 'personal';
}

/** The `redaction` section of the settings: what is replaced besides secrets. */
export interface RedactionSettings {
  readonly email: boolean;
  readonly phone: boolean;
  readonly address: boolean;
  readonly expressions: readonly CustomExpression[];
  /** What in the section is of no use, one line each. */
  readonly problems: readonly string[];
  /** A settings file that cannot be read may have more rules. */
  readonly isIncomplete: boolean;
  /** Changes with everything that changes what is replaced. */
  readonly fingerprint: string;
}

/**
 * Reads the sections of the settings files, whatever they hold. Sections add up: a local file can replace more than the
 * project asks for, and never less. Without a library, since hooks read it.
 */
export function parseRedaction(sections: readonly unknown[]): RedactionSettings {
  const problems: string[] = [];
  const files = sections
    .filter((section) => section !== undefined && section !== null)
    .map((section) => readSection(section, problems));
  const isOn = files.some(({ pii }) => pii.enabled);
  const has = (name: Category, otherwise: boolean): boolean =>
    isOn && files.some(({ pii }) => pii[name] ?? (pii.enabled === true && otherwise));
  const expressions = files.flatMap((file) => [...file.secrets, ...(isOn ? file.personal : [])]);
  const categories = {
    email: has('email', true),
    phone: has('phone', true),
    address: has('address', false),
  };
  const isIncomplete = sections.includes(MISSING_RULES);
  const all = JSON.stringify([categories, expressions, ...(isIncomplete ? ['incomplete'] : [])]);
  return {
    ...categories,
    expressions,
    problems,
    isIncomplete,
    fingerprint: sha256Of(all).slice(0, 16),
  };
}

const CATEGORIES = ['email', 'phone', 'address'] as const;
type Category = (typeof CATEGORIES)[number];

interface Section {
  readonly pii: { readonly [name in Category | 'enabled']?: boolean };
  readonly secrets: readonly CustomExpression[];
  readonly personal: readonly CustomExpression[];
}

function readSection(section: unknown, problems: string[]): Section {
  const { pii, custom_redactions } = readObject('redaction', section, problems);
  const personal = readObject('redaction.pii', pii, problems);
  const known = (['enabled', ...CATEGORIES] as const).flatMap((name) => {
    const value = personal[name];
    if (typeof value === 'boolean') return [[name, value] as const];
    if (value !== undefined && value !== null)
      problems.push(`redaction.pii.${name} is neither true nor false`);
    return [];
  });
  return {
    pii: Object.fromEntries(known),
    secrets: readExpressions('redaction.custom_redactions', 'secret', custom_redactions, problems),
    personal: readExpressions(
      'redaction.pii.custom_patterns',
      'personal',
      personal.custom_patterns,
      problems,
    ),
  };
}

function readExpressions(
  name: string,
  kind: CustomExpression['kind'],
  value: unknown,
  problems: string[],
): CustomExpression[] {
  return Object.entries(readObject(name, value, problems)).flatMap(([label, expression]) => {
    if (typeof expression === 'string' && expression !== '') return [{ label, expression, kind }];
    problems.push(`${name}.${label} is not an expression`);
    return [];
  });
}

function readObject(name: string, value: unknown, problems: string[]): JsonObject {
  if (isObject(value)) return value;
  if (value !== undefined && value !== null) problems.push(`${name} is not an object`);
  return {};
}

const NONE = parseRedaction([]);
let current = NONE;

/** Says what is replaced from now on in this process. Called where the settings are read, before anything is redacted. */
export function useRedaction(settings: RedactionSettings = NONE): void {
  current = settings;
}

export const currentRedaction = (): RedactionSettings => current;
