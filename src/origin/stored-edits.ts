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

/** What a stored session says about one of its files. */
export type EvidenceOf = (path: string) => Evidence;

/**
 * Reads what sessions wrote from their stored transcripts, the part that belongs to the checkpoint. Each stored piece is
 * read once, however many checkpoints share it; three processes for all.
 */
export function readStoredEdits(
  store: CheckpointStore,
  slots: readonly StoredSlot[],
): Map<StoredSlot, EvidenceOf> {
  const { found } = readBlobs(store.git, [...new Set(slots.flatMap(chunksOf))]);
  const texts = new Map(
    slots.map((slot) => {
      const parts = chunksOf(slot).map((oid) => found.get(oid)?.data);
      return [slot, { parts: parts.flatMap((part) => part ?? []), isWhole: parts.every(Boolean) }];
    }),
  );
  const slices = new Map(slots.map((slot) => [slot, readSlice(slot, texts.get(slot)?.parts ?? [])]));
  const agents = readSubAgents(store, slots, slices);
  return new Map(
    slots.map((slot) => {
      const slice = slices.get(slot) as EditRecord;
      const own = agents.get(slot) ?? [];
      const { parts = [], isWhole = false } = texts.get(slot) ?? {};
      let whole: EditRecord | undefined;
      return [
        slot,
        (path) => {
          const evidence = combine(
            [slice, ...own],
            path,
            slot,
            isWhole && parts.length > 0,
            slice.agents.length,
          );
          if (evidence.hasEdits) return evidence;
          // Work that an earlier commit left out was done before this part of the session.
          whole ??= read(slot, Buffer.concat(parts.flatMap((part) => [part, NEWLINE])).toString('utf8'));
          return combine([whole, ...own], path, slot, isWhole && parts.length > 0, whole.agents.length);
        },
      ];
    }),
  );
}

const NEWLINE = Buffer.from('\n');

function combine(
  records: readonly EditRecord[],
  path: string,
  slot: StoredSlot,
  isWhole: boolean,
  agentCalls: number,
): Evidence {
  const edits = records.flatMap((record) => editsOf(record, path, slot.metadata.filesTouched));
  // What a sub-agent wrote is known where its transcript was stored; sub-agents of its own are not followed.
  const isComplete =
    isWhole &&
    records.every((record) => record.isComplete) &&
    records.length - 1 === agentCalls &&
    records.slice(1).every((record) => record.agents.length === 0);
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
function readSlice(slot: StoredSlot, parts: readonly Buffer[]): EditRecord {
  let skip = slot.metadata.checkpointTranscriptStart;
  const kept: Buffer[] = [];
  for (const part of parts) {
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
