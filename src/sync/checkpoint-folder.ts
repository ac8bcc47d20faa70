import type { ObjectId } from '../base/ids.ts';
import { parseRootKeys, parseSlot, type SlotFiles, type SlotMetadata } from '../checkpoint/metadata-json.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import { isFolder } from '../git/object/tree-object.ts';
import type { Entries } from '../git/object/trees.ts';
import type { Store } from './store.ts';

/** One session in a checkpoint, as one side has it. */
export interface SlotVersion {
  /** Of its folder. */
  readonly oid: ObjectId;
  readonly metadata: SlotMetadata;
  readonly files: SlotFiles;
  readonly transcriptBytes: number;
}

/** What a checkpoint consists of, its sessions by their id and not by their number. */
export interface Contents {
  readonly slots: ReadonlyMap<string, SlotVersion>;
  /** Everything else by name; those in `tasks` by `tasks/<name>`. */
  readonly rest: Entries;
  /** Keys of the root summary that this version does not know. */
  readonly rootKeys: Readonly<Record<string, unknown>>;
}

export interface ParsedCheckpoint extends Contents {
  readonly entry: TreeEntry;
}

/** A `metadata.json` beyond this size is none of ours, and is not read. */
const MAX_METADATA_BYTES = 64 << 20;

/** Takes checkpoint folders apart, with few reads for all of them. */
export function readCheckpoints(store: Store, sides: readonly TreeEntry[]): Map<ObjectId, ParsedCheckpoint> {
  const folders = store.readFolders(sides.map(({ oid }) => oid));
  const inner = [...folders.values()].flatMap((folder) =>
    [...folder].flatMap(([name, entry]) => (isSlot(name, entry) || isTasks(name, entry) ? entry.oid : [])),
  );
  const below = store.readFolders(inner);
  const texts = readMetadata(store, [...folders.values(), ...below.values()]);
  const transcripts = [...below.values()].flatMap((folder) =>
    [...folder].flatMap(([name, { oid }]) => (isTranscript(name) ? oid : [])),
  );
  const sizes = store.readSizes(transcripts);
  const parse = (entry: TreeEntry) =>
    parseCheckpoint(entry, folders.get(entry.oid) as Entries, { below, texts, sizes });
  return new Map(sides.map((entry) => [entry.oid, parse(entry)]));
}

function readMetadata(store: Store, folders: readonly Entries[]): ReadonlyMap<ObjectId, string> {
  const oids = folders.flatMap((folder) => {
    const entry = folder.get('metadata.json');
    return entry && !isFolder(entry) ? entry.oid : [];
  });
  const sizes = store.readSizes(oids);
  return store.readTexts(
    oids.filter((oid) => (sizes.get(oid) ?? Number.POSITIVE_INFINITY) <= MAX_METADATA_BYTES),
  );
}

const isSlot = (name: string, entry: TreeEntry): boolean => /^(0|[1-9]\d*)$/.test(name) && isFolder(entry);
const isTasks = (name: string, entry: TreeEntry): boolean => name === 'tasks' && isFolder(entry);
const isTranscript = (name: string): boolean => /^full\.jsonl(\.\d{3,})?$/.test(name);

interface Known {
  readonly below: ReadonlyMap<ObjectId, Entries>;
  readonly texts: ReadonlyMap<ObjectId, string>;
  readonly sizes: ReadonlyMap<ObjectId, number>;
}

function parseCheckpoint(entry: TreeEntry, folder: Entries, known: Known): ParsedCheckpoint {
  const slots = new Map<string, SlotVersion>();
  const rest = new Map<string, TreeEntry>();
  for (const [name, child] of inNumberOrder(folder)) {
    if (isTasks(name, child)) {
      for (const [task, item] of known.below.get(child.oid) ?? []) rest.set(`tasks/${task}`, item);
    } else if (isSlot(name, child)) {
      const slot = parseVersion(child.oid, known);
      const id = slot?.metadata.sessionId;
      // A damaged session, or a second folder of one: kept under a name that no new session takes.
      if (slot && id !== undefined && !slots.has(id)) slots.set(id, slot);
      else rest.set(`unread-${child.oid.slice(0, 12)}`, child);
    } else if (name !== 'metadata.json') {
      rest.set(name, child);
    }
  }
  const root = folder.get('metadata.json');
  return { entry, slots, rest, rootKeys: parseRootKeys(root && known.texts.get(root.oid)) };
}

function inNumberOrder(folder: Entries): [string, TreeEntry][] {
  const number = (name: string) => (/^\d+$/.test(name) ? Number(name) : -1);
  return [...folder].sort(([a], [b]) => number(a) - number(b));
}

function parseVersion(oid: ObjectId, { below, texts, sizes }: Known): SlotVersion | undefined {
  const folder = below.get(oid) as Entries;
  const json = texts.get(folder.get('metadata.json')?.oid as ObjectId);
  if (json === undefined) return undefined;
  try {
    const metadata = parseSlot(json);
    const files = { hasPrompt: folder.has('prompt.txt'), hasContext: folder.has('context.md') };
    const bytes = [...folder].map(([name, child]) => (isTranscript(name) ? (sizes.get(child.oid) ?? 0) : 0));
    return { oid, metadata, files, transcriptBytes: bytes.reduce((sum, size) => sum + size, 0) };
  } catch {
    return undefined; // not JSON, or of a form that this version does not know
  }
}
