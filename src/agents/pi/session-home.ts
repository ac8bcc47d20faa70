import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { SessionHome } from '../shared/session/session-home.ts';
import { newTimedId } from '../shared/session/session-home.ts';
import { findText, isLines, listKept, newestFirst, pathsIn } from '../shared/transcript/kept-transcripts.ts';

/**
 * Pi's transcripts: `<agent>/sessions/--<folder>--/<time>_<session>.jsonl`, where `<agent>` is `PI_CODING_AGENT_DIR`, else
 * `~/.pi/agent`. `PI_CODING_AGENT_SESSION_DIR` is one folder for the sessions of all projects; so is
 * `ENTIRE_TEST_PI_PROJECT_DIR`. Pi finds a session by the id in the file's first line, so that a file without a time will do.
 */
export const piSessionHome: SessionHome = {
  isAgentsOwn: true,
  root: (env) => flatFolder(env) ?? join(agentDir(env), 'sessions'),
  isOnly: (env) => Boolean(env.PI_CODING_AGENT_DIR) || flatFolder(env) !== undefined,

  transcript(env, folder, sessionId, startedAt) {
    return join(folderOf(env, folder), fileName(sessionId, startedAt));
  },

  isTranscriptOf: (file, sessionId) =>
    basename(file) === `${sessionId}.jsonl` || basename(file).endsWith(`_${sessionId}.jsonl`),

  isKeptFor(env, file, folder) {
    const own = folderOf(env, folder);
    const where = dirname(file);
    if (where === own) return true;
    const isBelow = where.startsWith(own.replace(/-$/, '')) && where.endsWith('--');
    return flatFolder(env) === undefined && dirname(where) === dirname(own) && isBelow;
  },

  list(env, limit, folder, look) {
    const flat = flatFolder(env);
    const own = folder === undefined ? undefined : projectName(folder).replace(/-$/, '');
    const dirs = flat
      ? [flat]
      : pathsIn(join(agentDir(env), 'sessions'), (name) => own === undefined || name.startsWith(own), look);
    const files = newestFirst(dirs.flatMap((dir) => pathsIn(dir, isLines, look)));
    return listKept(files, { limit, folder, look }, (path, head) => ({
      sessionId: basename(path, '.jsonl').replace(/^\d{4}-\d\d-\d\dT[\d-]+Z_/, ''),
      folder: findText(head, 'cwd'),
    }));
  },

  copy(transcript, startedAt) {
    const sessionId = newTimedId(startedAt);
    return { sessionId, file: join(dirname(transcript), fileName(sessionId, startedAt)) };
  },

  resumeCommand: (sessionId) => ['pi', '--session', sessionId],
};

function fileName(sessionId: string, startedAt: Date | undefined): string {
  const time = startedAt ? `${startedAt.toISOString().replace(/[:.]/g, '-')}_` : '';
  return `${time}${sessionId}.jsonl`;
}

function flatFolder(env: NodeJS.ProcessEnv): string | undefined {
  const named = env.ENTIRE_TEST_PI_PROJECT_DIR || env.PI_CODING_AGENT_SESSION_DIR;
  return named ? expanded(env, named) : undefined;
}

const agentDir = (env: NodeJS.ProcessEnv): string =>
  env.PI_CODING_AGENT_DIR ? expanded(env, env.PI_CODING_AGENT_DIR) : join(homeOf(env), '.pi', 'agent');

const folderOf = (env: NodeJS.ProcessEnv, folder: string): string =>
  flatFolder(env) ?? join(agentDir(env), 'sessions', projectName(folder));

const projectName = (folder: string): string => `--${folder.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;

const homeOf = (env: NodeJS.ProcessEnv): string => env.HOME || homedir();

/** Pi takes `~` for the home here, too. */
const expanded = (env: NodeJS.ProcessEnv, dir: string): string =>
  resolve(/^~(?=$|\/)/.test(dir) ? join(homeOf(env), dir.slice(1)) : dir);
