import { isAbsolute } from 'node:path';
import { type AnyAgent, DEFAULT_AGENT } from '../../agents/names.ts';
import { findAgent, sessionHomeOf, transcriptFormatOf } from '../../agents/registry.ts';
import { lookAtTranscript } from '../../agents/shared/transcript/transcript-door.ts';
import { errnoOf } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { shortenLine } from '../../base/text/text.ts';
import type { StoredSlot } from '../../checkpoint/read/checkpoint.ts';
import type { CheckpointStore } from '../../checkpoint/read/store.ts';
import { readPrompts, readTranscript } from '../../checkpoint/read/texts.ts';
import type { Repo } from '../../git/locate.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import type { Progress } from '../../snapshot/place.ts';
import { compareLogs, type LogComparison, type LogState } from './logs-compare.ts';
import { chooseTarget, resolveTarget } from './logs-target.ts';

/** Where logs are restored: the worktree the sessions are to go on in, and the environment the agents will see. */
export interface LogPlace {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  /** Told of each log that is read or written. */
  readonly onProgress?: Progress;
}

/** A transcript as it was stored, wherever that was. */
export interface StoredLog {
  /** As the metadata has it: not checked. */
  readonly sessionId: string;
  /** `Claude Code`; not checked. */
  readonly agentType: string;
  /** First prompt of the session; empty when none is known. */
  readonly prompt: string;
  readonly bytes: Buffer;
  /** `transcript_path` of the metadata: not checked. */
  readonly recordedPath: string;
  /** What is odd about it, in words. */
  readonly problems: readonly string[];
  /** Number of the session in its checkpoint, where it comes from one. */
  readonly index?: number;
}

/** What restoring one session comes to. Nothing has been written. */
export interface LogPlan extends LogComparison {
  readonly sessionId: SessionId;
  readonly agent: AnyAgent;
  /** On one line of at most 60 bytes; empty when none is known. Not made safe for a terminal. */
  readonly prompt: string;
  /** Where the agent will look for it, absolute. */
  readonly file: string;
  readonly bytes: Buffer;
  /** What is odd about the stored transcript, which is restored all the same. */
  readonly problems: readonly string[];
}

/** A session that cannot be restored. */
export interface SkippedLog {
  /** As the metadata has it: neither checked nor made safe for a terminal. */
  readonly sessionId: string;
  readonly why: 'unreadable' | 'no-session' | 'no-agent' | 'unknown-agent' | 'no-transcript' | 'not-a-file';
  /** The agent, the file, or what is wrong with the transcript: whatever the reason is about. */
  readonly detail: string;
  /** Number of the session in its checkpoint; 0 for a transcript from elsewhere. */
  readonly index: number;
  /** Going back, of a log that may not be written: what would become of it. */
  readonly plan?: LogPlan;
}

/** All sessions of a checkpoint. */
export interface LogPlans {
  /** Oldest first. */
  readonly logs: readonly LogPlan[];
  readonly skipped: readonly SkippedLog[];
}

/** Where the log of a session is, or will be. */
export interface LogFile {
  readonly chosen: string;
  readonly actual: string | undefined;
  readonly elsewhere: string | undefined;
}

export interface PlanOptions {
  /** Sessions without agent metadata are the default agent's. */
  readonly assumeAgent?: boolean;
  /** Going back: what becomes of the log, whatever is there. Without it, what is there may hold more. */
  readonly cut?: Cut;
  /** Going on with the session, wherever it is: a log that this machine has elsewhere may hold more than what is stored. */
  readonly isWhole?: boolean;
}

/**
 * Makes a log end where the stored one does.
 *
 * @param copies the log as this machine has it, never redacted: where the agent looks for it, and elsewhere
 */
export type Cut = (copies: readonly Buffer[], stored: Buffer) => Buffer;

/** A log that was dealt with. */
export interface RestoredLog extends LogPlan {
  /** `left`: what lies there holds the same, or more. */
  readonly outcome: 'written' | 'left';
  /** Where the log that was replaced is kept. */
  readonly kept: string | undefined;
}

/**
 * What restoring sessions of a checkpoint comes to: where each transcript goes, and what is there. Two git processes and
 * one for each session; writes nothing.
 */
export function planLogs(
  place: LogPlace,
  store: CheckpointStore,
  slots: readonly StoredSlot[],
  options: PlanOptions = {},
): LogPlans {
  const prompts = readPrompts(store, slots);
  const plans = slots.map((slot, at) => {
    place.onProgress?.('Reading transcripts', at, slots.length);
    const { sessionId, agent, transcriptPath } = slot.metadata;
    const { bytes, problems } = readTranscript(store, slot);
    const prompt = prompts.get(slot)?.[0] ?? '';
    const all = [...slot.problems, ...problems];
    const stored = {
      sessionId,
      agentType: agent,
      prompt,
      bytes,
      recordedPath: transcriptPath,
      problems: all,
    };
    return planLog(place, { ...stored, index: slot.index }, options);
  });
  const logs = plans.filter((plan) => 'file' in plan);
  // A session stands once in a checkpoint. Where it does not, the later one is the whole of it.
  const last = new Map(logs.map((log) => [log.file, log]));
  return {
    logs: logs.filter((log) => last.get(log.file) === log),
    skipped: plans.filter((plan) => 'why' in plan),
  };
}

