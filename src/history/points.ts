import type { CheckpointId } from '../base/ids.ts';
import { readBlobs } from '../checkpoint/read/blobs.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks, withMisfits } from '../checkpoint/read/fit.ts';
import { splitPrompts } from '../checkpoint/read/texts.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import type { LogRow } from '../git/log.ts';
import { listTombstones, stonesOf, type Tombstone } from '../session/tombstones.ts';
import type { Branch } from './branch.ts';
import { hasOnlyOwnPrompts } from './commit-prompts.ts';
import { readStepPrompts } from './detail.ts';
import { findLeftBehind, type LeftBehind } from './left-behind.ts';
import { type OwnPrompts, readOwnPrompts } from './own-prompts.ts';
import { type FoundPoint, isOf, type Point } from './point.ts';
import { growingBatches, readBranchLog } from './range.ts';
import { readTemporaryPoints } from './temporary.ts';

/** Points shown at most. A limit on the result: commits are examined until so many are found. */
const MAX_POINTS = 100;

const PROMPTS = 'prompt.txt';

export interface Points {
  /** Newest first. */
  readonly points: readonly Point[];
  /** Checkpoints that commits among those looked at name, and this repository does not have. */
  readonly missing: readonly CheckpointId[];
  /** The same of those that are not there because they were forgotten. */
  readonly forgotten: readonly CheckpointId[];
}

/**
 * The points of a branch: commits of this branch whose checkpoint exists, and the steps of this worktree that no commit
 * has yet. Transcripts are read only where the prompts alone do not tell which of them is a point's own.
 *
 * @param session only points of sessions whose id begins so
 */
export async function readPoints(branch: Branch, session?: string): Promise<Points> {
  const committed = await readCommitted(branch, session);
  const found = [...committed.points, ...readTemporaryPoints(branch, session, MAX_POINTS)]
    .sort((a, b) => Date.parse(b.commit.committedAt) - Date.parse(a.commit.committedAt))
    .slice(0, MAX_POINTS);
  const files = found.map(({ commit, metadataDir, slot }) =>
    slot ? slot.files.get(PROMPTS) : metadataDir && `${commit.oid}:${metadataDir}/${PROMPTS}`,
  );
  const missed = files.flatMap((file, index) =>
    file && !found[index]?.slot?.texts.has(PROMPTS) ? [file] : [],
  );
  const blobs = readBlobs(branch.store.git, [...new Set(missed)]).found;
  const textOf = ({ slot }: FoundPoint, index: number): string =>
    slot?.texts.get(PROMPTS) ?? blobs.get(files[index] ?? '')?.data.toString('utf8') ?? '';
  const stored = found.map((point, index) => splitPrompts(textOf(point, index)));
  const left = findLeftBehind(
    found.flatMap(({ slot }, index) => (slot ? [[slot, stored[index] ?? []] as const] : [])),
  );
  const rows = found.map((point, index): Row => {
    const { slot, commit, sessionId } = point;
    return {
      key: slot ? `${slot.checkpoint}/${slot.index}` : commit.oid,
      sessionId,
      prompts: stored[index] ?? [],
      isWhole: slot !== undefined && hasOnlyOwnPrompts(slot) && !left.has(slot),
      isLeft: slot !== undefined && left.has(slot),
      point,
    };
  });
  const prompts = firstPrompts(rows, (asked) => readOwn(branch, asked, left));
  const points = rows.map(({ point: { slot: _, metadataDir: __, ...point } }, index): Point => {
    const { prompt = '', isMasked = false } = prompts[index] ?? {};
    return { ...point, prompt, forgotten: isMasked ? findForgottenPart(committed.stones, point) : undefined };
  });
  const { missing, forgotten } = committed;
  return { points, missing, forgotten };
}

interface Row extends PromptRow {
  readonly point: FoundPoint;
}

/** What was forgotten of the session that stands for a point. */
const findForgottenPart = (
  stones: readonly Tombstone[],
  { checkpoint, sessionId }: Pick<FoundPoint, 'checkpoint' | 'sessionId'>,
): Tombstone | undefined =>
  checkpoint && stonesOf(stones, checkpoint.id).find((stone) => stone.sessionId === sessionId);

function readOwn(
  branch: Branch,
  rows: readonly Row[],
  left: ReadonlyMap<StoredSlot, LeftBehind>,
): Map<Row, OwnPrompts> {
  const slots = rows.flatMap(({ point }) => point.slot ?? []);
  const ofSlots = readOwnPrompts(branch.store, [...new Set(slots)], left);
  return new Map(
    rows.map((row) => {
      const { slot } = row.point;
      return [row, (slot && ofSlots.get(slot)) ?? readStepPrompts(branch, row.point)];
    }),
  );
}

