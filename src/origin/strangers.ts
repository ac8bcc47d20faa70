import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { readCheckpoints, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { type CheckpointStore, listCheckpointIds } from '../checkpoint/read/store.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { type LogRow, readLog } from '../git/log.ts';
import type { Git } from '../git/run.ts';
import { type Evidence, isWritten } from './evidence.ts';
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

/** So many linked commits before another one are near. */
const NEAR = 5;
/** Git counts in seconds. */
const SLACK_MS = 1_000;

/**
 * Sessions whose lines can have come into a commit in another way than by a link: by a squash, a reset, or with files of another
 * branch. They are those of the checkpoints that no commit in the history names, or no other one. A few processes, however many
 * places are asked about.
 *
 * @param revision whose history it is
 * @returns by commit (`undefined`: not committed yet) and file
 */
export async function findStrangers(
  git: Git,
  store: CheckpointStore,
  revision: string,
  places: readonly AskedCommit[],
): Promise<(commit: ObjectId | undefined, path: string) => readonly Stranger[]> {
  const linked = readLog(git, { range: [revision], containing: `${CHECKPOINT_TRAILER}: ` }) ?? [];
  const namedBy = new Map<CheckpointId, Set<ObjectId>>();
  for (const { oid, links } of linked)
    for (const id of linkedIds(links)) namedBy.set(id, (namedBy.get(id) ?? new Set()).add(oid));
  const isStrange = (id: CheckpointId, { commit, checkpoints }: AskedCommit): boolean =>
    !checkpoints.includes(id) && [...(namedBy.get(id) ?? [])].every((oid) => oid === commit);
  const near = findNear(linked, places);

  const ids = (await listCheckpointIds(store)).filter((id) =>
    places.some((place) => near.get(place)?.has(id) || isStrange(id, place)),
  );
  const stored = await readCheckpoints(store, ids);
  const asked = new Set(places.flatMap(({ paths }) => paths));
  const wanted = new Map<StoredSlot, Set<string>>();
  for (const slot of [...stored.values()].flatMap(({ slots }) => slots)) {
    const paths = slot.metadata.filesTouched.filter((path) => asked.has(path));
    if (paths.length > 0) wanted.set(slot, new Set(paths));
  }
  const evidence = readStoredEdits(store, wanted);

  return (commit, path) => {
    const place = places.find((one) => one.commit === commit);
    if (!place) return [];
    const committedMs = place.committedAt
      ? Date.parse(place.committedAt) + SLACK_MS
      : Number.POSITIVE_INFINITY;
    const untilMs = place.seenAt ? Math.min(committedMs, Date.parse(place.seenAt)) : committedMs;
    return [...wanted.keys()].flatMap((slot) => {
      const known = evidence.get(slot)?.get(path);
      const { checkpoint, metadata } = slot;
      const isNear = !isStrange(checkpoint, place);
      if (!known || (isNear && !near.get(place)?.has(checkpoint))) return [];
      return Date.parse(metadata.createdAt) > untilMs ? [] : [{ slot, evidence: known, isNear }];
    });
  };
}

/** Of each commit the checkpoints of linked ones shortly before it: what a commit left, a stash may have brought back. */
function findNear(
  linked: readonly LogRow[],
  places: readonly AskedCommit[],
): Map<AskedCommit, ReadonlySet<CheckpointId>> {
  const order = linked.map(({ committedAt, oid, links }) => ({
    atMs: Date.parse(committedAt),
    oid,
    named: linkedIds(links),
  }));
  return new Map(
    places.map((place) => {
      const untilMs = place.committedAt ? Date.parse(place.committedAt) : Number.NEGATIVE_INFINITY;
      const from = order.findIndex(({ atMs }) => atMs <= untilMs);
      const before = from === -1 ? [] : order.slice(from, from + NEAR);
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
