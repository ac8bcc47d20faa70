import { basename } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { type CheckpointId, parseCheckpointId, parseSessionId, type SessionId } from '../../base/ids.ts';
import { sortedUnique } from '../../base/repo-path.ts';
import { readCheckpoints, type StoredSlot } from '../../checkpoint/read/checkpoint.ts';
import { type CheckpointStore, listCheckpointIds } from '../../checkpoint/read/store.ts';
import { readLog } from '../../git/log.ts';
import type { SessionState } from '../../session/state.ts';
import { listStateFiles, readStateIfReadable, sessionOfStateFile } from '../../session/state-store.ts';

const SESSION_TRAILER = 'Entire-Session';

/** A session that is known here, or that a checkpoint tells of. */
export interface KnownSession {
  readonly sessionId: SessionId;
  /** The type of its agent; empty where nothing says. */
  readonly agent: string;
  /** When it was last heard of, in milliseconds since 1970; 0 where nothing says. */
  readonly heardMs: number;
}

/** State files that were written last; more than that are not opened to find the newest session. */
const NEWEST_STATES = 32;
/** The same for checkpoints: the newest one is among those that were committed last. */
const NEWEST_CHECKPOINTS = 16;

/**
 * The session of this repository that was heard of last: of any worktree, archived or not, or in a checkpoint that came
 * from elsewhere. Looks at names and times of all state files, and opens the newest until there are enough.
 *
 * @param agent only of an agent of that type
 */
export async function findNewestSession(
  dir: string,
  store: CheckpointStore,
  agent?: string,
): Promise<KnownSession | undefined> {
  const isAsked = (session: KnownSession): boolean => agent === undefined || session.agent === agent;
  const asked = [...readNewestStates(dir, isAsked), ...(await readNewest(store, isAsked))];
  return asked.reduce<KnownSession | undefined>(
    (newest, session) => (newest && newest.heardMs >= session.heardMs ? newest : session),
    undefined,
  );
}

type IsAsked = (session: KnownSession) => boolean;

