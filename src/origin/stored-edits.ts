import { transcriptFormatOf } from '../agents/registry.ts';
import type { EditRecord } from '../agents/transcript.ts';
import type { ObjectId } from '../base/ids.ts';
import { chunkIndex, isTranscriptName } from '../checkpoint/chunks.ts';
import { checkpointDir } from '../checkpoint/metadata-json.ts';
import { readBlobs } from '../checkpoint/read/blobs.ts';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { readTree } from '../git/objects.ts';
import { type Evidence, editsOf, gatherEvidence } from './evidence.ts';

/** So many stored pieces are held at once: about 64 MiB. */
const MAX_CHUNKS = 256;

/**
 * Reads what sessions wrote into files from their stored transcripts, first of all the part that belongs to the checkpoint.
 * A piece that checkpoints of a session share is read once; three processes for some hundred pieces.
 *
 * @param wanted the files that are asked about, by session
 */
export function readStoredEdits(
  store: CheckpointStore,
  wanted: ReadonlyMap<StoredSlot, ReadonlySet<string>>,
): Map<StoredSlot, Map<string, Evidence>> {
  const found = inBatches([...wanted.keys()]).map((slots) => readBatch(store, slots, wanted));
  return new Map(found.flatMap((part) => [...part]));
}

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

function readBatch(
  store: CheckpointStore,
  slots: readonly StoredSlot[],
  wanted: ReadonlyMap<StoredSlot, ReadonlySet<string>>,
): [StoredSlot, Map<string, Evidence>][] {
  const { found } = readBlobs(store.git, [...new Set(slots.flatMap(chunksOf))]);
  const partsOf = (slot: StoredSlot) => chunksOf(slot).map((oid) => found.get(oid)?.data);
  const slices = new Map(slots.map((slot) => [slot, readSlice(slot, partsOf(slot))]));
  const agents = readSubAgents(store, slots, slices);
  return slots.map((slot) => {
    const slice = slices.get(slot) as EditRecord;
    const own = agents.get(slot) ?? [];
    const parts = partsOf(slot);
    const isWhole = parts.length > 0 && parts.every(Boolean);
    let whole: EditRecord | undefined;
    const judge = (path: string): Evidence => {
      const evidence = combine(slice, own, path, slot, isWhole);
      if (evidence.hasEdits) return evidence;
      // Work that an earlier commit left out was done before this part of the session.
      whole ??= read(slot, joinParts(parts));
      return combine(whole, own, path, slot, isWhole);
    };
    return [slot, new Map([...(wanted.get(slot) ?? [])].map((path) => [path, judge(path)]))];
  });
}

const NEWLINE = Buffer.from('\n');

const joinParts = (parts: readonly (Buffer | undefined)[]): string =>
  Buffer.concat(parts.flatMap((part) => (part ? [part, NEWLINE] : []))).toString('utf8');

/** What a sub-agent wrote is known where its transcript was stored; sub-agents of its own are not followed. */
function combine(
  session: EditRecord,
  agents: readonly EditRecord[],
  path: string,
  slot: StoredSlot,
  isWhole: boolean,
): Evidence {
  const records = [session, ...agents];
  const isComplete =
    isWhole &&
    records.every((record) => record.isComplete) &&
    agents.length === session.agents.length &&
    agents.every((record) => record.agents.length === 0);
  const edits = records.flatMap((record) => editsOf(record, path, slot.metadata.filesTouched));
  return gatherEvidence(edits, isComplete);
}

/** Ids of a slot's transcript chunks, in order. */
const chunksOf = ({ files }: StoredSlot): ObjectId[] =>
  [...files]
    .filter(([name]) => isTranscriptName(name))
    .sort(([a], [b]) => chunkIndex(a) - chunkIndex(b))
    .map(([, oid]) => oid);

const read = ({ metadata }: StoredSlot, text: string): EditRecord =>
  transcriptFormatOf(metadata.agent).readEdits(text);

/** The part that belongs to the checkpoint: chunks before it are counted, not decoded. */
function readSlice(slot: StoredSlot, parts: readonly (Buffer | undefined)[]): EditRecord {
  let skip = slot.metadata.checkpointTranscriptStart;
  const kept: Buffer[] = [];
  for (const part of parts) {
    if (!part) continue;
    const from = skip > 0 ? skipLines(part, skip) : { at: 0, lines: 0 };
    skip -= from.lines;
    // The newline between two chunks ends the last line of the first.
    if (from.at === undefined) skip -= 1;
    else kept.push(part.subarray(from.at), NEWLINE);
  }
  return read(slot, Buffer.concat(kept).toString('utf8'));
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

/** Transcripts of the sub-agents that worked in a slot's part of the session. */
function readSubAgents(
  store: CheckpointStore,
  slots: readonly StoredSlot[],
  slices: ReadonlyMap<StoredSlot, EditRecord>,
): Map<StoredSlot, EditRecord[]> {
  const folder = (slot: StoredSlot, call: string): string =>
    `${checkpointDir(slot.checkpoint)}/tasks/${call}/`;
  const asked = slots.flatMap((slot) => (slices.get(slot)?.agents ?? []).map((call) => folder(slot, call)));
  if (asked.length === 0) return new Map();
  const listed = store.tips.flatMap((tip) => [...(readTree(store.git, tip, asked, true) ?? [])]);
  const transcripts = listed.filter(([path]) => /\/agent-[\w-]+\.jsonl$/.test(path));
  const { found } = readBlobs(store.git, [...new Set(transcripts.map(([, { oid }]) => oid))]);
  const byFolder = new Map(
    transcripts.map(([path, { oid }]) => [path.slice(0, path.lastIndexOf('/') + 1), found.get(oid)?.data]),
  );
  return new Map(
    slots.map((slot) => {
      const calls = slices.get(slot)?.agents ?? [];
      const texts = calls.flatMap((call) => byFolder.get(folder(slot, call))?.toString('utf8') ?? []);
      return [slot, texts.map((text) => read(slot, text))];
    }),
  );
}
