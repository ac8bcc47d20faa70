import type { ObjectId } from '../../base/ids.ts';
import { readObjectsAside } from '../../git/object/object-reader.ts';
import { chunkIndex, isTranscriptName } from '../chunks.ts';
import { readBlobs } from './blobs.ts';
import type { StoredSlot } from './checkpoint.ts';
import type { CheckpointStore } from './store.ts';

/** So many stored pieces are held at once: about 64 MiB. */
const MAX_CHUNKS = 256;

/** The pieces of a stored transcript, in order; `undefined` for what cannot be read. */
export type Parts = readonly (Buffer | undefined)[];

/** Pieces that were read before they are asked for. */
export type PiecesAhead = ReadonlyMap<string, { readonly data: Buffer }>;

/**
 * Reads stored transcripts, some at a time. A piece that checkpoints of a session share is read once; one process for some hundred
 * pieces.
 */
export function* readParts(
  store: CheckpointStore,
  slots: readonly StoredSlot[],
  ahead: PiecesAhead = new Map(),
): Generator<Map<StoredSlot, Parts>> {
  for (const batch of inBatches(slots)) {
    const unread = [...new Set(batch.flatMap(chunksOf))].filter((oid) => !ahead.has(oid));
    const { found } = readBlobs(store.git, unread);
    const dataOf = (oid: ObjectId) => (ahead.get(oid) ?? found.get(oid))?.data;
    yield new Map(batch.map((slot) => [slot, chunksOf(slot).map(dataOf)]));
  }
}

/** Reads the pieces that {@link readParts} asks for first, while its caller does something else. */
export const readPiecesAhead = (store: CheckpointStore, slots: readonly StoredSlot[]): Promise<PiecesAhead> =>
  readObjectsAside(store.git, [...new Set(inBatches(slots)[0]?.flatMap(chunksOf))]);

/** Cuts the list so that no part needs too many pieces; checkpoints of one session stay together where they can. */
function inBatches(slots: readonly StoredSlot[]): StoredSlot[][] {
  const sorted = slots.toSorted((a, b) => (a.metadata.sessionId < b.metadata.sessionId ? -1 : 1));
  const batches: StoredSlot[][] = [];
  let held = new Set<ObjectId>();
  for (const slot of sorted) {
    const fresh = chunksOf(slot).filter((oid) => !held.has(oid));
    if (batches.length === 0 || held.size + fresh.length > MAX_CHUNKS) {
      batches.push([]);
      held = new Set();
    }
    for (const oid of chunksOf(slot)) held.add(oid);
    batches.at(-1)?.push(slot);
  }
  return batches;
}

/** Ids of a slot's transcript chunks, in order. */
const chunksOf = ({ files }: StoredSlot): ObjectId[] =>
  [...files]
    .filter(([name]) => isTranscriptName(name))
    .sort(([a], [b]) => chunkIndex(a) - chunkIndex(b))
    .map(([, oid]) => oid);

/** All that can be read of a transcript. */
export const wholeText = (parts: Parts): string => parts.map((part) => (part ? textOf(part) : '')).join('');

/** With the newline that follows: no character goes beyond it. */
const textOf = (part: Buffer): string => `${part.toString('utf8')}\n`;

/** The lines of a transcript that belong to its checkpoint: chunks before them are counted, not decoded. */
export function ownLines({ metadata }: StoredSlot, parts: Parts): string {
  let skip = metadata.checkpointTranscriptStart;
  const kept: string[] = [];
  for (const part of parts) {
    if (!part) continue;
    const from = skip > 0 ? skipLines(part, skip) : { at: 0, lines: 0 };
    skip -= from.lines;
    // The newline between two chunks ends the last line of the first.
    if (from.at === undefined) skip -= 1;
    else kept.push(textOf(part.subarray(from.at)));
  }
  return kept.join('');
}

/** Where the `count`th line ends; no place where there are not so many. */
function skipLines(bytes: Buffer, count: number): { at: number | undefined; lines: number } {
  let at = 0;
  for (let lines = 0; lines < count; lines++) {
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) return { at: undefined, lines };
    at = end + 1;
  }
  return { at, lines: count };
}