/** Of an agent that was not used for long, the newest ones may be far behind. */
function readNewestStates(dir: string, isAsked: IsAsked): KnownSession[] {
  const files = listStateFiles(dir).map((file) => ({
    file,
    mtimeMs: disk.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const found: KnownSession[] = [];
  for (const { file } of files) {
    if (found.length === NEWEST_STATES) break;
    const id = sessionOfStateFile(basename(file));
    const state = id && readStateIfReadable(dir, id);
    if (!state) continue;
    const session = { sessionId: state.sessionId, agent: state.agentType, heardMs: heardOf(state) };
    if (isAsked(session)) found.push(session);
  }
  return found;
}

const heardOf = ({ lastInteractionTime, startedAt }: SessionState): number =>
  Date.parse(lastInteractionTime ?? startedAt) || 0;

function knownOf({ metadata }: StoredSlot): KnownSession | undefined {
  const sessionId = parseSessionId(metadata.sessionId);
  return sessionId && { sessionId, agent: metadata.agent, heardMs: Date.parse(metadata.createdAt) || 0 };
}

async function readNewest(store: CheckpointStore, isAsked: IsAsked): Promise<KnownSession[]> {
  if (store.tips.length === 0) return [];
  const readKnown = async (ids: readonly CheckpointId[]): Promise<KnownSession[]> =>
    (await readSlots(store, ids)).flatMap((slot) => knownOf(slot) ?? []).filter(isAsked);
  for (let skip = 0, limit = NEWEST_CHECKPOINTS; ; skip += limit, limit *= 4) {
    const query = { range: store.tips, skip, limit, containing: 'Checkpoint: ' };
    const rows = readLog(store.git, query) ?? [];
    const ids = rows.flatMap(({ subject }) => idIn(subject) ?? []);
    if (skip === 0 && ids.length === 0) return readKnown(await listCheckpointIds(store));
    const found = await readKnown(ids);
    if (found.length > 0 || rows.length < limit) return found;
  }
}

/** The checkpoint that a commit of the metadata branch is about. */
const idIn = (subject: string): CheckpointId | undefined =>
  parseCheckpointId(/\bCheckpoint: ([0-9a-f]{12})$/.exec(subject)?.[1]);

/** Sessions in checkpoints. */
async function readSlots(store: CheckpointStore, ids: readonly CheckpointId[]): Promise<StoredSlot[]> {
  const found = await readCheckpoints(store, ids);
  return [...found.values()].flatMap(({ slots }) => slots);
}

/** Clocks differ, and a checkpoint of a session is never older than the session. */
const EARLIER_MS = 24 * 60 * 60 * 1000;

/**
 * The newest part of a session that a checkpoint holds; `undefined` where none does.
 *
 * @param state what this machine knows of it. Where that is nothing, and no commit of the metadata branch names the
 *   session either, all checkpoints are looked through.
 */
export async function findStoredSession(
  store: CheckpointStore,
  sessionId: SessionId,
  state: SessionState | undefined,
): Promise<StoredSlot | undefined> {
  if (store.tips.length === 0) return undefined;
  const named = findCheckpointOf(store, sessionId, state) ?? state?.lastCheckpointId;
  const all = async () => (state ? [] : await listCheckpointIds(store));
  const slots = await readSlots(store, named ? [named] : await all());
  return slots
    .filter(({ metadata }) => metadata.sessionId === sessionId)
    .sort((a, b) => Date.parse(a.metadata.createdAt) - Date.parse(b.metadata.createdAt))
    .at(-1);
}

function findCheckpointOf(
  store: CheckpointStore,
  sessionId: SessionId,
  state: SessionState | undefined,
): CheckpointId | undefined {
  const startedMs = Date.parse(state?.startedAt ?? '');
  const since = Number.isNaN(startedMs) ? undefined : new Date(startedMs - EARLIER_MS);
  // As a rule the first is it; ids that begin like this one are of other sessions.
  for (let limit = 1; ; limit *= 64) {
    const commits = readCommitsOf(store, sessionId, { limit, since });
    const found = commits.find(({ sessions }) => sessions.includes(sessionId));
    if (found || commits.length < limit) return found?.checkpoint;
  }
}

/** Ids of sessions that begin so, sorted: of those that commits of the metadata branch name. */
export function listStoredSessionIds(store: CheckpointStore, prefix: string): SessionId[] {
  if (store.tips.length === 0 || !parseSessionId(prefix)) return [];
  const ids = readCommitsOf(store, prefix).flatMap(({ sessions }) => sessions);
  return sortedUnique(ids.flatMap((id) => parseSessionId(id) ?? []).filter((id) => id.startsWith(prefix)));
}

/** Checkpoints of a session, as far as commits of the metadata branch name it, the newest first. */
export const listCheckpointsOf = (store: CheckpointStore, sessionId: SessionId): CheckpointId[] => [
  ...new Set(
    readCommitsOf(store, sessionId).flatMap(({ checkpoint, sessions }) =>
      checkpoint && sessions.includes(sessionId) ? checkpoint : [],
    ),
  ),
];

/** More commits than one session can have. */
const MAX_COMMITS = 1_000_000;

/** Commits of the metadata branch that are about sessions whose ids begin so, newest first. */
function readCommitsOf(
  store: CheckpointStore,
  prefix: string,
  { limit = MAX_COMMITS, since }: { limit?: number; since?: Date | undefined } = {},
): Array<{ checkpoint: CheckpointId | undefined; sessions: readonly string[] }> {
  const query = { range: store.tips, limit, since, containing: `${SESSION_TRAILER}: ${prefix}` };
  return (readLog(store.git, { ...query, trailers: [SESSION_TRAILER] }) ?? []).map((row) => ({
    checkpoint: idIn(row.subject),
    sessions: (row.trailers[SESSION_TRAILER] ?? []).map((text) => text.trim()),
  }));
}
