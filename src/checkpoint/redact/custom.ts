import type { RE2JS } from 're2js';
import { EntireError } from '../../base/errors.ts';
import { type CustomExpression, currentRedaction, type RedactionSettings } from '../../settings/redaction.ts';
import type { Finding } from './regions.ts';

/**
 * Expressions of the user's run on an engine whose time is linear in the text, whatever the expression: they come with a
 * repository, and must not be able to hang a hook. What is left of the danger is an expression that is large.
 */
const MAX_PROGRAM = 1000;
/** A match that is longer may be missed in a text longer than {@link WINDOW}. */
const OVERLAP = 4 * 1024;
/** So much is looked at between two looks at the clock. */
const WINDOW = 64 * 1024;
/** For all expressions together, each time something is redacted. Then nothing is stored. */
const TIME_LIMIT_MS = 10_000;

interface Compiled {
  readonly source: CustomExpression;
  readonly engine: RE2JS;
}

export interface CustomRules {
  readonly rules: readonly Compiled[];
  /** Expressions that cannot be used, one line each. */
  readonly problems: readonly string[];
}

/** Compiles the expressions. The engine is loaded only where there are some. Never throws. */
export async function compileCustomRules(settings: RedactionSettings): Promise<CustomRules> {
  const problems = [...settings.problems];
  if (settings.expressions.length === 0) return { rules: [], problems };
  const { RE2JS } = await import('re2js');
  const rules = settings.expressions.flatMap((source): Compiled[] => {
    try {
      const engine = RE2JS.compile(source.expression);
      if (engine.programSize() <= MAX_PROGRAM) return [{ source, engine }];
      problems.push(`${nameOf(source)} is skipped: too large`);
    } catch (error) {
      problems.push(`${nameOf(source)} is skipped: ${describe(error)}`);
    }
    return [];
  });
  return { rules, problems };
}

const nameOf = ({ kind, label }: CustomExpression): string =>
  `${kind === 'secret' ? 'redaction.custom_redactions' : 'redaction.pii.custom_patterns'}.${label}`;

/** Without the expression itself, which may tell what it is meant to hide. */
const describe = (error: unknown): string =>
  String((error as Error).message)
    .replace(/^error parsing regexp: /, '')
    .replace(/: `.*$/s, '');

/** `[REDACTED_<LABEL>]`, for what is personal. */
export const labelOf = (label: string): string =>
  `[REDACTED_${label
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .slice(0, 64)}]`;

/** Finds what the expressions match in one value. `deadline` is that of {@link startClock}. */
export function findCustom(value: string, rules: readonly Compiled[], deadline: number): Finding[] {
  const found: Finding[] = [];
  for (const { source, engine } of rules) {
    const finding =
      source.kind === 'secret'
        ? { rule: `custom:${source.label}` }
        : { rule: `custom:${source.label}`, label: labelOf(source.label) };
    for (let from = 0; from === 0 || from + OVERLAP < value.length; from += WINDOW) {
      if (performance.now() > deadline) throw tooSlow(source);
      const matcher = engine.matcher(value.slice(from, from + WINDOW + OVERLAP));
      while (matcher.find()) {
        const [start, end] = [from + matcher.start(), from + matcher.end()];
        if (end > start) found.push({ start, end, ...finding });
      }
    }
  }
  return found;
}

export const startClock = (): number => performance.now() + TIME_LIMIT_MS;

const tooSlow = (source: CustomExpression): EntireError =>
  new EntireError('REDACTION_FAILED', `${nameOf(source)} takes too long`, {
    hint: 'Make the expression simpler, or remove it. Until then nothing is stored.',
  });

/**
 * Raised with each change of what the built-in rules replace: text that older ones redacted is not used any more. A test
 * says when.
 */
export const RULES_VERSION = 7;

/** Names a blob as redacted by the rules in force. */
export const byTodaysRules = (oid: string): string => `${oid}@${rulesFingerprint()}`;

/** Says which rules a text was redacted by: ours, and those of the settings in force. */
export const rulesFingerprint = (): string => `${RULES_VERSION}-${currentRedaction().fingerprint}`;
