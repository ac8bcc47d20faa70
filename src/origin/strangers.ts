import type { CheckpointId, ObjectId } from '../base/ids.ts';
import { readCheckpoints, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { type CheckpointStore, listCheckpointIds } from '../checkpoint/read/store.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { readLog } from '../git/log.ts';
import type { Git } from '../git/run.ts';
import { type Evidence, isWritten } from './evidence.ts';
import { readStoredEdits } from './stored-edits.ts';

/** A commit whose lines are asked about; without an id what is not committed yet. */
export interface AskedCommit {
  readonly commit: ObjectId | undefined;
  /** RFC 3339; what was stored later was not there to be taken. */
  readonly committedAt: string | undefined;
  /** The checkpoints that it is linked to. */
  readonly checkpoints: readonly CheckpointId[];
  /** File names in it. */
  readonly paths: readonly string[];
}

/** What a session wrote into a file for a commit that is not in the history. */
export interface Stranger {
  readonly slot: StoredSlot;
  readonly evidence: Evidence;
}

/** No commit in a repository's history. */
const ALL = 10_000_000;
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
  const namedBy = new Map<CheckpointId, Set<ObjectId>>();
  for (const { oid, links } of readLog(git, {
    range: [revision],
    limit: ALL,
    containing: `${CHECKPOINT_TRAILER}: `,
  }) ?? [])
    for (const id of linkedIds(links)) namedBy.set(id, (namedBy.get(id) ?? new Set()).add(oid));
  const isStrange = (id: CheckpointId, { commit, checkpoints }: AskedCommit): boolean =>
    !checkpoints.includes(id) && [...(namedBy.get(id) ?? [])].every((oid) => oid === commit);

  const ids = (await listCheckpointIds(store)).filter((id) => places.some((place) => isStrange(id, place)));
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
    const untilMs = place.committedAt ? Date.parse(place.committedAt) + SLACK_MS : Number.POSITIVE_INFINITY;
    return [...wanted.keys()].flatMap((slot) => {
      const known = evidence.get(slot)?.get(path);
      const { checkpoint, metadata } = slot;
      if (!known || !isStrange(checkpoint, place) || Date.parse(metadata.createdAt) > untilMs) return [];
      return [{ slot, evidence: known }];
    });
  };
}

/** Checkpoints of strangers that have one of the lines. */
export const writersAmong = (strangers: readonly Stranger[], lines: readonly string[]): CheckpointId[] => [
  ...new Set(
    strangers.flatMap(({ slot: { checkpoint }, evidence }) =>
      lines.some((line) => isWritten(line, evidence)) ? [checkpoint] : [],
    ),
  ),
];
