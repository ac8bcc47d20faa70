import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { disk, X_OK } from '../file/disk.ts';

/**
 * The one rule by which a program is found that we start for somebody, and that is named and not given by its path: on
 * PATH, but never in a relative or empty entry of it, nor where a repository is, by whatever links: what lies there
 * may have come with a clone, or with what that installs (`node_modules/.bin`).
 */

/** Where programs are looked for. */
export interface SearchPlace {
  readonly env: NodeJS.ProcessEnv;
  /** Folders that are somebody else's to fill, such as the worktree: nothing in them is ever started. Physical. */
  readonly forbidden: readonly string[];
}

/** A program as it was found, or the reason why it is not started. */
export interface Candidate {
  /** As PATH leads to it, absolute. */
  readonly file: string;
  /** In words, behind the file; `undefined` when it may be started. */
  readonly refusal: string | undefined;
}

/** All programs of a name that PATH leads to, in its order. */
export const findCandidates = (place: SearchPlace, name: string): Candidate[] =>
  searchFolders(place.env).flatMap((folder) => judge(place, join(folder, name)) ?? []);

/**
 * The program to start: what is given by a path, as it is; of a name the first on PATH that may be started.
 *
 * @throws {Error} with the code `ENOENT` and words that say what was passed over
 */
export function resolveProgram(name: string, place: SearchPlace): string {
  if (name.includes('/') || name.includes(sep)) return name;
  const names = process.platform === 'win32' ? [`${name}.exe`, name] : [name];
  const found = names.flatMap((one) => findCandidates(place, one));
  const chosen = found.find(({ refusal }) => refusal === undefined);
  if (chosen) return chosen.file;
  const passed = found.map(({ file, refusal }) => `${file} ${refusal}`);
  const more = passed.length > 0 ? ` (${passed.join('; ')}). Install it outside of the repository` : '';
  throw Object.assign(new Error(`${name} is not on PATH${more}`), { code: 'ENOENT', syscall: 'spawn' });
}

/** The search path for what a program starts itself: a script's interpreter comes from there. */
export const safeSearchPath = (place: SearchPlace): string => split(place).safe.join(delimiter);

/** An environment with that search path. An empty one would mean the current folder. */
export const safeEnvironment = (place: SearchPlace): NodeJS.ProcessEnv =>
  withPath(place.env, safeSearchPath(place));

/**
 * The same for an agent, whose shells are the person's: what lies in the repository is found there, too, but last, so that
 * the interpreter of the agent itself does not come from it.
 */
export function agentEnvironment(place: SearchPlace): NodeJS.ProcessEnv {
  const { safe, rest } = split(place);
  return withPath(place.env, [...safe, ...rest].join(delimiter));
}

const withPath = (env: NodeJS.ProcessEnv, path: string): NodeJS.ProcessEnv =>
  env.PATH === undefined ? env : { ...env, PATH: path || '/usr/bin:/bin' };

function split({ env, forbidden }: SearchPlace): { safe: string[]; rest: string[] } {
  const folders = searchFolders(env);
  const safe = folders.filter((folder) => !isWithin(forbidden, physical(folder) ?? folder));
  return { safe, rest: folders.filter((folder) => !safe.includes(folder)) };
}

/** Relative entries, the empty one among them, mean another folder for each process: that of a stranger's repository, say. */
export const searchFolders = ({ PATH = '' }: NodeJS.ProcessEnv): string[] =>
  PATH.split(delimiter).filter(isAbsolute);

function judge({ forbidden }: SearchPlace, file: string): Candidate | undefined {
  const actual = physical(file);
  if (actual === undefined) return undefined;
  // A link in the repository may lead to any program under the name of another; what a whole folder leads to has its own names.
  const folder = physical(dirname(file));
  if ([folder, actual].some((path) => path !== undefined && isWithin(forbidden, path)))
    return { file, refusal: 'lies in this repository, from which nothing is started' };
  try {
    if (!disk.statSync(actual).isFile()) return { file, refusal: 'is not a file' };
    disk.accessSync(actual, X_OK);
    return { file, refusal: undefined };
  } catch {
    return { file, refusal: 'is not executable' };
  }
}

const isWithin = (folders: readonly string[], file: string): boolean =>
  folders.some((folder) => file === folder || file.startsWith(folder + sep));

function physical(file: string): string | undefined {
  try {
    return disk.realpathSync.native(file);
  } catch {
    return undefined; // there is none, or nobody may look
  }
}
