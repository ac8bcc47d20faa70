import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import { readBlobs } from '../../checkpoint/read/blobs.ts';
import { listTracked } from '../../checkpoint/remote-refs.ts';
import { readRefsBelow } from '../../git/ref/refs.ts';
import { type Git, gitText } from '../../git/run.ts';
import { RESTORE_LOCK } from '../../restore/putting-back.ts';
import { isLockDead } from '../../session/lock.ts';
import { listAllOwed } from '../../session/record/owed.ts';
import { ONLY_COPY_MS } from '../../session/state-store.ts';
import { SCRUB_LOCK } from '../../strategy/scrub/scrub.ts';
import type { Work } from '../../strategy/work.ts';

/** Where something of ours is being made, and what is made there stands elsewhere as well; and who makes it has a lock. */
const WORKSHOPS = ['refs/entire/scrub/', 'refs/entire/rewind/'];
const LOCKS = [SCRUB_LOCK, RESTORE_LOCK];
/** Commits that auto-commit was making. */
const AUTO = 'refs/entire/auto/';
/** What a person had staged before a reset. */
const STAGED = 'refs/entire/staged/';

const isWorkshop = (ref: string): boolean => WORKSHOPS.some((place) => ref.startsWith(place));

/** A ref below `refs/entire/` that goes some day. */
export interface OwnRef {
  readonly ref: string;
  readonly tip: ObjectId;
  /** `undefined` where nothing says it. */
  readonly ageMs: number | undefined;
  /** Who makes it has the lock for that at this moment. */
  readonly isLocked: boolean;
  /** A later hook needs it. */
  readonly isOwed: boolean;
  /** A branch, tag or remote leads to what it leads to. */
  readonly isHeld: boolean;
}

/** Whatever is at work finishes within this time. */
export const AT_WORK_MS = 10 * 60 * 1000;

/**
 * `free`: nothing is lost with it. `expired`: it may be the only copy, and is old enough all the same. The others stay:
 * `at-work`, or too young to be looked at; `owed`; `only-copy`.
 */
export type RefVerdict = 'free' | 'expired' | 'at-work' | 'owed' | 'only-copy';

/** The one rule for whoever deletes such refs. */
export function judgeRef({ ref, ageMs, isLocked, isOwed, isHeld }: Omit<OwnRef, 'tip'>): RefVerdict {
  if (isOwed) return 'owed';
  if (isLocked || ageMs === undefined || ageMs <= AT_WORK_MS) return 'at-work';
  if (isHeld || isWorkshop(ref)) return 'free';
  return ageMs > ONLY_COPY_MS ? 'expired' : 'only-copy';
}

/** All such refs. One process, and two more where there are some. */
export function listOwnRefs({ repo, git }: Pick<Work, 'repo' | 'git'>, nowMs: number): OwnRef[] {
  const refs = [...readRefsBelow(git, [...WORKSHOPS, AUTO, STAGED])];
  if (refs.length === 0) return [];
  const owed = new Set<string>(listAllOwed(repo.commonDir).map(({ id }) => id));
  const lonely = findLonely(
    git,
    refs.flatMap(([ref, tip]) => (isWorkshop(ref) ? [] : [tip])),
  );
  const locked = WORKSHOPS.filter((_, at) => isLocked(join(repo.commonDir, 'entire', `${LOCKS[at]}.lock`)));
  const born = readTimes(git, repo.commonDir, refs);
  return refs.map(([ref, tip]) => {
    const checkpoint = parseCheckpointId(ref.startsWith(AUTO) ? ref.slice(AUTO.length).split('/')[0] : '');
    const bornMs = born.get(ref);
    return {
      ...{ ref, tip },
      ageMs: bornMs === undefined ? undefined : nowMs - bornMs,
      isLocked: locked.some((place) => ref.startsWith(place)),
      isOwed: checkpoint !== undefined && owed.has(checkpoint),
      isHeld: !lonely.has(tip),
    };
  });
}

const isLocked = (folder: string): boolean => disk.existsSync(folder) && !isLockDead(folder);

/**
 * When refs were made: that of the file. Where there is none (packed, or no files at all), what the commit says, which may be
 * as old as the one that it was made of.
 */
function readTimes(
  git: Git,
  commonDir: string,
  refs: ReadonlyArray<readonly [string, ObjectId]>,
): Map<string, number> {
  const times = new Map<string, number>();
  for (const [ref] of refs) {
    const stat = disk.lstatSync(join(commonDir, ref), { throwIfNoEntry: false });
    if (stat?.isFile()) times.set(ref, stat.mtimeMs);
  }
  const packed = refs.filter(([ref]) => !times.has(ref));
  const { found } = readBlobs(
    git,
    packed.map(([, tip]) => tip),
  );
  for (const [ref, tip] of packed) {
    const commit = found.get(tip)?.data.toString('latin1') ?? '';
    const seconds = /^committer .*> (\d+) [+-]\d{4}$/m.exec(commit)?.[1];
    if (seconds !== undefined) times.set(ref, Number(seconds) * 1000);
  }
  return times;
}

/** Which commits no ref leads to but these; all of them where git cannot tell. One process. */
function findLonely(git: Git, tips: readonly ObjectId[]): ReadonlySet<string> {
  if (tips.length === 0) return new Set();
  const ours = [...WORKSHOPS, AUTO, STAGED].map((place) => `--exclude=${place}*`);
  try {
    const args = ['rev-list', ...tips, '--not', ...ours, '--all', '--'];
    return new Set(gitText(git, args).split('\n'));
  } catch {
    return new Set(tips);
  }
}

/** Where checkpoints were on each remote when it was last asked. One process. */
export const readRemoteTips = (git: Git): ObjectId[] => listTracked(git).map(({ tip }) => tip);
