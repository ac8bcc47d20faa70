import { AGENT_NAMES, type AgentName, parseAgentName } from '../../agents/names.ts';
import { agentOf, formatOf } from '../../agents/registry.ts';
import { EntireError, errnoOf } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import { parseSessionId, parseToolUseId, type SessionId } from '../../base/ids.ts';
import { asObject, asText } from '../../base/text/json.ts';
import { renderBytes } from '../../base/text/text.ts';
import { readCliMemory } from '../cli/memory.ts';
import type { SessionData } from '../session-data.ts';
import { type ExportedTranscript, MAX_EXPORT_BYTES, type TranscriptOwner, toTranscript } from './envelope.ts';

/** An agent's own session on this machine. */
export interface OwnSession {
  readonly agent: AgentName;
  readonly sessionId: SessionId;
  /** Its transcript, absolute. */
  readonly path: string;
  /** Where it was begun, where that is known. */
  readonly folder: string | undefined;
}

/** The session that an agent goes on with for one of ours; `undefined` where it has none, or its transcript is gone. */
export function findRemembered({ metadata }: SessionData, env: NodeJS.ProcessEnv): OwnSession | undefined {
  const agent = parseAgentName(asText(metadata.agent));
  const memory = readCliMemory(asObject(metadata.agent_memory));
  const id = parseSessionId(memory?.session_id);
  if (!agent || !memory || !id) return undefined;
  const folder = physical(memory.cwd);
  const path = agentOf(agent).home.transcript(env, folder, id);
  if (isFile(path)) return { agent, sessionId: id, path, folder };
  return findOwn(id, env, [agent]);
}

/** The newest session of that id that one of these agents keeps. Looks at the names of all, and into those that have no name. */
export function findOwn(
  id: SessionId,
  env: NodeJS.ProcessEnv,
  agents: readonly AgentName[] = AGENT_NAMES,
): OwnSession | undefined {
  for (const agent of agents) {
    const kept = agentOf(agent).home.list(env, Number.POSITIVE_INFINITY);
    const found = kept.find(({ sessionId }) => sessionId === id);
    if (found) return { agent, sessionId: id, path: found.path, folder: found.folder };
  }
  return undefined;
}

/**
 * The transcript of an agent's session, and those of its sub-agents behind it.
 *
 * @throws {EntireError} `SESSION_TOO_LARGE`; the system error when the first of them cannot be read
 */
export function readOwnTranscripts({ agent, sessionId, path }: OwnSession): ExportedTranscript[] {
  const owner = { agent, session_id: sessionId as string };
  const bytes = readBounded(path);
  const format = formatOf(agent);
  const named = format.readSubagents(bytes.toString('utf8')).map(({ agentId }) => parseToolUseId(agentId));
  const subagents = [...new Set(named)].flatMap((id) => {
    const file = id && format.subagentTranscripts(path, sessionId, id).find(isFile);
    return id && file ? (readIfThere({ ...owner, subagent_id: id }, file) ?? []) : [];
  });
  return [toTranscript({ ...owner, subagent_id: null }, bytes), ...subagents];
}

function readIfThere(owner: TranscriptOwner, file: string): ExportedTranscript | undefined {
  try {
    return toTranscript(owner, readBounded(file));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined; // gone meanwhile
    throw error;
  }
}

function readBounded(file: string): Buffer {
  const { size } = disk.statSync(file);
  if (size <= MAX_EXPORT_BYTES) return disk.readFileSync(file);
  throw new EntireError('SESSION_TOO_LARGE', `${file} is too large to be exported: ${renderBytes(size)}.`, {
    hint: `An export has at most ${renderBytes(MAX_EXPORT_BYTES)}. Copy the file itself.`,
  });
}

const isFile = (path: string): boolean => disk.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function physical(path: string): string {
  try {
    return disk.realpathSync(path);
  } catch {
    return path;
  }
}
