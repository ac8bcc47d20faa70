import { describeError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { finalizeCheckpoint } from '../../checkpoint/committed.ts';
import { readIdentity } from '../../git/ref/refs.ts';
import type { SessionState } from '../../session/state.ts';
import { noteMissingRules } from '../../settings/unruled.ts';
import type { RedactedTranscript } from '../transcript/redacted.ts';
import { slotTexts } from '../transcript/slot-texts.ts';
import { readUsage } from '../transcript/usage.ts';
import type { Work } from '../work.ts';

/**
 * Completes the checkpoints of commits the agent made during its turn: they were written with the transcript as it
 * was at that moment. A failure leaves the provisional texts; the work is linked all the same.
 */
export async function finalizeTurnCheckpoints(
  work: Work,
  state: SessionState,
  transcript: RedactedTranscript,
  like: ObjectId,
): Promise<void> {
  if (transcript.items === 0) {
    log('warn', 'checkpoints of the turn not completed: no transcript', { session_id: state.sessionId });
    return;
  }
  const texts = await slotTexts(transcript, state.firstPrompt, like);
  const author = readIdentity(work.git);
  const tokensFrom = (item: number) => readUsage(transcript, state.sessionId, item);
  for (const id of state.turnCheckpointIds) {
    // The rest of the turn belongs to its last commit; the earlier ones keep the tokens they were written with.
    const last = id === state.turnCheckpointIds.at(-1);
    try {
      const update = { texts, usageFrom: last ? tokensFrom : undefined, author };
      noteMissingRules(work.repo.commonDir);
      const found = finalizeCheckpoint(work.git, id, state.sessionId, update);
      if (!found)
        log('warn', 'checkpoint to complete not found', { session_id: state.sessionId, checkpoint: id });
    } catch (error) {
      log('warn', 'checkpoint not completed', {
        session_id: state.sessionId,
        checkpoint: id,
        error: describeError(error),
      });
    }
  }
}
