import { isUtf8 } from 'node:buffer';
import { sha256Of } from '../../base/hash.ts';
import { renderSessionData, type SessionData } from '../session-data.ts';

/** A session as a file that can leave the machine; the names are those in the file. Nothing in it tells when it was made. */
export interface ExportEnvelope {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: typeof EXPORT_VERSION;
  /** The agent that the session was begun with, by its name in commands; empty where nobody knows. */
  readonly cli_origin: string;
  /** Without what an agent remembers of one machine (`metadata.agent_memory`). */
  readonly session: SessionData;
  /** The SHA-256 of the session as JSON without spaces, its fields in the order of {@link SessionData}. */
  readonly session_sha256: string;
  /** What agents wrote of it themselves, byte for byte: what was imported with it first, sub-agents behind their session. */
  readonly transcripts: readonly ExportedTranscript[];
}

/** An agent's own transcript. */
export interface ExportedTranscript {
  /** The agent's name in commands. */
  readonly agent: string;
  /** The agent's own id of the session. */
  readonly session_id: string;
  /** Of a sub-agent; `null` for that of the session itself. */
  readonly subagent_id: string | null;
  /** How `text` holds the bytes: as they are, or in Base64 where they are no UTF-8. */
  readonly encoding: 'utf8' | 'base64';
  readonly size_bytes: number;
  /** Of the bytes. */
  readonly sha256: string;
  readonly text: string;
}

export const EXPORT_FORMAT = 'entire-session';
export const EXPORT_VERSION = 1;

/** What an export, or a transcript in it, may have at most: the runtimes hold no longer text. */
export const MAX_EXPORT_BYTES = 256 * 1024 * 1024;

/** Puts a session and its transcripts into an envelope. */
export function toEnvelope(
  cliOrigin: string,
  session: SessionData,
  transcripts: readonly ExportedTranscript[],
): ExportEnvelope {
  const own = withoutMemory(session);
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    cli_origin: cliOrigin,
    session: own,
    session_sha256: sessionDigest(own),
    transcripts,
  };
}

/** Of the session as it is stored: its fields have an order. @throws {EntireError} `UNSUPPORTED` for what is no session */
export const sessionDigest = (session: SessionData): string => sha256Of(renderSessionData(session));

/** The envelope as text. The same session gives the same bytes. */
export const renderEnvelope = (envelope: ExportEnvelope): string =>
  `${JSON.stringify(envelope, undefined, 2)}\n`;

/** Which session of an agent, or of one of its sub-agents, a transcript is of. */
export type TranscriptOwner = Pick<ExportedTranscript, 'agent' | 'session_id' | 'subagent_id'>;

/** A transcript as an export holds it. */
export function toTranscript(
  { agent, session_id, subagent_id }: TranscriptOwner,
  bytes: Buffer,
): ExportedTranscript {
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  return {
    agent,
    session_id,
    subagent_id,
    encoding,
    size_bytes: bytes.length,
    sha256: sha256Of(bytes),
    text: bytes.toString(encoding),
  };
}

/** The bytes that the agent wrote. */
export const bytesOf = ({ text, encoding }: Pick<ExportedTranscript, 'text' | 'encoding'>): Buffer =>
  Buffer.from(text, encoding);

/**
 * The session without what an agent remembers of it: a session of its own and a folder, both of one machine. From a file,
 * it could name sessions and folders that whoever made the file knows nothing of.
 */
export function withoutMemory(session: SessionData): SessionData {
  const { session_id, messages, system, parent_id, created_at, updated_at } = session;
  const { agent_memory: _, ...metadata } = session.metadata;
  return { session_id, messages, system, parent_id, created_at, updated_at, metadata };
}
