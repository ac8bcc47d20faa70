import type { EventBase } from '../agents/event.ts';
import { transcriptFormatOf } from '../agents/registry.ts';
import type { Compacted } from '../agents/transcript.ts';
import { disk } from '../base/disk.ts';
import { describeError, errnoOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { knownBytes, readCompaction } from '../session/compactions.ts';
import type { Work } from '../strategy/work.ts';

/**
 * A compaction of which the model was not told yet, for clients whose hooks do not say that one is over: their transcripts do.
 * Looks through the bytes of one, which takes milliseconds. Never throws.
 */
export function findUnsaidCompaction(work: Work, event: EventBase, agentType: string): Compacted | undefined {
  const { findCompaction } = transcriptFormatOf(agentType);
  const { transcriptPath: path, sessionId } = event;
  if (findCompaction === undefined || path === undefined) return undefined;
  try {
    const transcript = disk.readFileSync(path);
    const kept = readCompaction(work.repo.commonDir, sessionId) ?? {};
    return findCompaction(transcript, knownBytes(kept, path, transcript.length));
  } catch (error) {
    // Clients name a transcript before they write it.
    if (errnoOf(error) !== 'ENOENT')
      log('warn', 'compaction not looked for', { error: describeError(error) });
    return undefined;
  }
}
