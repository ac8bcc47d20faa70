import { describeError } from '../base/errors.ts';
import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { asText, isObject, parseJson } from '../base/text/json.ts';
import { readSlotMetadata } from '../checkpoint/committed.ts';
import { type Kept, replacesThere } from '../checkpoint/remote-refs.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import { isFolder } from '../git/object/tree-object.ts';
import type { Entries } from '../git/object/trees.ts';
import type { Git } from '../git/run.ts';
import { dayOf, findStone, listTombstones, type Tombstone } from '../session/tombstones.ts';
import { type ParsedCheckpoint, readCheckpoints } from './checkpoint-folder.ts';
import { writeCheckpoints } from './merge-checkpoint.ts';
import type { Store } from './store.ts';

/** A tree of the metadata branch without what was forgotten here, and whose that was. */
export interface Sifted {
  readonly tree: ObjectId;
  readonly left: readonly Tombstone[];
}

/**
 * Leaves out of a remote's tree what was forgotten in this repository. Only checkpoints that tombstones name are opened,
 * and where nothing was ever forgotten nothing is read at all.
 */
export function leaveOut(store: Store, tree: ObjectId, stones: readonly Tombstone[]): Sifted {
  const named = [...new Set(stones.flatMap(({ checkpoints }) => checkpoints))];
  if (named.length === 0) return { tree, left: [] };
  const root = new Map(store.readFolders([tree]).get(tree));
  const shardOf = (id: CheckpointId): TreeEntry | undefined => {
    const entry = root.get(id.slice(0, 2));
    return isFolder(entry) ? entry : undefined;
  };
  const folders = store.readFolders([...new Set(named.flatMap((id) => shardOf(id)?.oid ?? []))]);
  const there = named.flatMap((id) => {
    const entry = folders.get(shardOf(id)?.oid as ObjectId)?.get(id.slice(2));
    return entry && isFolder(entry) ? [{ id, entry }] : [];
  });
  const parsed = readCheckpoints(
    store,
    there.map(({ entry }) => entry),
  );
  const sifted = there.flatMap(({ id, entry }) => {
    const one = sift(store, id, parsed.get(entry.oid) as ParsedCheckpoint, stones);
    return one.left.length > 0 ? [{ id, ...one }] : [];
  });
  if (sifted.length === 0) return { tree, left: [] };
  const kept = sifted.filter(({ contents }) => contents.slots.size > 0);
  const written = writeCheckpoints(
    store,
    kept.map(({ id, contents }) => ({ id, outcome: { parsed: contents } })),
  );
  const shards = new Map<string, Map<string, TreeEntry>>();
  for (const { id } of sifted) {
    const shard = id.slice(0, 2);
    const entries = shards.get(shard) ?? new Map(folders.get(shardOf(id)?.oid as ObjectId));
    const entry = written.get(id);
    if (entry) entries.set(id.slice(2), entry);
    else entries.delete(id.slice(2));
    shards.set(shard, entries);
  }
  const full = [...shards].filter(([, entries]) => entries.size > 0);
  for (const shard of shards.keys()) root.delete(shard);
  for (const [index, oid] of store.writeFolders(full.map(([, entries]) => entries)).entries())
    root.set(full[index]?.[0] as string, { mode: '40000', oid });
  return {
    tree: store.writeFolders([root])[0] as ObjectId,
    left: [...new Set(sifted.flatMap(({ left }) => left))],
  };
}

function sift(
  store: Store,
  id: CheckpointId,
  { slots, rest, rootKeys }: ParsedCheckpoint,
  stones: readonly Tombstone[],
): { contents: Pick<ParsedCheckpoint, 'slots' | 'rest' | 'rootKeys'>; left: Tombstone[] } {
  const gone = new Map(
    [...slots.values()].flatMap(({ metadata }): Array<[string, Tombstone]> => {
      const stone = findStone(stones, id, metadata);
      return stone ? [[metadata.sessionId, stone]] : [];
    }),
  );
  const others = new Map([...slots].filter(([session]) => !gone.has(session)));
  const ofOthers = gone.size === 0 ? rest : withoutTasks(store, rest, gone);
  return { contents: { slots: others, rest: ofOthers, rootKeys }, left: [...gone.values()] };
}

/** Tasks of a session say in a file of their own whose they are. */
function withoutTasks(store: Store, rest: Entries, gone: ReadonlyMap<string, unknown>): Entries {
  const tasks = [...rest].filter(([key, entry]) => key.startsWith('tasks/') && isFolder(entry));
  const folders = store.readFolders(tasks.map(([, { oid }]) => oid));
  const told = (oid: ObjectId): ObjectId | undefined => folders.get(oid)?.get('checkpoint.json')?.oid;
  const texts = store.readTexts(tasks.flatMap(([, { oid }]) => told(oid) ?? []));
  const isGone = ({ oid }: TreeEntry): boolean => {
    const value = parseJson(texts.get(told(oid) as ObjectId) ?? '');
    return isObject(value) && gone.has(asText(value.session_id));
  };
  const lost = new Set(tasks.flatMap(([key, entry]) => (isGone(entry) ? key : [])));
  return new Map([...rest].filter(([key]) => !lost.has(key)));
}

/** What a person is told then; a hook of git's says it, too. */
export const wasLeftOut = (stone: Tombstone, remote: string, what: Kept): string =>
  `${remote} still has ${stone.isWhole ? 'session' : 'a part of session'} ${stone.sessionId}, which was forgotten here on ${dayOf(stone)}: it was left out again. Older commits that came along have it: forget it again, and replace ${what === 'ref' ? 'the ref' : 'the branch'} there with \`${replacesThere(remote, what)}\`.`;

/** Sessions that were forgotten here, and that a remote has brought back into checkpoints. Usually none was ever forgotten. */
export const findReturned = (git: Git, commonDir: string): Tombstone[] =>
  listTombstones(commonDir).filter(({ isWhole, checkpoints, sessionId, atMs }) => {
    if (!isWhole) return false;
    try {
      return checkpoints.some((id) =>
        readSlotMetadata(git, id).some(
          (slot) => slot.sessionId === sessionId && Date.parse(slot.createdAt) <= atMs,
        ),
      );
    } catch (error) {
      log('warn', 'not known whether a session came back', { error: describeError(error) });
      return false;
    }
  });
