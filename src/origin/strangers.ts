import { groupBy } from '../base/group-by.ts';
import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { type CheckpointStore, listCheckpointIds } from '../checkpoint/read/store.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { readLinkedAside } from '../git/log.ts';
import type { Git } from '../git/run.ts';
import { type Evidence, isWritten } from './evidence.ts';
import { openLast } from './last-commits.ts';
import { readStoredEdits } from './stored-edits.ts';

/** A commit whose lines are asked about; without an id what is not committed yet. */
export interface AskedCommit {
  readonly commit: ObjectId | undefined;
  /** RFC 3339; what was stored later was not there to be taken. */
  readonly committedAt: string | undefined;
  /** When its hook saw it, which is more exact. */
  readonly seenAt?: string | undefined;
  /** The checkpoints that it is linked to. */
  readonly checkpoints: readonly CheckpointId[];
  /** File names in it. */
  readonly paths: readonly string[];
}

/** What a session wrote into a file for a commit that is not in the history. */
export interface Stranger {
  readonly slot: StoredSlot;
  readonly evidence: Evidence;
  /** Another commit is linked to it, shortly before: that took a part of what it wrote, and left some. */
  readonly isNear: boolean;
}

/** So many linked commits before another one are near, and so many of those that the lines of its file come from. */
const NEAR = 5;
const NEAR_IN_FILE = 10;
/** Git counts in seconds. */
const SLACK_MS = 1_000;

/**
 * Sessions whose lines can have come into a commit in another way than by a link: by a squash, a reset, or with files of another
 * branch. They are those of the checkpoints that no commit in the history names, or no other one. A few processes, however many
 * places are asked about.
 *
 * @param revision whose history it is
 * @param known checkpoints of that store that were read before
 * @returns by commit (`undefined`: not committed yet) and file
 */
export async function findStrangers(
  git: Git,
  store: CheckpointStore,
  revision: string,
  places: readonly AskedCommit[],
  known: ReadonlyMap<CheckpointId, StoredCheckpoint> = new Map(),
): Promise<(commit: ObjectId | undefined, path: string) => readonly Stranger[]> {
  const linked = await linkedIn(git, revision);
  const namedBy = new Map<CheckpointId, ObjectId | typeof SEVERAL>();
  for (const { oid, named } of linked)
    for (const id of named) namedBy.set(id, (namedBy.get(id) ?? oid) === oid ? oid : SEVERAL);
  const isStrange = (id: CheckpointId, { commit, checkpoints }: AskedCommit): boolean => {
    const by = namedBy.get(id);
    return (by === undefined || by === commit) && !checkpoints.includes(id);
  };
  const near = findNear(linked, places, known);

  const nearAny = new Set([...near.values()].flatMap((ids) => [...ids]));
  const asked = new Map(places.map((place) => [place.commit, place]));
  // One that a commit names is strange to that alone; one that none does is to almost all of them.
  const isStrangeToAny = (id: CheckpointId): boolean => {
    const by = namedBy.get(id);
    if (by === undefined) return places.some((place) => isStrange(id, place));
    const place = by === SEVERAL ? undefined : asked.get(by);
    return place !== undefined && isStrange(id, place);
  };
  const ids = (await idsIn(store)).filter((id) => nearAny.has(id) || isStrangeToAny(id));
  const unread = ids.filter((id) => !known.has(id));
  const read = unread.length > 0 ? await readCheckpoints(store, unread) : known;
  const names = new Set(places.flatMap(({ paths }) => paths));
  const wanted = new Map<StoredSlot, Set<string>>();
  for (const slot of ids.flatMap((id) => (known.get(id) ?? read.get(id))?.slots ?? [])) {
    const paths = slot.metadata.filesTouched.filter((path) => names.has(path));
    if (paths.length > 0) wanted.set(slot, new Set(paths));
  }
  const evidence = readStoredEdits(store, wanted);

  const byPath = new Map<string, Work[]>();
  for (const [slot, edits] of evidence)
    for (const [path, one] of edits) {
      const known = byPath.get(path) ?? [];
      known.push({ slot, evidence: one, madeMs: Date.parse(slot.metadata.createdAt), rank: known.length });
      byPath.set(path, known);
    }
  const namedByOne = groupBy(ids, (id) => namedBy.get(id));
  const candidatesIn = new Map(
    [...byPath].map(([path, works]) => [path, groupBy(works, ({ slot }) => slot.checkpoint)] as const),
  );
  /** Work on a file that may be strange to a commit, or near it, in its order. */
  const candidates = ({ commit }: AskedCommit, path: string, beside: ReadonlySet<CheckpointId>): Work[] => {
    const own = commit === undefined ? [] : (namedByOne.get(commit) ?? []);
    const some = new Set([...(namedByOne.get(undefined) ?? []), ...own, ...beside]);
    const found = [...some].flatMap((id) => candidatesIn.get(path)?.get(id) ?? []);
    return found.sort((a, b) => a.rank - b.rank);
  };
  const find = (place: AskedCommit, path: string): readonly Stranger[] => {
    const committedMs = place.committedAt
      ? Date.parse(place.committedAt) + SLACK_MS
      : Number.POSITIVE_INFINITY;
    const untilMs = place.seenAt ? Math.min(committedMs, Date.parse(place.seenAt)) : committedMs;
    const beside = near.get(place) ?? new Set();
    return candidates(place, path, beside).flatMap(({ slot, evidence, madeMs }) => {
      const isNear = !isStrange(slot.checkpoint, place);
      if (madeMs > untilMs || (isNear && !beside.has(slot.checkpoint))) return [];
      return [{ slot, evidence, isNear }];
    });
  };
  const found = new Map<string, readonly Stranger[]>();
  return (commit, path) => {
    const place = asked.get(commit);
    const key = `${commit}\0${path}`;
    const strangers = found.get(key) ?? (place ? find(place, path) : []);
    found.set(key, strangers);
    return strangers;
  };
}

