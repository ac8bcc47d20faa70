import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { SessionHome } from '../shared/session/session-home.ts';
import { isLines, listKept, newestFirst, pathsIn } from '../shared/transcript/kept-transcripts.ts';

/**
 * OpenCode has its sessions in a database below `<data>/opencode`, where `<data>` is `XDG_DATA_HOME`, else `~/.local/share`.
 * Our plugin hands them over into `.entire/tmp` of the worktree, which is where we look for them.
 * `ENTIRE_TEST_OPENCODE_PROJECT_DIR` stands in for both.
 */
export const opencodeSessionHome: SessionHome = {
  isAgentsOwn: false,
  root: (env) => testFolder(env) ?? dataDir(env),
  isOnly: (env) => testFolder(env) !== undefined,
  transcript: (env, folder, sessionId) => join(projectDir(env, folder), `${sessionId}.jsonl`),
  isTranscriptOf: (file, sessionId) => basename(file) === `${sessionId}.jsonl`,

  isKeptFor(env, file, folder) {
    const where = dirname(file);
    const test = testFolder(env);
    if (test !== undefined) return where === test;
    return where === folder + KEPT || (where.startsWith(folder + sep) && where.endsWith(KEPT));
  },

  /** Those that were handed over in one worktree: the database we cannot read. */
  list(env, limit, folder, look) {
    const dir = folder === undefined ? testFolder(env) : projectDir(env, folder);
    const files = newestFirst(dir === undefined ? [] : pathsIn(dir, isLines, look));
    return listKept(files, { limit, folder, look }, (path, head) =>
      // Agents of the user's own may have theirs here, too.
      BEGINNING.test(head) && !SUB_AGENT.test(head)
        ? { sessionId: basename(path, '.jsonl'), folder }
        : undefined,
    );
  },

  copy: () => ({ refused: 'OpenCode has its sessions in a database of its own' }),
  resumeCommand: (sessionId) => ['opencode', '-s', sessionId],
};

/** What is known of the session stands first, in lines and in documents. */
const BEGINNING = /^\s*\{\s*"info"\s*:/;
/** The session above it; a message's parent is `msg_…`. */
const SUB_AGENT = /"parentID"\s*:\s*"ses_/;

const KEPT = join(sep, '.entire', 'tmp');

const testFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  env.ENTIRE_TEST_OPENCODE_PROJECT_DIR ? resolve(env.ENTIRE_TEST_OPENCODE_PROJECT_DIR) : undefined;

const dataDir = (env: NodeJS.ProcessEnv): string =>
  join(
    env.XDG_DATA_HOME ? resolve(env.XDG_DATA_HOME) : join(env.HOME || homedir(), '.local', 'share'),
    'opencode',
  );

const projectDir = (env: NodeJS.ProcessEnv, folder: string): string => testFolder(env) ?? folder + KEPT;
