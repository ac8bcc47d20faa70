import type { AgentName } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { readCheckpoint, readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks, tellMisfit } from '../../checkpoint/read/fit.ts';
import { type CheckpointStore, checkpointsAt } from '../../checkpoint/read/store.ts';
import { trackingOf } from '../../checkpoint/remote-refs.ts';
import { METADATA_REF, REMOTE_METADATA_REF } from '../../checkpoint/shadow-branch.ts';
import { linkedIds } from '../../git/commit/links.ts';
import { findOperation } from '../../git/commit/operation.ts';
import type { Repo } from '../../git/locate.ts';
import type { LogRow } from '../../git/log.ts';
import { readRefs } from '../../git/ref/refs.ts';
import { hideCredentials, readRemoteConfig } from '../../git/remote/remotes.ts';
import { checkoutBranch, hasChanges } from '../../git/worktree/switch.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import type { BranchTarget } from '../../restore/resume/branch-target.ts';
import { type FoundCommit, findOnBranch } from '../../restore/resume/find.ts';
import { type FetchedTips, fetchTips, takeInAll } from '../../sync/fetch.ts';
import { wasLeftOut } from '../../sync/forgotten.ts';
import { tryTakeInNotes } from '../../sync/push.ts';
import { fetchBranch } from '../../sync/transport.ts';
import { connect, DEFAULT_TIMEOUT_SECONDS } from '../push/line.ts';
import { canAsk, plain } from '../ui/terminal.ts';
import * as text from './text.ts';

/** How a resume may act, and talk. */
export interface Resuming {
  readonly repo: Repo;
  readonly isDryRun: boolean;
  readonly isForced: boolean;
  /** The agent is started at once: with a session that was named as such, or the newest, it goes on where that ends here. */
  readonly isStarted: boolean;
  /** For the agent, behind its own command. */
  readonly words: readonly string[];
  /** The agent that is to go on; `undefined` for the one that a session is of. */
  readonly into: AgentName | undefined;
  /** Answers a question: with `--force` yes. @throws {EntireError} `CONSENT_MISSING` where nobody can be asked */
  ask(asked: text.Asked): Promise<boolean>;
  /** For people, on stderr. */
  tell(sentence: string): void;
}

/**
 * Switches to a branch, fetching it where only `origin` has it.
 *
 * @returns the branch as it is to be looked at; `undefined` when somebody said no
 * @throws {EntireError} `DIRTY`, `GIT_FAILED`, `REMOTE_FAILED`
 */
export async function switchTo(
  resuming: Resuming,
  before: Branch,
  { name, tip, where }: BranchTarget,
): Promise<Branch | undefined> {
  const { repo, tell, ask, isDryRun } = resuming;
  if (where === 'checked-out') return before;
  const shown = plain(name);
  refuseIfBusy(before);
  if (where === 'origin') {
    if (isDryRun) tell(text.wouldFetch(shown));
    else if (!(await ask(text.fetchBranch(shown)))) return undefined;
    else await fetchFromOrigin(resuming, before, name);
  }
  if (isDryRun) {
    tell(text.wouldSwitch(shown));
    return tip && readBranch(repo, { name, head: tip });
  }
  try {
    checkoutBranch(before.git, name, where === 'origin' ? `refs/remotes/origin/${name}` : undefined);
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^git checkout failed: (?:fatal|error): /, '');
    throw new EntireError('GIT_FAILED', text.switchFailed(reason), { cause });
  }
  tell(text.switched(shown));
  if (before.name === undefined && before.head) tell(text.leftHead(before.head.slice(0, 7)));
  return readBranch(repo);
}

function refuseIfBusy({ git, repo }: Branch): void {
  const operation = findOperation(repo.gitDir);
  if (operation !== undefined) {
    const { message, hint } = text.inProgress(operation);
    throw new EntireError('DIRTY', message, { hint });
  }
  if (hasChanges(git)) throw new EntireError('DIRTY', text.DIRTY.message, { hint: text.DIRTY.hint });
}

async function fetchFromOrigin({ tell }: Resuming, { git }: Branch, name: string): Promise<void> {
  tell(text.fetchingBranch(plain(name)));
  const limitMs = DEFAULT_TIMEOUT_SECONDS * 1000;
  const { sshCommand } = readRemoteConfig(git);
  const line = { git, limitMs, deadlineMs: performance.now() + limitMs, interactive: canAsk(), sshCommand };
  const answer = await fetchBranch(line, 'origin', name);
  if ('failure' in answer)
    throw new EntireError('REMOTE_FAILED', text.branchFetchFailed(answer.failure.reason));
}

/**
 * The checkpoint a branch leads to, once somebody has agreed where it is an older one.
 *
 * @returns `undefined` when there is none, or somebody said no
 */
export async function agreeOnCommit(
  { ask, tell, isDryRun, isForced }: Resuming,
  branch: Branch,
): Promise<FoundCommit | 'none' | 'cancelled'> {
  const found = await findOnBranch(branch);
  if (!found) return 'none';
  const { newer, commit } = found;
  if (newer === 0 || isForced) return found;
  tell(plain(text.olderCommit(newer, commit.oid.slice(0, 7), commit.subject)));
  if (isDryRun) tell(text.WOULD_ASK);
  else if (!(await ask(text.OLDER))) return 'cancelled';
  return found;
}