/** More than one commit names a checkpoint. */
const SEVERAL = 'several';

/** What a session wrote into a file for a checkpoint. */
interface Work {
  readonly slot: StoredSlot;
  readonly evidence: Evidence;
  /** When that was, in milliseconds since 1970. */
  readonly madeMs: number;
  readonly rank: number;
}

const idsOf = new WeakMap<CheckpointStore, Promise<CheckpointId[]>>();

/** The ids of a store; listed once. */
export function idsIn(store: CheckpointStore): Promise<CheckpointId[]> {
  const found = idsOf.get(store) ?? listCheckpointIds(store);
  idsOf.set(store, found);
  return found;
}

/** A commit that names checkpoints. */
interface Linked {
  readonly oid: ObjectId;
  readonly atMs: number;
  readonly named: readonly CheckpointId[];
}

const linkedOf = new WeakMap<Git, Map<string, Promise<readonly Linked[]>>>();

/** Linked commits of a history, newest first. They are looked for once, and while the caller does something else. */
export function linkedIn(git: Git, revision: string): Promise<readonly Linked[]> {
  const known = linkedOf.get(git) ?? new Map<string, Promise<readonly Linked[]>>();
  linkedOf.set(git, known);
  const found = known.get(revision) ?? readLinked(git, revision);
  known.set(revision, found);
  return found;
}

async function readLinked(git: Git, revision: string): Promise<readonly Linked[]> {
  const rows = await readLinkedAside(git, revision, `${CHECKPOINT_TRAILER}: `);
  return rows.map(({ oid, atMs, links }) => ({ oid, atMs, named: linkedIds(links) }));
}

/**
 * Of each commit the checkpoints of linked ones shortly before it: what a commit left, or took away, a stash may have brought back.
 *
 * @param known checkpoints that lines of the same files come from
 */
function findNear(
  linked: readonly Linked[],
  places: readonly AskedCommit[],
  known: ReadonlyMap<CheckpointId, unknown>,
): Map<AskedCommit, ReadonlySet<CheckpointId>> {
  const ofFiles = linked.filter(({ named }) => named.some((id) => known.has(id)));
  const [lastOfAll, lastOfFiles] = [openLast(linked), openLast(ofFiles)];
  return new Map(
    places.map((place) => {
      const untilMs = place.committedAt ? Date.parse(place.committedAt) : Number.NEGATIVE_INFINITY;
      const before = [...lastOfAll(untilMs, NEAR), ...lastOfFiles(untilMs, NEAR_IN_FILE)];
      const others = before.filter(({ oid }) => oid !== place.commit);
      return [
        place,
        new Set(others.flatMap(({ named }) => named).filter((id) => !place.checkpoints.includes(id))),
      ] as const;
    }),
  );
}

/** Checkpoints of strangers that have one of the lines. */
export const writersAmong = (strangers: readonly Stranger[], lines: readonly string[]): CheckpointId[] => [
  ...new Set(
    strangers.flatMap(({ slot: { checkpoint }, evidence }) =>
      lines.some((line) => isWritten(line, evidence)) ? [checkpoint] : [],
    ),
  ),
];
