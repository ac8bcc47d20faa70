import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { renderMergedRoot, type SlotMetadata } from '../checkpoint/metadata-json.ts';
import { isSameEntry, type TreeEntry } from '../git/object/objects.ts';
import { isFolder } from '../git/object/tree-object.ts';
import type { Entries } from '../git/object/trees.ts';
import {
  type Contents,
  type ParsedCheckpoint,
  readCheckpoints,
  type SlotVersion,
} from './checkpoint-folder.ts';
import type { Store } from './store.ts';

/** A checkpoint that is not the same on both sides, and differs from `base` on both. */
export interface CheckpointConflict {
  readonly id: CheckpointId;
  readonly base: TreeEntry | undefined;
  readonly a: TreeEntry | undefined;
  readonly b: TreeEntry | undefined;
}

/**
 * Merges checkpoints session by session: a session's folder comes whole from one side, sessions that only one side has
 * are kept, all are numbered anew by their time, and the root summary is made from what came out.
 */
export function mergeCheckpoints(
  store: Store,
  conflicts: readonly CheckpointConflict[],
): Map<CheckpointId, TreeEntry> {
  const sides = conflicts.flatMap(({ base, a, b }) => [base, a, b].flatMap((side) => side ?? []));
  const contents = readCheckpoints(store, sides);
  const merged = conflicts.map(({ id, base, a, b }) => {
    const [left, right] = [contents.get(a?.oid as ObjectId), contents.get(b?.oid as ObjectId)];
    const origin = base && contents.get(base.oid);
    return { id, outcome: mergeOne(origin, left as ParsedCheckpoint, right as ParsedCheckpoint) };
  });
  return writeCheckpoints(store, merged);
}

type Outcome = { readonly whole: TreeEntry } | { readonly parsed: Contents };

function mergeOne(base: ParsedCheckpoint | undefined, a: ParsedCheckpoint, b: ParsedCheckpoint): Outcome {
  // Without a session that can be read nobody knows what belongs together: one version as it is.
  if (!isReadable(a) || !isReadable(b)) {
    if (isReadable(a) !== isReadable(b)) return { whole: (isReadable(a) ? a : b).entry };
    return { whole: chooseForeign(a.entry, b.entry) as TreeEntry };
  }
  const slots = new Map<string, SlotVersion>();
  for (const key of new Set([...a.slots.keys(), ...b.slots.keys()])) {
    const slot = chooseSlot(base?.slots.get(key), a.slots.get(key), b.slots.get(key));
    if (slot) slots.set(key, slot);
  }
  const rest = new Map<string, TreeEntry>();
  for (const key of new Set([...a.rest.keys(), ...b.rest.keys()])) {
    const [left, right] = [a.rest.get(key), b.rest.get(key)];
    const chosen =
      left && right ? chooseChanged({ base: base?.rest.get(key), a: left, b: right }) : (left ?? right);
    const entry = chosen === 'both' ? chooseForeign(left, right) : chosen;
    if (entry) rest.set(key, entry);
  }
  return { parsed: { slots, rest, rootKeys: mergeKeys(a.rootKeys, b.rootKeys) } };
}

const isReadable = ({ slots }: ParsedCheckpoint): boolean => slots.size > 0;

/** No session is ever dropped: one that is missing was not known there. Of two versions, the one with more to tell. */
function chooseSlot(
  base: SlotVersion | undefined,
  a: SlotVersion | undefined,
  b: SlotVersion | undefined,
): SlotVersion | undefined {
  if (!a || !b || a.oid === b.oid) return a ?? b;
  if (b.oid === base?.oid) return a;
  if (a.oid === base?.oid) return b;
  return compareSlots(a, b) > 0 ? a : b;
}

