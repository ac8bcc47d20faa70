import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { readObjects, type TreeEntry } from '../git/object/objects.ts';
import { inBatchesBySize } from '../git/object/sizes.ts';
import { isFolder } from '../git/object/tree-object.ts';
import { type Entries, readFolders, treeOf } from '../git/object/trees.ts';
import { type Git, gitText } from '../git/run.ts';
import { readCheckpoints } from './checkpoint-folder.ts';
import { countNotes } from './notes.ts';
import { gitStore } from './store.ts';

/** A checkpoint that a remote lacks, or has in an older form. */
export interface ChangedCheckpoint {
  readonly id: CheckpointId;
  readonly entry: TreeEntry;
  readonly isNew: boolean;
}

const NOTHING: Entries = new Map();

/** The checkpoints in which `to` differs from `from`; shards that are the same are not opened. */
export function changedCheckpoints(git: Git, from: ObjectId | undefined, to: ObjectId): ChangedCheckpoint[] {
  const [before, after] = [from && treeOf(git, from), treeOf(git, to)];
  const roots = readFolders(git, [after, ...(before ? [before] : [])]);
  const known = (before && roots.get(before)) ?? NOTHING;
  const shards = [...(roots.get(after) ?? NOTHING)].filter(
    ([name, entry]) => /^[0-9a-f]{2}$/.test(name) && isFolder(entry) && known.get(name)?.oid !== entry.oid,
  );
  const oldOids = shards.flatMap(([name]) => (isFolder(known.get(name)) ? (known.get(name)?.oid ?? []) : []));
  const folders = readFolders(git, [...shards.map(([, { oid }]) => oid), ...oldOids]);
  return shards.flatMap(([shard, { oid }]) => {
    const old = folders.get(known.get(shard)?.oid as ObjectId) ?? NOTHING;
    return [...(folders.get(oid) ?? NOTHING)]
      .filter(
        ([name, entry]) => /^[0-9a-f]{10}$/.test(name) && isFolder(entry) && old.get(name)?.oid !== entry.oid,
      )
      .map(([name, entry]) => ({ id: (shard + name) as CheckpointId, entry, isNew: !old.has(name) }));
  });
}

/** Bytes of the objects that `to` has and `from` has not, as the repository stores them. */
export function bytesBetween(git: Git, from: ObjectId | undefined, to: ObjectId): number {
  const range = [to, ...(from ? [`^${from}`] : [])];
  return Number(gitText(git, ['rev-list', '--objects', '--disk-usage', ...range]));
}

/** What a push would send, for people to look at before. */
export interface Preview {
  readonly checkpoints: readonly {
    readonly id: CheckpointId;
    readonly isNew: boolean;
    readonly sessions: readonly string[];
  }[];
  /** Ids, each once. */
  readonly sessions: readonly string[];
  /** Commits whose notes would be new there, or others. */
  readonly notes: number;
  readonly bytes: number;
  /** Times that each mark of a redaction stands in the texts that would leave. */
  readonly redactions: Readonly<Record<string, number>>;
}

/** @param notes what would go of them, and what the remote has */
export function readPreview(
  git: Git,
  from: ObjectId | undefined,
  to: ObjectId,
  notes: { readonly from: ObjectId | undefined; readonly to: ObjectId } | undefined,
): Preview {
  const changed = changedCheckpoints(git, from, to);
  const contents = readCheckpoints(
    gitStore(git),
    changed.map(({ entry }) => entry),
  );
  const checkpoints = changed.map(({ id, isNew, entry }) => ({
    id,
    isNew,
    sessions: [...(contents.get(entry.oid)?.slots.keys() ?? [])],
  }));
  return {
    checkpoints,
    sessions: [...new Set(checkpoints.flatMap(({ sessions }) => sessions))],
    notes: notes ? countNotes(git, notes.from, notes.to) : 0,
    bytes: bytesBetween(git, from, to) + (notes ? bytesBetween(git, notes.from, notes.to) : 0),
    redactions: countRedactions(git, from, to),
  };
}

/** What stands in place of a secret. */
const MARK = /REDACTED(?:[:_][A-Za-z0-9_-]+)?/g;

function countRedactions(git: Git, from: ObjectId | undefined, to: ObjectId): Record<string, number> {
  const range = [to, ...(from ? [`^${from}`] : [])];
  const args = ['rev-list', '--objects', '--no-object-names', ...range];
  const listed = gitText(git, args).split('\n').filter(Boolean) as ObjectId[];
  const counts: Record<string, number> = {};
  for (const batch of inBatchesBySize(git, listed)) {
    for (const { data } of readObjects(git, batch).values()) {
      for (const [mark] of data.toString('latin1').matchAll(MARK)) counts[mark] = (counts[mark] ?? 0) + 1;
    }
  }
  return counts;
}
