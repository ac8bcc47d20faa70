import type { SessionStart } from '../../agents/event.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { log } from '../../base/log.ts';
import { keepCompaction, readCompaction } from '../../session/record/compactions.ts';
import type { Work } from '../../strategy/work.ts';
import { noteCompaction } from './compaction.ts';

/**
 * Where a client goes on after a compaction in a session of its own, the new session knows what was kept of the one before, and
 * of no other compaction in its transcript so far. Never throws.
 */
export function adoptCompaction(work: Work, event: SessionStart, agentType: string): void {
  const { sessionId, previousSessionId, transcriptPath } = event;
  const { commonDir } = work.repo;
  try {
    if (previousSessionId === undefined || readCompaction(commonDir, sessionId) !== undefined) return;
    const known =
      readCompaction(commonDir, previousSessionId) ??
      noteCompaction(work, { ...event, sessionId: previousSessionId, transcriptPath: undefined }, agentType);
    const size = transcriptPath && disk.statSync(transcriptPath, { throwIfNoEntry: false })?.size;
    keepCompaction(commonDir, sessionId, {
      ...known,
      reminded: false,
      completed: false,
      transcript_path: transcriptPath ?? '',
      transcript_bytes: size || 0,
    });
  } catch (error) {
    log('warn', 'what was kept before the compaction is not known', { error: describeError(error) });
  }
}
