import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readOwnIfUsable } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import type { SessionId } from '../../base/ids.ts';
import { isObject, parseJson } from '../../base/text/json.ts';

/**
 * How long a transcript was when a turn began, in the measure of an agent that is not built in:
 * `<git-common-dir>/entire/positions/<session-id>.json`. It goes when the turn ends.
 */
const positionFile = (commonDir: string, id: SessionId): string =>
  join(commonDir, 'entire', 'positions', `${id}.json`);

export const writePosition = (commonDir: string, id: SessionId, position: number): void =>
  writeFileAtomic(positionFile(commonDir, id), JSON.stringify({ version: 1, position }));

/** `undefined` when there is none that can be read. */
export function readPosition(commonDir: string, id: SessionId): number | undefined {
  const value = parseJson(readOwnIfUsable(positionFile(commonDir, id), 'mark') ?? '');
  if (!isObject(value) || value.version !== 1) return undefined;
  return typeof value.position === 'number' ? value.position : undefined;
}

export const forgetPosition = (commonDir: string, id: SessionId): void =>
  disk.rmSync(positionFile(commonDir, id), { force: true });
