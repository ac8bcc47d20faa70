import { dirname } from 'node:path';
import type { SessionId } from '../../base/ids.ts';
import type { KeptTranscript, Look } from '../transcript/kept-transcripts.ts';
import type { NoCopy, SessionCopy } from './session-copy.ts';

/** Where an agent keeps its sessions on this machine, and how it goes on with one. Never throws. */
export interface SessionHome {
  /** Whether its transcripts are the sessions that it goes on with; else they are handed over when something happens, and are behind. */
  readonly isAgentsOwn: boolean;
  /** The folder that all its transcripts lie below, absolute. */
  root(env: NodeJS.ProcessEnv): string;
  /** Whether the agent finds nothing that lies elsewhere: the environment names that folder, or no setting of the agent's can. */
  isOnly(env: NodeJS.ProcessEnv): boolean;
  /**
   * Where it looks for the transcript of a session when it is started in a folder (absolute, physical).
   *
   * @param startedAt part of the name with some clients
   */
  transcript(env: NodeJS.ProcessEnv, folder: string, sessionId: SessionId, startedAt?: Date): string;
  /** Whether a file has the name that the agent gives to the transcript of this session. */
  isTranscriptOf(file: string, sessionId: SessionId): boolean;
  /** Whether a transcript is kept for a folder, or for one below it, by the name of where it lies. */
  isKeptFor(env: NodeJS.ProcessEnv, file: string, folder: string): boolean;
  /**
   * Sessions that are kept on this machine, newest first; of people, not of sub-agents. Costs a look at each name where names
   * do not tell the time, and a short read for each session that is returned.
   *
   * @param folder only those begun in it, or below it (absolute, physical); all without it
   */
  list(env: NodeJS.ProcessEnv, limit: number, folder?: string, look?: Look): KeptTranscript[];
  /**
   * A name and a place for a copy of a session, so that the client goes on with it; or why it would not. Writes nothing.
   *
   * @param transcript the session's own
   */
  copy(transcript: string, startedAt: Date): SessionCopy | NoCopy;
  /** The agent's own command that goes on with a session: program and arguments. */
  resumeCommand(sessionId: SessionId): readonly [string, ...string[]];
}

/**
 * Whether the folder that an agent named after a project is of one below that of `own`. The name then goes on with a dash,
 * which may also have been part of it.
 */
export const isNamedBelow = (named: string, own: string): boolean =>
  dirname(named) === dirname(own) && named.startsWith(`${own}-`);
