import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { copyBeside, isNamedBelow, type SessionHome } from '../shared/session/session-home.ts';
import { listProjects, projectDirs } from '../shared/transcript/kept-transcripts.ts';

/**
 * Qwen Code's transcripts: `<data>/projects/<name of the folder>/chats/<session>.jsonl`, where `<data>` is
 * `QWEN_RUNTIME_DIR`, else `QWEN_HOME`, else `~/.qwen`. `ENTIRE_TEST_QWEN_PROJECT_DIR` stands in for the folder with the
 * transcripts of every project.
 */
export const qwenSessionHome: SessionHome = {
  isAgentsOwn: true,
  root: (env) => testFolder(env) ?? join(dataDir(env), 'projects'),
  isOnly: (env) => Boolean(env.QWEN_RUNTIME_DIR || env.QWEN_HOME) || testFolder(env) !== undefined,
  transcript: (env, folder, sessionId) => join(chatsDir(env, folder), `${sessionId}.jsonl`),
  isTranscriptOf: (file, sessionId) => basename(file) === `${sessionId}.jsonl`,

  isKeptFor(env, file, folder) {
    const own = chatsDir(env, folder);
    const where = dirname(file);
    const isBelow = isNamedBelow(dirname(where), dirname(own)) && basename(where) === basename(own);
    return where === own || isBelow;
  },

  list(env, limit, folder, look) {
    const own = folder === undefined ? testFolder(env) : chatsDir(env, folder);
    const projects = projectDirs(join(dataDir(env), 'projects'), own && dirname(own), look);
    const dirs = testFolder(env) === undefined ? projects.map((dir) => join(dir, 'chats')) : [own ?? ''];
    return listProjects({ dirs, limit, folder, look }, own);
  },

  copy: copyBeside,
  resumeCommand: (sessionId) => ['qwen', '-r', sessionId],
};

const testFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  env.ENTIRE_TEST_QWEN_PROJECT_DIR ? resolve(env.ENTIRE_TEST_QWEN_PROJECT_DIR) : undefined;

/** The folder with the user's settings, absolute. */
export const configDir = (env: NodeJS.ProcessEnv): string =>
  env.QWEN_HOME ? expanded(env, env.QWEN_HOME) : join(homeOf(env), '.qwen');

const dataDir = (env: NodeJS.ProcessEnv): string =>
  env.QWEN_RUNTIME_DIR ? expanded(env, env.QWEN_RUNTIME_DIR) : configDir(env);

const chatsDir = (env: NodeJS.ProcessEnv, folder: string): string =>
  testFolder(env) ?? join(dataDir(env), 'projects', projectName(folder), 'chats');

/** The name of a project's folder: every character that is no ASCII letter or digit is a dash. */
const projectName = (folder: string): string => folder.replace(/[^a-zA-Z0-9]/g, '-');

const homeOf = (env: NodeJS.ProcessEnv): string => env.HOME || homedir();

/** The client takes `~` for the home here, too. */
const expanded = (env: NodeJS.ProcessEnv, dir: string): string =>
  resolve(/^~(?=$|\/)/.test(dir) ? join(homeOf(env), dir.slice(1)) : dir);
