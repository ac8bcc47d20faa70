import { EntireError } from '../../base/errors.ts';
import { disk, reading, readPieces } from '../../base/file/disk.ts';
import { createFileAtomic } from '../../base/file/write-file-atomic.ts';
import { createHash, sha256Of } from '../../base/hash.ts';
import { piecesOf } from '../undo/pieces.ts';
import { blobFile, partsFile } from './blobs.ts';
import { HeldFiles, ON_DISK, type Parts, type Run, readIfExists, readParts } from './parts-files.ts';

/**
 * Large contents are cut where their bytes say so, and a version of a file stores only the pieces that the version before
 * it did not have: `<store>/blobs/<sha256>.parts`, a line of JSON and the new bytes behind it.
 *
 * `{"version": 1, "size", "sources": [<sha256>], "runs": [[source, offset, length]]}`: the content is the runs, one after the
 * other. Source -1 is this file; others are blobs of the same store, of which the offset counts in their own bytes.
 */

/** Contents up to this size are stored as they are. */
export const WHOLE_BYTES = 64 * 1024;

/** Larger ones, too: looking for pieces in them would take long, and all of their bytes in memory. */
export const MAX_PARTED_BYTES = 64 * 1024 * 1024;

/** Where a piece of a known content stands. */
interface Place {
  readonly blob: string;
  readonly offset: number;
}

/**
 * Stores a large content by what is new in it. A blob that lies there whole is replaced. Does nothing where it is stored
 * in parts.
 *
 * @param previous the version of the file before it, where that is stored
 * @throws the system error
 */
export function storeParts(
  store: string,
  sha256: string,
  bytes: Buffer,
  previous: string | undefined,
  options: { fsync?: boolean } = {},
): void {
  if (disk.existsSync(partsFile(store, sha256))) {
    // Others may be made of its bytes, so it stays as it is; the whole content beside it is what can be read.
    if (disk.existsSync(blobFile(store, sha256)) && !arePartsSound(store, sha256)) return;
  } else {
    const known = previous === undefined ? new Map<string, Place>() : knownPieces(store, previous, options);
    const sources: string[] = [];
    const runs: Run[] = [];
    const fresh: Buffer[] = [];
    let freshBytes = 0;
    for (const piece of piecesOf(bytes)) {
      const place = known.get(sha256Of(piece));
      let at = place ? sources.indexOf(place.blob) : -1;
      if (place && at === -1) at = sources.push(place.blob) - 1;
      addRun(runs, [at, place?.offset ?? freshBytes, piece.length]);
      if (place) continue;
      fresh.push(piece);
      freshBytes += piece.length;
    }
    const header = JSON.stringify({ version: 1, size: bytes.length, sources, runs });
    createFileAtomic(
      partsFile(store, sha256),
      Buffer.concat([Buffer.from(`${header}\n`), ...fresh]),
      options,
    );
  }
  if (options.fsync) syncParts(store, sha256);
  disk.rmSync(blobFile(store, sha256), { force: true });
}

/** What the content is made of may come from hooks, which do not wait for the disk. */
function syncParts(store: string, sha256: string): void {
  for (const source of [sha256, ...sourcesOf(store, sha256)]) {
    const file = sourceStart(store, source)?.file;
    if (file === undefined) throw damaged(store, source, false);
    reading(file, (fd) => disk.fsyncSync(fd));
  }
}

function addRun(runs: Run[], [source, offset, length]: Run): void {
  const last = runs.at(-1);
  if (last && last[0] === source && last[1] + last[2] === offset)
    runs[runs.length - 1] = [source, last[1], last[2] + length];
  else runs.push([source, offset, length]);
}

function arePartsSound(store: string, sha256: string): boolean {
  try {
    const bytes = joinParts(store, sha256);
    return bytes !== undefined && sha256Of(bytes) === sha256;
  } catch {
    return false;
  }
}

