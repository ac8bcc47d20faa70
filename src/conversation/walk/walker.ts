import { dirname, isAbsolute, sep } from 'node:path';
import { type AgentName, parseAgentName } from '../../agents/names.ts';
import { agentOf } from '../../agents/registry.ts';
import { type KeptTranscript, newestFirst } from '../../agents/shared/transcript/kept-transcripts.ts';
import { disk } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { shortenLine } from '../../base/text/text.ts';
import { locateRepo } from '../../git/locate.ts';
import { compareRunTails, KNOWN_CLI_ORIGINS, parseCliOrigin } from '../runs/run-id.ts';
import { HeadCache } from './head-cache.ts';
import {
  type KeptRun,
  listRuns,
  listStored,
  type OnProblem,
  type StoredSession,
  storedFile,
} from './own-sessions.ts';
import type { SessionRecord, SessionSummary } from './session-record.ts';
import { findTitle, TITLE_BYTES } from './title.ts';

export interface WalkOptions {
  /** Says where homes are. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** So many records at most; the newest. Default: all. */
  readonly limit?: number;
  /** Only sessions that were begun in this folder, or in one of these, or below it; absolute, physical. */
  readonly folder?: string | readonly string[];
  /** What makes one newer than another: when its newest run began (default), or when it was last written. */
  readonly newest?: 'begun' | 'written';
  /** The stores of these agents are looked at; none of them for `[]`. Default: of all. */
  readonly agents?: readonly AgentName[];
  /** Hears what cannot be listed. Without it that is passed over. */
  readonly onProblem?: OnProblem;
}

/**
 * All sessions that we or an agent keep on this machine, newest first: those with runs by the time in the id of the newest, others
 * by when they were last written; with `newest: 'written'` all of them. What has an unknown prefix, or is no session, is passed over.
 *
 * A session of ours whose agent keeps it, too, is one record. Costs a look at each name, and a read of 4 KiB of each session
 * that may be among the newest.
 */
export async function* iterAllSessions(options: WalkOptions = {}): AsyncGenerator<SessionRecord> {
  yield* await listSessions(options);
}

/** {@link iterAllSessions}: those of one agent. An unknown one has none. */
export async function* iterSessionsForCli(
  name: string,
  options: WalkOptions = {},
): AsyncGenerator<SessionRecord> {
  const agent = parseAgentName(name);
  if (agent === undefined) return;
  const { limit = Number.POSITIVE_INFINITY } = options;
  let count = 0;
  for (const record of await listSessions({ ...options, limit: Number.POSITIVE_INFINITY, agents: [agent] })) {
    if (record.cliOrigin !== agent) continue;
    if (++count > limit) return;
    yield record;
  }
}

/** {@link iterAllSessions} as a list. */
export async function listSessions(options: WalkOptions = {}): Promise<SessionRecord[]> {
  const { env = process.env, limit = Number.POSITIVE_INFINITY, onProblem = () => {} } = options;
  const within = options.folder === undefined ? undefined : [options.folder].flat();
  // An agent is asked for one folder or for all: of several, all are looked at.
  const folder = within?.length === 1 ? within[0] : undefined;
  const agents = (options.agents ?? [...KNOWN_CLI_ORIGINS]).toSorted(lastOpenCode);
  const own = mergeOwn(env, listRuns(env, onProblem), listStored(env, onProblem));
  const isBelow = isWithin(within);
  const walk = new Merge(own);
  for (const [agent, kept] of findTranscripts(env, own)) walk.take(agent, kept);
  // What is found of an agent may turn out to be one of ours: so many more are asked for.
  const most = within && !folder ? Number.POSITIVE_INFINITY : limit + own.length;
  const heads = most > FEW ? new HeadCache(env) : undefined;
  for (const agent of agents) {
    const titleOf = (head: string): string | undefined => summaryOf(findTitle(agent, head)).title;
    const quiet = { isThorough: true, titleOf, heads };
    const look = { ...quiet, onProblem };
    for (const kept of agentOf(agent).home.list(env, most, folder, look)) walk.take(agent, kept);
    if (agent !== 'opencode' || folder !== undefined) continue;
    // What OpenCode handed over lies in worktrees: in this one, and in those of sessions that are known. Nobody knows whether
    // there is something in them.
    const here = within ?? locateRepo(process.cwd())?.worktreeRoot ?? [];
    const folders = [here, ...walk.folders()].flat().filter((one) => isAbsolute(one) && !one.includes('\0'));
    for (const place of new Set(folders.slice(0, MAX_FOLDERS).map(physical)))
      for (const kept of agentOf('opencode').home.list(env, most, place, quiet)) walk.take(agent, kept);
  }
  const isAll = most === Number.POSITIVE_INFINITY && folder === undefined;
  heads?.save(isAll && agents.length === KNOWN_CLI_ORIGINS.size);
  const isFound = ({ kind }: SessionRecord) => kind === 'agent' && folder !== undefined;
  const found = walk.entries().filter(({ record }) => isFound(record) || isBelow(record.folder));
  const msOf = ({ sortMs, record }: Entry) =>
    options.newest === 'written' ? Date.parse(record.updatedAt) : sortMs;
  found.sort((a, b) => msOf(b) - msOf(a) || compareRunTails(tailOf(a), tailOf(b)));
  return found.slice(0, limit).map(({ record }) => record);
}

