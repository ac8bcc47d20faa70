import { agentOfType, messageReaderOf } from '../../agents/registry.ts';
import { readLastTime } from '../../agents/transcript/last-time.ts';
import type { SessionState } from '../../session/state.ts';

/** The end of a turn's part of a transcript. */
export interface LastWords {
  /** When they were written, in milliseconds since 1970; `undefined` where nothing says so. */
  readonly atMs: number | undefined;
  /** They are that the turn was stopped: by an error, or by somebody who interrupted it. */
  readonly isStop: boolean;
}

/**
 * Reads the last words of a turn. Behind those that stop it the client may write more, which is no work of its agent.
 *
 * @param part the turn's part of the transcript; a prompt that stands at its end is passed over, for it may be the next one
 */
export function readLastWords({ agentType }: Pick<SessionState, 'agentType'>, part: string): LastWords {
  const messages = messageReaderOf(agentOfType(agentType))(part);
  const last = messages.findLast(({ role }) => role === 'assistant');
  const isStop = last?.stopped !== undefined;
  const stoppedMs = isStop && last.timestamp ? Math.floor(last.timestamp * 1000) : undefined;
  return { atMs: stoppedMs ?? readLastTime(Buffer.from(part)), isStop };
}