/** {@link planLogs} for one transcript. */
export function planLog(
  { repo, env }: LogPlace,
  stored: StoredLog,
  { assumeAgent = false, cut, isWhole = false }: PlanOptions = {},
): LogPlan | SkippedLog {
  const { agentType, bytes, problems, recordedPath } = stored;
  const skip = (why: SkippedLog['why'], detail = ''): SkippedLog => ({
    sessionId: stored.sessionId,
    why,
    detail,
    index: stored.index ?? 0,
  });
  const sessionId = parseSessionId(stored.sessionId);
  if (!sessionId)
    return skip(problems.length > 0 && stored.sessionId === '' ? 'unreadable' : 'no-session', problems[0]);
  const agent = agentType === '' && assumeAgent ? DEFAULT_AGENT : findAgent(agentType);
  if (!agent) return agentType === '' ? skip('no-agent') : skip('unknown-agent', agentType);
  const lost = problems.find((text) => /cannot be read|lacks/.test(text));
  if (lost !== undefined) return skip('unreadable', lost);
  if (bytes.length === 0) return skip('no-transcript');

  const file = locateLog({ repo, env }, agent, sessionId, recordedPath, cut && agentType);
  const readable = file.actual ?? (cut && isReadable(file.chosen, agentType) ? file.chosen : undefined);
  if (readable === undefined) return skip('not-a-file', file.chosen);
  const here = readIfThere(readable);
  const elsewhere = isReadable(file.elsewhere, agentType) ? readIfThere(file.elsewhere) : undefined;
  const copies = [here, elsewhere].flatMap((copy) => (copy && copy.length > 0 ? [copy] : []));
  const chosen = cut ? cut(copies, bytes) : chooseSource(bytes, elsewhere, isWhole);
  const comparison = compareLogs(here, chosen);
  const state = cut ? stateAfter(here, chosen) : comparison.state;
  const prompt = shortenPrompt(stored.prompt);
  const plan = { sessionId, agent, file: readable, bytes: chosen, problems, prompt, ...comparison, state };
  const isRefused = file.actual === undefined && state !== 'unchanged';
  return isRefused ? { ...skip('not-a-file', file.chosen), plan } : plan;
}

/** A path that a state names was told by a payload. */
const isReadable = (path: string | undefined, agentType: string): path is string =>
  path !== undefined && lookAtTranscript(path, transcriptFormatOf(agentType).looksLike) !== undefined;

/** Going back, a log that lies here and holds more is not what is wanted. */
const stateAfter = (here: Buffer | undefined, wanted: Buffer): LogState =>
  here?.equals(wanted) ? 'unchanged' : here ? 'checkpoint-newer' : 'new';

/**
 * Where an agent will look for a session's transcript.
 *
 * @param recorded `transcript_path` of shared metadata, if any
 * @param cutsOf going back: whose log is cut, where it lies
 * @returns the file as it was chosen, and with links followed; no `actual` where none can be written there; and where this
 *   machine knows its log to be, if that is elsewhere
 */
export function locateLog(
  { repo, env }: LogPlace,
  agent: AnyAgent,
  sessionId: SessionId,
  recorded = '',
  cutsOf?: string,
): LogFile {
  const home = sessionHomeOf(agent);
  const state = readStateIfReadable(sessionsDir(repo.commonDir), sessionId);
  const known = state?.transcriptPath ?? '';
  const chosen = chooseTarget({
    ...{ home, env, sessionId, recorded, known },
    folder: repo.worktreeRoot,
    isLive: cutsOf !== undefined && isReadable(known, cutsOf),
    isHome: state !== undefined && (state.worktreePath === '' || disk.existsSync(state.worktreePath)),
  });
  const isElsewhere = known !== chosen && isAbsolute(known) && home.isTranscriptOf(known, sessionId);
  return {
    chosen,
    actual: resolveTarget(chosen, home.root(env)),
    elsewhere: isElsewhere ? known : undefined,
  };
}

/** What is stored, or the same as it lies elsewhere on this machine: that was never redacted. */
function chooseSource(stored: Buffer, elsewhere: Buffer | undefined, isWhole: boolean): Buffer {
  const state = elsewhere && compareLogs(elsewhere, stored).state;
  return elsewhere && (state === 'unchanged' || (isWhole && state === 'local-newer')) ? elsewhere : stored;
}

/** A prompt on one line. */
export const shortenPrompt = (prompt: string): string => shortenLine(prompt, 60);

/** The bytes of a file; `undefined` when there is none. @throws any other system error */
export function readIfThere(file: string): Buffer | undefined {
  try {
    return disk.readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