/**
 * The folder that holds a session: that of its newest run, or the one that its file or the agent's transcript lies in.
 *
 * @param id of a run, of a session of ours, or an agent's own
 * @returns `undefined` when nobody keeps it
 */
export async function findSessionDir(id: string, options: WalkOptions = {}): Promise<string | undefined> {
  const { env = process.env, onProblem = () => {} } = options;
  const run = parseCliOrigin(id) !== '' && listRuns(env, onProblem).find(({ runId }) => runId === id);
  if (run) return run.path;
  const { limit: _, ...all } = options;
  const record = (await listSessions(all)).find((one) => one.sessionId === id || one.agentSessionId === id);
  if (!record) return undefined;
  return record.kind === 'run' ? record.path : dirname(record.path);
}

/** It is looked for where others were. */
const lastOpenCode = (a: AgentName, b: AgentName): number =>
  Number(a === 'opencode') - Number(b === 'opencode');
const MAX_FOLDERS = 1000;
/** Beginnings of so few are read faster than what is remembered of all. */
const FEW = 500;

/** A record, and the time it is sorted by, in milliseconds. */
interface Entry {
  readonly record: SessionRecord;
  readonly sortMs: number;
  /** When we last wrote something into it. */
  readonly heardMs: number;
}

/** The runs of a session, newest first, and the file it is stored in, as one. */
function mergeOwn(
  env: NodeJS.ProcessEnv,
  runs: readonly KeptRun[],
  stored: readonly StoredSession[],
): Entry[] {
  const files = new Map(stored.map((session) => [session.sessionId, session]));
  const bySession = new Map<SessionId, KeptRun[]>();
  for (const run of runs) bySession.set(run.sessionId, [...(bySession.get(run.sessionId) ?? []), run]);
  const withRuns = [...bySession].map(([sessionId, all]): Entry => {
    const file = files.get(sessionId);
    files.delete(sessionId);
    const [newest, oldest] = [all[0] as KeptRun, all.at(-1) as KeptRun];
    const known = all.find(({ agentSessionId }) => agentSessionId !== undefined);
    const heardMs = Math.max(newest.beganMs, file?.writtenMs ?? 0, ...all.map(({ writtenMs }) => writtenMs));
    const record: SessionRecord = {
      sessionId,
      runId: newest.runId,
      runs: all.map(({ path }) => path),
      isStored: file !== undefined || disk.existsSync(storedFile(env, sessionId)), // it may be a link, or empty
      ...(file?.isUnanswered && { isUnanswered: true }),
      cliOrigin: newest.cliOrigin,
      kind: 'run',
      path: newest.path,
      agentSessionId: newest.agentSessionId ?? file?.agentSessionId ?? known?.agentSessionId,
      transcript: undefined,
      folder: newest.folder ?? file?.folder,
      startedAt: file?.startedAt ?? oldest.startedAt,
      updatedAt: new Date(heardMs).toISOString(),
      branch: file?.branch,
      summary: summaryOf(file?.title ?? oldest.title),
    };
    return { record, sortMs: newest.beganMs, heardMs };
  });
  const alone = [...files.values()].map((file): Entry => {
    const record: SessionRecord = {
      sessionId: file.sessionId,
      runId: undefined,
      runs: [],
      isStored: true,
      ...(file.isUnanswered && { isUnanswered: true }),
      cliOrigin: file.agent ?? parseCliOrigin(file.sessionId),
      kind: 'stored',
      path: file.path,
      agentSessionId: file.agentSessionId,
      transcript: undefined,
      folder: file.folder,
      startedAt: file.startedAt,
      updatedAt: new Date(file.writtenMs).toISOString(),
      branch: file.branch,
      summary: summaryOf(file.title),
    };
    return { record, sortMs: file.writtenMs, heardMs: file.writtenMs };
  });
  return [...withRuns, ...alone];
}

