import { join } from 'node:path';
import { readOwnIfUsable } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { asObject, asText, isObject, type JsonObject, parseJson } from '../../base/text/json.ts';

/**
 * What was known of a session's files when its context was last compacted:
 * `<git-common-dir>/entire/compactions/<session>.json`. Ours alone.
 */
const compactionFile = (commonDir: string, id: SessionId): string =>
  join(commonDir, 'entire', 'compactions', `${id}.json`);

/** Replaces what was kept. @throws the system error */
export const keepCompaction = (commonDir: string, id: SessionId, metadata: object): void =>
  writeFileAtomic(compactionFile(commonDir, id), `${JSON.stringify({ version: 1, ...metadata })}\n`);

/** Whether nobody has looked yet how long the context was after the last compaction. */
export function lacksTokensAfter(commonDir: string, id: SessionId): boolean {
  const kept = readCompaction(commonDir, id);
  return kept?.reminded === true && kept.completed !== true;
}

/** What is kept, if anything: whatever is no such record counts as none. */
export function readCompaction(commonDir: string, id: SessionId): JsonObject | undefined {
  const value = parseJson(readOwnIfUsable(compactionFile(commonDir, id), 'record') ?? '');
  return isObject(value) && value.version === 1 ? value : undefined;
}

/** How far the transcript of a session was looked through for a compaction that no hook tells of. */
export interface CompactionLook {
  readonly path: string;
  readonly bytes: number;
}

/** `<git-common-dir>/entire/compaction-looks/<session>.json`; losing it costs one look at the whole transcript. */
const lookFile = (commonDir: string, id: SessionId): string =>
  join(commonDir, 'entire', 'compaction-looks', `${id}.json`);

/** Replaces what was kept. @throws the system error */
export const keepCompactionLook = (commonDir: string, id: SessionId, look: CompactionLook): void =>
  writeFileAtomic(lookFile(commonDir, id), `${JSON.stringify({ version: 1, ...look })}\n`);

/** How far a transcript of so many bytes need not be looked through again; nothing of one that was cut, or is another. */
export function readCompactionLook(
  commonDir: string,
  id: SessionId,
  { path, bytes }: CompactionLook,
): number {
  const look = asObject(parseJson(readOwnIfUsable(lookFile(commonDir, id), 'mark') ?? ''));
  const looked = look.version === 1 && look.path === path ? Number(look.bytes) : 0;
  const known = knownBytes(readCompaction(commonDir, id) ?? {}, path, bytes);
  return Math.max(known, looked <= bytes ? looked : 0);
}

/** So much of a transcript of `bytes` was there when the record was kept; nothing of one that was cut, or is another. */
export function knownBytes(kept: JsonObject, transcript: string, bytes: number): number {
  const known = Number(kept.transcript_bytes);
  return asText(kept.transcript_path) === transcript && known <= bytes ? known : 0;
}
