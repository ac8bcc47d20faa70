import { EntireError } from '../base/errors.ts';
import { MIN_BEGINNING, type ObjectId, parseSessionId } from '../base/ids.ts';
import { checkpointDir } from '../checkpoint/metadata-branch.ts';
import { readBlobs } from '../checkpoint/read/blobs.ts';
import { readCheckpoints, type StoredCheckpoint, type StoredSlot } from '../checkpoint/read/checkpoint.ts';
import { findMisfits, followLinks } from '../checkpoint/read/fit.ts';
import { joinCheckpoints } from '../checkpoint/read/joined.ts';
import { splitPrompts } from '../checkpoint/read/texts.ts';
import { branchRef, shadowBranch } from '../checkpoint/shadow-branch.ts';
import { linkedIds } from '../git/commit/links.ts';
import { CHECKPOINT_TRAILER } from '../git/commit/trailers.ts';
import { type LogRow, readLog } from '../git/log.ts';
import { gitText } from '../git/run.ts';
import type { Branch } from '../history/branch.ts';
import { listObjectsOfCommits } from '../history/find.ts';
import { growingBatches } from '../history/range.ts';
import { readSteps, type Step, shadowsBelowHead } from '../history/temporary.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { sessionsDir } from '../session/tracking-file.ts';

/** Where one can go back to. */
interface PointFacts {
  readonly id: ObjectId;
  readonly subject: string;
  /** When it was written: RFC 3339, whole seconds, in the author's time zone. */
  readonly date: string;
  readonly sessionId: string;
  /** First prompt of that session, as far as the point knows; empty when it does not. */
  readonly sessionPrompt: string;
  /** The tool call of a sub-agent's checkpoint; `undefined` for others. */
  readonly toolUseId: string | undefined;
  /** As `rewind --list` names it; empty where there is no folder of its own. */
  readonly metadataDir: string;
}

/** A step of a session that no commit has yet: its files can be had back. */
export interface StepPoint extends PointFacts {
  readonly kind: 'step';
  readonly step: Step;
  /** The shadow branch that it is on: that of HEAD, or of a commit before, where nothing was asked of the session since HEAD moved. */
  readonly ref: string;
}

/** A commit with a checkpoint: the transcripts of its sessions can be had back. */
export interface CommitPoint extends PointFacts {
  readonly kind: 'commit';
  readonly commit: LogRow;
  /** Of several the first, with the sessions of all. */
  readonly checkpoint: StoredCheckpoint;
  /** `false`: made by auto-commit on this branch alone, so that going back to it is to reset the branch. */
  readonly isLogsOnly: boolean;
  /** Why that checkpoint is not the commit's own. */
  readonly misfit: string | undefined;
}

export type RewindPoint = StepPoint | CommitPoint;

/** What is offered at most. A limit on points: commits are examined until so many are found. */
export const MAX_POINTS = 20;

const PROMPTS = 'prompt.txt';

/**
 * The points of a worktree, newest first: the steps on the shadow branches of HEAD and of commits below it, and the commits of HEAD's history whose
 * checkpoint exists. No transcript is read.
 *
 * @param strategy as the settings name it
 */
export async function readRewindPoints(
  branch: Branch,
  strategy: string | undefined,
  limit = MAX_POINTS,
): Promise<RewindPoint[]> {
  const steps = toStepPoints(branch, readOwnSteps(branch, 5 * limit).slice(0, limit));
  const commits = await readCommitPoints(branch, strategy, limit);
  return [...steps, ...commits].sort((a, b) => Date.parse(b.date) - Date.parse(a.date)).slice(0, limit);
}

/**
 * The point of that id, or the newest one whose id begins so. It need not be one of those that are offered: all steps
 * and all commits of HEAD's history are looked at.
 *
 * @throws {EntireError} `NOT_FOUND`
 */
export async function findRewindPoint(
  branch: Branch,
  strategy: string | undefined,
  name: string,
): Promise<RewindPoint> {
  const prefix = name.toLowerCase();
  const isId = /^[0-9a-f]+$/.test(prefix) && prefix.length >= MIN_BEGINNING;
  const steps = isId
    ? readOwnSteps(branch, MAX_STEPS).filter(({ commit }) => commit.oid.startsWith(prefix))
    : [];
  const commits = isId ? await findCommits(branch, strategy, prefix) : [];
  const [point] = [...toStepPoints(branch, steps), ...commits].sort(
    (a, b) => Date.parse(b.date) - Date.parse(a.date),
  );
  if (point) return point;
  throw new EntireError('NOT_FOUND', `rewind point not found: ${name}`, {
    hint: 'Run `entire rewind --list` to see the points there are; four characters of an id are enough.',
  });
}

const MAX_STEPS = 1_000_000;

/** A step, and the shadow branch that it is on. */
interface OwnStep extends Step {
  readonly branch: string;
}

/**
 * Steps of this worktree, newest first, of sessions that work on HEAD or on a commit below it: no commit has their work, until their next
 * prompt its base is the older commit. What was carried forward is none.
 */
function readOwnSteps(branch: Branch, limit: number): OwnStep[] {
  const steps = shadowsBelowHead(branch).flatMap(({ name, tip }) => {
    const own = readSteps(branch, [tip], { limit }).filter(({ metadataDir }) => metadataDir !== undefined);
    const ids = [...new Set(own.map(({ sessionId }) => sessionId))];
    const here = new Set(ids.filter((id) => isOn(branch, name, id)));
    return own.flatMap((step) => (here.has(step.sessionId) ? { ...step, branch: name } : []));
  });
  return steps.sort((a, b) => Date.parse(b.commit.committedAt) - Date.parse(a.commit.committedAt));
}