/** What agents have of our sessions, where they would look for it themselves: their stores may not be looked at. */
function* findTranscripts(
  env: NodeJS.ProcessEnv,
  own: readonly Entry[],
): Generator<[AgentName, KeptTranscript]> {
  for (const { record } of own) {
    const { cliOrigin, agentSessionId: sessionId, folder } = record;
    if (cliOrigin === '' || sessionId === undefined || folder === undefined) continue;
    const [file] = newestFirst([agentOf(cliOrigin).home.transcript(env, folder, sessionId)]);
    if (file) yield [cliOrigin, { sessionId, path: file.path, writtenMs: file.writtenMs, folder }];
  }
}

/** An agent writes a last line when its process is told to end; what is later than that was said elsewhere. */
const AFTERWARDS_MS = 60_000;

/** Puts what agents keep beside what we keep. */
class Merge {
  private readonly own: Entry[];
  private readonly others: Entry[] = [];
  private readonly byAgentId = new Map<string, number>();

  constructor(own: readonly Entry[]) {
    this.own = [...own];
    // The newest stands for an agent's session that two of ours know, as after a fork.
    const order = own.map((entry, at) => ({ entry, at })).sort((a, b) => a.entry.sortMs - b.entry.sortMs);
    for (const { entry, at } of order) {
      const { cliOrigin, agentSessionId, sessionId } = entry.record;
      // One that was imported where its agent keeps it, too, has the id that it has there.
      this.byAgentId.set(`${cliOrigin}/${agentSessionId ?? sessionId}`, at);
    }
  }

  take(agent: AgentName, kept: KeptTranscript): void {
    const at = this.byAgentId.get(`${agent}/${kept.sessionId}`);
    const entry = at === undefined ? undefined : this.own[at];
    if (at === undefined || !entry) {
      this.others.push(asEntry(agent, kept));
      return;
    }
    const { record, heardMs } = entry;
    const wentOn = kept.writtenMs > heardMs + AFTERWARDS_MS;
    const sortMs = wentOn ? kept.writtenMs : entry.sortMs;
    const title = record.summary.title ?? kept.title;
    this.own[at] = {
      record: {
        ...record,
        transcript: kept.path,
        folder: record.folder ?? kept.folder,
        updatedAt: new Date(Math.max(heardMs, kept.writtenMs)).toISOString(),
        summary: summaryOf(title),
      },
      sortMs,
      heardMs,
    };
  }

  entries(): Entry[] {
    return [...this.own, ...this.others];
  }

  /** Where sessions were begun. */
  folders(): string[] {
    return [...new Set(this.entries().flatMap(({ record }) => record.folder ?? []))];
  }
}

function asEntry(agent: AgentName, kept: KeptTranscript): Entry {
  const record: SessionRecord = {
    sessionId: kept.sessionId,
    runId: undefined,
    runs: [],
    isStored: false,
    cliOrigin: agent,
    kind: 'agent',
    path: kept.path,
    agentSessionId: kept.sessionId,
    transcript: kept.path,
    folder: kept.folder,
    startedAt: undefined,
    updatedAt: new Date(kept.writtenMs).toISOString(),
    branch: undefined,
    summary: kept.title ? { title: kept.title } : {},
  };
  return { record, sortMs: kept.writtenMs, heardMs: kept.writtenMs };
}

const summaryOf = (title: string | undefined): SessionSummary =>
  title ? { title: shortenLine(title, TITLE_BYTES) } : {};

/** What decides between two of the same moment. */
const tailOf = ({ record: { runId, sessionId, cliOrigin } }: Entry): string =>
  (runId ?? sessionId).slice(runId ? cliOrigin.length + 1 : 0);

/** Tells whether a session's folder is one of those that are asked for, or below one; links followed. Any is, where none are asked for. */
export function isWithin(folders: readonly string[] | undefined): (told: string | undefined) => boolean {
  if (folders === undefined) return () => true;
  const isBelow = (path: string): boolean =>
    folders.some((folder) => path === folder || path.startsWith(folder + sep));
  return (told) => told !== undefined && !told.includes('\0') && (isBelow(told) || isBelow(physical(told)));
}

function physical(path: string): string {
  try {
    return disk.realpathSync(path);
  } catch {
    return path;
  }
}
