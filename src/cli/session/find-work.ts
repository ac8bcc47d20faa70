import { describeError, EntireError } from '../../base/errors.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { readWork, type SessionWork, type WorkQuery } from '../../conversation/walk/session-work.ts';
import { isWithin } from '../../conversation/walk/walker.ts';
import type { Repo } from '../../git/locate.ts';
import { plain, warn } from '../ui/terminal.ts';
import { notTold } from './text.ts';

/** Says what a repository's record has of a session; `undefined` for one that was begun elsewhere and left nothing here. */
export type WorkOf = (record: SessionRecord) => SessionWork | undefined;

/**
 * Looks for the work of sessions, wherever these were begun: in another worktree, in a folder above, or here before the repository
 * was moved. A repository that git refuses has nothing to tell, and that is said.
 */
export async function findWork(
  repo: Repo | undefined,
  records: readonly SessionRecord[],
  query: Omit<WorkQuery, 'sessions'>,
): Promise<WorkOf> {
  if (!repo) return () => undefined;
  const isHere = isWithin([repo.worktreeRoot]);
  try {
    const work = await readWork(repo, { ...query, sessions: records.map(recordedId) });
    return (record) => work.get(recordedId(record)) ?? (isHere(record.folder) ? NO_WORK : undefined);
  } catch (error) {
    if (!(error instanceof EntireError)) throw error;
    warn(plain(notTold(describeError(error))));
    return () => undefined;
  }
}

/** What hooks know it by. */
const recordedId = ({ agentSessionId, sessionId }: SessionRecord): string => agentSessionId ?? sessionId;

const NO_WORK: SessionWork = { checkpoints: [], commits: [], misfits: [], files: [], survivingLines: 0 };
