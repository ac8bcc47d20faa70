import { isAgentShell } from '../agents/names.ts';
import { now } from '../base/clock.ts';
import { isClientGone } from '../session/client-process.ts';
import { readBaseline } from '../session/record/turn-snapshot.ts';
import { applyEvent, type SessionState } from '../session/state.ts';
import { transcriptTime } from './transcript/file.ts';

/** Without a sign of life for longer than this, a turn that never ended is taken for one whose client died. */
const SILENT_MS = 60 * 60 * 1000;

/** Whether something was heard at that time, in milliseconds since 1970, and that is no more than an hour ago. */
export const isRecent = (timeMs: number, nowMs: number): boolean => nowMs - timeMs <= SILENT_MS;

/** A client that writes its transcript is alive, whatever its hooks say: in the middle of a turn few of them do. */
export const isWriting = ({ transcriptPath }: Pick<SessionState, 'transcriptPath'>): boolean =>
  isRecent(transcriptTime(transcriptPath), now().getTime());

/** When a hook heard of a session last, in milliseconds since 1970. */
export const heardMs = ({
  lastInteractionTime,
  startedAt,
}: Pick<SessionState, 'lastInteractionTime' | 'startedAt'>): number =>
  Date.parse(lastInteractionTime ?? startedAt) || 0;

/** Whether a session in a turn was heard of lately: by a hook, or by what its client writes. */
export const isHeard = (session: SessionState): boolean =>
  isRecent(heardMs(session), now().getTime()) || isWriting(session);

/** Whether the client in which a session's turn began is known to have ended: nobody goes on with the turn. */
export const isAbandoned = (commonDir: string, { sessionId, turnId }: SessionState): boolean =>
  isClientGone(readBaseline(commonDir, sessionId, turnId)?.client);

/** Whether the agent of a session in a turn can be at work: it was heard of lately, and its client is not known to have ended since. */
export const canBeAtWork = (commonDir: string, session: SessionState): boolean =>
  isHeard(session) && !isAbandoned(commonDir, session);

/** Moves a session on at a commit. One of somebody else's is no sign that the agent of a turn is alive. */
export const afterCommit = (commonDir: string, session: SessionState): SessionState =>
  session.phase === 'active' && (!isAgentShell(process.env) || isAbandoned(commonDir, session))
    ? session
    : applyEvent(session, 'git-commit');
