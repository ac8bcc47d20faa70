import { agentOfType, messageReaderOf, transcriptFormatOf } from '../../agents/registry.ts';
import { readLastTime } from '../../agents/shared/transcript/last-time.ts';
import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { collapse, sanitizeForTerminal, truncate } from '../../base/text/text.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { withSessionLock } from '../../session/lock.ts';
import type { SessionState } from '../../session/state.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { saveState, type ToldTurn, type Work } from '../work.ts';

/** What the session is called after: redacted before it is cut, since half of a secret looks like none. */
export async function firstWords(turn: ToldTurn, prompt: string): Promise<string> {
  const typed = collapse(transcriptFormatOf(turn.agentType).cleanPrompt(prompt));
  try {
    return typed === '' ? '' : truncate(await redactText(typed), 100, '...');
  } catch (error) {
    log('warn', 'first prompt not kept', { session_id: turn.sessionId, error: describeError(error) });
    return ''; // the session goes on without a name
  }
}

/** Whether a session goes on without a name: no hook told its first prompt. */
export const isNameless = (work: Work, { sessionId }: ToldTurn): boolean =>
  readStateIfReadable(work.sessions, sessionId)?.firstPrompt === '';

/** Gives it one, once its transcript has told. */
export async function nameSession(work: Work, turn: ToldTurn, prompt: string): Promise<void> {
  const firstPrompt = await firstWords(turn, prompt);
  await withSessionLock(work.sessions, turn.sessionId, () => {
    const state = readStateIfReadable(work.sessions, turn.sessionId);
    if (state?.firstPrompt === '') saveState(work, { ...state, firstPrompt });
  });
}

const COURTESIES =
  /^(?:[Cc]an you|[Pp]lease|[Ll]et's|[Cc]ould you|[Ww]ould you|I want you to|I'd like you to|I need you to) /;

/** A commit subject from what the user asked for: courtesies dropped, one line that can be printed, at most 72 code points. */
export function subjectFromPrompt(prompt: string | undefined, agentType: string): string {
  let text = collapse(sanitizeForTerminal(prompt ?? ''));
  while (COURTESIES.test(text)) text = text.replace(COURTESIES, '');
  text = truncate(text.replace(/\?$/, '').trim(), 72).trim();
  const [first = '', ...rest] = [...text];
  return text === '' ? `${agentType} session updates` : first.toUpperCase() + rest.join('');
}

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
