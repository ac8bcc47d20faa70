import type { ExternalAgent } from '../../agents/external/locate.ts';
import {
  type FoundProgram,
  findProgram,
  listPrograms,
  PROGRAM_PREFIX,
  parseExternalName,
  useExternalAgents,
} from '../../agents/external/locate.ts';
import { type OpenedAgent, openAgent } from '../../agents/external/open.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { programPlace } from '../../git/program-place.ts';
import { KEYS, nameOf } from '../../settings/keys.ts';
import { LOCAL_SETTINGS_FILE } from '../../settings/layers.ts';
import type { Sources } from '../../settings/permissions.ts';
import { type ExternalAgentsWish, readExternalAgentsWish } from '../../settings/permissions.ts';
import { openSources } from './sources.ts';

const EXTERNAL_AGENTS = nameOf(KEYS.externalAgents);

/** Agents that are not built in, as they stand in a repository. */
export interface ExternalListing {
  readonly wish: ExternalAgentsWish;
  /** Executables on PATH, asked or not. */
  readonly programs: readonly FoundProgram[];
  readonly agents: readonly ExternalAgent[];
  /** What cannot be used, in words. */
  readonly problems: readonly { readonly name: string; readonly file: string; readonly reason: string }[];
}

/** Whether the user of this machine lets executables speak for agents here. */
export const readWish = (repo: Repo, sources: Sources = openSources(repo)): ExternalAgentsWish =>
  readExternalAgentsWish(sources);

/**
 * One agent, for a hook that names it or a command that was told to.
 *
 * @throws {EntireError} `UNSUPPORTED` where executables are not asked, `NOT_FOUND`, `PLUGIN_FAILED`
 */
export function openExternalAgent(repo: Repo, text: string): OpenedAgent {
  const name = parseExternalName(text);
  if (name === undefined) throw new EntireError('NOT_FOUND', 'no agent can have that name');
  const wish = readWish(repo);
  if (wish !== 'on') throw refusal(name, wish);
  const place = programPlace(repo);
  const found = findProgram(place, name);
  if (!found)
    throw new EntireError(
      'NOT_FOUND',
      `no agent "${name}" is built in, and ${PROGRAM_PREFIX}${name} is not on PATH`,
      {
        hint: `Put ${PROGRAM_PREFIX}${name} into a folder of PATH, outside of this repository.`,
      },
    );
  const agent = openAgent(place, repo.worktreeRoot, found);
  useExternalAgents(() => [agent]);
  return agent;
}

/** Whether there is an executable of that name, whatever it is worth. Starts nothing. */
export function isOnPath(repo: Repo, text: string): boolean {
  const name = parseExternalName(text);
  return name !== undefined && findProgram(programPlace(repo), name) !== undefined;
}

const listings = new Map<string, ExternalListing>();

/** All there are, asked once. Executables are started only where they may be. */
export function listExternalAgents(repo: Repo, sources?: Sources): ExternalListing {
  const listing = listings.get(repo.worktreeRoot) ?? readListing(repo, sources);
  listings.set(repo.worktreeRoot, listing);
  return listing;
}

function readListing(repo: Repo, sources: Sources | undefined): ExternalListing {
  const wish = readWish(repo, sources);
  const place = programPlace(repo);
  const programs = listPrograms(place);
  const agents: ExternalAgent[] = [];
  const problems: { name: string; file: string; reason: string }[] = [];
  for (const found of wish === 'on' ? programs : []) {
    try {
      const agent = openAgent(place, repo.worktreeRoot, found);
      const twin = agents.find(({ type }) => type === agent.type);
      if (twin)
        throw new EntireError('PLUGIN_FAILED', `it has the type "${agent.type}", as ${twin.program} has`);
      agents.push(agent);
    } catch (error) {
      problems.push({ name: found.name, file: found.file, reason: describeError(error) });
    }
  }
  return { wish, programs, agents, problems };
}

/** From now on this process may find agents that are not built in, by what sessions of theirs are called. Asks nobody yet. */
export const admitExternalAgents = (repo: Repo): void =>
  useExternalAgents(() => listExternalAgents(repo).agents);

/** What to do where executables are not asked. */
export function refusal(name: string, wish: Exclude<ExternalAgentsWish, 'on'>): EntireError {
  const why =
    wish === 'off'
      ? `"${EXTERNAL_AGENTS}" is not true here`
      : `"${EXTERNAL_AGENTS}" is ignored in a file that git tracks`;
  return new EntireError('UNSUPPORTED', `agent "${name}" is not built in, and ${why}`, { hint: howTo(wish) });
}

/** How somebody lets them. */
export const howTo = (wish: Exclude<ExternalAgentsWish, 'on'>): string =>
  wish === 'off'
    ? `Run \`git config ${KEYS.externalAgents.git} true\`, or set "${EXTERNAL_AGENTS}": true in ${LOCAL_SETTINGS_FILE}, and executables named ${PROGRAM_PREFIX}<name> on PATH may speak for agents.`
    : `What a repository says about "${EXTERNAL_AGENTS}" is ignored: it would start programs for whoever clones it. Allow it for this clone with \`git config ${KEYS.externalAgents.git} true\`, or in a ${LOCAL_SETTINGS_FILE} of your own, a plain file that git does not have.`;
