import { AGENTS, type AgentName } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import type { CheckpointId, SessionId } from '../../base/ids.ts';
import { readCheckpoint, readCheckpoints, type StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { joinCheckpoints } from '../../checkpoint/read/joined.ts';
import type { CheckpointStore } from '../../checkpoint/read/store.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { linkedIds } from '../../git/commit/links.ts';
import type { LogRow } from '../../git/log.ts';
import { isPartialClone } from '../../git/remote/remotes.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import type { LogPlace, LogPlan } from '../../restore/log/logs.ts';
import { wouldLose } from '../../restore/log/logs-compare.ts';
import { writeLogs } from '../../restore/log/logs-write.ts';
import type { BranchTarget } from '../../restore/resume/branch-target.ts';
import { planCheckpoint, planSession, type ResumePlan } from '../../restore/resume/resume.ts';
import { findNewestSession, type KnownSession } from '../../restore/resume/sessions.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { lookForNamed, refuseName } from '../names/find-named.ts';
import type { Named, Sought } from '../names/named.ts';
import { findRecord, requireMore } from '../session/find.ts';
import { withProgress } from '../ui/progress.ts';
import { quoteWord } from '../ui/quote-word.ts';
import {
  chatCommand,
  renderKept,
  renderRestoring,
  renderResumeCommand,
  renderResumeCommands,
  renderSkipped,
  withComment,
  withWords,
} from '../ui/restored-logs.ts';
import { oneLine, plain } from '../ui/terminal.ts';
import { agreeOnCommit, bringCheckpoint, chooseFitting, type Resuming, switchTo } from './branch.ts';
import { describeInto, placeOf, renderEnd, requireTold, viewOf } from './go-on.ts';
import { findKept, findNewerKept, isRun, ownId, planKept } from './kept.ts';
import * as text from './text.ts';
import { type Outcome, renderConflict } from './view.ts';

/** What led to a plan, for the outcome. */
type Path = Pick<Outcome, 'branch' | 'commit' | 'newerCommits'>;

/**
 * Goes on with what was named, or with the newest session: restores its logs and tells the commands.
 *
 * @throws {EntireError} whatever a person has to be told
 */
export async function resume(resuming: Resuming, word: string | undefined): Promise<Outcome> {
  const branch = readBranch(resuming.repo);
  if (!word) return resumeNewest(resuming, branch);
  if (isRun(word)) return resumeKept(resuming, branch, await findRecord(word));
  const target = await findTarget(branch, word);
  switch (target.kind) {
    case 'branch':
      return resumeBranch(resuming, branch, target);
    case 'checkpoint':
      return resumeCheckpoint(resuming, branch, target.id);
    case 'session':
      return restore(resuming, keepNewer(resuming, await planOne(resuming, branch, target.id)), {});
    case 'kept':
      return resumeKept(resuming, branch, target.record);
    case 'commit': {
      const {
        links: {
          all: [link],
        },
        oid,
      } = target.row;
      if (link) return resumeCheckpoint(resuming, branch, link.id, target.row);
      resuming.tell(text.unlinked(oid.slice(0, 7)));
      return { result: 'no-checkpoint', commit: oid };
    }
  }
}

/** What may take more than a second, without a question in it. */
const telling = <T>(resuming: Resuming, body: (place: LogPlace) => T | Promise<T>): Promise<T> =>
  withProgress(({ step: onProgress }) => body({ ...placeOf(resuming), onProgress }));

const planOne = (resuming: Resuming, branch: Branch, id: SessionId): Promise<ResumePlan> =>
  telling(resuming, (place) => planSession(place, branch, branch.store, id));

async function resumeNewest(resuming: Resuming, branch: Branch): Promise<Outcome> {
  const { into } = resuming;
  const found = (into && (await findNewest(resuming, branch, into))) ?? (await findNewest(resuming, branch));
  if (!found) {
    resuming.tell(text.NO_SESSION);
    return { result: 'no-session' };
  }
  if ('kept' in found) return resumeKept(resuming, branch, found.kept);
  return restore(resuming, keepNewer(resuming, await planOne(resuming, branch, found.known.sessionId)), {});
}

async function findNewest(
  resuming: Resuming,
  branch: Branch,
  agent?: AgentName,
): Promise<{ readonly kept: SessionRecord } | { readonly known: KnownSession } | undefined> {
  const { repo } = resuming;
  const type = agent && AGENTS[agent].type;
  const known = await findNewestSession(sessionsDir(repo.commonDir), branch.store, type);
  const kept = await telling(resuming, () => findNewerKept(repo, known, agent));
  return kept ? { kept } : known && { known };
}

/** What a word stands for in this repository, or else among all sessions of this machine. */
async function findTarget(branch: Branch, word: string): Promise<ResumeTarget> {
  const target = await lookForNamed(branch, word, RESUMED);
  if (target) return target;
  const record = await findKept(word);
  if (record) return { kind: 'kept', record };
  throw await refuseName(branch, word, RESUMED);
}

const RESUMED = {
  kinds: ['branch', 'commit', 'checkpoint', 'session'],
  command: 'entire resume',
  byTitle: true,
} as const satisfies Sought;

type ResumeTarget =
  | Extract<Named, { kind: (typeof RESUMED.kinds)[number] }>
  | { readonly kind: 'kept'; readonly record: SessionRecord };

/** A checkpoint may have more of a session than lies here. */
async function planStoredOrKept(
  resuming: Resuming,
  branch: Branch,
  record: SessionRecord,
): Promise<ResumePlan> {
  try {
    return await planOne(resuming, branch, ownId(record));
  } catch (error) {
    if (error instanceof EntireError && error.code === 'NOT_FOUND') return planKept(record);
    throw error;
  }
}

/** Of ours nothing has to be restored: it is told how to go on. */
async function resumeKept(resuming: Resuming, branch: Branch, record: SessionRecord): Promise<Outcome> {
  if (!requireMore(record).isStored)
    return restore(resuming, keepNewer(resuming, await planStoredOrKept(resuming, branch, record)), {});
  const { sessionId, cliOrigin, summary } = record;
  const { into, words } = resuming;
  requireTold(resuming, [cliOrigin]);
  const other = describeInto(resuming, [cliOrigin]);
  const command = withWords(chatCommand(sessionId, other && into), words);
  const line = `  ${withComment(command.map(quoteWord).join(' '), oneLine(summary.title ?? ''))}`;
  const lines = [text.session(sessionId), '', other?.one ?? text.TO_CONTINUE, line];
  resuming.tell([...lines, ...(other ? [other.told] : [])].join('\n'));
  return { result: resuming.isDryRun ? 'planned' : 'unchanged', own: record };
}

async function resumeBranch(resuming: Resuming, before: Branch, target: BranchTarget): Promise<Outcome> {
  const branch = await switchTo(resuming, before, target);
  if (!branch) return { result: 'cancelled' };
  const path = { branch: target.name };
  const found = await agreeOnCommit(resuming, branch);
  if (found === 'none') {
    resuming.tell(text.noCheckpoint(plain(target.name)));
    return { ...path, result: 'no-checkpoint' };
  }
  if (found === 'cancelled') {
    resuming.tell(text.CANCELLED);
    return { ...path, result: 'cancelled' };
  }
  const { commit, newer } = found;
  const there = { ...path, commit: commit.oid, newerCommits: newer };
  const [id = ''] = linkedIds(commit.links);
  const brought = await bringCheckpoint(resuming, branch, id as CheckpointId, target.where === 'origin');
  if (!brought) {
    resuming.tell(text.noMetadata(id, branch.store.tips.length > 0));
    return { ...there, result: 'no-metadata', checkpoint: id };
  }
  const all = await chooseFitting(resuming, branch, commit, brought.store);
  return restore(resuming, await planWhole(resuming, brought.store, all ?? [brought.checkpoint]), there);
}

async function resumeCheckpoint(
  resuming: Resuming,
  branch: Branch,
  id: CheckpointId,
  commit?: LogRow,
): Promise<Outcome> {
  const { store } = branch;
  const checkpoint = await readCheckpoint(store, id);
  const led = commit && (await chooseFitting(resuming, branch, commit, store));
  const path = commit ? { commit: commit.oid } : {};
  if (commit && checkpoint && !led && commit.links.own === undefined) {
    resuming.tell(text.unlinked(commit.oid.slice(0, 7)));
    return { ...path, result: 'no-checkpoint' };
  }
  const all = led ?? (checkpoint ? [checkpoint] : []);
  if (all.length > 0) return restore(resuming, await planWhole(resuming, store, all), path);
  resuming.tell(text.noMetadata(id, store.tips.length > 0));
  return { ...path, result: 'no-metadata', checkpoint: id };
}

/** {@link planCheckpoint} of one or more; what a partial clone lacks of them is fetched. */
async function planWhole(
  resuming: Resuming,
  store: CheckpointStore,
  checkpoints: readonly StoredCheckpoint[],
): Promise<ResumePlan> {
  const plan = (from: CheckpointStore, all: readonly StoredCheckpoint[]): Promise<ResumePlan> => {
    const [first, ...others] = all as [StoredCheckpoint, ...StoredCheckpoint[]];
    return telling(resuming, (place) => planCheckpoint(place, from, joinCheckpoints(first, others)));
  };
  const isPartial = !resuming.isDryRun && isPartialClone(store.git);
  const isLacking = isPartial && checkpoints.some(({ slots }) => slots.length === 0);
  const planned = isLacking ? undefined : await plan(store, checkpoints);
  if (planned && !(isPartial && planned.skipped.some(({ why }) => why === 'unreadable'))) return planned;
  resuming.tell(text.FETCHING_MISSING);
  const { GIT_NO_LAZY_FETCH: _, ...env } = store.git.env;
  const online = { ...store, git: { ...store.git, env } };
  const there = await readCheckpoints(
    online,
    checkpoints.map(({ id }) => id),
  );
  return plan(
    online,
    checkpoints.map((one) => there.get(one.id) ?? one),
  );
}

/** A log that ends later here than what is stored is all of its session: to start that, nothing has to be replaced. */
const keepNewer = ({ isStarted, isForced }: Resuming, plan: ResumePlan): ResumePlan =>
  isStarted && !isForced
    ? {
        ...plan,
        logs: plan.logs.map((log) => (log.state === 'local-newer' ? { ...log, state: 'unchanged' } : log)),
      }
    : plan;

/** Writes what a plan says, once somebody has agreed to lose newer entries, and tells how to go on. */
async function restore(resuming: Resuming, plan: ResumePlan, path: Path): Promise<Outcome> {
  const { tell, isDryRun } = resuming;
  const { logs, skipped, checkpoint, bare } = plan;
  for (const skip of skipped) tell(renderSkipped(skip));
  for (const { problems } of logs) for (const problem of problems) tell(text.oddLog(plain(problem)));
  const outcome = { ...path, checkpoint, skipped };
  requireTold(
    resuming,
    [...logs, ...(bare ? [bare] : [])].map(({ agent }) => agent),
    bare,
  );
  if (bare) {
    tell(text.noLog(bare.sessionId));
    tell(['', text.TO_CONTINUE, renderResumeCommands([bare], viewOf(resuming, [bare.agent]))].join('\n'));
    return { ...outcome, result: 'no-transcript' };
  }
  if (logs.length === 0) throw failure('NOT_FOUND', text.nothingRestored(checkpoint ?? ''));
  if (!(await agreeToReplace(resuming, logs))) return { ...outcome, logs, result: 'cancelled' };
  const isWritten = logs.some(({ state }) => state !== 'unchanged');
  const announced = renderRestoring(logs);
  if (isDryRun) tell(text.wouldWrite(announced));
  else if (!plan.isSingle || !isWritten) tell(announced);
  const restored = isDryRun ? undefined : await telling(resuming, (place) => writeLogs(place, logs));
  if (restored) tell(renderKept(restored));
  tell(renderEnd(resuming, plan));
  const result = isDryRun ? 'planned' : isWritten ? 'restored' : 'unchanged';
  return { ...outcome, logs: restored ?? logs, result };
}

async function agreeToReplace(resuming: Resuming, logs: readonly LogPlan[]): Promise<boolean> {
  const { tell, ask, isDryRun, isForced } = resuming;
  const newer = logs.filter(({ state }) => wouldLose(state));
  if (isForced || newer.length === 0) return true;
  tell(renderConflict(logs));
  if (isDryRun) tell(text.WOULD_REFUSE);
  else if (
    !(await ask(
      text.overwrite(
        newer.map((log) => renderResumeCommand(log)),
        newer.some(({ state }) => state === 'apart'),
      ),
    ))
  ) {
    tell(text.KEPT_LOCAL);
    return false;
  }
  return true;
}

const failure = (
  code: ConstructorParameters<typeof EntireError>[0],
  { message, hint }: { readonly message: string; readonly hint: string },
): EntireError => new EntireError(code, message, { hint });
