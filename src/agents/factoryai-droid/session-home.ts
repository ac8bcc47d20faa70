import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { readTextIfExists } from '../../base/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { isObject, parseJson } from '../../base/json.ts';
import { listProjects, projectDirs } from '../kept-transcripts.ts';
import { copyBeside } from '../session-copy.ts';
import { isNamedBelow, type SessionHome } from '../session-home.ts';

/**
 * Factory Droid's transcripts: `<home>/.factory/sessions/<name of the folder>/<session>.jsonl`, where `<home>` is
 * `FACTORY_HOME_OVERRIDE`, else the user's. `ENTIRE_TEST_DROID_PROJECT_DIR` stands in for the folder of every project.
 */
export const droidSessionHome: SessionHome = {
  root: (env) => testFolder(env) ?? join(configDir(env), 'sessions'),
  isNamed: (env) => Boolean(env.FACTORY_HOME_OVERRIDE) || testFolder(env) !== undefined,
  transcript: (env, folder, sessionId) => join(projectDir(env, folder), `${sessionId}.jsonl`),
  isTranscriptOf: (file, sessionId) => basename(file) === `${sessionId}.jsonl`,

  isKeptFor(env, file, folder) {
    const own = projectDir(env, folder);
    const where = dirname(file);
    return where === own || isNamedBelow(where, own);
  },

  list(env, limit, folder, look) {
    const own = folder === undefined ? testFolder(env) : projectDir(env, folder);
    const dirs =
      testFolder(env) === undefined ? projectDirs(join(configDir(env), 'sessions'), own) : [own ?? ''];
    return listProjects({ dirs, limit, folder, look }, own);
  },

  /** Without the settings of the session the client asks a model that it may have no key for. */
  copy(transcript) {
    const copy = copyBeside(transcript);
    const text = renderSettings(settingsFile(transcript));
    return text === undefined ? copy : { ...copy, beside: { file: settingsFile(copy.file), text } };
  },

  resumeCommand: (sessionId: SessionId) => ['droid', '--resume', sessionId],
};

const testFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  env.ENTIRE_TEST_DROID_PROJECT_DIR ? resolve(env.ENTIRE_TEST_DROID_PROJECT_DIR) : undefined;

/** The client's own folder, absolute. */
export const configDir = (env: NodeJS.ProcessEnv): string =>
  join(resolve(env.FACTORY_HOME_OVERRIDE || env.HOME || homedir()), '.factory');

const projectDir = (env: NodeJS.ProcessEnv, folder: string): string =>
  testFolder(env) ?? join(configDir(env), 'sessions', projectName(folder));

/** The name of a project's folder: each run of slashes is a dash, and nothing else is replaced. */
export const projectName = (folder: string): string =>
  `-${folder
    .replace(/[\\/]+$/, '')
    .replace(/^\/+/, '')
    .replace(/\/+/g, '-')}`;

/** What the client keeps of a session beside its transcript. */
export const settingsFile = (transcript: string): string => transcript.replace(/\.jsonl$/, '.settings.json');

/** What the copy of a session has cost so far is nothing. */
const COST = /TokenUsage|^tokenUsage$|ActiveTimeMs$/;

function renderSettings(file: string): string | undefined {
  try {
    const settings = parseJson(readTextIfExists(file) ?? '');
    if (!isObject(settings)) return undefined;
    return JSON.stringify(
      Object.fromEntries(Object.entries(settings).filter(([key]) => !COST.test(key))),
      null,
      2,
    );
  } catch {
    return undefined;
  }
}
