import type { CheckpointId } from '../base/ids.ts';
import { readBlobs } from '../checkpoint/read/blobs.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, withMisfits } from '../checkpoint/read/fit.ts';
import { splitPrompts } from '../checkpoint/read/texts.ts';
import type { LogRow } from '../git/log.ts';
import { CHECKPOINT_TRAILER } from '../git/trailers.ts';
import type { Branch } from './branch.ts';
import { type FoundPoint, isOf, type Point } from './point.ts';
import { firstPrompts } from './prompts.ts';
import { readBranchLog } from './range.ts';
import { readTemporaryPoints } from './temporary.ts';

/** Points shown at most. A limit on the result: commits are examined until so many are found. */
const MAX_POINTS = 100;

const PROMPTS = 'prompt.txt';

export interface Points {
  /** Newest first. */
  readonly points: readonly Point[];
  /** Checkpoints that commits among those looked at name, and this repository does not have. */
  readonly missing: readonly CheckpointId[];
}

/**
 * The points of a branch: commits of this branch whose checkpoint exists, and the steps of this worktree that no commit
 * has yet. No transcript is read.
 *
 * @param session only points of sessions whose id begins so
 */
export async function readPoints(branch: Branch, session?: string): Promise<Points> {
  const committed = await readCommitted(branch, session);
  const found = [...committed.points, ...readTemporaryPoints(branch, session, MAX_POINTS)]
    .sort((a, b) => Date.parse(b.commit.committedAt) - Date.parse(a.commit.committedAt))
    .slice(0, MAX_POINTS);
  const files = found.map(({ promptFile, slot }) => promptFile ?? slot?.files.get(PROMPTS));
  const missed = files.flatMap((file, index) =>
    file && !found[index]?.slot?.texts.has(PROMPTS) ? [file] : [],
  );
  const blobs = readBlobs(branch.store.git, [...new Set(missed)]).found;
  const textOf = ({ slot }: FoundPoint, index: number): string =>
    slot?.texts.get(PROMPTS) ?? blobs.get(files[index] ?? '')?.data.toString('utf8') ?? '';
  const prompts = firstPrompts(
    found.map((point, index) => ({
      key: point.slot ? `${point.slot.checkpoint}/${point.slot.index}` : point.commit.oid,
      sessionId: point.sessionId,
      prompts: splitPrompts(textOf(point, index)),
      isWhole: isWhole(point.slot),
    })),
  );
  const points = found.map(({ slot: _, promptFile: __, ...point }, index) => ({
    ...point,
    prompt: prompts[index] ?? '',
  }));
  return { points, missing: committed.missing };
}

/** Whether the prompts that are stored with a slot are its own, and none of an earlier checkpoint's. */
const isWhole = (slot: StoredSlot | undefined): boolean =>
  slot?.metadata.strategy === 'auto-commit' || slot?.metadata.checkpointTranscriptStart === 0;

/** Commits asked for at first; more where their checkpoints turn out not to exist or not to be wanted. */
const FIRST_BATCH = MAX_POINTS;
const LARGEST_BATCH = 4096;

async function readCommitted(
  branch: Branch,
  session: string | undefined,
): Promise<{ points: FoundPoint[]; missing: CheckpointId[] }> {
  const points: FoundPoint[] = [];
  const missing = new Set<CheckpointId>();
  if (branch.store.tips.length === 0) return { points, missing: [] };
  const containing = `${CHECKPOINT_TRAILER}:`;
  for (let skip = 0, limit = FIRST_BATCH; points.length < MAX_POINTS; ) {
    const rows = readBranchLog(branch, { limit, skip, containing });
    const ids = rows.flatMap(({ checkpoint }) => checkpoint ?? []);
    const stored = await readCheckpoints(
      branch.store,
      ids,
      session === undefined ? [PROMPTS] : [], // of those that are looked through for a session few are shown
    );
    const misfits = findMisfits(branch.git, branch.repo.commonDir, rows, stored);
    for (const row of rows) {
      const checkpoint = row.checkpoint && withMisfits(stored.get(row.checkpoint), rows, misfits);
      const point = checkpoint && toPoint(row, checkpoint, session);
      if (point) points.push(point);
      else if (row.checkpoint && !checkpoint) missing.add(row.checkpoint);
    }
    if (rows.length < limit) break;
    skip += limit;
    limit = Math.min(limit * 4, LARGEST_BATCH);
  }
  return { points: points.slice(0, MAX_POINTS), missing: [...missing] };
}

function toPoint(
  commit: LogRow,
  checkpoint: StoredCheckpoint,
  session: string | undefined,
): FoundPoint | undefined {
  const slot = checkpoint.slots.findLast(({ metadata }) => isOf(metadata.sessionId, session));
  if (!slot && session !== undefined) return undefined;
  const isTask = checkpoint.slots.some(({ metadata }) => metadata.other.is_task === true);
  const sessionId = slot?.metadata.sessionId ?? '';
  return { commit, checkpoint, sessionId, isTask, slot, promptFile: undefined };
}
