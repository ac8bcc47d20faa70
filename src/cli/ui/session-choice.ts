import { EntireError } from '../../base/errors.ts';
import { beginningWith, type SessionId } from '../../base/ids.ts';
import { listParticipants, type Participant } from '../../strategy/sessions.ts';
import type { Work } from '../../strategy/work.ts';

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
  const found = beginningWith(known, named);
  const [only] = found;
  if (!only) throw new EntireError('NOT_FOUND', unknown, { hint });
  if (found.length > 1)
    throw new EntireError(
      'INVALID_ID',
      `several sessions begin with ${named}: ${found.toSorted().join(', ')}`,
    );
  return only;
}

/** As much of an id as {@link findNamed} takes for it among those that are known: so many characters at least. */
export function shortId(id: string, known: readonly string[], least = 8): string {
  const others = known.filter((other) => other !== id);
  let length = least;
  while (length < id.length && others.some((other) => other.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}

const HINT = '`entire status` lists the sessions of this worktree.';

/**
 * The session of a worktree that is named, or else the one that did something last.
 *
 * @throws {EntireError} `NOT_FOUND`, `INVALID_ID`
 */
export function chooseSession(work: Work, named: string | undefined): Participant {
  const sessions = listParticipants(work).toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
  const [newest] = sessions;
  if (!newest) throw new EntireError('NOT_FOUND', 'No session in this worktree.', { hint: HINT });
  if (named === undefined) return newest;
  const ids = sessions.map(({ sessionId }) => sessionId);
  const id = findNamed(ids, named, { unknown: `no session of this worktree: ${named}`, hint: HINT });
  return sessions.find(({ sessionId }) => sessionId === id) ?? newest;
}

const timeOf = ({ lastInteractionTime, startedAt }: Participant): string => lastInteractionTime ?? startedAt;
