import { delimiter, isAbsolute, join, sep } from 'node:path';
import { disk, listNames, X_OK } from '../../base/disk.ts';
import type { ExternalName } from '../names.ts';
import { PROGRAM_PREFIX, parseExternalName } from './name.ts';

/** Where executables are looked for. */
export interface SearchPlace {
  readonly env: NodeJS.ProcessEnv;
  /** Folders that are somebody else's to fill, such as the worktree: nothing in them is ever started. Physical. */
  readonly forbidden: readonly string[];
}

/** An executable as it was found, or the reason why it is not started. */
export interface FoundProgram {
  readonly name: ExternalName;
  /** As PATH leads to it, absolute. */
  readonly file: string;
  /** In words, behind the file; `undefined` when it may be started. */
  readonly refusal: string | undefined;
}

/** The executable of one agent: the first on PATH that may be started, else the first that may not. */
export function findProgram(place: SearchPlace, name: ExternalName): FoundProgram | undefined {
  const found = searchFolders(place.env).flatMap(
    (folder) => judge(place, name, join(folder, fileName(name))) ?? [],
  );
  return found.find(({ refusal }) => refusal === undefined) ?? found[0];
}

/** Every executable of an agent that is on PATH, by name. Starts nothing. */
export function listPrograms(place: SearchPlace): FoundProgram[] {
  const names = searchFolders(place.env).flatMap((folder) =>
    namesIn(folder).flatMap((file) =>
      file.startsWith(PROGRAM_PREFIX) ? (parseExternalName(file.slice(PROGRAM_PREFIX.length)) ?? []) : [],
    ),
  );
  return [...new Set(names)].sort().flatMap((name) => findProgram(place, name) ?? []);
}

/** The search path for what a plugin starts itself: a script's interpreter comes from there. */
export const safeSearchPath = ({ env, forbidden }: SearchPlace): string =>
  searchFolders(env)
    .filter((folder) => !isWithin(forbidden, physical(folder) ?? folder))
    .join(delimiter);

/** Relative entries, the empty one among them, mean another folder for each process: that of a stranger's repository, say. */
const searchFolders = ({ PATH = '' }: NodeJS.ProcessEnv): string[] =>
  PATH.split(delimiter).filter(isAbsolute);

const fileName = (name: ExternalName): string => PROGRAM_PREFIX + name;

function judge({ forbidden }: SearchPlace, name: ExternalName, file: string): FoundProgram | undefined {
  const actual = physical(file);
  if (actual === undefined) return undefined;
  if (isWithin(forbidden, file) || isWithin(forbidden, actual))
    return { name, file, refusal: 'lies in this repository, from which nothing is started' };
  try {
    if (!disk.statSync(actual).isFile()) return { name, file, refusal: 'is no file' };
    disk.accessSync(actual, X_OK);
    return { name, file, refusal: undefined };
  } catch {
    return { name, file, refusal: 'is not executable' };
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

function namesIn(folder: string): string[] {
  try {
    return listNames(folder);
  } catch {
    return []; // a folder that cannot be looked into has nothing for us
  }
}
