import { EntireError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import { isFolder } from '../git/object/tree-object.ts';
import type { Store } from './store.ts';

/** What a tree of notes holds, wherever in it: git lays notes out as it likes, flat or in folders of two digits. */
export interface NotesTree {
  /** By commit, the contents of its note: one, but for notes that are there twice, or that could not be made one. */
  readonly notes: ReadonlyMap<string, readonly ObjectId[]>;
  /** What is no note, by its path, as some other tool has put it there. */
  readonly others: ReadonlyMap<string, TreeEntry>;
}

/** Where contents are that cannot be made one with those of the same note: below it by commit, named by themselves. */
const UNMERGED = 'unmerged';
/** Trees can name one folder any number of times. */
const MAX_ENTRIES = 1_000_000;

interface Level {
  /** With `/` at the end, if it is not empty. */
  readonly path: string;
  /** The beginning of a commit's id; `undefined` below what has no commit in its name. */
  readonly prefix: string | undefined;
  readonly oid: ObjectId;
}

/** Takes trees of notes apart, level by level, each with one read. @throws {EntireError} `GIT_FAILED` */
export function readNotesTree(store: Store, tree: ObjectId): NotesTree {
  const notes = new Map<string, ObjectId[]>();
  const others = new Map<string, TreeEntry>();
  const hexLength = tree.length;
  let seen = 0;
  const add = (commit: string, oid: ObjectId): void => {
    const known = notes.get(commit) ?? [];
    if (!known.includes(oid)) notes.set(commit, [...known, oid].sort());
  };
  let levels: Level[] = [{ path: '', prefix: '', oid: tree }];
  while (levels.length > 0) {
    const folders = store.readFolders([...new Set(levels.map(({ oid }) => oid))]);
    const below: Level[] = [];
    for (const { path, prefix, oid } of levels) {
      for (const [name, entry] of folders.get(oid) ?? []) {
        if (++seen > MAX_ENTRIES)
          throw new EntireError(
            'GIT_FAILED',
            `there are more than ${MAX_ENTRIES} notes, which are not merged`,
          );
        const commit = prefix === undefined ? undefined : prefix + name;
        const place = placeOf(commit, path, name, hexLength);
        if (place === 'note' && isFile(entry)) add(commit as string, entry.oid);
        else if (place === 'kept' && isFile(entry)) add(path.split('/')[1] as string, entry.oid);
        else if (place === 'folder' && isFolder(entry))
          below.push({ path: `${path}${name}/`, prefix: commit, oid: entry.oid });
        else if (place === 'unmerged' && isFolder(entry))
          below.push({ path: `${path}${name}/`, prefix: undefined, oid: entry.oid });
        // It stands where folders of notes have to be.
        else if (place === 'folder' || place === 'unmerged')
          others.set(`unread-${entry.oid.slice(0, 12)}`, entry);
        else others.set(path + name, entry);
      }
    }
    levels = below;
  }
  return { notes, others };
}

const isFile = ({ mode }: TreeEntry): boolean => mode.startsWith('100');

/** What a name stands for, if what it names is of that kind. */
function placeOf(
  commit: string | undefined,
  path: string,
  name: string,
  hexLength: number,
): 'note' | 'kept' | 'folder' | 'unmerged' | undefined {
  const isId = (text: string): boolean => text.length === hexLength && /^[0-9a-f]+$/.test(text);
  if (commit !== undefined && isId(commit)) return 'note';
  if (commit !== undefined && /^[0-9a-f]{2}$/.test(name)) return 'folder';
  if (path + name === UNMERGED || (path === `${UNMERGED}/` && isId(name))) return 'unmerged';
  return path.startsWith(`${UNMERGED}/`) && isId(name) ? 'kept' : undefined;
}

/** Writes a tree of notes, the first of a commit's contents as its note; the same contents always make the same tree. */
export function writeNotesTree(store: Store, { notes, others }: NotesTree): ObjectId {
  const top = new Folder();
  for (const [commit, oids] of notes) {
    const [first, ...rest] = oids;
    if (first) top.put([commit.slice(0, 2), commit.slice(2)], { mode: '100644', oid: first });
    for (const oid of rest) top.put([UNMERGED, commit, oid], { mode: '100644', oid });
  }
  for (const [path, entry] of others) top.put(path.split('/'), entry);
  const depths: Folder[][] = [[top]];
  for (let last = depths[0] as Folder[]; last.length > 0; last = depths.at(-1) as Folder[])
    depths.push(last.flatMap(({ folders }) => [...folders.values()]));
  for (const folders of depths.reverse()) {
    const written = store.writeFolders(folders.map((folder) => folder.entries));
    for (const [at, folder] of folders.entries()) folder.written(written[at] as ObjectId);
  }
  return top.oid as ObjectId;
}

/** A folder that is being put together. */
class Folder {
  readonly entries = new Map<string, TreeEntry>();
  readonly folders = new Map<string, Folder>();
  oid: ObjectId | undefined;
  private readonly name: string;
  private readonly parent: Folder | undefined;

  constructor(name = '', parent?: Folder) {
    this.name = name;
    this.parent = parent;
  }

  put([name = '', ...below]: readonly string[], entry: TreeEntry): void {
    if (below.length === 0) return void this.entries.set(name, entry);
    const folder = this.folders.get(name) ?? new Folder(name, this);
    this.folders.set(name, folder);
    folder.put(below, entry);
  }

  written(oid: ObjectId): void {
    this.oid = oid;
    this.parent?.entries.set(this.name, { mode: '40000', oid });
  }
}
