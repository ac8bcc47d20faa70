import { EntireError } from '../../base/errors.ts';
import { readBranch } from '../../history/branch.ts';
import { listParticipants, type Participant } from '../../strategy/sessions.ts';
import type { Work } from '../../strategy/work.ts';
import { findSessionId } from './find-named.ts';
import * as text from './text.ts';

/**
 * The session of a worktree that is named, or else the one that did something last.
 *
 * @param command for the sentence where something else is named
 * @throws {EntireError} `NOT_FOUND`, `INVALID_ID`
 */
export async function chooseSession(
  work: Work,
  named: string | undefined,
  command: string,
): Promise<Participant> {
  const sessions = listParticipants(work).toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
  const [newest] = sessions;
  if (named === undefined) {
    if (newest) return newest;
    throw new EntireError('NOT_FOUND', 'No session in this worktree.', { hint: text.WHERE_SESSIONS });
  }
  const id = await findSessionId(readBranch(work.repo), named, command, true);
  const session = sessions.find(({ sessionId }) => sessionId === id);
  if (session) return session;
  throw new EntireError('NOT_FOUND', text.notInWorktree(id), { hint: text.WHERE_SESSIONS });
}

const timeOf = ({ lastInteractionTime, startedAt }: Participant): string => lastInteractionTime ?? startedAt;
