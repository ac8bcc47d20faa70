import { parseCheckpointId } from '../base/ids.ts';
import { readCheckpoints } from '../checkpoint/read/checkpoint.ts';
import { findMisfits } from '../checkpoint/read/fit.ts';
import { openCheckpoints } from '../checkpoint/read/store.ts';
import type { Repo } from '../git/locate.ts';
import { readLog } from '../git/log.ts';
import { askGit, gitFor } from '../git/run.ts';
import { listTombstones } from '../session/tombstones.ts';
import { readVerdicts, type Verdict } from '../session/verdicts.ts';

const SHOWN = 5;

/** The newest verdicts. `git merge` runs no hook after the commit it makes: that one is judged now. */
export async function readLastCommits(repo: Repo): Promise<Verdict[]> {
  const verdicts = await judgeForgotten(repo, await judgeKept(repo, readVerdicts(repo.commonDir, SHOWN)));
  const format = '--format=%H %cI %P';
  const head = await askGit(gitFor(repo), 'log', '-1', '--no-show-signature', format, 'HEAD').catch(() => '');
  const [commit = '', at = '', ...parents] = head.split(' ');
  if (parents.length < 2 || verdicts.some((verdict) => verdict.commit === commit)) return verdicts;
  const merge: Verdict = { commit, at, reason: 'merge', sessions: [] };
  return [merge, ...verdicts].slice(0, SHOWN);
}

/** The hook saw that a message kept its id, and not whose it is: `git commit -C` takes that of any commit. */
async function judgeKept(repo: Repo, verdicts: readonly Verdict[]): Promise<Verdict[]> {
  const kept = new Set(verdicts.filter(({ reason }) => reason === 'kept').map(({ commit }) => commit));
  if (kept.size === 0) return [...verdicts];
  const git = gitFor(repo);
  // Commits that are gone are nobody's to judge.
  const range = ['--no-walk', '--ignore-missing', ...kept];
  const rows = readLog(git, { range, limit: SHOWN }) ?? [];
  const store = openCheckpoints(git, repo.commonDir);
  if (store.tips.length === 0) return [...verdicts];
  const stored = await readCheckpoints(
    store,
    rows.flatMap(({ checkpoint }) => checkpoint ?? []),
  );
  const misfits = new Map<string, string>(findMisfits(git, repo.commonDir, rows, stored));
  return verdicts.map((verdict) => {
    const detail = misfits.get(verdict.commit);
    return detail === undefined
      ? verdict
      : { ...verdict, reason: 'foreign-checkpoint', detail, sessions: [] };
  });
}

/** A verdict is of the day: what was forgotten since is not told as linked. */
async function judgeForgotten(repo: Repo, verdicts: readonly Verdict[]): Promise<Verdict[]> {
  const stones = listTombstones(repo.commonDir);
  const lost = ({ checkpoint }: Verdict) =>
    stones.filter(({ checkpoints }) => checkpoints.some((id) => id === checkpoint));
  const ids = verdicts.flatMap((verdict) =>
    lost(verdict).length > 0 ? (parseCheckpointId(verdict.checkpoint) ?? []) : [],
  );
  if (ids.length === 0) return [...verdicts];
  const stored = await readCheckpoints(openCheckpoints(gitFor(repo), repo.commonDir), ids);
  return verdicts.map((verdict) => {
    const forgotten = lost(verdict);
    if (forgotten.length === 0) return verdict;
    if (!(stored as ReadonlyMap<string, unknown>).has(verdict.checkpoint ?? ''))
      return { ...verdict, reason: 'forgotten', sessions: [] };
    const whole = new Set<string>(
      forgotten.filter(({ isWhole }) => isWhole).map(({ sessionId }) => sessionId),
    );
    return { ...verdict, sessions: verdict.sessions.filter((id) => !whole.has(id)) };
  });
}
