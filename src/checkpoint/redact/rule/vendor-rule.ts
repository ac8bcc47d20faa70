import { isWordy } from './entropy.ts';
import { isStandIn } from './passwords.ts';

/**
 * One shape of a secret. Every expression is linear: repeated classes never overlap with what follows, and have a
 * greatest length.
 */
export interface Rule {
  /** Names the rule where findings are counted. */
  readonly id: string;
  /** What the shape begins with. */
  readonly starts: readonly string[];
  /** The secret is the first group, which ends the match; or, without a group, the match. */
  readonly pattern: RegExp;
  /** Says no to what has the shape and is no secret. */
  readonly isSecret?: (secret: string) => boolean;
  /** Whether the match may follow a letter or digit. */
  readonly anywhere?: true;
  /** What further secrets of the same kind look like, each behind the one before. */
  readonly more?: RegExp;
  /** Units before the match that belong to the secret. */
  readonly before?: number;
}

export const hasDigit = (text: string): boolean => /[0-9]/.test(text);
/** Whether a text has a digit and is no name made of words. */
export const isNoName = (secret: string): boolean =>
  (hasDigit(secret) || /[a-z][A-Z]\w*[a-z][A-Z]/.test(secret)) && !isWordy(secret);

/** `starts` are separated by spaces. A shape that only keeps a place (`ghp_xxxx…`) is none. */
export function vendor(
  id: string,
  starts: string,
  pattern: RegExp,
  isSecret: (secret: string) => boolean = () => true,
  place: Pick<Rule, 'anywhere' | 'before'> = {},
): Rule {
  return {
    id,
    starts: starts.split(' '),
    pattern,
    isSecret: (secret) => !isStandIn(secret) && isSecret(secret),
    ...place,
  };
}
