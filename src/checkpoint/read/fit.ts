import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { readChangesOfEach } from '../../git/commit/commits.ts';
import type { LogRow } from '../../git/log.ts';
import type { Git } from '../../git/run.ts';
import { readVerdicts, type Verdict } from '../../session/record/verdicts.ts';
import type { StoredCheckpoint } from './checkpoint.ts';
import { among } from './listed.ts';

/**
 * Whether a checkpoint is that of a commit whose message names it. Anybody can copy an id, so that readers show the link only
 * where nothing speaks against it. What a rebase, an amend, a cherry-pick or a squash makes of a commit keeps its files, most of
 * them, or its author's date, and fits.
 */

/** What is known of a commit. */
export interface FitFacts {
  /** When it was written: RFC 3339; stays when it is replayed. */
  readonly authoredAt: string;
  /** Paths that it changed since its first parent. */
  readonly changed: ReadonlySet<string>;
  /** What the hook after the commit found, where it ran in this clone. */
  readonly verdict: Pick<Verdict, 'reason' | 'checkpoint'> | undefined;
}

/** Clocks differ; and a commit can be made again, as by a merge with a squash, when its checkpoint is old. */
const LATER_MS = 60 * 60 * 1000;

/** Why a checkpoint is not that of the commit, in words; `undefined` where nothing speaks against it. */
export function findMisfit(
  { authoredAt, changed, verdict }: FitFacts,
  { id, slots, filesTouched }: Pick<StoredCheckpoint, 'id' | 'slots' | 'filesTouched'>,
): string | undefined {
  if (isDecided(verdict, id))
    return verdict?.reason === 'foreign-checkpoint'
      ? 'nothing was added to that checkpoint for this commit'
      : undefined;
  // The checkpoint of a task names none, and a commit may change nothing.
  if (filesTouched.length === 0 || changed.size === 0) return undefined;
  const complete = Math.max(...slots.map(({ metadata }) => Date.parse(metadata.createdAt)));
  const laterMs = Date.parse(authoredAt) - complete;
  const isLater = laterMs > LATER_MS;
  const isChanged = among(changed);
  const missing = filesTouched.filter((name) => !isChanged(name));
  if (missing.length === filesTouched.length) {
    // Where it was replayed on a branch that calls them otherwise.
    const names = new Set([...changed].map(nameOf));
    if (isLater || !missing.some((path) => names.has(nameOf(path))))
      return 'none of the files in that checkpoint are in this commit';
  }
  if (!isLater || missing.length === 0) return undefined;
  return `that checkpoint was complete ${age(laterMs)} before this commit was written, and holds files that are not in it (${missing[0]}${missing.length > 1 ? ' …' : ''})`;
}

/** Whether the hook after the commit knew. A commit may name others beside the one that it looked at: those that were squashed into it, or anybody's. */
const isDecided = (verdict: FitFacts['verdict'], id: CheckpointId): boolean =>
  verdict !== undefined &&
  (verdict.checkpoint ?? id) === id &&
  ['foreign-checkpoint', 'linked', 'sequence'].includes(verdict.reason);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function age(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  return hours < 48 ? `${Math.max(hours, 1)} h` : `${Math.round(hours / 24)} days`;
}

/** A commit, and one checkpoint that its message names. */
type Link = Pick<LogRow, 'oid' | 'parents' | 'authoredAt' | 'checkpoint'>;

/** A commit that names a checkpoint which is not its own. */
export interface Misfit {
  readonly commit: ObjectId;
  readonly checkpoint: CheckpointId;
  readonly why: string;
}

/** {@link listMisfits} by commit, where each stands for one checkpoint. */
export const findMisfits = (...[git, commonDir, commits, stored]: Parameters<typeof listMisfits>) =>
  new Map(listMisfits(git, commonDir, commits, stored).map(({ commit, why }) => [commit, why]));

/**
 * {@link findMisfit} of several commits; those that fit are left out. One process.
 *
 * @param commonDir where the verdicts of this clone are
 */
export function listMisfits(
  git: Git,
  commonDir: string,
  commits: readonly Link[],
  stored: ReadonlyMap<string, StoredCheckpoint>,
): Misfit[] {
  const linked = commits.flatMap((commit) => {
    const checkpoint = commit.checkpoint && stored.get(commit.checkpoint);
    return checkpoint ? [{ ...commit, stored: checkpoint }] : [];
  });
  if (linked.length === 0) return [];
  const verdicts = new Map(
    readVerdicts(commonDir, Number.POSITIVE_INFINITY).map((verdict) => [verdict.commit, verdict]),
  );
  const asked = linked.flatMap(({ oid, parents: [parent], stored: { id } }) =>
    isDecided(verdicts.get(oid), id) ? [] : [{ commit: oid, ...(parent ? { parent } : {}) }],
  );
  const changes = readChangesOfEach(git, asked);
  return linked.flatMap(({ oid: commit, authoredAt, stored: checkpoint }) => {
    const changed = new Set<string>(changes.get(commit)?.keys());
    const why = findMisfit({ authoredAt, changed, verdict: verdicts.get(commit) }, checkpoint);
    return why === undefined ? [] : [{ commit, checkpoint: checkpoint.id, why }];
  });
}

/** A misfit as a problem of a checkpoint that several commits may name. */
export const tellMisfit = (commit: string, misfit: string): string =>
  `commit ${commit.slice(0, 7)} names it, and it does not fit: ${misfit}`;

/** What is odd about a checkpoint is also that commits name it which it is not the one of. */
export function withMisfits(
  checkpoint: StoredCheckpoint | undefined,
  rows: readonly Pick<LogRow, 'oid' | 'checkpoint'>[],
  misfits: ReadonlyMap<ObjectId, string>,
): StoredCheckpoint | undefined {
  const told = rows.flatMap(({ oid, checkpoint: id }) => {
    const misfit = misfits.get(oid);
    return id === checkpoint?.id && misfit !== undefined ? [tellMisfit(oid, misfit)] : [];
  });
  return checkpoint && told.length > 0
    ? { ...checkpoint, problems: [...checkpoint.problems, ...told] }
    : checkpoint;
}
