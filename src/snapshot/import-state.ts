import { dirname } from 'node:path';
import { closing, disk, naming, O_CREAT, O_EXCL, O_WRONLY, writeAll } from '../base/disk.ts';
import { newId } from '../base/ids.ts';
import { removeTemporary } from '../base/write-file-atomic.ts';
import { adoptBlob, blobFile, partsFile, putBlob } from './blobs.ts';
import { MAX_PARTED_BYTES, readBlob, readBlobInPieces } from './chunks.ts';
import type { FileState } from './file-state.ts';

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
  const size = state.kind === 'file' ? state.size : 0;
  if (size <= MAX_PARTED_BYTES) {
    putBlob(to, readBlob(from, sha256), { fsync: true });
    return;
  }
  const temp = blobFile(to, `${process.pid}-${newId()}.tmp`);
  disk.mkdirSync(dirname(temp), { recursive: true, mode: 0o750 });
  try {
    closing(disk.openSync(temp, O_WRONLY | O_CREAT | O_EXCL, 0o600), (fd) => {
      for (const piece of readBlobInPieces(from, sha256)) naming(temp, () => writeAll(fd, piece));
      naming(temp, () => disk.fsyncSync(fd));
    });
    adoptBlob(to, temp, size);
  } finally {
    removeTemporary(temp);
  }
}
