import type { CheckpointId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks } from '../../checkpoint/read/fit.ts';
import { openCheckpoints } from '../../checkpoint/read/store.ts';
import { readChangesOfEach } from '../../git/commit/commits.ts';
import { linkedIds } from '../../git/commit/links.ts';
import type { Repo } from '../../git/locate.ts';
import { type LogRow, readLog } from '../../git/log.ts';
import { type Git, gitFor } from '../../git/run.ts';
import { resolveReason, type WhyReason } from '../../origin/reason.ts';
import { findSources, isUnexplained } from '../../origin/sources.ts';
import { readVerdicts, type Verdict } from '../../session/record/verdicts.ts';
import { listTombstones, stonesOf, type Tombstone } from '../../session/tombstones.ts';
import { readSetUp } from '../ui/repo.ts';

const SHOWN = 5;
/** Nothing was recorded, and the reason is how things stand today. */
const UNRECORDED: ReadonlySet<WhyReason> = new Set(['no-record', 'hooks-missing', 'disabled']);

/** What became of one of the last commits: as its hook saw it, or as is known today. */
export interface LastCommit extends Omit<Verdict, 'reason'> {
  readonly reason: WhyReason;
}

/** The newest commits in the history of HEAD, as `entire why` judges each. Those from before the records here are left out. */
export async function readLastCommits(repo: Repo, hooksDir: string): Promise<LastCommit[]> {
  const git = gitFor(repo);
  const setUp = once(() => readSetUp(repo, () => hooksDir));
  const rows = readLog(git, { range: ['HEAD'], limit: SHOWN }) ?? [];
  const verdicts = readVerdicts(repo.commonDir, Number.POSITIVE_INFINITY);
  const stones = listTombstones(repo.commonDir);
  const firstVerdictAt = verdicts.at(-1)?.at;
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.commit, verdict]));
  // What the hook linked just now it need not prove again.
  const named = rows.filter(
    ({ oid, links }) =>
      links.all.length > 0 &&
      (verdictOf.get(oid)?.reason !== 'linked' ||
        links.all.some(({ id }) => stonesOf(stones, id).length > 0)),
  );
  const ids = named.flatMap(({ links }) => linkedIds(links));
  const stored: ReadonlyMap<CheckpointId, StoredCheckpoint> =
    ids.length > 0 ? await readCheckpoints(openCheckpoints(git, repo.commonDir), ids) : new Map();
  const misfits = findMisfits(git, repo.commonDir, named, stored);
  const made = await findMade(repo, git, rows, verdictOf);

  return rows.flatMap((row): LastCommit[] => {
    const verdict = verdictOf.get(row.oid);
    if (verdict && made.has(row.oid))
      return [{ commit: row.oid, at: verdict.at, reason: 'merge', sessions: [] }];
    if (verdict && !named.includes(row)) return [verdict];
    const { committedAt, message } = row;
    const { own: trailer } = row.links;
    const led = followLinks(row, stored, misfits);
    const misfit = trailer && misfits.of(row.oid, trailer);
    const checkpoint = trailer && stored.get(trailer);
    const others = led.misfit === undefined ? led.checkpoints.filter(({ id }) => id !== trailer) : [];
    const { reason } = resolveReason({
      ...{
        committedAt,
        parents: row.parents.length,
        message,
        trailer,
        checkpoint,
        misfit,
        isMadeOf: others.length > 0,
        verdict,
        firstVerdictAt,
      },
      setUp: verdict || trailer ? 'complete' : setUp(),
    });
    // Git's times are whole seconds: who was there before the first record may seem as old as it.
    const isOlder = !(Date.parse(row.committedAt) > Date.parse(firstVerdictAt ?? ''));
    if (reason === 'before-records' || (isOlder && UNRECORDED.has(reason))) return [];
    if (reason === 'made-of') return [tell(stones, row, verdict, reason, others[0], undefined)];
    return [tell(stones, row, verdict, reason, checkpoint, misfit)];
  });
}

/** Commits that were made of others whose checkpoints no commit is linked to any more: squashed, or made again. */
async function findMade(
  repo: Repo,
  git: Git,
  rows: readonly LogRow[],
  verdictOf: ReadonlyMap<string, Verdict>,
): Promise<Set<string>> {
  const asked = rows.filter(({ oid, links }) => {
    const reason = verdictOf.get(oid)?.reason;
    return reason && links.all.length === 0 && isUnexplained(reason);
  });
  if (asked.length === 0) return new Set();
  const changes = readChangesOfEach(
    git,
    asked.map(({ oid, parents: [parent] }) => ({ commit: oid, ...(parent && { parent }) })),
  );
  const sources = await findSources(
    git,
    openCheckpoints(git, repo.commonDir),
    asked.map(({ oid, committedAt }) => ({
      commit: { oid, changes: changes.get(oid) ?? new Map() },
      committedAt,
    })),
  );
  return new Set([...sources].flatMap(([oid, ids]) => (ids.length > 0 ? [oid] : [])));
}

function tell(
  stones: readonly Tombstone[],
  { oid, committedAt, links: { own } }: LogRow,
  verdict: Verdict | undefined,
  reason: WhyReason,
  checkpoint: StoredCheckpoint | undefined,
  misfit: string | undefined,
): LastCommit {
  const id = reason === 'made-of' ? checkpoint?.id : own;
  const told = { commit: oid, at: verdict?.at ?? committedAt, ...(id && { checkpoint: id }) };
  if (misfit !== undefined) return { ...told, reason, detail: misfit, sessions: [] };
  // A verdict is of the day: what was forgotten since is not told as linked.
  const forgotten = id ? stonesOf(stones, id) : [];
  if (forgotten.length > 0 && !checkpoint) return { ...told, reason: 'forgotten', sessions: [] };
  const detail = verdict?.reason === reason && verdict.detail ? { detail: verdict.detail } : {};
  const whole = new Set<string>(forgotten.filter(({ isWhole }) => isWhole).map(({ sessionId }) => sessionId));
  const sessions = verdict?.sessions.length
    ? verdict.sessions
    : (checkpoint?.slots.map(({ metadata }) => metadata.sessionId) ?? []);
  return { ...told, reason, ...detail, sessions: sessions.filter((session) => !whole.has(session)) };
}
