import type { EventBase } from '../../agents/event.ts';
import { transcriptFormatOf } from '../../agents/registry.ts';
import type { Compacted } from '../../agents/shared/transcript/transcript.ts';
import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { keepCompactionLook, readCompactionLook } from '../../session/record/compactions.ts';
import { readRange, transcriptSize } from '../../strategy/transcript/file.ts';
import { maskLines, readMask } from '../../strategy/transcript/private.ts';
import type { Work } from '../../strategy/work.ts';

/** So much is rather looked through again than remembered with a write at each shell command. */
const AGAIN_BYTES = 64 << 10;

/** A compaction that lies further back than this has been told of, or is past telling. */
const LOOK_BYTES = 16 << 20;

/**
 * A compaction of which the model was not told yet, for clients whose hooks do not say that one is over: their transcripts do.
 * Looks through what came since the last look. Never throws.
 */
export function findUnsaidCompaction(work: Work, event: EventBase, agentType: string): Compacted | undefined {
  const format = transcriptFormatOf(agentType);
  const { findCompaction } = format;
  const { transcriptPath: path, sessionId } = event;
  if (findCompaction === undefined || path === undefined) return undefined;
  const { commonDir } = work.repo;
  try {
    const bytes = transcriptSize(path, format) ?? 0; // clients name a transcript before they write it
    if (bytes === 0) return undefined;
    const known = readCompactionLook(commonDir, sessionId, { path, bytes });
    const since = Math.max(known, bytes - LOOK_BYTES);
    const mask = readMask(commonDir, sessionId);
    const fresh = maskLines(mask, readRange(path, since, bytes));
    let isDear = fresh.length > AGAIN_BYTES;
    const found = findCompaction(fresh, () => {
      isDear ||= since > AGAIN_BYTES;
      return maskLines(mask, readRange(path, Math.max(0, since - LOOK_BYTES), since));
    });
    if (found === undefined && isDear)
      keepCompactionLook(commonDir, sessionId, { path, bytes: since + fresh.lastIndexOf('\n') + 1 });
    return found;
  } catch (error) {
    log('warn', 'compaction not looked for', { error: describeError(error) });
    return undefined;
  }
}
