import { basename, dirname, join } from 'node:path';
import { isLines, listProjects, projectDirs } from '../transcript/kept-transcripts.ts';
import { isNamedBelow, type SessionHome } from './session-home.ts';

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
