import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { blobFile, partsFile, putBlob, putPieces } from '../store/blobs.ts';
import { MAX_PARTED_BYTES, readBlob, readBlobInPieces } from '../store/chunks.ts';
import type { FileState } from '../store/file-state.ts';

/**
 * Brings what the store of another session has of a state into a store, so that it can be named there. Waits for the disk: it is for what
 * is about to replace something.
 *
 * @throws {EntireError} `SNAPSHOT_DAMAGED` where it is gone; the system error
 */
export function importState(from: string, to: string, state: FileState): void {
  if (from === to || (state.kind !== 'file' && state.kind !== 'link')) return;
  const { sha256 } = state;
  if (disk.existsSync(blobFile(to, sha256)) || disk.existsSync(partsFile(to, sha256))) return;
  const isLarge = state.kind === 'file' && state.size > MAX_PARTED_BYTES;
  if (isLarge) putPieces(to, readBlobInPieces(from, sha256), { fsync: true });
  else putBlob(to, readBlob(from, sha256), { fsync: true });
}

/** As {@link importState}; `undefined` where the content is gone. */
export function importIfThere(from: string, to: string, state: FileState): FileState | undefined {
  try {
    importState(from, to, state);
    return state;
  } catch (error) {
    if (!(error instanceof EntireError)) throw error;
    return undefined;
  }
}
