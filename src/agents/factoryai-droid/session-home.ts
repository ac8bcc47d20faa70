import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readUserText } from '../../base/file/small-file.ts';
import type { SessionId } from '../../base/ids.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import type { SessionHome } from '../shared/session/session-home.ts';
import { copyBeside, projectSessions } from '../shared/session/session-home.ts';

/**
 * Factory Droid's transcripts: `<home>/.factory/sessions/<name of the folder>/<session>.jsonl`, where `<home>` is
 * `FACTORY_HOME_OVERRIDE`, else the user's. `ENTIRE_TEST_DROID_PROJECT_DIR` stands in for the folder of every project.
 */
export const droidSessionHome: SessionHome = {
  isAgentsOwn: true,
  ...projectSessions({
    projects: (env) => join(configDir(env), 'sessions'),
    standIn: testFolder,
    projectName,
  }),
  isOnly: (env) => Boolean(env.FACTORY_HOME_OVERRIDE) || testFolder(env) !== undefined,

  /** Without the settings of the session the client asks a model that it may have no key for. */
  copy(transcript) {
    const copy = copyBeside(transcript);
    const text = renderSettings(settingsFile(transcript));
    return text === undefined ? copy : { ...copy, beside: { file: settingsFile(copy.file), text } };
  },

  resumeCommand: (sessionId: SessionId) => ['droid', '--resume', sessionId],
};

function testFolder(env: NodeJS.ProcessEnv): string | undefined {
  return env.ENTIRE_TEST_DROID_PROJECT_DIR ? resolve(env.ENTIRE_TEST_DROID_PROJECT_DIR) : undefined;
}

/** The client's own folder, absolute. */
export const configDir = (env: NodeJS.ProcessEnv): string =>
  join(resolve(env.FACTORY_HOME_OVERRIDE || env.HOME || homedir()), '.factory');

/** The name of a project's folder: each run of slashes is a dash, and nothing else is replaced. */
export function projectName(folder: string): string {
  const name = folder.replace(/[\\/]+$/, '').replace(/^\/+/, '');
  return `-${name.replace(/\/+/g, '-')}`;
}

/** What the client keeps of a session beside its transcript. */
export const settingsFile = (transcript: string): string => transcript.replace(/\.jsonl$/, '.settings.json');

/** What the copy of a session has cost so far is nothing. */
const COST = /TokenUsage|^tokenUsage$|ActiveTimeMs$/;

function renderSettings(file: string): string | undefined {
  try {
    const settings = parseJson(readUserText(file, 'home') ?? '');
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
