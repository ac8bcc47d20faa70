import { typeOf } from '../../agents/registry.ts';
import { lookAtTranscript } from '../../agents/shared/transcript/transcript-door.ts';
import { describeError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { rulesFingerprint } from '../../checkpoint/redact/custom.ts';
import { redactTranscript } from '../../checkpoint/redact/redact.ts';
import { chooseSource, readSession } from '../../conversation/walk/read-session.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { isWithin, listSessions } from '../../conversation/walk/walker.ts';
import { locateRepo, physicalPath, type Repo } from '../../git/locate.ts';
import { listWorktreeRoots } from '../../git/worktree/worktrees.ts';
import { listStateFiles, readStateIfReadable, sessionOfStateFile } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { readActivation } from '../../settings/enabled.ts';
import { currentRedaction, parseRedaction, useRedaction } from '../../settings/redaction.ts';
import { isPausedNow, type Mask, readMask } from '../../strategy/transcript/private.ts';
import { documentsOf } from '../document.ts';
import type { ReadableSource, Reading } from './source.ts';
import { haveAgentsGrown, keyOfMask, readTranscriptFile } from './transcript.ts';

/** A session whose transcript lies on this machine. */
interface OwnSession {
  readonly key: string;
  readonly session: SessionId;
  readonly agent: string;
  readonly path: string;
  readonly folder: string;
  readonly start: number;
}

/** Sessions of a repository that have done something that no checkpoint has yet. */
export function listLive(repo: Repo): ReadableSource[] {
  const dir = sessionsDir(repo.commonDir);
  const rules = rulesFingerprint();
  const roots = rootsOf(repo);
  return listStateFiles(dir, { archived: false }).flatMap((file) => {
    const id = sessionOfStateFile(file.slice(file.lastIndexOf('/') + 1));
    const state = id && readStateIfReadable(dir, id);
    if (!state?.transcriptPath) return [];
    const { sessionId, agentType, transcriptPath, worktreePath, checkpointTranscriptStart } = state;
    const own = { session: sessionId, agent: agentType, path: transcriptPath, folder: worktreePath };
    const key = `live:${sessionId}`;
    return (
      toSource(
        { ...own, key, start: checkpointTranscriptStart },
        { rules, commonDir: repo.commonDir, roots },
      ) ?? []
    );
  });
}

/** The tops of all worktrees of a repository. */
export const rootsOf = (repo: Repo): string[] => [
  ...new Set([repo.worktreeRoot, ...listWorktreeRoots(repo).map(physicalPath)]),
];

/** What holds for sessions that were begun in a folder. */
interface Ground {
  readonly rules: string;
  /** Of the repository that it lies in. */
  readonly commonDir: string | undefined;
  /** Folders that paths are shown from. */
  readonly roots: readonly string[];
  readonly repo?: Repo | undefined;
}

function toSource(own: OwnSession, ground: Ground): ReadableSource | undefined {
  const { key, session, agent, path, folder, start } = own;
  const stat = lookAtTranscript(path, undefined);
  const mask = maskOf(ground.commonDir, session);
  if (!stat || stat.size === 0 || mask === 'unknown') return undefined;
  const file = { path, agent, session, start, mask, roots: [folder, ...ground.roots] };
  return {
    ...{ key, session, agent, folder, rules: ground.rules, checkpoint: '', sizeBytes: stat.size },
    state: [path, stat.size, stat.mtimeMs, start, keyOfMask(mask)].join('\0'),
    hasGrown: (progress) => haveAgentsGrown(file, progress),
    async read(progress, holds) {
      if (ground.commonDir !== undefined && isPausedNow(ground.commonDir, session)) return undefined;
      return within(ground, () => readTranscriptFile(file, progress, holds));
    },
  };
}

/** Who cannot know what is private reads nothing. */
function maskOf(commonDir: string | undefined, session: SessionId): Mask | undefined | 'unknown' {
  try {
    return commonDir === undefined ? undefined : readMask(commonDir, session);
  } catch (error) {
    log('warn', 'session is not searched', { session_id: session, error: describeError(error) });
    return 'unknown';
  }
}

/** Redacts by the rules of another repository. */
async function within<T>({ repo }: Ground, body: () => Promise<T>): Promise<T> {
  if (!repo) return body();
  const before = currentRedaction();
  useRedaction(redactionOf(repo));
  try {
    return await body();
  } finally {
    useRedaction(before);
  }
}

function redactionOf(repo: Repo) {
  const activation = readActivation(repo);
  return 'redaction' in activation ? parseRedaction(activation.redaction) : parseRedaction([]);
}

/**
 * Sessions that agents, and we, keep on this machine.
 *
 * @param repo only those that were begun in it; all of them without it
 */
export async function listOwn(env: NodeJS.ProcessEnv, repo: Repo | undefined): Promise<ReadableSource[]> {
  const records = (await listSessions({ env, newest: 'written' })).toReversed(); // what is newest is found first
  const roots = repo && rootsOf(repo);
  const isHere = isWithin(roots);
  const ground = repo && roots && { rules: rulesFingerprint(), commonDir: repo.commonDir, roots };
  const groundOf = ground ? () => ground : openGrounds();
  return records
    .filter(({ folder }) => isHere(folder))
    .flatMap((record) => toOwn(record, env, groundOf(record.folder)) ?? []);
}

/** The rules and the repository of each folder, looked up once. */
function openGrounds(): (folder: string | undefined) => Ground {
  const known = new Map<string, Ground>();
  return (folder = '') => {
    const found = known.get(folder) ?? findGround(folder);
    known.set(folder, found);
    return found;
  };
}

function findGround(folder: string): Ground {
  let repo: Repo | undefined;
  try {
    repo = folder === '' || folder.includes('\0') ? undefined : locateRepo(folder, {});
  } catch {
    // Nobody can say which repository it is.
  }
  const before = currentRedaction();
  useRedaction(repo ? redactionOf(repo) : undefined);
  const rules = rulesFingerprint();
  useRedaction(before);
  return { rules, commonDir: repo?.commonDir, repo, roots: repo ? rootsOf(repo) : [] };
}

function toOwn(record: SessionRecord, env: NodeJS.ProcessEnv, ground: Ground): ReadableSource | undefined {
  const { sessionId, agentSessionId, cliOrigin, folder = '', kind } = record;
  const path = chooseSource(record, env);
  if (path === undefined) return undefined;
  const agent = cliOrigin === '' ? '' : typeOf(cliOrigin);
  const session = agentSessionId ?? parseSessionId(sessionId) ?? sessionId;
  const own = { key: `file:${path}`, agent, folder, path, start: 0 };
  if (kind === 'agent' || path === record.transcript) return toSource({ ...own, session }, ground);
  return toKept(record, { ...own, session: sessionId }, ground);
}

/** A session of ours in a file: short, and read as a whole. */
function toKept(record: SessionRecord, own: OwnSession, ground: Ground): ReadableSource | undefined {
  const stat = disk.statSync(own.path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const { key, session, agent, folder, path } = own;
  return {
    ...{ key, session, agent, folder, rules: ground.rules, checkpoint: '', sizeBytes: stat.size },
    state: [path, stat.size, stat.mtimeMs].join('\0'),
    read: () =>
      within(ground, async (): Promise<Reading> => {
        const { messages } = readSession(record);
        const { text } = await redactTranscript(
          messages.map((message) => JSON.stringify(message)).join('\n'),
          [],
        );
        const redacted = text.split('\n').map((line) => JSON.parse(line));
        return { documents: documentsOf(redacted, [folder, ...ground.roots]), isWhole: true, progress: '' };
      }),
  };
}