/** A checkpoint, and where its texts are. */
export interface FoundCheckpoint {
  readonly checkpoint: StoredCheckpoint;
  readonly store: CheckpointStore;
}

/**
 * Reads a checkpoint from the local branch. Where only a remote is known to have it, that one's branch is fetched into its
 * tracking ref, and united with the local one, which loses nothing.
 *
 * @param isFetched the commit came from there a moment ago, so its checkpoint may be there whatever we know
 * @throws {EntireError} `REMOTE_FAILED` when it is not at hand, and could not be fetched
 */
export async function bringCheckpoint(
  resuming: Resuming,
  branch: Branch,
  id: StoredCheckpoint['id'],
  isFetched: boolean,
): Promise<FoundCheckpoint | undefined> {
  const { git, repo } = branch;
  const local = checkpointsAt(git, repo.commonDir, readRefs(git, [METADATA_REF]));
  const here = await readCheckpoint(local, id);
  if (here && here.slots.length > 0) return { checkpoint: here, store: local };
  const known = branch.store.tips.filter((tip) => !local.tips.includes(tip));
  const there = await readCheckpoint({ ...branch.store, tips: known }, id);
  const isAsked = there !== undefined || isFetched || (!here && mayBeThere(branch));
  if (resuming.isDryRun || !isAsked) {
    const checkpoint = there ?? here;
    return checkpoint && { checkpoint, store: branch.store };
  }
  const { tips: remote, failure } = await uniteMetadata(resuming, branch);
  const stores = remote.map((tip) =>
    checkpointsAt(git, repo.commonDir, new Map([[REMOTE_METADATA_REF, tip]])),
  );
  let fetched: StoredCheckpoint | undefined;
  for (const store of stores) fetched ??= await readCheckpoint(store, id);
  const checkpoint = there ?? fetched ?? here;
  if (failure !== undefined) {
    const said = hideCredentials(failure);
    if (!checkpoint)
      throw new EntireError('REMOTE_FAILED', text.metadataFetchFailed(said), { hint: text.BY_HAND });
    resuming.tell(plain([text.metadataFetchFailed(said), text.BY_HAND, text.GOING_ON].join('\n')));
  }
  const tips = [...remote, ...local.tips];
  return checkpoint && { checkpoint, store: { ...(stores[0] ?? local), tips } };
}

/** Whether `origin` may have checkpoints that git did not fetch along with a commit: it has not been asked, or keeps them at a ref. */
function mayBeThere({ git }: Branch): boolean {
  const hidden = trackingOf(REMOTE_METADATA_REF, 'ref');
  const known = readRefs(git, [REMOTE_METADATA_REF, hidden]);
  if (known.has(REMOTE_METADATA_REF) && !known.has(hidden)) return false;
  return readRemoteConfig(git).remotes.some(({ name }) => name === 'origin');
}

/**
 * The checkpoints that a commit leads to, as far as they are here. The sessions of one that does not fit are gone on with all the same, where there
 * is no other: nobody is led to think that they made the commit.
 */
export async function chooseFitting(
  resuming: Resuming,
  { git, repo }: Branch,
  commit: LogRow,
  store: CheckpointStore,
): Promise<readonly StoredCheckpoint[] | undefined> {
  const stored = await readCheckpoints(store, linkedIds(commit.links));
  const misfits = findMisfits(git, repo.commonDir, [commit], stored);
  const { checkpoints, misfit } = followLinks(commit, stored, misfits);
  const [first] = checkpoints;
  if (first && misfit !== undefined) resuming.tell(plain(`${first.id}: ${tellMisfit(commit.oid, misfit)}`));
  return first && checkpoints;
}

async function uniteMetadata(
  { repo, tell }: Resuming,
  { git }: Branch,
): Promise<{ tips: readonly ObjectId[]; failure: string | undefined }> {
  tell(text.FETCHING_METADATA);
  const readTip = () => readRefs(git, [REMOTE_METADATA_REF]).get(REMOTE_METADATA_REF);
  const before = readTip();
  const { fetched, failure } = await tryFetch(repo);
  // The remote may have it no more.
  const last = readTip() ?? before;
  const known: FetchedTips['record'] = last ? new Map([['branch', last]]) : new Map();
  const record = fetched && fetched.record.size > 0 ? fetched.record : known;
  const refused = attempt(() => {
    takeInAll(git, repo.commonDir, record, (stone, what) => tell(plain(wasLeftOut(stone, 'origin', what))));
    if (fetched?.notes) tryTakeInNotes(git, fetched.notes);
  });
  return { tips: [...record.values()], failure: failure ?? refused };
}

/** Why something could not be done. @throws what is no failure that we foresaw */
function attempt(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof EntireError) return error.message;
    throw error;
  }
}

/** What `origin` has, or why it could not be fetched. */
async function tryFetch(repo: Repo): Promise<{ fetched?: FetchedTips; failure?: string }> {
  try {
    const { line } = connect('fetch', repo, 'origin', DEFAULT_TIMEOUT_SECONDS);
    const answer = await fetchTips(line, repo.commonDir);
    return 'failure' in answer ? { failure: answer.failure.reason } : { fetched: answer.value };
  } catch (error) {
    if (error instanceof EntireError) return { failure: error.message };
    throw error;
  }
}
