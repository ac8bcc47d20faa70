import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { isObject } from '../../base/text/json.ts';
import { isNamedBelow, type SessionHome } from '../shared/session/session-home.ts';
import {
  isLines,
  listKept,
  newestFirst,
  pathsIn,
  projectDirs,
} from '../shared/transcript/kept-transcripts.ts';

/**
 * Cursor's transcripts: `~/.cursor/projects/<name of the folder>/agent-transcripts/<session>/<session>.jsonl`; older
 * clients put them into `agent-transcripts` itself. `ENTIRE_TEST_CURSOR_PROJECT_DIR` stands in for that folder of every project.
 */
export const cursorSessionHome: SessionHome = {
  isAgentsOwn: true,
  root: (env) => testFolder(env) ?? join(projects(env)),
  isOnly: (env) => testFolder(env) !== undefined,
  transcript: (env, folder, sessionId) => nested(transcriptsDir(env, folder), sessionId),
  isTranscriptOf: (file, sessionId) => basename(file) === `${sessionId}.jsonl`,

  isKeptFor(env, file, folder) {
    const own = transcriptsDir(env, folder);
    const name = basename(file, '.jsonl');
    const where = basename(dirname(file)) === name ? dirname(dirname(file)) : dirname(file);
    return where === own || isNamedBelow(dirname(where), dirname(own));
  },

  list(env, limit, folder, look) {
    const own = folder === undefined ? testFolder(env) : transcriptsDir(env, folder);
    const found = projectDirs(projects(env), own && dirname(own), look).map((dir) =>
      join(dir, 'agent-transcripts'),
    );
    const dirs = testFolder(env) === undefined ? found : [own ?? ''];
    const paths = dirs.flatMap((dir) =>
      pathsIn(dir, () => true, look).map((path) =>
        isLines(path) ? path : join(path, `${basename(path)}.jsonl`),
      ),
    );
    // Nothing in a transcript tells of a folder.
    return listKept(newestFirst(paths), { limit, folder, look }, (path) => ({
      sessionId: basename(path, '.jsonl'),
      folder: [dirname(path), dirname(dirname(path))].includes(own ?? '') ? folder : undefined,
    }));
  },

  copy: () => ({ refused: 'Cursor has its conversations in a database of its own' }),

  // The client goes on with a conversation in the window of its project.
  resumeCommand: () => ['cursor', '.'],
};

/** Where the transcript of a session may be, the likeliest first. */
export function transcriptPlaces(env: NodeJS.ProcessEnv, folder: string, sessionId: SessionId): string[] {
  const dir = transcriptsDir(env, folder);
  return [nested(dir, sessionId), join(dir, `${sessionId}.jsonl`)];
}

const nested = (dir: string, sessionId: SessionId): string => join(dir, sessionId, `${sessionId}.jsonl`);

const testFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  env.ENTIRE_TEST_CURSOR_PROJECT_DIR ? resolve(env.ENTIRE_TEST_CURSOR_PROJECT_DIR) : undefined;

const projects = (env: NodeJS.ProcessEnv): string => join(env.HOME || homedir(), '.cursor', 'projects');

const transcriptsDir = (env: NodeJS.ProcessEnv, folder: string): string =>
  testFolder(env) ?? join(projects(env), projectName(folder), 'agent-transcripts');

/** Every character that is no ASCII letter or digit is a dash; there is none at the beginning. */
export const projectName = (folder: string): string =>
  folder.replace(/[^a-zA-Z0-9]/g, '-').replace(/^-+/, '');

/**
 * Finds the transcript of a conversation whose payload does not name it: the client has none to name at first, and moves it
 * later. `undefined` where the payload does, or there is none. Never throws.
 */
export function findTranscript(worktreeRoot: string, payload: unknown): string | undefined {
  if (!isObject(payload) || typeof payload.transcript_path === 'string') return undefined;
  const sessionId = parseSessionId(payload.conversation_id) ?? parseSessionId(payload.session_id);
  if (sessionId === undefined) return undefined;
  return transcriptPlaces(process.env, worktreeRoot, sessionId).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return disk.statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a folder that cannot be looked into holds nothing for us
  }
}
