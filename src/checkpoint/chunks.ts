import { sha256Of } from '../base/hash.ts';
import type { ObjectId } from '../base/ids.ts';
import { writeBlobs } from '../git/object/blobs.ts';
import { blobId, type Change } from '../git/object/objects.ts';
import { findExisting } from '../git/object/sizes.ts';
import type { Git } from '../git/run.ts';

/**
 * Transcripts on git objects: `full.jsonl`, `full.jsonl.001`, `.002` …, cut at line ends, joined with a newline.
 *
 * Cuts depend only on what comes before them, so a transcript that grew shares all chunks but the last with its
 * older self, and git stores each once.
 */

const CHUNK_BYTES = 256 * 1024;
/** Suffixes have three digits: past this many chunks they get larger instead of more numerous. */
const SMALL_CHUNKS = 500;
const LARGE_CHUNK_BYTES = 4 * 1024 * 1024;

export const TRANSCRIPT_NAME = 'full.jsonl';

/** Where a chunk lies in the bytes that were cut. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts JSON Lines bytes that `before` chunks precede. A line longer than the limit is a chunk of its own. No bytes give
 * no chunk; all chunks but the last stay what they are when more is appended.
 */
export function cutTranscript(bytes: Buffer, before = 0): Span[] {
  const spans: Span[] = [];
  for (let start = 0; start < bytes.length; ) {
    const limit = before + spans.length < SMALL_CHUNKS ? CHUNK_BYTES : LARGE_CHUNK_BYTES;
    const end = findCut(bytes, start, limit);
    spans.push({ start, end });
    start = end + 1; // the newline between two chunks belongs to neither
  }
  return spans;
}

/** A redacted transcript, as far as git needs to know it. */
export interface StoredTranscript {
  readonly chunks: readonly StoredChunk[];
  /** `sha256:` and the digest of the whole redacted transcript, before chunking. */
  contentHash(): string;
}

/** One chunk; its bytes are read only where git does not hold them. */
export interface StoredChunk {
  readonly oid: ObjectId;
  /** The cache has it, so git has it already, unless nothing was stored since. */
  readonly isOld: boolean;
  read(): Buffer;
}

/** A transcript that is at hand as a whole. `like` is any id of the repository. */
export function storedTranscript(text: string, like: ObjectId): StoredTranscript {
  const bytes = Buffer.from(text);
  return {
    chunks: cutTranscript(bytes).map(({ start, end }) => {
      const data = bytes.subarray(start, end);
      return { oid: blobId(data, like), isOld: false, read: () => data };
    }),
    contentHash: () => renderHash(sha256Of(bytes)),
  };
}

/** A transcript that is one JSON document: a part of it would be none, so it is not cut. */
export function storedDocument(bytes: Buffer, like: ObjectId): StoredTranscript {
  return {
    chunks: [{ oid: blobId(bytes, like), isOld: false, read: () => bytes }],
    contentHash: () => renderHash(sha256Of(bytes)),
  };
}

/** The line of `content_hash.txt`. */
export const renderHash = (sha256: string): string => `sha256:${sha256}`;

/**
 * The transcript's chunks as changes of the folder `dir`, whose files are `listed`: bytes that git holds are not sent
 * again, and chunks of a transcript that was longer once are removed.
 */
export function transcriptChanges(
  git: Git,
  dir: string,
  { chunks }: StoredTranscript,
  listed: ReadonlyMap<string, { readonly oid: ObjectId }>,
): Change[] {
  const held = new Set([...listed.values()].map(({ oid }) => oid));
  const asked = chunks.flatMap(({ oid, isOld }) => (isOld && !held.has(oid) ? [oid] : []));
  for (const oid of findExisting(git, asked)) held.add(oid);
  for (const oid of writeMissing(git, chunks, held)) held.add(oid);
  const stale = [...listed.keys()].filter((path) => {
    const name = path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : '';
    return isTranscriptName(name) && chunkIndex(name) >= chunks.length;
  });
  return [
    ...chunks.map(({ oid, read }, index): Change => {
      const path = `${dir}/${chunkName(index)}`;
      return held.has(oid) ? { path, mode: '100644', oid } : { path, mode: '100644', data: read() };
    }),
    ...stale.map((path): Change => ({ path, removed: true })),
  ];
}

/** Chunks of a long transcript are not held in memory together: all but the last few are written before they are named. */
const BATCH_BYTES = 8 * 1024 * 1024;

function writeMissing(git: Git, chunks: readonly StoredChunk[], held: ReadonlySet<ObjectId>): ObjectId[] {
  const missing = chunks.filter(({ oid, isOld }) => isOld && !held.has(oid));
  const written: ObjectId[] = [];
  let batch: Buffer[] = [];
  let bytes = 0;
  for (const { oid, read } of missing) {
    batch.push(read());
    bytes += batch.at(-1)?.length ?? 0;
    written.push(oid);
    if (bytes < BATCH_BYTES) continue;
    writeBlobs(git, batch);
    [batch, bytes] = [[], 0];
  }
  return written.slice(0, written.length - batch.length);
}

/** Name of the chunk at a place. */
export function chunkName(index: number): string {
  return index === 0 ? TRANSCRIPT_NAME : `${TRANSCRIPT_NAME}.${String(index).padStart(3, '0')}`;
}

/** Where the chunk that begins at `start` ends: the last line end within the limit, or the first one after it. */
function findCut(bytes: Buffer, start: number, limit: number): number {
  if (bytes.length - start <= limit) return bytes.length;
  const within = bytes.lastIndexOf(0x0a, start + limit);
  const cut = within > start ? within : bytes.indexOf(0x0a, start + limit);
  // A newline at the very end stays with the last chunk.
  return cut === -1 || cut === bytes.length - 1 ? bytes.length : cut;
}

/** Whether a file of a slot or a metadata folder is a part of the transcript. */
export const isTranscriptName = (name: string): boolean => /^full\.jsonl(\.\d{3,})?$/.test(name);

/** Place of such a file among the others. */
export const chunkIndex = (name: string): number => Number(/\.(\d+)$/.exec(name)?.[1] ?? 0);

/** Joins the files of a transcript, given in any order. */
export function joinTranscript(chunks: readonly { readonly name: string; readonly data: Buffer }[]): string {
  const ordered = [...chunks].sort((a, b) => chunkIndex(a.name) - chunkIndex(b.name));
  return ordered.map(({ data }) => data.toString('utf8')).join('\n');
}
