import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { readChangesOfEach } from '../../git/commit/commits.ts';
import type { Link, LinkPlace, Links } from '../../git/commit/links.ts';
import type { LogRow } from '../../git/log.ts';
import type { Git } from '../../git/run.ts';
import { readVerdicts, type Verdict } from '../../session/record/verdicts.ts';
import type { StoredCheckpoint } from './checkpoint.ts';
import { type Named, openHeld } from './held.ts';
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
  /**
   * Where the commit names it. Nobody copies a note, and a commit that was split has a part of what was stored; what stands in the middle of a
   * message can be anybody's words.
   */
  readonly place?: LinkPlace;
}

/** Clocks differ; and a commit can be made again, as by a merge with a squash, when its checkpoint is old. */
const LATER_MS = 60 * 60 * 1000;

/**
 * Why a checkpoint is not that of the commit by the names of files, in words; `undefined` where nothing speaks against it. What does is
 * to be held against contents ({@link openHeldOtherwise}): files are renamed.
 */
export function findMisfit(
  { authoredAt, changed, verdict, place = 'trailer' }: FitFacts,
  { id, slots, filesTouched }: Pick<StoredCheckpoint, 'id' | 'slots' | 'filesTouched'>,
): string | undefined {
  if (isDecided(verdict, id))
    return verdict?.reason === 'foreign-checkpoint'
      ? 'nothing was added to that checkpoint for this commit'
      : undefined;
  if (place === 'message' && changed.size === 0) return 'this commit changes nothing';
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
  if (!isLater || missing.length === 0 || place === 'note') return undefined;
  return `that checkpoint was complete ${age(laterMs)} before this commit was written, and holds files that are not in it (${missing[0]}${missing.length > 1 ? ' …' : ''})`;
}

/** Whether the hook after the commit knew. A commit may name others beside the one that it looked at: those that were squashed into it, or anybody's. */
const isDecided = (verdict: FitFacts['verdict'], id: CheckpointId): boolean =>
  verdict !== undefined &&
  verdict.checkpoint === id &&
  ['foreign-checkpoint', 'linked', 'sequence'].includes(verdict.reason);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function age(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  return hours < 48 ? `${Math.max(hours, 1)} h` : `${Math.round(hours / 24)} days`;
}

/** A commit, and the checkpoints that it names. */
type Linked = Pick<LogRow, 'oid' | 'parents' | 'authoredAt' | 'links'>;

/** Where a commit names a checkpoint, as far as that says something: of several trailers only the last one is its own. */
export const claimedIn = ({ own }: Links, { id, place }: Link): LinkPlace =>
  place === 'trailer' && id !== own ? 'message' : place;

/** A commit that names a checkpoint which is not its own. */
export interface Misfit {
  readonly commit: ObjectId;
  readonly checkpoint: CheckpointId;
  readonly why: string;
}

/** What commits name and what does not fit them. */
export interface Misfits {
  readonly all: readonly Misfit[];
  /** Why a checkpoint that a commit names is not its own; `undefined` where nothing speaks against it. */
  of(commit: ObjectId, checkpoint: CheckpointId): string | undefined;
}

/**
 * What does not fit of all that several commits name; what is not stored is left out. One process, and two more where names speak against one.
 *
 * @param commonDir where the verdicts of this clone are
 */
export function findMisfits(
  git: Git,
  commonDir: string,
  commits: readonly Linked[],
  stored: ReadonlyMap<string, StoredCheckpoint>,
): Misfits {
  const all = listMisfits(git, commonDir, commits, stored);
  const byLink = new Map(all.map(({ commit, checkpoint, why }) => [`${commit} ${checkpoint}`, why]));
  return { all, of: (commit, checkpoint) => byLink.get(`${commit} ${checkpoint}`) };
}

/** What a commit leads to. */
export interface LedTo {
  /** What is stored and fits; where nothing does, the one that the commit says is its own. */
  readonly checkpoints: readonly StoredCheckpoint[];
  /** Why that is not the commit's own, or the first of those that it names otherwise. */
  readonly misfit: string | undefined;
}

/** Of what a commit names, what is its own. */
export function followLinks(
  { oid, links }: Pick<Linked, 'oid' | 'links'>,
  stored: ReadonlyMap<string, StoredCheckpoint>,
  misfits: Misfits,
): LedTo {
  const there = links.all.flatMap(({ id }) => stored.get(id) ?? []);
  const fitting = there.filter(({ id }) => misfits.of(oid, id) === undefined);
  const [first] = there;
  if (fitting.length > 0 || !first) return { checkpoints: fitting, misfit: undefined };
  return { checkpoints: there.filter(({ id }) => id === links.own), misfit: misfits.of(oid, first.id) };
}

function listMisfits(
  git: Git,
  commonDir: string,
  commits: readonly Linked[],
  stored: ReadonlyMap<string, StoredCheckpoint>,
): Misfit[] {
  const linked = commits.flatMap((commit) =>
    commit.links.all.flatMap((link) => {
      const checkpoint = stored.get(link.id);
      return checkpoint ? [{ ...commit, stored: checkpoint, place: claimedIn(commit.links, link) }] : [];
    }),
  );
  if (linked.length === 0) return [];
  const verdicts = new Map(
    readVerdicts(commonDir, Number.POSITIVE_INFINITY).map((verdict) => [verdict.commit, verdict]),
  );
  const asked = linked.filter(({ oid, stored: { id } }) => !isDecided(verdicts.get(oid), id));
  const changes = readChangesOfEach(
    git,
    [...new Map(asked.map((one) => [one.oid, one.parents[0]]))].map(([commit, parent]) => ({
      commit,
      ...(parent ? { parent } : {}),
    })),
  );
  const odd = linked.flatMap(({ oid: commit, parents: [parent], authoredAt, place, stored: checkpoint }) => {
    const changed = new Set<string>(changes.get(commit)?.keys());
    const verdict = verdicts.get(commit);
    const why = findMisfit({ authoredAt, changed, verdict, place }, checkpoint);
    return why === undefined ? [] : [{ commit, parent, place, checkpoint, verdict, why }];
  });
  const isHeld = openHeldOtherwise(git, odd);
  return odd.flatMap(({ commit, checkpoint: { id }, why }) =>
    isHeld(commit, id) ? [] : [{ commit, checkpoint: id, why }],
  );
}

/** Tells of commits that {@link findMisfit} speaks against whether they hold the work under other names. Where the hook knew, it stays as it said. */
export const openHeldOtherwise = (
  git: Git,
  odd: readonly (Named & Pick<FitFacts, 'verdict'>)[],
): ReturnType<typeof openHeld> =>
  openHeld(
    git,
    odd.filter(({ verdict, checkpoint }) => !isDecided(verdict, checkpoint.id)),
  );

/** A misfit as a problem of a checkpoint that several commits may name. */
export const tellMisfit = (commit: string, misfit: string): string =>
  `commit ${commit.slice(0, 7)} names it, and it does not fit: ${misfit}`;

/** What is odd about a checkpoint is also that commits name it which it is not the one of. */
export function withMisfits(checkpoint: StoredCheckpoint, misfits: Misfits): StoredCheckpoint {
  const told = misfits.all.flatMap(({ commit, checkpoint: id, why }) =>
    id === checkpoint.id ? [tellMisfit(commit, why)] : [],
  );
  return told.length > 0 ? { ...checkpoint, problems: [...checkpoint.problems, ...told] } : checkpoint;
}
