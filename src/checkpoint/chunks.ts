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

export interface Chunk {
  readonly name: string;
  readonly data: Buffer;
}

/** Cuts JSON Lines text. A line longer than the limit is a chunk of its own. Empty text gives no chunk. */
export function splitTranscript(text: string): Chunk[] {
  const bytes = Buffer.from(text);
  const chunks: Chunk[] = [];
  for (let start = 0; start < bytes.length; ) {
    const limit = chunks.length < SMALL_CHUNKS ? CHUNK_BYTES : LARGE_CHUNK_BYTES;
    const end = findCut(bytes, start, limit);
    chunks.push({ name: chunkName(chunks.length), data: bytes.subarray(start, end) });
    start = end + 1; // the newline between two chunks belongs to neither
  }
  return chunks;
}

function chunkName(index: number): string {
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

/** Joins chunks, given in any order. */
export function joinTranscript(chunks: readonly Chunk[]): string {
  const number = (name: string) => Number(/\.(\d+)$/.exec(name)?.[1] ?? 0);
  const ordered = [...chunks].sort((a, b) => number(a.name) - number(b.name));
  return ordered.map(({ data }) => data.toString('utf8')).join('\n');
}
