import type { ExternalAgent } from '../agents/external/known.ts';
import { useExternalAgents } from '../agents/external/known.ts';
import { type FoundProgram, findProgram, listPrograms } from '../agents/external/locate.ts';
import { PROGRAM_PREFIX, parseExternalName } from '../agents/external/name.ts';
import { type OpenedAgent, openAgent } from '../agents/external/open.ts';
import { describeError, EntireError } from '../base/errors.ts';
import type { Repo } from '../git/locate.ts';
import { programPlace } from '../git/program-place.ts';
import { gitAt, gitFor, runGit } from '../git/run.ts';
import { LOCAL_SETTINGS_FILE } from '../settings/enabled.ts';
import {
  EXTERNAL_AGENTS,
  type ExternalAgentsWish,
  readExternalAgentsWish,
} from '../settings/external-agents.ts';
import { settingsRoot } from '../settings/followed.ts';

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
export function readWish(repo: Repo): ExternalAgentsWish {
  const root = settingsRoot(repo);
  return readExternalAgentsWish(root, () => isTracked(repo, root));
}

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
export function listExternalAgents(repo: Repo): ExternalListing {
  const listing = listings.get(repo.worktreeRoot) ?? readListing(repo);
  listings.set(repo.worktreeRoot, listing);
  return listing;
}

function readListing(repo: Repo): ExternalListing {
  const wish = readWish(repo);
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
      ? `"${EXTERNAL_AGENTS}" in ${LOCAL_SETTINGS_FILE} is not true`
      : `"${EXTERNAL_AGENTS}" counts only in a ${LOCAL_SETTINGS_FILE} that git does not track`;
  return new EntireError('UNSUPPORTED', `agent "${name}" is not built in, and ${why}`, { hint: howTo(wish) });
}

/** How somebody lets them. */
export const howTo = (wish: Exclude<ExternalAgentsWish, 'on'>): string =>
  wish === 'off'
    ? `Set "${EXTERNAL_AGENTS}": true in ${LOCAL_SETTINGS_FILE}, and executables named ${PROGRAM_PREFIX}<name> on PATH may speak for agents.`
    : `What a repository says about "${EXTERNAL_AGENTS}" is not heard: it would start programs for whoever clones it. Set it to true in a ${LOCAL_SETTINGS_FILE} of your own, a plain file that git does not track (\`git rm --cached\` takes it out of the index).`;

/**
 * Whether the index has the file, under any case: on some systems they are one. A folder `.entire` that is a repository of
 * its own counts as well, and so does a git that does not answer.
 */
function isTracked(repo: Repo, root: string): boolean {
  const git = root === repo.worktreeRoot ? gitFor(repo) : gitAt(root);
  const env = { ...git.env, GIT_LITERAL_PATHSPECS: '0', GIT_ICASE_PATHSPECS: '1' };
  try {
    const { stdout } = runGit({ cwd: root, env }, ['ls-files', '-z', '--', '.entire']);
    const tracked = stdout.toString('utf8').toLowerCase().split('\0');
    return tracked.includes(LOCAL_SETTINGS_FILE) || tracked.includes('.entire');
  } catch {
    return true;
  }
}
