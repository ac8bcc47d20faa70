import { listNames } from '../../base/file/disk.ts';
import {
  type Candidate,
  findCandidates,
  type SearchPlace,
  searchFolders,
} from '../../base/process/find-program.ts';
import type { ExternalName } from '../names.ts';
import { PROGRAM_PREFIX, parseExternalName } from './name.ts';

/** An executable as it was found, or the reason why it is not started. */
export interface FoundProgram extends Candidate {
  readonly name: ExternalName;
}

/** The executable of one agent: the first on PATH that may be started, else the first that may not. */
export function findProgram(place: SearchPlace, name: ExternalName): FoundProgram | undefined {
  const found = findCandidates(place, PROGRAM_PREFIX + name);
  const chosen = found.find(({ refusal }) => refusal === undefined) ?? found[0];
  return chosen && { name, ...chosen };
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

function namesIn(folder: string): string[] {
  try {
    return listNames(folder);
  } catch {
    return []; // a folder that cannot be looked into has nothing for us
  }
}
