import { describeError } from '../../base/errors.ts';
import type { CheckpointId, ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { type NewCheckpoint, stageCheckpoint } from '../../checkpoint/committed.ts';
import { type PathChanges, readBranchName } from '../../git/commit/commits.ts';
import { findOperation } from '../../git/commit/operation.ts';
import { type UnsignedCommit, writeSignedCommit } from '../../git/commit/sign.ts';
import { CHECKPOINT_TRAILER } from '../../git/commit/trailers.ts';
import { type Change, retryWhenMoved, writeCommit } from '../../git/object/objects.ts';
import { readConfig, readHead, updateRefs } from '../../git/ref/refs.ts';
import type { Git } from '../../git/run.ts';
import { setIndexEntries } from '../../git/worktree/user-index.ts';
import { forgetOwed, type OwnCommit, oweCheckpoint } from '../../session/record/owed.ts';
import { recordVerdict } from '../../session/record/verdicts.ts';
import { noteMissingRules } from '../../settings/unruled.ts';
import { readEvidence } from '../commit/evidence.ts';
import { tell } from '../progress.ts';
import type { Work } from '../work.ts';
import {
  COMMIT_CONFIG,
  type CommitChanges,
  type CommitConfig,
  entryOf,
  parseCommitConfig,
  readCommitChanges,
} from './changes.ts';
import { findRefusal, refuse } from './refusal.ts';

/** A commit to be, and its checkpoint. */
export interface CommitPlan {
  readonly id: CheckpointId;
  readonly paths: readonly RepoPath[];
  readonly subject: string;
  /** Its checkpoint, given the branch and what is committed. */
  readonly describe: (made: {
    readonly head: ObjectId;
    readonly branch: string;
    readonly changes: PathChanges;
    readonly author: CommitConfig['author'];
  }) => NewCheckpoint;
  readonly own: OwnCommit;
}

/** A commit that was made. */
export interface OwnCommitMade {
  readonly oid: ObjectId;
  readonly committed: CommitChanges;
  /** Paths that could not be read, and are not in it. */
  readonly leftOut: ReadonlySet<string>;
  /** Once the session's state knows of the commit: nothing is owed any more. */
  readonly conclude: () => void;
}

/**
 * Makes a commit on the checked-out branch of HEAD's tree and exactly the paths of the plan, as the worktree has them,
 * and stores its checkpoint. Both branches move at once, or none: there is no commit without its checkpoint, and no
 * checkpoint without its commit. None of the user's commit hooks run.
 *
 * In the index the committed paths become what HEAD has; all others stay, staged or not.
 *
 * @returns `undefined` when HEAD has the paths as they are
 * @throws {EntireError} `COMMIT_REFUSED`, `REF_MOVED`, `REF_LOCKED`, `GIT_FAILED`; nothing was committed then
 */
export async function makeCommit(work: Work, plan: CommitPlan): Promise<OwnCommitMade | undefined> {
  const { git, repo } = work;
  const { id, own } = plan;
  const config = parseCommitConfig(readConfig(git, COMMIT_CONFIG));
  oweCheckpoint(repo.commonDir, {
    id,
    worktreeId: repo.worktreeId,
    head: readHead(git, repo) ?? '',
    shell: undefined,
    own,
  });
  let made: Attempt | undefined;
  try {
    made = write(work, plan, config);
  } finally {
    if (!made) forgetOwed(repo.commonDir, id);
  }
  if (!made) return undefined;
  const { oid } = made;
  const isIndexed = await updateIndex(work, made);
  return {
    ...made,
    conclude() {
      const verdict = { commit: oid, reason: 'linked', checkpoint: id, sessions: [own.sessionId] } as const;
      recordVerdict(repo.commonDir, verdict);
      if (isIndexed) forgetOwed(repo.commonDir, id);
    },
  };
}

interface Attempt extends Omit<OwnCommitMade, 'conclude'> {
  readonly head: ObjectId;
}

/** Starts again on the new HEAD, while other processes move it or the metadata branch. */
function write(work: Work, plan: CommitPlan, config: CommitConfig): Attempt | undefined {
  let last: Attempt | undefined;
  return retryWhenMoved(() => {
    const head = readHead(work.git, work.repo);
    if (!head) return refuse('HEAD leads nowhere');
    // A git that was killed after it had moved the refs did not tell.
    if (last?.oid === head) return last;
    const branch = readBranchName(work.git, work.repo.gitDir);
    const operation = findOperation(work.repo.gitDir);
    // Both may have changed since we looked.
    const reason = findRefusal({ operation, branch, isIndexFree: true, isCommitOpen: false });
    if (branch === undefined || reason !== undefined) return refuse(reason ?? 'HEAD is detached');
    return writeOn(work, { head, branch }, plan, config, (attempt) => {
      last = attempt;
    });
  });
}

const stagedRefs = (id: CheckpointId) => ({
  commit: `refs/entire/auto/${id}/commit`,
  checkpoint: `refs/entire/auto/${id}/checkpoint`,
});

function writeOn(
  work: Work,
  { head, branch }: { readonly head: ObjectId; readonly branch: string },
  plan: CommitPlan,
  config: CommitConfig,
  onWritten: (attempt: Attempt) => void,
): Attempt | undefined {
  const { git } = work;
  const leftOut = new Set<string>();
  const committed = readCommitChanges(work, head, plan.paths, config, (path) => leftOut.add(path));
  const [conflict] = committed.index.unmerged;
  if (conflict !== undefined) refuse(`${conflict} has a conflict`);
  if (committed.changes.length === 0) {
    const [unread] = leftOut;
    return unread === undefined ? undefined : refuse(`${unread} could not be read`);
  }

  const refs = stagedRefs(plan.id);
  const { author } = config;
  const message = `${plan.subject}\n\n${CHECKPOINT_TRAILER}: ${plan.id}`;
  try {
    const written = writeCommit(git, {
      ref: refs.commit,
      parent: head,
      changes: committed.changes,
      message,
      author,
    });
    const oid = config.isSigned ? sign(git, { treeish: written, parent: head, message, author }) : written;
    const changes = bothSides(committed, head);
    const checkpoint = plan.describe({ head, branch, changes, author });
    noteMissingRules(work.repo.commonDir);
    const evidence = readEvidence(git, { oid, parents: [head], changes });
    const metadata = stageCheckpoint(git, { ...checkpoint, evidence }, refs.checkpoint);
    const attempt = { head, oid, committed, leftOut };
    onWritten(attempt);
    updateRefs(
      git,
      [
        { ref: 'HEAD', from: head, to: oid },
        metadata,
        { ref: refs.commit, from: written, to: undefined },
        { ref: refs.checkpoint, from: metadata.to, to: undefined },
      ],
      `commit: ${plan.subject}`,
    );
    return attempt;
  } catch (error) {
    dropStaged(work, plan.id);
    throw error;
  }
}

/** What the commit changes, as git tells it of one that exists. */
const bothSides = ({ changes, before }: CommitChanges, like: ObjectId): PathChanges =>
  new Map(
    changes.map((change) => [
      change.path as RepoPath,
      { before: before.get(change.path), after: entryOf(change, like) },
    ]),
  );

/** Who has switched signing on wants no commit without: it waits for a key that is unlocked. */
function sign(git: Git, commit: UnsignedCommit): ObjectId {
  try {
    return writeSignedCommit(git, commit);
  } catch (error) {
    return refuse(`commit.gpgSign is set, and it could not be signed (${describeError(error)})`);
  }
}

/** Removes the refs that held a commit and its checkpoint before they were made. Never throws. */
export function dropStaged({ git }: Work, id: CheckpointId): void {
  for (const ref of Object.values(stagedRefs(id))) {
    try {
      updateRefs(git, [{ ref, from: undefined, to: undefined }]);
    } catch (error) {
      log('info', 'ref not deleted', { ref, error: describeError(error) });
    }
  }
}

/** Without this, every committed path would show as staged to go back to what it was. */
async function updateIndex(work: Work, { oid, committed }: Attempt): Promise<boolean> {
  const { changes, before, index } = committed;
  const next = new Map(changes.map((change) => [change.path, entryOf(change, oid)]));
  const replaced = [...index.entries].filter(
    ([path, { oid: staged }]) =>
      next.has(path) && staged !== before.get(path)?.oid && staged !== next.get(path)?.oid,
  );
  if (replaced.length > 0)
    log('info', 'what was staged of the committed paths is replaced by what they are now', {
      commit: oid,
      blobs: replaced.slice(0, 20).map(([path, entry]) => `${entry.oid} ${path}`),
    });
  try {
    await setIndexEntries(work.git, work.repo.gitDir, next, oid);
    return true;
  } catch (error) {
    log('warn', 'the index still has what was before the commit; the next hook corrects it', {
      commit: oid,
      error: describeError(error),
    });
    tell(`[entire] Warning: the index could not be brought up to date: ${describeError(error)}`);
    return false;
  }
}

/** What people are told of a commit: what is in it that changed, is new, or is gone, and what is not. */
export function describeChanges({ committed, leftOut }: OwnCommitMade, what: 'session' | 'task'): string {
  const { changes, before } = committed;
  const isNew = ({ path }: Change) => !before.has(path);
  const written = changes.filter((change) => !('removed' in change));
  const added = written.filter(isNew);
  return [
    ...written.filter((change) => !isNew(change)).map(({ path }) => `  Staged: ${path}`),
    ...(added.length > 0 ? [`Staging ${added.length} new files created during ${what}:`] : []),
    ...added.map(({ path }) => `  Staged new file: ${path}`),
    ...changes.filter((change) => 'removed' in change).map(({ path }) => `  Staged deleted file: ${path}`),
    ...[...leftOut].map((path) => `  Failed to stage ${path}: it could not be read`),
  ].join('\n');
}
