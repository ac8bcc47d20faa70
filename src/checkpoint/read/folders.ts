import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { type ObjectReader, withObjects } from '../../git/object/object-reader.ts';
import { isFolder, type NamedEntry, parseTreeObject } from '../../git/object/tree-object.ts';
import type { Git } from '../../git/run.ts';
import { checkpointDir } from '../metadata-branch.ts';
import { type Blobs, readBlobs } from './blobs.ts';

/** Reads objects by name, damaged ones or not. */
export type Look = (names: readonly string[]) => Promise<Blobs>;

/** Lends a {@link Look} to `body`: one process for all its questions, unless an object is damaged. */
export const lookInto = <T>(git: Git, body: (look: Look) => Promise<T>): Promise<T> =>
  withObjects(git, (objects) => body((names) => look(objects, git, names)));

async function look(objects: ObjectReader, git: Git, names: readonly string[]): Promise<Blobs> {
  const found = await objects.read(names);
  return found ? { found, damaged: new Set() } : readBlobs(git, names);
}

/** Entries of a folder by their names. */
type Folder = ReadonlyMap<string, NamedEntry>;

/** The folders among `trees` that can be read, by the names they were asked for with; one question. */
async function readTrees(
  look: Look,
  trees: readonly string[],
  oidLength: number,
  isWanted?: (name: string) => boolean,
): Promise<Map<string, Folder>> {
  const { found } = await look(trees);
  return new Map(
    [...found].map(([name, { data }]) => [
      name,
      new Map(parseTreeObject(data, oidLength, isWanted).map((entry) => [entry.name, entry])),
    ]),
  );
}

/**
 * The folders that checkpoints lie in, by the first two digits of their ids; `undefined` where one, or all of it, cannot
 * be read. Two questions.
 *
 * @param isInside picks what is in them
 */
export async function readShards(
  look: Look,
  tip: ObjectId,
  isWanted: (name: string) => boolean,
  isInside?: (name: string) => boolean,
): Promise<ReadonlyMap<string, Folder | undefined> | undefined> {
  const name = `${tip}^{tree}`;
  const root = (await readTrees(look, [name], tip.length)).get(name);
  if (!root) return undefined;
  const entries = [...root.values()].filter((entry) => isFolder(entry) && isWanted(entry.name));
  const trees = await readTrees(
    look,
    entries.map(({ oid }) => oid),
    tip.length,
    isInside,
  );
  return new Map(entries.map((entry) => [entry.name, trees.get(entry.oid)]));
}

/** What lies in a checkpoint's folder; links and submodules are no files of ours. */
export interface CheckpointFolder {
  /** Right in it. */
  readonly files: ReadonlyMap<string, ObjectId>;
  /** In the folders of its sessions, by their numbers, in order. */
  readonly slots: ReadonlyMap<number, ReadonlyMap<string, ObjectId>>;
}

/**
 * The folders of those of `ids` that a commit of the metadata branch has; `undefined` where one is there and cannot be
 * read. Four questions.
 */
export async function readFolders(
  look: Look,
  tip: ObjectId,
  ids: readonly CheckpointId[],
): Promise<Map<CheckpointId, CheckpointFolder | undefined>> {
  const wanted = new Set(ids.flatMap((id) => [id.slice(0, 2), id.slice(2)]));
  const shards = await readShards(
    look,
    tip,
    (name) => wanted.has(name),
    (name) => wanted.has(name),
  );
  if (!shards) return new Map(ids.map((id) => [id, undefined]));
  const entries = ids.flatMap((id): Array<[CheckpointId, NamedEntry | undefined]> => {
    const shard = id.slice(0, 2);
    if (!shards.has(shard)) return [];
    const folder = shards.get(shard);
    const entry = folder?.get(id.slice(2));
    return !folder || isFolder(entry) ? [[id, entry]] : [];
  });
  const read = (of: ReadonlyArray<NamedEntry | undefined>) =>
    readTrees(
      look,
      of.flatMap((entry) => entry?.oid ?? []),
      tip.length,
    );
  const trees = await read(entries.map(([, entry]) => entry));
  const below = await read([...trees.values()].flatMap((tree) => [...numbered(tree).values()]));
  return new Map(entries.map(([id, entry]) => [id, toFolder(trees.get(entry?.oid ?? ''), below)]));
}

function toFolder(
  tree: Folder | undefined,
  below: ReadonlyMap<string, Folder>,
): CheckpointFolder | undefined {
  if (!tree) return undefined;
  const slots = [...numbered(tree)].map(([number, { oid }]) => [number, below.get(oid)] as const);
  if (slots.some(([, folder]) => !folder)) return undefined;
  return {
    files: filesOf(tree),
    slots: new Map(slots.map(([number, folder]) => [number, filesOf(folder as Folder)])),
  };
}

/**
 * The files right in the folders of tasks of some checkpoints, as a commit of the metadata branch has them; only of those that have some.
 * Two questions.
 */
export async function readTaskFolders(
  look: Look,
  tip: ObjectId,
  ids: readonly CheckpointId[],
): Promise<Map<CheckpointId, readonly ReadonlyMap<string, ObjectId>[]>> {
  const nameOf = (id: CheckpointId): string => `${tip}:${checkpointDir(id)}/tasks`;
  const tasks = await readTrees(look, ids.map(nameOf), tip.length);
  const foldersIn = (id: CheckpointId): NamedEntry[] =>
    [...(tasks.get(nameOf(id))?.values() ?? [])].filter(isFolder);
  const trees = await readTrees(
    look,
    ids.flatMap((id) => foldersIn(id).map(({ oid }) => oid)),
    tip.length,
  );
  return new Map(
    ids.flatMap((id) => {
      const folders = foldersIn(id).flatMap(({ oid }) => trees.get(oid) ?? []);
      return folders.length === 0 ? [] : [[id, folders.map(filesOf)]];
    }),
  );
}

/** Folders of sessions, in order of their numbers. */
function numbered(tree: Folder): Map<number, NamedEntry> {
  const folders = [...tree.values()].filter(
    (entry) => isFolder(entry) && /^(0|[1-9]\d{0,5})$/.test(entry.name),
  );
  return new Map(folders.map((entry) => [Number(entry.name), entry] as const).sort(([a], [b]) => a - b));
}

const filesOf = (tree: Folder): Map<string, ObjectId> =>
  new Map([...tree.values()].flatMap(({ mode, name, oid }) => (mode.startsWith('100') ? [[name, oid]] : [])));
