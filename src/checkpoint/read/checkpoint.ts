import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import { readTree, type TreeEntry } from '../../git/objects.ts';
import type { TokenUsage } from '../../session/state.ts';
import { checkpointDir } from '../checkpoint-dir.ts';
import { type Blobs, readBlobs } from './blobs.ts';
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

/** Folders named to one `git ls-tree`. */
const AT_ONCE = 150;

/**
 * The checkpoints that exist among `ids`. Two processes for each 150, with both refs at most twice that.
 *
 * @param also names of small files to read in the same go, such as `prompt.txt`
 */
export function readCheckpoints(
  store: CheckpointStore,
  ids: readonly CheckpointId[],
  also: readonly string[] = [],
): Map<CheckpointId, StoredCheckpoint> {
  const found = new Map<CheckpointId, StoredCheckpoint>();
  for (const tip of store.tips) {
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      for (const checkpoint of readAt(store, tip, missing.slice(at, at + AT_ONCE), also))
        found.set(checkpoint.id, checkpoint);
    }
  }
  return found;
}

/** One checkpoint, or `undefined` when there is none of that id. */
export const readCheckpoint = (store: CheckpointStore, id: CheckpointId): StoredCheckpoint | undefined =>
  readCheckpoints(store, [id]).get(id);

/** Reads one ref. Where a tree is damaged git stops there, so the list is halved until the damaged stand alone. */
function readAt(
  store: CheckpointStore,
  tip: ObjectId,
  ids: readonly CheckpointId[],
  also: readonly string[],
): StoredCheckpoint[] {
  const listed = listFolders(store, tip, ids);
  if (listed) {
    const wanted = new Set(['metadata.json', ...also]);
    const named = [...listed].filter(([path]) => wanted.has(path.slice(path.lastIndexOf('/') + 1)));
    const blobs = readBlobs(store.git, sortedUnique(named.map(([, { oid }]) => oid)));
    return groupByFolder(ids, listed).map(([id, files]) => assemble(id, files, blobs, also));
  }
  if (ids.length > 1) {
    const half = Math.ceil(ids.length / 2);
    return [ids.slice(0, half), ids.slice(half)].flatMap((part) => readAt(store, tip, part, also));
  }
  const [id] = ids as [CheckpointId];
  const problems = [`its folder ${checkpointDir(id)} cannot be read`];
  return [{ id, slots: [], filesTouched: [], tokenUsage: undefined, isFlat: false, problems }];
}

function listFolders(
  { git }: CheckpointStore,
  tip: ObjectId,
  ids: readonly CheckpointId[],
): Map<string, TreeEntry> | undefined {
  try {
    return readTree(
      git,
      tip,
      ids.map((id) => `${checkpointDir(id)}/`),
      true,
    );
  } catch {
    return undefined;
  }
}

/** The files of each checkpoint that has any, by their path in its folder. */
function groupByFolder(
  ids: readonly CheckpointId[],
  listed: ReadonlyMap<string, TreeEntry>,
): Array<[CheckpointId, Map<string, ObjectId>]> {
  const folders = new Map<string, Map<string, ObjectId>>();
  for (const [path, { mode, oid }] of listed) {
    if (!mode.startsWith('100')) continue; // links and submodules are no files of ours
    const [shard, rest, ...name] = path.split('/');
    const dir = `${shard}/${rest}`;
    const files = folders.get(dir) ?? new Map<string, ObjectId>();
    folders.set(dir, files.set(name.join('/'), oid));
  }
  return ids.flatMap((id) => {
    const files = folders.get(checkpointDir(id));
    return files ? [[id, files]] : [];
  });
}

function assemble(
  id: CheckpointId,
  files: ReadonlyMap<string, ObjectId>,
  blobs: Blobs,
  also: readonly string[],
): StoredCheckpoint {
  const dir = checkpointDir(id);
  const { json, problem } = readMetadata(files, blobs);
  const root = parseRoot(json ?? '{}', dir);
  const folders = numberedFolders(files);
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

/** The files of the slots that are there, by their path in the slot; slots in order of their numbers. */
function numberedFolders(files: ReadonlyMap<string, ObjectId>): Map<number, Map<string, ObjectId>> {
  const folders = new Map<number, Map<string, ObjectId>>();
  for (const [path, oid] of files) {
    const [, number, name] = /^(0|[1-9]\d{0,5})\/(.*)$/s.exec(path) ?? [];
    if (number === undefined || name === undefined) continue;
    const own = folders.get(Number(number)) ?? new Map<string, ObjectId>();
    folders.set(Number(number), own.set(name, oid));
  }
  return new Map([...folders].sort(([a], [b]) => a - b));
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