/** Commits asked for at first; more where their checkpoints turn out not to exist or not to be wanted. */
const FIRST_BATCH = MAX_POINTS;

async function readCommitted(
  branch: Branch,
  session: string | undefined,
): Promise<Omit<Points, 'points'> & { points: FoundPoint[]; stones: readonly Tombstone[] }> {
  const points: FoundPoint[] = [];
  const stones = listTombstones(branch.repo.commonDir);
  const lost = new Set<CheckpointId>();
  if (branch.store.tips.length === 0) return { points, missing: [], forgotten: [], stones };
  const containing = `${CHECKPOINT_TRAILER}:`;
  for (const rows of growingBatches(FIRST_BATCH, (part) => readBranchLog(branch, { ...part, containing }))) {
    const ids = rows.flatMap(({ links }) => linkedIds(links));
    const stored = await readCheckpoints(
      branch.store,
      ids,
      session === undefined ? [PROMPTS] : [], // of those that are looked through for a session few are shown
    );
    const misfits = findMisfits(branch.git, branch.repo.commonDir, rows, stored);
    for (const row of rows) {
      for (const checkpoint of followLinks(row, stored, misfits).checkpoints)
        points.push(...toPoints(row, withMisfits(checkpoint, misfits), session));
      for (const id of linkedIds(row.links)) if (!stored.has(id)) lost.add(id);
    }
    if (points.length >= MAX_POINTS) break;
  }
  const isForgotten = (id: CheckpointId): boolean => stonesOf(stones, id).length > 0;
  const missing = [...lost].filter((id) => !isForgotten(id));
  return { points: points.slice(0, MAX_POINTS), missing, forgotten: [...lost].filter(isForgotten), stones };
}

function toPoints(commit: LogRow, checkpoint: StoredCheckpoint, session: string | undefined): FoundPoint[] {
  const slot = checkpoint.slots.findLast(({ metadata }) => isOf(metadata.sessionId, session));
  if (!slot && session !== undefined) return [];
  const isTask = checkpoint.slots.some(({ metadata }) => metadata.other.is_task === true);
  const sessionId = slot?.metadata.sessionId ?? '';
  return [{ commit, checkpoint, sessionId, isTask, slot, metadataDir: undefined }];
}

/** What is known of the prompts of a point, in the order of the list: newest first. */
export interface PromptRow {
  /** The same for rows that lead to the same checkpoint. */
  readonly key: string;
  readonly sessionId: string;
  /** Stored with the point: as a rule all prompts of its session up to it. */
  readonly prompts: readonly string[];
  /** All of them are the point's own: its part of the transcript begins where the session does. */
  readonly isWhole: boolean;
  /** It has what an earlier commit left behind: only its transcript tells which turns wrote that. */
  readonly isLeft?: boolean;
}

interface FirstPrompt {
  /** Empty where there is none. */
  readonly prompt: string;
  /** It was taken out: private, or forgotten. */
  readonly isMasked: boolean;
}

/**
 * The first prompt of each point's own part of its session. That of the last prompt is sure where the point before it in the list
 * has all others; else only the point's own part of the transcript tells: points that lay between need not be in the list any more.
 *
 * @param readOwn what the own parts of rows say; asked once, for those that need it
 */
export function firstPrompts<R extends PromptRow>(
  rows: readonly R[],
  readOwn: (rows: readonly R[]) => ReadonlyMap<R, OwnPrompts>,
): FirstPrompt[] {
  const told = new Map(rows.map((row, index) => [row, tellWithoutTranscript(rows, row, index)]));
  const asked = rows.filter((row) => told.get(row) === undefined);
  const own = asked.length > 0 ? readOwn(asked) : new Map<R, OwnPrompts>();
  return rows.map((row) => {
    const known = told.get(row) ?? own.get(row)?.prompts[0];
    if (known !== undefined) return { prompt: known, isMasked: false };
    // What was taken out was its own; where nothing was, the prompt before it led to it.
    const isMasked = own.get(row)?.isMasked ?? false;
    return { prompt: (isMasked ? undefined : row.prompts.at(-1)) ?? '', isMasked };
  });
}

function tellWithoutTranscript<R extends PromptRow>(
  rows: readonly R[],
  { key, sessionId, prompts, isWhole, isLeft }: R,
  index: number,
): string | undefined {
  if (isWhole) return prompts[0];
  if (isLeft) return undefined;
  const before = rows.find((row, at) => at > index && row.sessionId === sessionId && row.key !== key);
  const isNext = before?.prompts.length === prompts.length - 1;
  return isNext && before?.prompts.every((prompt, at) => prompt === prompts[at]) ? prompts.at(-1) : undefined;
}
