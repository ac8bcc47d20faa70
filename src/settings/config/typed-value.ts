import { describeJson, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';
import type { Takes } from '../keys.ts';
import { parseCheckpointRemote } from '../push.ts';

/** What a setting can hold. */
export type SettingValue = string | number | boolean | JsonObject;

/** How many of a unit another one has, as people write it behind a number. */
const UNITS = {
  MiB: { mb: 1, mib: 1, gb: 1024, gib: 1024, m: 1, g: 1024 },
  seconds: { s: 1, seconds: 1, m: 60, min: 60 },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/**
 * What somebody typed, as a settings file has it; `undefined` where it is nothing that the key takes.
 *
 * @param isLabelled it is one expression, for its label
 */
export function parseTyped(takes: Takes, text: string, isLabelled = false): SettingValue | undefined {
  switch (takes.kind) {
    case 'switch':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'word':
      return takes.words.find((word) => word === text);
    case 'number': {
      const [, digits, unit] = /^(\d+(?:\.\d+)?) ?([A-Za-z]*)$/.exec(text) ?? [];
      const factor = unit
        ? Object.entries(UNITS[takes.unit]).find(([name]) => name === unit.toLowerCase())?.[1]
        : 1;
      const value = digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
      return isInRange(takes, value) ? value : undefined;
    }
    case 'name':
      return /^[^\s-]\S*$/.test(text) ? text : undefined;
    case 'hosted': {
      const value = text.startsWith('{') ? parseJson(text) : text;
      const remote = parseCheckpointRemote(value);
      // As v0.4.4 reads it, too.
      return isTaken(takes, value) && typeof remote === 'object' ? { ...remote } : undefined;
    }
    case 'expressions': {
      if (isLabelled) return text === '' ? undefined : text;
      const value = parseJson(text);
      return isObject(value) && isExpressions(value) ? value : undefined;
    }
  }
}

/** Whether a value that stands somewhere is one that the key takes. */
export function isTaken(takes: Takes, value: unknown): boolean {
  switch (takes.kind) {
    case 'switch':
      return typeof value === 'boolean';
    case 'word':
      return takes.words.some((word) => word === value);
    case 'number':
      return isInRange(takes, value);
    case 'name':
      return typeof value === 'string' && value !== '';
    case 'hosted': {
      const remote = parseCheckpointRemote(value);
      return typeof remote === 'object' && takes.at.includes(remote.provider);
    }
    case 'expressions':
      return isObject(value) && isExpressions(value);
  }
}

const isExpressions = (value: JsonObject): boolean =>
  Object.values(value).every((one) => typeof one === 'string' && one !== '');

function isInRange({ over, least, most }: Takes & { kind: 'number' }, value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return value > (over ?? Number.NEGATIVE_INFINITY) && value >= (least ?? value) && value <= (most ?? value);
}

/** What a key takes, in words: the end of a sentence that begins with "takes". */
export function describeTakes(takes: Takes): string {
  switch (takes.kind) {
    case 'switch':
      return 'true or false';
    case 'word':
      return takes.words.length === 2 ? takes.words.join(' or ') : `one of ${takes.words.join(', ')}`;
    case 'number': {
      const least = takes.least === undefined ? '' : `, ${takes.least} or more`;
      return `a number of ${takes.unit}${least}${takes.most === undefined ? '' : `, up to ${takes.most}`}`;
    }
    case 'name':
      return "the name of one of git's remotes";
    case 'hosted':
      return takes.at.map((service) => `${service}:owner/name`).join(' or ');
    case 'expressions':
      return 'an expression behind its label, or all of them as JSON: {"label": "expression"}';
  }
}

/** A value as one word or one line: a hosted repository as `github:owner/name`, expressions as JSON. */
export function renderSetting(takes: Takes | undefined, value: unknown): string {
  if (value === undefined) return '';
  const remote = takes?.kind === 'hosted' ? parseCheckpointRemote(value) : undefined;
  return typeof remote === 'object' ? `${remote.provider}:${remote.repo}` : describeJson(value);
}
