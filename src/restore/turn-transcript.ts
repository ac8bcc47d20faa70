import { transcriptFormatOf } from '../agents/registry.ts';
import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { redactTranscript } from '../checkpoint/redact/redact.ts';
import type { Repo } from '../git/locate.ts';
import { readText } from '../strategy/task/sub-agent-files.ts';
import { transcriptSize } from '../strategy/transcript/file.ts';
import { readLive } from '../strategy/transcript/live.ts';
import { findLine } from '../strategy/transcript/pieces.ts';
import { isPausedNow, readMask, trimMasked } from '../strategy/transcript/private.ts';
import { readSecrets } from '../strategy/transcript/secrets.ts';
import type { KeptTurn } from './kept-turns.ts';

/**
 * What the agent's own transcript says from where a turn began, as it would be stored: without what is private, with its secrets replaced. Of a
 * long one the beginning. Empty where it is not known where the turn began, where the transcript is not there any more, and while the session
 * is paused. Never throws.
 */
export async function readTurnText(repo: Repo, { session, agentType, record }: KeptTurn): Promise<string> {
  const { path, items } = record.transcript;
  const { commonDir } = repo;
  const format = transcriptFormatOf(agentType);
  const size = transcriptSize(path, format);
  try {
    if (!size || isPausedNow(commonDir, session)) return '';
    const mask = readMask(commonDir, session);
    const live = readLive(commonDir, { sessionId: session, agentType, transcriptPath: path });
    const told = live.isDocument
      ? format.sliceItems(live.tail, items)
      : readText(format, path, findLine(path, 0, size, items), mask);
    // A secret is one in all of a transcript, also where only what stands before the turn betrays it.
    const known = live.isDocument ? (await redactTranscript(live.tail, [])).learned : readSecrets(live, told);
    return trimMasked(mask, (await redactTranscript(told, known)).text);
  } catch (error) {
    log('info', 'transcript of a turn not read', { session_id: session, error: describeError(error) });
    return '';
  }
}
