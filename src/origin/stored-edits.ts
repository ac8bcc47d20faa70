import { transcriptFormatOf } from '../agents/registry.ts';
import type { EditRecord, RecordedEdit } from '../agents/shared/transcript/transcript.ts';
import { groupBy } from '../base/group-by.ts';
import type { CheckpointId } from '../base/ids.ts';
import { checkpointDir } from '../checkpoint/metadata-json.ts';
import type { StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { ownLines, type Parts, type PiecesAhead, readParts, wholeText } from '../checkpoint/read/parts.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { agentFolder, findAgentTranscripts, readAgentTranscripts } from '../checkpoint/read/texts.ts';
import { readTurns, type TranscriptTurn } from '../history/transcript-turns.ts';
import { openBrought, wasLeftAlone } from './brought.ts';
import { withoutCarried } from './carried.ts';
import { type Evidence, editsOf, editsOfOthers, gatherEvidence, isWatched, sourcesIn } from './evidence.ts';
import type { KeptOf } from './kept-lines.ts';
import { openWriters, type WriterOf } from './turns.ts';

/** What a file may have been called in a session before the commit that its checkpoint belongs to. */
export type FormerNames = (slot: StoredSlot, path: string) => readonly string[];

/** Those of some files that no commit of a checkpoint has. */
export type FindGone = (checkpoint: CheckpointId, paths: readonly string[]) => readonly string[];

/** What a session wrote into a file, and the turns that did, where they were asked for. */
export interface StoredEdits extends Evidence {
  readonly writerOf?: WriterOf | undefined;
  /** Whether a turn of it brought a line into the file before the checkpoint, by what is kept of its turns alone. */
  readonly hasBrought?: ((line: string) => boolean) | undefined;
}

/** What is needed to tell turns apart. */
export interface TurnSources {
  /** Those of each session up to its checkpoint. */
  readonly prompts: ReadonlyMap<StoredSlot, readonly string[]>;
  readonly keptOf: KeptOf;
  readonly findGone: FindGone;
  /** Pieces of their transcripts, as far as they were read already. */
  readonly ahead?: PiecesAhead;
}

/** Where a session's files are not stored (the slot of a task, one that cannot be read) it may have touched each. */
export const touches = ({ metadata: { filesTouched } }: StoredSlot, path: string): boolean =>
  filesTouched.length === 0 || filesTouched.includes(path);

/** The files that are asked about, by session. */
export type Wanted = ReadonlyMap<StoredSlot, ReadonlySet<string>>;

/**
 * Reads what sessions wrote into files from their stored transcripts, first of all the part that belongs to the checkpoint.
 * Three processes for some hundred pieces.
 *
 * @param namesOf what a file was called before, in the same commit
 * @param sources where it is asked which turn wrote a line
 */
export function readStoredEdits(
  store: CheckpointStore,
  wanted: Wanted,
  namesOf: FormerNames = () => [],
  sources?: TurnSources,
): Map<StoredSlot, Map<string, StoredEdits>> {
  const known = knownIn(store);
  const keyOf = (slot: StoredSlot, path: string): string =>
    [slot.dir, path, ...namesOf(slot, path)].join('\0');
  const isNew = ([slot, paths]: readonly [StoredSlot, ReadonlySet<string>]): boolean =>
    sources !== undefined || [...paths].some((path) => !known.has(keyOf(slot, path)));
  const unread = [...wanted].filter(isNew).map(([slot]) => slot);
  // One batch after the other: together they may be more than fits into memory.
  for (const batch of readParts(store, unread, sources?.ahead))
    for (const [slot, edits] of judgeBatch(store, batch, wanted, namesOf, sources))
      for (const [path, one] of edits) known.set(keyOf(slot, path), one);
  return new Map(
    [...wanted].map(([slot, paths]) => [
      slot,
      new Map(
        [...paths].flatMap((path) => {
          const one = known.get(keyOf(slot, path));
          return one ? [[path, one] as const] : [];
        }),
      ),
    ]),
  );
}

const knownOf = new WeakMap<CheckpointStore, Map<string, StoredEdits>>();

/** What was read of a store before: a session is asked about for its own commit, and again for those beside it. */
function knownIn(store: CheckpointStore): Map<string, StoredEdits> {
  const known = knownOf.get(store) ?? new Map<string, StoredEdits>();
  knownOf.set(store, known);
  return known;
}

/** Picks the edits that are asked about. */
type EditFilter = (record: EditRecord) => readonly RecordedEdit[];

function judgeBatch(
  store: CheckpointStore,
  batch: ReadonlyMap<StoredSlot, Parts>,
  wanted: Wanted,
  namesOf: FormerNames,
  sources: TurnSources | undefined,
): [StoredSlot, Map<string, StoredEdits>][] {
  const slots = [...batch.keys()];
  const slices = new Map([...batch].map(([slot, parts]) => [slot, read(slot, ownLines(slot, parts))]));
  const agents = readSubAgents(store, slots, slices);
  const parted = new Map(
    slots.map((slot) => {
      const told = slices.get(slot) as EditRecord;
      const toldOf = agents.get(slot) ?? [];
      const slice = withoutCarried(told, toldOf);
      const own = toldOf.map((agent) =>
        withoutCarried(agent, [told, ...toldOf.filter((one) => one !== agent)]),
      );
      return [slot, { told, toldOf, slice, own }] as const;
    }),
  );
  const byCheckpoint = groupBy(slots, ({ checkpoint }) => checkpoint);
  const carriedFrom = (slots: readonly StoredSlot[], path: string): string[] =>
    slots
      .flatMap((one) => parted.get(one) ?? [])
      .flatMap(({ slice, own }) => [slice, ...own].flatMap(({ edits }) => edits))
      .flatMap(({ carried = [] }) => carried.flatMap((line) => sourcesIn(line, path)));
  const goneIn = new Map<CheckpointId, ReadonlySet<string>>();
  /** Where sessions of the checkpoint carried lines of a file from, which is no more: each may have written others there, which came after them. */
  const sourcesOf = ({ checkpoint, dir }: StoredSlot, path: string): readonly string[] => {
    const slots = byCheckpoint.get(checkpoint) ?? [];
    // Of no commit of its it is known what is gone: what it moved itself may be there.
    const rest = slots.filter((one) => one.dir !== dir);
    if (!sources) return carriedFrom(rest, path);
    const paths = new Set(slots.flatMap((one) => [...(wanted.get(one) ?? [])]));
    const ask = () =>
      sources.findGone(
        checkpoint,
        [...paths].flatMap((one) => carriedFrom(slots, one)),
      );
    const gone = goneIn.get(checkpoint) ?? new Set(ask());
    goneIn.set(checkpoint, gone);
    return carriedFrom(slots, path).filter((name) => gone.has(name));
  };
  return [...batch].map(([slot, parts]) => {
    const { told, toldOf, slice, own } = parted.get(slot) as Parted;
    const isWhole = parts.length > 0 && parts.every(Boolean);
    let whole: EditRecord | undefined;
    // Work that an earlier commit left out was done before this part of the session.
    const readWhole = (): EditRecord => {
      if (whole) return whole;
      const all = read(slot, wholeText(parts));
      const earlier = all.agents.filter((call) => !told.agents.includes(call));
      const toldEarlier = findSubAgents(store, slot, earlier);
      const every = [...toldOf, ...toldEarlier];
      whole = withoutCarried(all, every);
      others = toldEarlier.map((agent) =>
        withoutCarried(agent, [all, ...every.filter((one) => one !== agent)]),
      );
      return whole;
    };
    let others: readonly SubAgentRecord[] = [];
    const agentsOf = (record: EditRecord): readonly SubAgentRecord[] =>
      record === slice ? own : [...own, ...others];
    const turns = new Map<EditRecord, TranscriptTurn[]>();
    const turnsIn = (record: EditRecord, known: readonly string[]): TranscriptTurn[] => {
      if (known.length < 2 && record === slice) return [{ prompt: known[0], record, from: 0 }];
      const text = record === slice ? ownLines(slot, parts) : wholeText(parts);
      return readTurns(transcriptFormatOf(slot.metadata.agent), text, known);
    };
    const writersIn = (
      record: EditRecord,
      filter: EditFilter,
      names: readonly string[],
    ): WriterOf | undefined => {
      const known = sources?.prompts.get(slot);
      if (!sources || !known) return undefined;
      const found = turns.get(record) ?? turnsIn(record, known);
      turns.set(record, found);
      return openWriters({
        turns: found,
        firstItem: record === slice ? slot.metadata.checkpointTranscriptStart : 0,
        kept: sources.keptOf(sessionId),
        names,
        editsIn: (turn) => [...filter(turn), ...agentsOf(record).filter(isOf(turn)).flatMap(filter)],
      });
    };
    const { sessionId, createdAt, checkpointTranscriptStart: start } = slot.metadata;
    const stretch = { start, untilMs: Date.parse(createdAt) };
    const broughtIn = (names: readonly string[]) =>
      sources && openBrought(sources.keptOf(sessionId), names, stretch);
    const { filesTouched } = slot.metadata;
    const judge = (path: string): StoredEdits => {
      const names = [...new Set([path, ...namesOf(slot, path), ...sourcesOf(slot, path)])];
      const ofPath: EditFilter = (record) => names.flatMap((name) => editsOf(record, name, filesTouched));
      // No edit is on record of a file that somebody renamed before it was first committed.
      const ofOthers: EditFilter = (record) => editsOfOthers(record, filesTouched);
      // What git brings, as from a stash, the session may have written before this part of it.
      const isBrought = [slice, ...own].flatMap(ofPath).some(({ isBroughtByGit }) => isBroughtByGit);
      for (const filter of [ofPath, ofOthers])
        for (const open of isBrought ? [readWhole] : [() => slice, readWhole]) {
          const record = open();
          const evidence = combine([record, ...agentsOf(record)], filter, { isWhole, path, filesTouched });
          if (evidence.hasEdits)
            return { ...evidence, writerOf: writersIn(record, filter, names), hasBrought: broughtIn(names) };
        }
      const isLeftAlone = sources !== undefined && wasLeftAlone(sources.keptOf(sessionId), names, stretch);
      const asked = { isWhole, path, filesTouched, isLeftAlone };
      const nothing = combine([readWhole(), ...agentsOf(readWhole())], ofPath, asked);
      return { ...nothing, ...(nothing.isComplete && { hasBrought: broughtIn(names) }) };
    };
    return [slot, new Map([...(wanted.get(slot) ?? [])].map((path) => [path, judge(path)]))];
  });
}

/** What a session did in the part that belongs to its checkpoint, and its sub-agents: as they told of it, and less what they only carried. */
interface Parted {
  readonly told: EditRecord;
  readonly toldOf: readonly SubAgentRecord[];
  readonly slice: Carrying;
  readonly own: readonly (Carrying & SubAgentRecord)[];
}

type Carrying = ReturnType<typeof withoutCarried<EditRecord>>;

/** What a sub-agent wrote. */
interface SubAgentRecord extends EditRecord {
  /** The tool call that it worked for. */
  readonly call: string;
}

const isOf =
  ({ agents }: EditRecord) =>
  ({ call }: SubAgentRecord): boolean =>
    agents.includes(call);

/** What a sub-agent wrote is known where its transcript was stored; sub-agents of its own are not followed. */
function combine(
  records: readonly [session: EditRecord, ...agents: EditRecord[]],
  filter: EditFilter,
  { isWhole, path, filesTouched, isLeftAlone }: Asked,
): Evidence {
  const [session, ...agents] = records;
  const all = {
    edits: records.flatMap(({ edits }) => edits),
    watched: records.flatMap(({ watched = [] }) => watched),
  };
  const isComplete =
    isWhole &&
    records.every((record) => record.isComplete) &&
    agents.length === session.agents.length &&
    agents.every((record) => record.agents.length === 0) &&
    isWatched(all, path, filesTouched);
  return gatherEvidence(records.flatMap(filter), isComplete, isLeftAlone);
}

interface Asked {
  /** All of the session's transcript is there. */
  readonly isWhole: boolean;
  readonly path: string;
  readonly filesTouched: readonly string[];
  readonly isLeftAlone?: boolean;
}

const read = ({ metadata }: StoredSlot, text: string): EditRecord =>
  transcriptFormatOf(metadata.agent).readEdits(text);

function findSubAgents(store: CheckpointStore, slot: StoredSlot, calls: readonly string[]): SubAgentRecord[] {
  const texts = findAgentTranscripts(store.git, store.tips, new Set(calls));
  return [...texts].map(([call, text]) => ({ ...read(slot, text), call }));
}

/** Transcripts of the sub-agents that worked in a slot's part of the session. */
function readSubAgents(
  store: CheckpointStore,
  slots: readonly StoredSlot[],
  slices: ReadonlyMap<StoredSlot, EditRecord>,
): Map<StoredSlot, SubAgentRecord[]> {
  const folder = (slot: StoredSlot, call: string): string =>
    agentFolder(checkpointDir(slot.checkpoint), call);
  const asked = slots.flatMap((slot) => (slices.get(slot)?.agents ?? []).map((call) => folder(slot, call)));
  const byFolder = readAgentTranscripts(store.git, store.tips, asked);
  const isThere = (slot: StoredSlot) => (call: string) => byFolder.has(folder(slot, call));
  const missing = slots.flatMap((slot) =>
    (slices.get(slot)?.agents ?? []).filter((call) => !isThere(slot)(call)),
  );
  // What was done before a commit that took another part of it is kept with that.
  const byCall = findAgentTranscripts(store.git, store.tips, new Set(missing));
  return new Map(
    slots.map((slot) => {
      const calls = slices.get(slot)?.agents ?? [];
      const records = calls.flatMap((call) => {
        const text = byFolder.get(folder(slot, call)) ?? byCall.get(call);
        return text === undefined ? [] : { ...read(slot, text), call };
      });
      return [slot, records];
    }),
  );
}
