import { join, resolve } from 'node:path';
import { physicalPath, type Repo } from './locate.ts';
import { isOfRepository } from './program-place.ts';
import { parseRemoteConfig, REMOTE_KEYS, type RemoteConfig } from './remote/remotes.ts';
import { type Git, runGit } from './run.ts';

/** A value of `entire.*` in git's configuration. */
export interface OwnConfigValue {
  /** In lower case, as git prints it. */
  readonly key: string;
  readonly value: string;
  /** `clone`: set for this clone, this worktree or this command; `machine`: for all repositories of the person. */
  readonly reach: 'machine' | 'clone';
  /**
   * The person has written it, as far as a file tells: not into one of the repository, which the configuration includes or the
   * environment names, nor into the environment, which a container or an agent takes from the repository's settings.
   */
  readonly isOwn: boolean;
}

/** What pushing wants to know of git's configuration, all of it from one process. */
export interface PushConfig {
  /** Weakest first. */
  readonly own: readonly OwnConfigValue[];
  readonly remotes: RemoteConfig;
}

/** Reads our own section and what there is of remotes. @throws {EntireError} `GIT_FAILED` */
export function readPushConfig(git: Git, repo: Repo): PushConfig {
  const keys = `^entire\\.|${REMOTE_KEYS}`;
  const args = ['config', '-z', '--show-scope', '--show-origin', '--get-regexp', keys];
  return parsePushConfig(runGit(git, args, { okCodes: [0, 1] }).stdout.toString('utf8'), {
    ...{ gitDir: repo.gitDir, commonDir: repo.commonDir, cwd: git.cwd },
    isOfRepository: (file) => isOfRepository(repo, file),
  });
}

/** What tells whose a configuration is. */
export interface ConfigPlaces {
  readonly gitDir: string;
  readonly commonDir: string;
  /** Where git was started: it names its own files relative to that. */
  readonly cwd: string;
  isOfRepository(file: string): boolean;
}

/** Reads `<scope>\0<origin>\0<key>\n<value>\0`. */
export function parsePushConfig(output: string, places: ConfigPlaces): PushConfig {
  const parts = output.split('\0');
  const own: OwnConfigValue[] = [];
  const remotes: string[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [scope = '', origin = '', entry = ''] = parts.slice(at, at + 3);
    if (!entry.startsWith('entire.')) {
      remotes.push(entry);
      continue;
    }
    const [key = '', ...rest] = entry.split('\n');
    own.push({
      key,
      value: entry.includes('\n') ? rest.join('\n') : 'true',
      reach: scope === 'system' || scope === 'global' ? 'machine' : 'clone',
      isOwn: isOwn(scope, origin, places),
    });
  }
  return { own, remotes: parseRemoteConfig(remotes.join('\0')) };
}

function isOwn(scope: string, origin: string, places: ConfigPlaces): boolean {
  const { gitDir, commonDir, cwd } = places;
  if (!origin.startsWith('file:')) return false;
  const named = resolve(cwd, origin.slice('file:'.length));
  if (scope !== 'local' && scope !== 'worktree') return !places.isOfRepository(named);
  const file = physicalPath(named);
  return [join(commonDir, 'config'), join(gitDir, 'config.worktree')].map(physicalPath).includes(file);
}

/** Whether the clone's own configuration sets a value. @throws {EntireError} `GIT_FAILED` */
export const hasOwnConfig = (git: Git, key: string): boolean => readOwnConfig(git, key).length > 0;

/** The values of a key in the configuration of the clone, or of the person for all repositories. @throws {EntireError} `GIT_FAILED` */
export function readOwnConfig(git: Git, key: string, reach: OwnConfigValue['reach'] = 'clone'): string[] {
  const { stdout } = runGit(git, ['config', FLAGS[reach], '-z', '--get-all', key], { okCodes: [0, 1] });
  return stdout.toString('utf8').split('\0').slice(0, -1);
}

const FLAGS = { clone: '--local', machine: '--global' } as const;

/**
 * Sets a value in the clone's configuration, which all of its worktrees share, or in that of the person for all repositories, or
 * takes it away. What is so already is not written again.
 *
 * @returns whether something was written
 * @throws {EntireError} `GIT_FAILED` when git cannot write, such as for a lock
 */
export function writeOwnConfig(
  git: Git,
  key: string,
  value: string | undefined,
  reach: OwnConfigValue['reach'] = 'clone',
): boolean {
  const now = readOwnConfig(git, key, reach);
  if (value === undefined ? now.length === 0 : now.length === 1 && now[0] === value) return false;
  const how = value === undefined ? ['--unset-all', key] : ['--replace-all', key, value];
  runGit(git, ['config', FLAGS[reach], ...how]);
  return true;
}

/** Adds values to what the clone's configuration has under a key. @throws {EntireError} `GIT_FAILED` */
export function addOwnConfig(git: Git, key: string, values: readonly string[]): void {
  const now = readOwnConfig(git, key);
  for (const value of values)
    if (!now.includes(value)) runGit(git, ['config', '--local', '--add', key, value]);
}