/** The pieces of a stored content, and which blob has their bytes; those that lie in two places are left out. */
function knownPieces(store: string, sha256: string, options: { fsync?: boolean }): Map<string, Place> {
  const pieces = new Map<string, Place>();
  try {
    const size = disk.lstatSync(blobFile(store, sha256), { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_PARTED_BYTES) return pieces;
    const bytes = readBlob(store, sha256);
    // Cut up later, with a version before it, its bytes would lie elsewhere: all of them are its own from here on.
    if (size > WHOLE_BYTES) storeParts(store, sha256, bytes, undefined, options);
    if (size > WHOLE_BYTES && disk.existsSync(blobFile(store, sha256))) return pieces; // its parts are damaged
    const parts = readParts(store, sha256);
    let position = 0;
    for (const piece of piecesOf(bytes)) {
      const place = parts
        ? placeOf(parts, sha256, position, piece.length)
        : { blob: sha256, offset: position };
      if (place) pieces.set(sha256Of(piece), place);
      position += piece.length;
    }
  } catch {
    return new Map(); // damaged or gone: everything is stored anew
  }
  return pieces;
}

function placeOf(parts: Parts, sha256: string, position: number, length: number): Place | undefined {
  let start = 0;
  for (const [source, offset, runLength] of parts.runs) {
    if (position < start + runLength) {
      if (position + length > start + runLength) return undefined;
      const blob = source === -1 ? sha256 : (parts.sources[source] as string);
      return { blob, offset: offset + position - start };
    }
    start += runLength;
  }
  return undefined;
}

/**
 * The bytes of a blob.
 *
 * @throws {EntireError} `SNAPSHOT_DAMAGED` when it is missing, or not what its name says
 */
export function readBlob(store: string, sha256: string): Buffer {
  const bytes = readIfExists(blobFile(store, sha256)) ?? joinParts(store, sha256);
  if (bytes === undefined || sha256Of(bytes) !== sha256) throw damaged(store, sha256, bytes !== undefined);
  return bytes;
}

/**
 * Reads blobs one after the other, for who only looks whether something can be in them: damaged ones may come as they are. `undefined`
 * where there are none. Many are made of the same files, which are held.
 *
 * @param makeRoom a buffer of that size, which may be one that was used before
 */
export function openUnchecked(
  makeRoom: (size: number) => Buffer,
): (store: string, sha256: string) => Buffer | undefined {
  const files = new HeldFiles();
  return (store, sha256) => {
    try {
      return files.whole(blobFile(store, sha256)) ?? joinParts(store, sha256, makeRoom, files);
    } catch {
      return undefined;
    }
  };
}

/**
 * The bytes of a blob one after the other, so that a large one need not fit into memory.
 *
 * @throws {EntireError} as {@link readBlob}; of a damaged one at its end
 */
export function* readBlobInPieces(store: string, sha256: string): Generator<Buffer> {
  const file = blobFile(store, sha256);
  const size = disk.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= MAX_PARTED_BYTES) return yield readBlob(store, sha256);
  const hash = createHash('sha256');
  for (const piece of readPieces(file)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256) throw damaged(store, sha256, true);
}

const damaged = (store: string, sha256: string, isThere: boolean): EntireError =>
  new EntireError(
    'SNAPSHOT_DAMAGED',
    `the stored content ${sha256.slice(0, 12)} in ${store} is ${isThere ? 'damaged' : 'missing'}.`,
    { hint: 'Run `entire verify --read-data` to see what else is.' },
  );

function joinParts(
  store: string,
  sha256: string,
  makeRoom: (size: number) => Buffer = Buffer.alloc,
  files = ON_DISK,
): Buffer | undefined {
  const parts = files.parts(store, sha256);
  if (!parts) return undefined;
  const bytes = makeRoom(parts.size);
  const own = { file: partsFile(store, sha256), at: parts.start };
  const starts = [...parts.sources.map((source) => sourceStart(store, source, files)), own]; // its own is the last, which is -1
  let at = 0;
  for (const [source, offset, length] of parts.runs) {
    const name = source === -1 ? sha256 : (parts.sources[source] as string);
    const start = starts.at(source);
    const count = start && files.copy(start.file, start.at + offset, bytes.subarray(at, at + length));
    if (count === undefined || count < length) throw damaged(store, name, start !== undefined);
    at += length;
  }
  return bytes;
}

/** Where the own bytes of a blob begin. */
interface Start {
  readonly file: string;
  readonly at: number;
}

function sourceStart(store: string, sha256: string, files = ON_DISK): Start | undefined {
  const parts = files.parts(store, sha256);
  if (parts) return { file: partsFile(store, sha256), at: parts.start };
  const whole = blobFile(store, sha256);
  return disk.existsSync(whole) ? { file: whole, at: 0 } : undefined;
}

/** Whether a content is among the names of a store's folder of blobs, whole or in parts. */
export const hasContent = (names: ReadonlySet<string>, sha256: string): boolean =>
  names.has(sha256) || names.has(`${sha256}.parts`);

/** Blobs whose bytes a stored content is made of, itself left out. */
export const sourcesOf = (store: string, sha256: string): readonly string[] =>
  readParts(store, sha256)?.sources ?? [];
