import { isAgentShell } from '../agents/names.ts';
import { now } from '../base/clock.ts';
import { applyEvent, type SessionState } from '../session/state.ts';
import { transcriptTime } from './transcript/file.ts';

/** Without a sign of life for longer than this, a turn that never ended is taken for one whose client died. */
const SILENT_MS = 60 * 60 * 1000;

/** Whether something was heard at that time, in milliseconds since 1970, and that is no more than an hour ago. */
export const isRecent = (timeMs: number, nowMs: number): boolean => nowMs - timeMs <= SILENT_MS;

/** A client that writes its transcript is alive, whatever its hooks say: in the middle of a turn few of them do. */
export const isWriting = ({ transcriptPath }: Pick<SessionState, 'transcriptPath'>): boolean =>
  isRecent(transcriptTime(transcriptPath), now().getTime());

/** Moves a session on at a commit. One of somebody else's is no sign that the agent of a turn is alive. */
export const afterCommit = (session: SessionState): SessionState =>
  session.phase === 'active' && !isAgentShell(process.env) ? session : applyEvent(session, 'git-commit');
