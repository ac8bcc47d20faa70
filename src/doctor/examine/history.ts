import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { checkpointDir } from '../../checkpoint/metadata-branch.ts';
import { METADATA_REF, REMOTE_METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { readLog } from '../../git/log.ts';
import { readRevisions } from '../../git/ref/refs.ts';
import { listAllOwed } from '../../session/record/owed.ts';
import { readVerdicts } from '../../session/record/verdicts.ts';
import { listTombstones } from '../../session/tombstones.ts';
import type { Patient } from '../patient.ts';
import { type Finding, foundSome } from './finding.ts';

/** Commits of the recent history that name a checkpoint. */
export interface HistoryFacts {
  readonly commits: readonly LinkedCommit[];
}

export interface LinkedCommit {
  readonly oid: ObjectId;
  readonly checkpoint: CheckpointId;
  /** On the local metadata branch. */
  readonly isStored: boolean;
  /** `origin` had it when it was last fetched. */
  readonly isFetched: boolean;
  /** A later hook completes it. */
  readonly isOwed: boolean;
  /** Its checkpoint was stored in this repository once, or was to be. */
  readonly isMadeHere: boolean;
}

/** Commits of HEAD's history that are looked at, linked or not. */
export const HISTORY = 200;
const VERDICTS = 600;

/** Three git processes, however long the history is. */
export function readHistory({ git, repo }: Patient): HistoryFacts {
  const rows = readLog(git, { range: ['HEAD'], limit: HISTORY }) ?? [];
  // What was forgotten is not there because somebody wanted so: a fetch would bring it back.
  const forgotten = new Set(listTombstones(repo.commonDir).flatMap(({ checkpoints }) => checkpoints));
  const linked = rows.flatMap(({ oid, links: { own: checkpoint } }) =>
    checkpoint && !forgotten.has(checkpoint) ? [{ oid, checkpoint }] : [],
  );
  if (linked.length === 0) return { commits: [] };
  const at = (ref: string, id: CheckpointId) => `${ref}:${checkpointDir(id)}/metadata.json`;
  const offline = { ...git, env: { ...git.env, GIT_NO_LAZY_FETCH: '1' } };
  const names = linked.flatMap(({ checkpoint: id }) => [at(METADATA_REF, id), at(REMOTE_METADATA_REF, id)]);
  const there = readRevisions(offline, names);
  const owed = new Set<string>(listAllOwed(repo.commonDir).map(({ id }) => id));
  const made = new Set(
    readVerdicts(repo.commonDir, VERDICTS)
      .filter(({ reason }) => reason === 'linked' || reason === 'condense-failed')
      .map(({ commit }) => commit),
  );
  return {
    commits: linked.map(({ oid, checkpoint }) => ({
      oid,
      checkpoint,
      isStored: there.has(at(METADATA_REF, checkpoint)),
      isFetched: there.has(at(REMOTE_METADATA_REF, checkpoint)),
      isOwed: owed.has(checkpoint),
      isMadeHere: made.has(oid),
    })),
  };
}

/** A trailer that leads nowhere: lost here, to be had from a remote, or never shared by whoever made the commit. */
export function judgeHistory({ commits }: HistoryFacts): Finding[] {
  const dangling = commits.filter(({ isStored, isOwed }) => !isStored && !isOwed);
  const fetched = dangling.filter(({ isFetched }) => isFetched);
  const others = dangling.filter(({ isFetched }) => !isFetched);
  const name = ({ oid, checkpoint }: LinkedCommit): string => `${oid.slice(0, 12)} ${checkpoint}`;
  const [lost, elsewhere] = [others.filter((one) => one.isMadeHere), others.filter((one) => !one.isMadeHere)];
  return [
    ...foundSome('trailer-dangling', lost.map(name)),
    ...foundSome('checkpoint-not-merged', fetched.map(name)),
    ...foundSome('checkpoint-elsewhere', elsewhere.map(name)),
  ];
}
