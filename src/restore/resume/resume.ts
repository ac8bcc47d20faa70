import { dirname } from 'node:path';
import { type AnyAgent, DEFAULT_AGENT } from '../../agents/names.ts';
import { findAgent, sessionHomeOf } from '../../agents/registry.ts';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { type CheckpointId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { toRepoPath } from '../../base/repo-path.ts';
import { parseJson } from '../../base/text/json.ts';
import type { StoredCheckpoint, StoredSlot } from '../../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../../checkpoint/read/store.ts';
import { shadowBranch } from '../../checkpoint/shadow-branch.ts';
import { physicalPath } from '../../git/locate.ts';
import type { Branch } from '../../history/branch.ts';
import { readStepTranscript } from '../../history/detail.ts';
import { readSteps } from '../../history/temporary.ts';
import type { SessionState } from '../../session/state.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import {
  type LogPlace,
  type LogPlan,
  type LogPlans,
  locateLog,
  planLog,
  planLogs,
  readIfThere,
  type SkippedLog,
  type StoredLog,
  shortenPrompt,
} from '../log/logs.ts';
import { findStoredSession } from './sessions.ts';

/** What going on with something comes to. Nothing has been written. */
export interface ResumePlan extends LogPlans {
  readonly checkpoint: CheckpointId | undefined;
  /** One session, of auto-commit or of before agents were noted: it is announced in other words. */
  readonly isSingle: boolean;
  /** There is no transcript to restore: only the agent's command can be told. */
  readonly bare:
    | { readonly sessionId: SessionId; readonly agent: AnyAgent; readonly prompt: string }
    | undefined;
}

/**
 * Going on with all sessions of a checkpoint; where no log can be restored, with the first one that names no agent, as
 * if it were the default agent's.
 *
 * @throws {EntireError} `STATE_UNREADABLE` when nothing of the checkpoint can be read
 */
export function planCheckpoint(
  place: LogPlace,
  store: CheckpointStore,
  { id, slots, problems }: StoredCheckpoint,
): ResumePlan {
  if (slots.length === 0) {
    throw new EntireError(
      'STATE_UNREADABLE',
      `checkpoint ${id} cannot be read: ${problems[0] ?? 'it is empty'}`,
      {
        hint: '`git fsck` says what is damaged. Another clone may have it whole: try `entire fetch`.',
      },
    );
  }
  const plans = planLogs(place, store, slots);
  const nameless = plans.skipped.find(({ why }) => why === 'no-agent')?.index;
  const first = plans.logs.length === 0 ? slots.find(({ index }) => index === nameless) : undefined;
  const { logs, skipped } = first ? planLogs(place, store, [first], { assumeAgent: true }) : plans;
  const isAuto = slots.every(({ metadata }) => metadata.strategy === 'auto-commit');
  return {
    checkpoint: id,
    logs,
    skipped,
    isSingle: logs.length < 2 && (isAuto || first !== undefined),
    bare: logs.length === 0 ? findBare(skipped, slots) : undefined,
  };
}

function findBare(skipped: readonly SkippedLog[], slots: readonly StoredSlot[]): ResumePlan['bare'] {
  const index = skipped.find(({ why }) => why === 'no-transcript')?.index;
  const metadata = slots.find((slot) => slot.index === index)?.metadata;
  const sessionId = parseSessionId(metadata?.sessionId);
  const agent = metadata?.agent ? findAgent(metadata.agent) : DEFAULT_AGENT;
  return sessionId && agent && { sessionId, agent, prompt: '' };
}

/**
 * Going on with one session: from its log as it lies here, unless that is older than what the newest checkpoint or, where
 * it is gone, the newest step has of it.
 *
 * @throws {EntireError} `NOT_FOUND` when nothing is left of it
 */
export async function planSession(
  place: LogPlace,
  branch: Branch,
  store: CheckpointStore,
  id: SessionId,
): Promise<ResumePlan> {
  const state = readStateIfReadable(sessionsDir(place.repo.commonDir), id);
  const slot = await findStoredSession(store, id, state);
  const stored = slot ? planLogs(place, store, [slot], WHOLE) : { logs: [], skipped: [] };
  const [log] = stored.logs;
  const newest = log?.localMs === undefined ? newerOf(log, planStep(place, branch, id, state)) : log;
  const found = newest ?? planLocal(place, id, state);
  if (!found && !slot)
    throw new EntireError(
      'NOT_FOUND',
      `nothing is left of session ${id}: its log is gone, and no checkpoint has it`,
    );
  return {
    checkpoint: slot?.checkpoint,
    // A log that goes on behind its last checkpoint is the session itself.
    logs: found ? [found.state === 'local-newer' ? { ...found, state: 'unchanged' } : found] : [],
    skipped: found ? [] : stored.skipped,
    isSingle: false,
    bare: found || !slot ? undefined : findBare(stored.skipped, [slot]),
  };
}