/** A total order: the longer transcript, a summary, the later one, and at last the id. */
export function compareSlots(a: SlotVersion, b: SlotVersion): number {
  return (
    a.transcriptBytes - b.transcriptBytes ||
    Number('summary' in a.metadata.other) - Number('summary' in b.metadata.other) ||
    compareText(a.metadata.createdAt, b.metadata.createdAt) ||
    compareText(a.oid, b.oid)
  );
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Keys of the root summary that we do not know: all of them, the greater value where both have one. */
function mergeKeys(a: Contents['rootKeys'], b: Contents['rootKeys']): Contents['rootKeys'] {
  const text = (value: unknown) => JSON.stringify(value) ?? '';
  const entries = Object.entries(a).map(([key, value]) => {
    const isGreater = key in b && text(b[key]) > text(value);
    return [key, isGreater ? b[key] : value] as const;
  });
  return Object.fromEntries([...Object.entries(b), ...entries].sort(([x], [y]) => compareText(x, y)));
}

/** Writes checkpoints as they were put together; the slots are numbered by their time. */
export function writeCheckpoints(
  store: Store,
  merged: readonly { readonly id: CheckpointId; readonly outcome: Outcome }[],
): Map<CheckpointId, TreeEntry> {
  const result = new Map<CheckpointId, TreeEntry>();
  const parsed: { id: CheckpointId; contents: Contents; slots: readonly SlotVersion[] }[] = [];
  for (const { id, outcome } of merged) {
    if ('whole' in outcome) result.set(id, outcome.whole);
    else parsed.push({ id, contents: outcome.parsed, slots: inOrder(outcome.parsed) });
  }
  const roots = store.writeTexts(
    parsed.map(({ contents, slots }) => renderMergedRoot(slots, contents.rootKeys)),
  );
  const tasks = parsed.map(({ contents }) => below(contents.rest, 'tasks/'));
  const taskFolders = store.writeFolders(tasks.filter(({ size }) => size > 0));
  let nextTask = 0;
  const folders = parsed.map(({ contents, slots }, index) => {
    const entries = new Map<string, TreeEntry>(
      [...contents.rest].filter(([key]) => !key.startsWith('tasks/')),
    );
    entries.set('metadata.json', { mode: '100644', oid: roots[index] as ObjectId });
    for (const [number, { oid }] of slots.entries()) entries.set(String(number), { mode: '40000', oid });
    if ((tasks[index]?.size ?? 0) > 0)
      entries.set('tasks', { mode: '40000', oid: taskFolders[nextTask++] as ObjectId });
    return entries;
  });
  for (const [index, oid] of store.writeFolders(folders).entries())
    result.set(parsed[index]?.id as CheckpointId, { mode: '40000', oid });
  return result;
}

/** By time, as they would have arrived in one repository. */
const inOrder = ({ slots }: Contents): SlotVersion[] => [...slots.values()].sort(byTime);

const byTime = (a: { metadata: SlotMetadata }, b: { metadata: SlotMetadata }): number =>
  compareText(a.metadata.createdAt, b.metadata.createdAt) ||
  compareText(a.metadata.sessionId, b.metadata.sessionId);

function below(rest: Entries, prefix: string): Entries {
  const found = [...rest].filter(([key]) => key.startsWith(prefix));
  return new Map(found.map(([key, entry]) => [key.slice(prefix.length), entry]));
}

/** Three versions of one thing. */
export interface Sides<T> {
  readonly base: T;
  readonly a: T;
  readonly b: T;
}

/** The side that changed; `'both'` when each did, in its own way. */
export function chooseChanged({ base, a, b }: Sides<TreeEntry | undefined>): TreeEntry | undefined | 'both' {
  if (isSameEntry(a, b) || isSameEntry(b, base)) return a;
  return isSameEntry(a, base) ? b : 'both';
}

/** One of two things of which only the names are known: what is there, folders, then the greater id. */
export function chooseForeign(a: TreeEntry | undefined, b: TreeEntry | undefined): TreeEntry | undefined {
  if (!a || !b) return a ?? b;
  const rank = (entry: TreeEntry) => `${isFolder(entry) ? 1 : 0} ${entry.oid} ${entry.mode}`;
  return rank(a) > rank(b) ? a : b;
}
