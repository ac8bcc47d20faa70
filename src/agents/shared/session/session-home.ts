import { basename, dirname, join } from 'node:path';
import type { SessionId } from '../../../base/ids.ts';
import {
  isLines,
  type KeptTranscript,
  type Look,
  listProjects,
  projectDirs,
} from '../transcript/kept-transcripts.ts';

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

/** A client that keeps a folder for each project, and in it a file for each session: `<projects>/<project>/<session>.jsonl`. */
interface ProjectFolders {
  /** The folder of all projects, absolute. */
  projects(env: NodeJS.ProcessEnv): string;
  /** One that stands in for the folder of every project, absolute. */
  standIn(env: NodeJS.ProcessEnv): string | undefined;
  /** What the client calls the folder of a project. */
  projectName(folder: string): string;
  /** Whether a file with that name is a session. */
  isSession?(name: string): boolean;
}

type Places = Pick<SessionHome, 'root' | 'transcript' | 'isTranscriptOf' | 'isKeptFor' | 'list'>;

/** Where such a client keeps its sessions. */
export function projectSessions({
  projects,
  standIn,
  projectName,
  isSession = isLines,
}: ProjectFolders): Places {
  const projectDir = (env: NodeJS.ProcessEnv, folder: string): string =>
    standIn(env) ?? join(projects(env), projectName(folder));
  return {
    root: (env) => standIn(env) ?? projects(env),
    transcript: (env, folder, sessionId) => join(projectDir(env, folder), `${sessionId}.jsonl`),
    isTranscriptOf: (file, sessionId) => basename(file) === `${sessionId}.jsonl`,

    isKeptFor(env, file, folder) {
      const own = projectDir(env, folder);
      const where = dirname(file);
      return where === own || isNamedBelow(where, own);
    },

    list(env, limit, folder, look) {
      const own = folder === undefined ? standIn(env) : projectDir(env, folder);
      const dirs = standIn(env) === undefined ? projectDirs(projects(env), own, look) : [own ?? ''];
      return listProjects({ dirs, limit, folder, look }, own, isSession);
    },
  };
}

/** A session that is begun as the copy of another. */
export interface SessionCopy {
  readonly sessionId: SessionId;
  /** Where its transcript goes, absolute. */
  readonly file: string;
  /** What the client needs beside it. */
  readonly beside?: { readonly file: string; readonly text: string };
}

/** Why the client would not go on with a copy: the end of a sentence. */
export interface NoCopy {
  readonly refused: string;
}

/** A copy beside the transcript, named after its session, of clients that name theirs so. */
export function copyBeside(transcript: string): SessionCopy {
  const sessionId = crypto.randomUUID() as string as SessionId;
  return { sessionId, file: join(dirname(transcript), `${sessionId}.jsonl`) };
}

/**
 * A UUID that begins with a time, of clients that tell by it when a session was begun.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export function newTimedId(at: Date): SessionId {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${crypto.randomUUID().slice(15)}` as SessionId;
}
