import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import type { TokenUsage } from '../../session/state.ts';
import { findStone, type Tombstone } from '../../session/tombstones.ts';
import { checkpointDir } from '../metadata-branch.ts';
import type { Blobs } from './blobs.ts';
import { type CheckpointFolder, type Look, lookInto, readFolders } from './folders.ts';
import { parseMetadata, type StoredMetadata, sumUsage } from './metadata.ts';
import { parseRoot } from './root.ts';
import type { CheckpointStore } from './store.ts';

/** A checkpoint as far as it can be read; nothing of it but metadata has been looked at. */
export interface StoredCheckpoint {
  readonly id: CheckpointId;
  /** In order of their numbers; never empty unless the folder itself cannot be read. The last one is the latest. */
  readonly slots: readonly StoredSlot[];
  /** Sorted, of all slots and the root. */
  readonly filesTouched: readonly string[];
  /** Sums over all slots. */
  readonly tokenUsage: TokenUsage | undefined;
  /** Written before there were slots: one session, its files beside the root's `metadata.json`. */
  readonly isFlat: boolean;
  /** What is odd about it, in words; empty when all is well. Those of slots begin with `session <number>: `. */
  readonly problems: readonly string[];
}

/** One session in a checkpoint. */
export interface StoredSlot {
  readonly checkpoint: CheckpointId;
  readonly index: number;
  /** Its folder on the metadata branch. */
  readonly dir: string;
  readonly metadata: StoredMetadata;
  /** The files in its folder, by name. */
  readonly files: ReadonlyMap<string, ObjectId>;
  /** Small files that were asked for along with the metadata, by name; those that are there and can be read. */
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/** So many are read at once. */
const AT_ONCE = 500;

/**
 * The checkpoints that exist among `ids`. One process.
 *
 * @param also names of small files to read in the same go, such as `prompt.txt`
 */
export async function readCheckpoints(
  store: CheckpointStore,
  ids: readonly CheckpointId[],
  also: readonly string[] = [],
): Promise<Map<CheckpointId, StoredCheckpoint>> {
  const found = new Map<CheckpointId, StoredCheckpoint>();
  await lookInto(store.git, async (look) => {
    for (const tip of store.tips) {
      const missing = [...new Set(ids)].filter((id) => !found.has(id));
      for (let at = 0; at < missing.length; at += AT_ONCE) {
        for (const read of await readAt(look, tip, missing.slice(at, at + AT_ONCE), also)) {
          const checkpoint = tip === store.remoteTip ? withoutForgotten(read, store.forgotten) : read;
          if (checkpoint) found.set(checkpoint.id, checkpoint);
        }
      }
    }
  });
  return found;
}

/** What a remote has of a checkpoint, as far as it was not forgotten here; `undefined` when that is nothing. */
function withoutForgotten(
  checkpoint: StoredCheckpoint,
  stones: readonly Tombstone[],
): StoredCheckpoint | undefined {
  const slots = checkpoint.slots.filter(({ metadata }) => !findStone(stones, checkpoint.id, metadata));
  if (slots.length === checkpoint.slots.length) return checkpoint;
  if (slots.length === 0) return undefined;
  const filesTouched = sortedUnique(slots.flatMap(({ metadata }) => metadata.filesTouched));
  return {
    ...checkpoint,
    slots,
    filesTouched,
    tokenUsage: sumUsage(slots.map((slot) => slot.metadata.tokenUsage)),
  };
}

/** One checkpoint, or `undefined` when there is none of that id. */
export const readCheckpoint = async (
  store: CheckpointStore,
  id: CheckpointId,
): Promise<StoredCheckpoint | undefined> => (await readCheckpoints(store, [id])).get(id);

async function readAt(
  look: Look,
  tip: ObjectId,
  ids: readonly CheckpointId[],
  also: readonly string[],
): Promise<StoredCheckpoint[]> {
  const folders = await readFolders(look, tip, ids);
  const wanted = ['metadata.json', ...also];
  const named = [...folders.values()].flatMap((folder) =>
    folder
      ? [folder.files, ...folder.slots.values()].flatMap((files) => wanted.map((name) => files.get(name)))
      : [],
  );
  const blobs = await look(sortedUnique(named.flatMap((oid) => oid ?? [])));
  return [...folders].map(([id, folder]) => (folder ? assemble(id, folder, blobs, also) : unreadable(id)));
}

const unreadable = (id: CheckpointId): StoredCheckpoint => ({
  id,
  slots: [],
  filesTouched: [],
  tokenUsage: undefined,
  isFlat: false,
  problems: [`its folder ${checkpointDir(id)} cannot be read`],
});

function assemble(
  id: CheckpointId,
  { files, slots: folders }: CheckpointFolder,
  blobs: Blobs,
  also: readonly string[],
): StoredCheckpoint {
  const dir = checkpointDir(id);
  const { json, problem } = readMetadata(files, blobs);
  const root = parseRoot(json ?? '{}', dir);
  const numbers = [...folders.keys()];
  const isFlat = root.sessions === undefined && numbers.length === 0;
  const slots = isFlat
    ? [readSlot(id, 0, dir, files, blobs, also)]
    : [...folders].map(([index, own]) => readSlot(id, index, `${dir}/${index}`, own, blobs, also));
  const problems = isFlat
    ? slots.flatMap((slot) => slot.problems)
    : [
        ...(problem ? [problem] : root.problems),
        ...(problem ? [] : compareNumbers(root.sessions, numbers)),
        ...slots.flatMap((slot) => slot.problems.map((text) => `session ${slot.index}: ${text}`)),
      ];
  const touched = slots.flatMap(({ metadata }) => metadata.filesTouched);
  const usages = slots.map(({ metadata }) => metadata.tokenUsage);
  return {
    id,
    slots,
    filesTouched: sortedUnique([...root.filesTouched, ...touched]),
    tokenUsage: sumUsage(usages),
    isFlat,
    problems,
  };
}

function readSlot(
  checkpoint: CheckpointId,
  index: number,
  dir: string,
  files: ReadonlyMap<string, ObjectId>,
  blobs: Blobs,
  also: readonly string[],
): StoredSlot {
  const texts = also.flatMap((name): Array<[string, string]> => {
    const data = blobs.found.get(files.get(name) ?? '')?.data;
    return data ? [[name, data.toString('utf8')]] : [];
  });
  const { json, problem } = readMetadata(files, blobs);
  const { metadata, problems } = parseMetadata(json ?? '{}', checkpoint);
  return {
    checkpoint,
    index,
    dir,
    metadata,
    files,
    texts: new Map(texts),
    problems: problem ? [problem] : problems,
  };
}

function readMetadata(
  files: ReadonlyMap<string, ObjectId>,
  { found }: Blobs,
): { json?: string; problem?: string } {
  const oid = files.get('metadata.json');
  if (oid === undefined) return { problem: 'metadata.json is missing' };
  const json = found.get(oid)?.data.toString('utf8');
  return json === undefined
    ? { problem: 'metadata.json cannot be read: its object is damaged or missing' }
    : { json };
}

/** What the root lists and what is there need not be the same. */
function compareNumbers(listed: readonly number[] | undefined, present: readonly number[]): string[] {
  if (!listed) return ['metadata.json lists no sessions'];
  const [isListed, isPresent] = [new Set(listed), new Set(present)];
  const missing = listed.filter((number) => !isPresent.has(number));
  const surplus = present.filter((number) => !isListed.has(number));
  return [
    ...missing.slice(0, MAX_NAMED).map((number) => `session ${number} is listed and not there`),
    ...surplus.slice(0, MAX_NAMED).map((number) => `session ${number} is there and not listed`),
    ...(missing.length > MAX_NAMED
      ? [`${missing.length - MAX_NAMED} more sessions are listed and not there`]
      : []),
    ...(surplus.length > MAX_NAMED
      ? [`${surplus.length - MAX_NAMED} more sessions are there and not listed`]
      : []),
  ];
}

const MAX_NAMED = 5;
