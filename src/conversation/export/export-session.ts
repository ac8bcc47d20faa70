import type { AgentName } from '../../agents/names.ts';
import { formatOf } from '../../agents/registry.ts';
import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { asText } from '../../base/text/json.ts';
import { importsFolder } from '../home.ts';
import { readConversation } from '../read-conversation.ts';
import { parseCliOrigin } from '../runs/run-id.ts';
import type { SessionData } from '../session-data.ts';
import { requireId, type Storage } from '../storage/storage.ts';
import { bytesOf, type ExportEnvelope, type ExportedTranscript, toEnvelope } from './envelope.ts';
import { readImported } from './imported-transcripts.ts';
import { findOwn, findRemembered, type OwnSession, readOwnTranscripts } from './own-transcripts.ts';

export interface ExportOptions {
  /** Where sessions of ours are kept. */
  readonly storage: Storage;
  /** Only this agent's own session; by default one of ours, else that of any agent. */
  readonly agent?: AgentName | undefined;
  /** Where transcripts of imported sessions are. Default: `~/.entire/imports`. */
  readonly importsDirectory?: string;
  /** Says where agents keep their sessions. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * A session with all that belongs to it: one that is kept by us, else one that an agent keeps itself.
 *
 * @throws {EntireError} `NOT_FOUND`, `INVALID_ID`, `SESSION_TOO_LARGE`; what {@link Storage.load} throws
 */
export async function exportSession(sessionId: string, options: ExportOptions): Promise<ExportEnvelope> {
  const { agent, env = process.env } = options;
  const id = requireId(sessionId);
  const kept = agent ? undefined : await exportKept(id, options);
  if (kept) return kept;
  const own = findOwn(id, env, agent && [agent]);
  if (own) return exportOwn(own);
  throw new EntireError('NOT_FOUND', `no session is kept under ${id}.`, {
    hint: '`entire session list --everywhere` lists those of all agents.',
  });
}

/** One that is kept by us; `undefined` where there is none of that id. */
export async function exportKept(
  id: SessionId,
  { storage, importsDirectory, env = process.env }: ExportOptions,
): Promise<ExportEnvelope | undefined> {
  const data = await storage.load(id);
  if (!data) return undefined;
  const imported = readImported(importsDirectory ?? importsFolder(env), id);
  const remembered = findRemembered(data, env);
  const own = remembered ? readOwnTranscripts(remembered) : [];
  const origin = imported?.cliOrigin ?? (parseCliOrigin(id) || asText(data.metadata.agent));
  return toEnvelope(origin, data, [...(imported?.transcripts ?? []), ...own]);
}

/** An agent's own session as one of ours would be. What its transcript says decides all of it: no time of a file does. */
function exportOwn(own: OwnSession): ExportEnvelope {
  const transcripts = readOwnTranscripts(own);
  const [main] = transcripts as [ExportedTranscript, ...ExportedTranscript[]];
  return toEnvelope(own.agent, toSessionData(own, bytesOf(main).toString('utf8')), transcripts);
}

function toSessionData({ agent, sessionId, folder }: OwnSession, text: string): SessionData {
  const messages = readConversation(agent, text);
  const times = messages.flatMap(({ timestamp }) => timestamp ?? []);
  const format = formatOf(agent);
  const first = times[0] ?? (format.readTime(text) ?? 0) / 1000;
  return {
    session_id: sessionId,
    messages,
    system: null,
    parent_id: null,
    created_at: first,
    updated_at: times.at(-1) ?? first,
    metadata: { agent, ...(folder === undefined ? {} : { cwd: folder }) },
  };
}
