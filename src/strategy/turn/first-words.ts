import { transcriptFormatOf } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { collapse, truncate } from '../../base/text/text.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { withSessionLock } from '../../session/lock.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { saveState, type Turn, type Work } from '../work.ts';

/** What the session is called after: redacted before it is cut, since half of a secret looks like none. */
export async function firstWords(turn: Turn, prompt: string): Promise<string> {
  const typed = collapse(transcriptFormatOf(turn.agentType).cleanPrompt(prompt));
  try {
    return typed === '' ? '' : truncate(await redactText(typed), 100, '...');
  } catch (error) {
    log('warn', 'first prompt not kept', { session_id: turn.sessionId, error: describeError(error) });
    return ''; // the session goes on without a name
  }
}

/** Whether a session goes on without a name: no hook told its first prompt. */
export const isNameless = (work: Work, { sessionId }: Turn): boolean =>
  readStateIfReadable(work.sessions, sessionId)?.firstPrompt === '';

/** Gives it one, once its transcript has told. */
export async function nameSession(work: Work, turn: Turn, prompt: string): Promise<void> {
  const firstPrompt = await firstWords(turn, prompt);
  await withSessionLock(work.sessions, turn.sessionId, () => {
    const state = readStateIfReadable(work.sessions, turn.sessionId);
    if (state?.firstPrompt === '') saveState(work, { ...state, firstPrompt });
  });
}
