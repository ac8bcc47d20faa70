import { listNames } from '../../base/file/disk.ts';
import {
  type Candidate,
  findCandidates,
  type SearchPlace,
  searchFolders,
} from '../../base/process/find-program.ts';
import { AGENTS, type ExternalName } from '../names.ts';
import type { AgentSettings } from '../shared/hook-settings.ts';
import type { SessionHome } from '../shared/session/session-home.ts';

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

/** What an executable that speaks for an agent is called, before the agent's name. */
export const PROGRAM_PREFIX = 'entire-agent-';

/** Words that stand for something else behind `entire hooks`. */
const TAKEN: readonly string[] = ['git', 'summaries', 'gc'];

/**
 * Returns `text` as the name of an agent that is not built in, or `undefined`: letters, digits, `_` and `-`, so that nothing
 * but a file name can be made of it. The names of those that are built in are theirs.
 */
export function parseExternalName(text: string): ExternalName | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)) return undefined;
  return Object.hasOwn(AGENTS, text) || TAKEN.includes(text) ? undefined : (text as ExternalName);
}

/** An agent that is not built in, as an executable speaks for it. */
export interface ExternalAgent {
  readonly name: ExternalName;
  /** As metadata names it. */
  readonly type: string;
  readonly description: string;
  /** The executable, absolute. */
  readonly program: string;
  /** @throws {EntireError} `PLUGIN_FAILED`, as all that follows */
  isPresent(): boolean;
  readonly home: SessionHome;
  readonly settings: AgentSettings;
}

/**
 * The agents that are not built in, as far as this process knows of them. Whoever has the permission says where they come
 * from (`hooks/agent/external-agents.ts`), and is asked once: when a name or a type turns up that no table has, or all are listed.
 */
let load: () => readonly ExternalAgent[] = () => [];
let known: readonly ExternalAgent[] | undefined;

export function useExternalAgents(from: () => readonly ExternalAgent[]): void {
  load = from;
  known = undefined;
}

export function externalAgents(): readonly ExternalAgent[] {
  known ??= load();
  return known;
}

export const findExternalByType = (type: string): ExternalAgent | undefined =>
  externalAgents().find((agent) => agent.type === type);

/** One that this process knows of; there are no other values of that type. */
export function externalAgent(name: ExternalName): ExternalAgent {
  const agent = externalAgents().find((one) => one.name === name);
  if (agent === undefined) throw new Error(`${name} was never loaded`);
  return agent;
}
