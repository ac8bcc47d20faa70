import { EntireError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';

/** The sentences about a session that is named and not found. */
export interface ChoiceWords {
  readonly unknown: string;
  readonly hint: string;
}

/**
 * The session that somebody means by its id, or by how it begins.
 *
 * @throws {EntireError} `NOT_FOUND` for none, `INVALID_ID` where several begin so, naming them
 */
export function findNamed(
  known: readonly SessionId[],
  named: string,
  { unknown, hint }: ChoiceWords,
): SessionId {
  const found = known.includes(named as SessionId)
    ? [named as SessionId]
    : known.filter((id) => named !== '' && id.startsWith(named));
  const [only] = found;
  if (!only) throw new EntireError('NOT_FOUND', unknown, { hint });
  if (found.length > 1)
    throw new EntireError(
      'INVALID_ID',
      `several sessions begin with ${named}: ${found.toSorted().join(', ')}`,
    );
  return only;
}