const WHOLE = { assumeAgent: true, isWhole: true } as const;

/** The log as it lies here, or elsewhere on this machine, where nothing was stored of it. */
function planLocal(
  place: LogPlace,
  sessionId: SessionId,
  state: SessionState | undefined,
): LogPlan | undefined {
  const agent = state && findAgent(state.agentType);
  if (!agent) return undefined;
  const { actual: file, elsewhere } = locateLog(place, agent, sessionId);
  if (!file || !disk.existsSync(file)) {
    const bytes = elsewhere === undefined ? undefined : readIfThere(elsewhere);
    return bytes && planKnown(place, sessionId, state, { bytes, problems: [] });
  }
  return {
    ...{ sessionId, agent, file, bytes: Buffer.alloc(0), problems: [] },
    prompt: shortenPrompt(state.firstPrompt),
    state: 'unchanged',
    localMs: undefined,
    storedMs: undefined,
  };
}

/** Tasks and what was carried forward are among them. */
const STEPS = 20;

/** The log as the session's newest step has it, for one that is gone and that no commit has. */
function planStep(
  place: LogPlace,
  branch: Branch,
  sessionId: SessionId,
  state: SessionState | undefined,
): LogPlan | undefined {
  const { shadows } = branch;
  const own = state && shadows.get(shadowBranch(state.baseCommit, state.worktreeId));
  const tips = state ? (own ? [own] : []) : [...shadows.values()];
  const steps = readSteps(branch, tips, { session: sessionId, limit: STEPS });
  const step = steps.find((one) => one.sessionId === sessionId && one.metadataDir !== undefined);
  if (!step) return undefined;
  return planKnown(place, sessionId, state, readStepTranscript(branch, step));
}

function planKnown(
  place: LogPlace,
  sessionId: SessionId,
  state: SessionState | undefined,
  { bytes, problems }: Pick<StoredLog, 'bytes' | 'problems'>,
): LogPlan | undefined {
  const agentType = state?.agentType ?? '';
  const prompt = state?.firstPrompt ?? '';
  const plan = planLog(place, { sessionId, agentType, prompt, bytes, problems, recordedPath: '' }, WHOLE);
  return 'file' in plan ? plan : undefined;
}

const newerOf = (a: LogPlan | undefined, b: LogPlan | undefined): LogPlan | undefined =>
  a && b ? ((a.storedMs ?? 0) >= (b.storedMs ?? 0) ? a : b) : (a ?? b);

/**
 * The folder that an agent finds a log from, as far as one of those that come into question is it; absolute and physical.
 */
export function findLaunchFolder(
  { repo, env }: LogPlace,
  { agent, sessionId, file, bytes }: Pick<LogPlan, 'agent' | 'sessionId' | 'file' | 'bytes'>,
  cwd: string,
): string | undefined {
  const home = sessionHomeOf(agent);
  const state = readStateIfReadable(sessionsDir(repo.commonDir), sessionId);
  const folders = [
    cwd,
    repo.worktreeRoot,
    state?.worktreePath ?? '',
    ...readFolder(bytes, repo.worktreeRoot),
  ].filter((folder) => folder !== '' && disk.statSync(folder, { throwIfNoEntry: false })?.isDirectory());
  // Names may hold a time, which the id alone does not tell.
  const isIn = (folder: string): boolean =>
    physicalPath(dirname(home.transcript(env, folder, sessionId))) === physicalPath(dirname(file));
  return home.isTranscriptOf(file, sessionId) ? folders.map(physicalPath).find(isIn) : undefined;
}

/** The folder of this worktree that a transcript begins in: anybody may have written it. */
function readFolder(bytes: Buffer, root: string): string[] {
  const [, json = ''] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(bytes.toString('utf8', 0, 64 * 1024)) ?? [];
  const folder = parseJson(json);
  return typeof folder === 'string' && toRepoPath(root, physicalPath(folder)) ? [folder] : [];
}
