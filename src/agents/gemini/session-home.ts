import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { now } from '../../base/clock.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { sha256Of } from '../../base/hash.ts';
import type { SessionId } from '../../base/ids.ts';
import { asObject } from '../../base/text/json.ts';
import type { SessionHome } from '../shared/session/session-home.ts';
import { findText, listKept, newestFirst, pathsIn } from '../shared/transcript/kept-transcripts.ts';
import { readJson } from './json-comments.ts';

/**
 * Gemini CLI's transcripts: `<home>/tmp/<project>/chats/session-<time>-<first 8 of the id>.jsonl`, where `<home>` is
 * `.gemini` in `GEMINI_CLI_HOME` or the user's home. `<project>` is a short name that `<home>/projects.json` has for the
 * folder; where it has none, the digest of the path, which older versions used and newer ones take over.
 * `ENTIRE_TEST_GEMINI_PROJECT_DIR` stands in for the folder of every project.
 */
export const geminiSessionHome: SessionHome = {
  isAgentsOwn: true,
  root: (env) => testFolder(env) ?? join(stateDir(env), 'tmp'),
  isOnly: (env) => Boolean(env.GEMINI_CLI_HOME) || testFolder(env) !== undefined,

  transcript(env, folder, sessionId, startedAt = now()) {
    const dir = testFolder(env) ?? join(stateDir(env), 'tmp', projectName(env, folder), 'chats');
    return findTranscript(dir, sessionId) ?? join(dir, fileName(sessionId, startedAt));
  },

  isTranscriptOf(file, sessionId) {
    const name = basename(file).replace(/\.jsonl?$/, '');
    if (name === basename(file)) return false;
    return name === sessionId || (name.startsWith('session-') && name.endsWith(`-${shorten(sessionId)}`));
  },

  isKeptFor(env, file, folder) {
    const own = testFolder(env);
    if (own !== undefined) return dirname(file) === own;
    const [chats, project] = [dirname(file), dirname(dirname(file))];
    if (basename(chats) !== 'chats' || dirname(project) !== join(stateDir(env), 'tmp')) return false;
    return foldersByProject(env, folder).has(basename(project));
  },

  list(env, limit, folder, look) {
    const folders = foldersByProject(env, folder);
    const isAsked = (name: string) => folder === undefined || folders.has(name);
    const projects = pathsIn(join(stateDir(env), 'tmp'), isAsked, look);
    const own = testFolder(env);
    const dirs = own === undefined ? projects.map((dir) => join(dir, 'chats')) : [own];
    const isFitting = (name: string) => /^session-.*\.jsonl?$/.test(name);
    const files = newestFirst(dirs.flatMap((dir) => pathsIn(dir, isFitting, look)));
    const roots = new Map<string, string | undefined>();
    return listKept(files, { limit, folder, look }, (path, head) => {
      if (findText(head, 'kind') === 'subagent') return undefined;
      const project = dirname(dirname(path));
      if (!roots.has(project)) roots.set(project, folders.get(basename(project)) ?? readRoot(project));
      const told = own === undefined ? roots.get(project) : folder;
      return { sessionId: findText(head, 'sessionId'), folder: told };
    });
  },

  // It makes a second, empty file for what it resumes, and removes both at a later start.
  copy: () => ({
    refused: 'Gemini CLI soon deletes what it has resumed. Its own /rewind takes messages back',
  }),

  resumeCommand: (sessionId: SessionId) => ['gemini', '--resume', sessionId],
};

const testFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  env.ENTIRE_TEST_GEMINI_PROJECT_DIR ? resolve(env.ENTIRE_TEST_GEMINI_PROJECT_DIR) : undefined;

/** The user's own settings are here. */
export const configDir = (env: NodeJS.ProcessEnv): string =>
  join(resolve(env.GEMINI_CLI_HOME || env.HOME || homedir()), '.gemini');

/** In the sandbox of macOS what the client writes is apart from its settings. */
export const stateDir = (env: NodeJS.ProcessEnv): string =>
  env.SANDBOX === 'sandbox-exec' ? join(dirname(configDir(env)), '.cache', '.gemini') : configDir(env);

/** So much of an id is in the name of its file. */
const shorten = (id: string): string => id.slice(0, 8);

const fileName = (id: string, startedAt: Date): string =>
  `session-${startedAt.toISOString().slice(0, 16).replace(':', '-')}-${shorten(id)}.jsonl`;

/**
 * The transcript of a session that is there; its name holds a time that nobody may know any more. On resuming the client
 * makes a second file for the session and leaves it almost empty: the largest is the one.
 */
function findTranscript(dir: string, sessionId: SessionId): string | undefined {
  const files = namesIn(dir)
    .filter((name) => geminiSessionHome.isTranscriptOf(name, sessionId))
    .map((name) => join(dir, name))
    .map((file) => ({ file, size: sizeOf(file) }));
  return files.toSorted((a, b) => b.size - a.size)[0]?.file;
}

function sizeOf(file: string): number {
  try {
    return disk.statSync(file).size;
  } catch {
    return 0; // gone, or a link that leads nowhere
  }
}

function namesIn(dir: string): string[] {
  try {
    return listNames(dir).toSorted();
  } catch {
    return []; // a folder that cannot be read has nothing to offer
  }
}

const projectName = (env: NodeJS.ProcessEnv, folder: string): string =>
  readProjects(env).find(([path]) => path === folder)?.[1] ?? sha256Of(folder);

/** Names of projects, and their folders: of one and those below it, or all that are known. */
const foldersByProject = (env: NodeJS.ProcessEnv, folder: string | undefined): Map<string, string> =>
  new Map([
    ...(folder === undefined ? [] : [[sha256Of(folder), folder] as const]),
    ...readProjects(env)
      .filter(([path]) => folder === undefined || path === folder || path.startsWith(folder + sep))
      .map(([path, name]) => [name, path] as const),
  ]);

/** The client notes of whom a project's folder is; older versions did not. */
function readRoot(project: string): string | undefined {
  try {
    return readUserText(join(project, '.project_root'), 'mark')?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Folders and their names; a name that leads anywhere else is none. */
function readProjects(env: NodeJS.ProcessEnv): [string, string][] {
  const { projects } = readJson(join(stateDir(env), 'projects.json'));
  return Object.entries(asObject(projects)).flatMap(([path, name]): [string, string][] =>
    typeof name === 'string' && /^[a-z0-9][a-z0-9-]*$/.test(name) ? [[path, name]] : [],
  );
}