/** Whether a session has its steps on a branch; one without a state left them where it worked. */
function isOn({ repo, head }: Branch, name: string, sessionId: string): boolean {
  const id = parseSessionId(sessionId);
  const state = id && readStateIfReadable(sessionsDir(repo.commonDir), id);
  if (!state) return head !== undefined && name === shadowBranch(head, repo.worktreeId);
  return state.worktreeId === repo.worktreeId && name === shadowBranch(state.baseCommit, state.worktreeId);
}

/** The prompt of a session is that of its newest step here. */
function toStepPoints(branch: Branch, steps: readonly OwnStep[]): StepPoint[] {
  const files = new Map<string, string>();
  for (const { commit, sessionId, metadataDir } of steps)
    if (!files.has(sessionId)) files.set(sessionId, `${commit.oid}:${metadataDir}/${PROMPTS}`);
  const { found } = readBlobs(branch.git, [...files.values()]);
  const promptOf = (sessionId: string): string =>
    splitPrompts(found.get(files.get(sessionId) ?? '')?.data.toString('utf8') ?? '')[0] ?? '';
  return steps.map((step) => ({
    kind: 'step',
    id: step.commit.oid,
    subject: step.commit.subject,
    date: toDate(step.commit.authoredAt),
    sessionId: step.sessionId,
    sessionPrompt: promptOf(step.sessionId),
    toolUseId: toolUseOf(step.taskDir),
    metadataDir: step.taskDir ?? step.metadataDir ?? '',
    step,
    ref: branchRef(step.branch),
  }));
}

/** The tool call that the folder of a task's metadata is named after. */
const toolUseOf = (taskDir: string | undefined): string | undefined =>
  taskDir === undefined ? undefined : (/\/tasks\/([^/]+)/.exec(taskDir)?.[1] ?? '');

/** Git writes the zone of Greenwich in two ways. */
const toDate = (time: string): string => time.replace(/\+00:00$/, 'Z');

async function readCommitPoints(
  branch: Branch,
  strategy: string | undefined,
  limit: number,
): Promise<CommitPoint[]> {
  const { head, git } = branch;
  const points: CommitPoint[] = [];
  if (!head || branch.store.tips.length === 0) return points;
  const containing = `${CHECKPOINT_TRAILER}:`;
  for (const rows of growingBatches(limit, (part) => readLog(git, { ...part, range: [head], containing }))) {
    if (!rows) throw new EntireError('GIT_FAILED', 'the history of HEAD cannot be read', { hint: FSCK });
    points.push(...(await toCommitPoints(branch, strategy, rows)));
    if (points.length >= limit) break;
  }
  return points.slice(0, limit);
}

const FSCK = '`git log` and `git fsck` say what is wrong with it.';

/** Commits whose id begins so and that HEAD's history has. Git finds them by their ids, not by looking through it. */
async function findCommits(
  branch: Branch,
  strategy: string | undefined,
  prefix: string,
): Promise<CommitPoint[]> {
  const { head, git } = branch;
  if (!head || branch.store.tips.length === 0) return [];
  const commits = listObjectsOfCommits(git, prefix);
  const inHistory = commits.filter(
    (oid) =>
      gitText(git, ['rev-list', '--max-count=1', oid, '--not', head, '--'], { okCodes: [0, 128] }) === '',
  );
  if (inHistory.length === 0) return [];
  const rows = readLog(git, { range: ['--no-walk', ...inHistory], limit: inHistory.length }) ?? [];
  return toCommitPoints(branch, strategy, rows);
}

async function toCommitPoints(
  branch: Branch,
  strategy: string | undefined,
  rows: readonly LogRow[],
): Promise<CommitPoint[]> {
  const ids = rows.flatMap(({ links }) => linkedIds(links));
  const stored = await readCheckpoints(branch.store, ids, [PROMPTS]);
  const own = strategy === 'auto-commit' ? readOwnCommits(branch) : new Set<string>();
  const misfits = findMisfits(branch.git, branch.repo.commonDir, rows, stored);
  return rows.flatMap((commit) => {
    const {
      checkpoints: [first, ...others],
      misfit,
    } = followLinks(commit, stored, misfits);
    if (!first) return [];
    return [{ ...toCommitPoint(commit, joinCheckpoints(first, others), own.has(commit.oid)), misfit }];
  });
}

/** Commits of HEAD that the default branch does not have. */
function readOwnCommits({ git, head, defaults }: Branch): Set<string> {
  if (!head) return new Set();
  return new Set(gitText(git, ['rev-list', head, '--not', ...defaults, '--']).split('\n'));
}

function toCommitPoint(
  commit: LogRow,
  checkpoint: StoredCheckpoint,
  isOwn: boolean,
): Omit<CommitPoint, 'misfit'> {
  const latest = checkpoint.slots.at(-1);
  const toolUseId = taskOf(checkpoint.slots);
  const dir = checkpointDir(checkpoint.id);
  return {
    kind: 'commit',
    id: commit.oid,
    subject: commit.subject,
    date: toDate(commit.authoredAt),
    sessionId: latest?.metadata.sessionId ?? '',
    sessionPrompt: splitPrompts(latest?.texts.get(PROMPTS) ?? '')[0] ?? '',
    toolUseId,
    metadataDir: isOwn ? (toolUseId ? `${dir}/tasks/${toolUseId}` : dir) : '',
    commit,
    checkpoint,
    isLogsOnly: !isOwn,
  };
}

/** The tool call of a commit that auto-commit made for a sub-agent. */
function taskOf(slots: readonly StoredSlot[]): string | undefined {
  const task = slots.find(({ metadata }) => metadata.other.is_task === true)?.metadata.other.tool_use_id;
  return typeof task === 'string' ? task : undefined;
}
