import { errnoOf } from '../../base/errors.ts';
import { disk, reading } from '../../base/file/disk.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { partsFile } from './blobs.ts';

export type Run = readonly [source: number, offset: number, length: number];

/** A content that is cut up, as its file says: see `chunks.ts`. */
export interface Parts {
  readonly size: number;
  readonly sources: readonly string[];
  readonly runs: readonly Run[];
  /** Where its own bytes begin in its file. */
  readonly start: number;
}

/** How files are read that contents are made of. */
export interface Files {
  parts(store: string, sha256: string): Parts | undefined;
  /** Fills `to` with what stands in a file; returns how much there was. */
  copy(file: string, from: number, to: Buffer): number;
}

export const ON_DISK: Files = {
  parts: readParts,
  copy: (file, from, to) => reading(file, (fd) => disk.readSync(fd, to, 0, to.length, from)),
};

/** Larger files are read where they are asked about, and so many bytes of others are held. */
const MAX_HELD_FILE = 4 << 20;
const HELD_BYTES = 64 << 20;

/** Each file is opened once, as long as there are not too many. */
export class HeldFiles implements Files {
  private readonly held = new Map<string, Buffer | undefined>();
  private readonly known = new Map<string, Parts | undefined>();
  private size = 0;

  /** `undefined` where there is none. */
  whole(file: string): Buffer | undefined {
    const found = this.small(file);
    return found || !disk.existsSync(file) ? found : readIfExists(file);
  }

  parts(store: string, sha256: string): Parts | undefined {
    const file = partsFile(store, sha256);
    if (this.known.has(file)) return this.known.get(file);
    const bytes = this.small(file);
    const end = bytes?.indexOf(0x0a) ?? -1;
    const parts =
      bytes && end !== -1 ? parseParts(bytes.toString('utf8', 0, end), end + 1) : readParts(store, sha256);
    this.known.set(file, parts);
    return parts;
  }

  copy(file: string, from: number, to: Buffer): number {
    return this.small(file)?.copy(to, 0, from, from + to.length) ?? ON_DISK.copy(file, from, to);
  }

  private small(file: string): Buffer | undefined {
    const found = this.held.get(file);
    if (found) return found;
    const size = disk.statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
    if (size > MAX_HELD_FILE) return undefined;
    if (this.size + size > HELD_BYTES) {
      this.held.clear();
      this.size = 0;
    }
    const bytes = disk.readFileSync(file);
    this.held.set(file, bytes);
    this.size += bytes.length;
    return bytes;
  }
}

const MAX_HEADER_BYTES = 4 * 1024 * 1024;

export function readParts(store: string, sha256: string): Parts | undefined {
  const file = partsFile(store, sha256);
  try {
    return reading(file, readHeader);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function readHeader(fd: number): Parts | undefined {
  for (let size = 4096; size <= MAX_HEADER_BYTES; size *= 8) {
    const bytes = Buffer.alloc(size);
    const count = disk.readSync(fd, bytes, 0, size, 0);
    const end = bytes.subarray(0, count).indexOf(0x0a);
    if (end !== -1) return parseParts(bytes.toString('utf8', 0, end), end + 1);
    if (count < size) return undefined;
  }
  return undefined;
}

function parseParts(line: string, start: number): Parts | undefined {
  const value = parseJson(line);
  if (!isObject(value) || value.version !== 1) return undefined;
  const { size, sources, runs } = value;
  if (typeof size !== 'number' || !Array.isArray(sources) || !Array.isArray(runs)) return undefined;
  if (!sources.every((source) => typeof source === 'string' && /^[0-9a-f]{64}$/.test(source)))
    return undefined;
  const isRun = (run: unknown): run is Run =>
    Array.isArray(run) &&
    run.length === 3 &&
    run.every(Number.isSafeInteger) &&
    run[0] >= -1 &&
    run[0] < sources.length &&
    run[1] >= 0 &&
    run[2] > 0;
  if (!runs.every(isRun) || runs.reduce((sum, run) => sum + run[2], 0) !== size) return undefined;
  return { size, sources, runs, start };
}

export function readIfExists(file: string): Buffer | undefined {
  try {
    return disk.readFileSync(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
