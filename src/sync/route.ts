import { resolve } from 'node:path';
import { type RemoteConfig, withoutCredentials } from '../git/remote/remotes.ts';
import { type Git, gitText } from '../git/run.ts';
import type { PushSettings } from '../settings/push.ts';
import type { Destination } from './destination.ts';

/** Where a push really goes, after all that git's configuration makes of its name. */
export interface Route {
  /** Without credentials; a path of this machine is absolute, for a copy of the clone may lie elsewhere. */
  readonly urls: readonly string[];
  /**
   * The usual place: fetched from where it is pushed to, and `origin`, or the only remote, or one that the settings name. A yes
   * that was given without any place is for this one.
   */
  readonly isUsual: boolean;
  /** The settings say the whole place, which was written or agreed to here. */
  readonly isWritten: boolean;
}

/** One or two git processes, or three. */
export function readRoute(
  git: Git,
  { target, label }: Destination,
  config: RemoteConfig,
  settings: Pick<PushSettings, 'pushRemote'>,
): Route {
  const urls = readUrls(git, target, 'push').map((url) => toAbsolute(git, url));
  const isWritten = !config.remotes.some(({ name }) => name === target);
  const isNamed = isWritten || settings.pushRemote === label;
  const isUsual =
    (isNamed || target === 'origin' || config.remotes.length === 1) &&
    urls.length === 1 &&
    readUrls(git, target, 'fetch').every((url) => toAbsolute(git, url) === urls[0]);
  return { urls, isUsual, isWritten };
}

/** Of the places of a route, those that nobody here was shown before a yes. */
export function findUnseen(
  { urls, isUsual, isWritten }: Route,
  { shown }: Pick<PushSettings, 'shown'>,
): string[] {
  if (isUsual && (isWritten || shown.length === 0)) return [];
  return urls.filter((url) => !shown.includes(url));
}

/** What is said of them. */
export const describeUnseen = (urls: readonly string[]): string =>
  `they would go to ${urls.join(', ')}, which nobody here has agreed to`;

/**
 * Where git really pushes to or fetches from, after `url.<base>.insteadOf` and the like. A push can go to several places:
 * they stand one behind the other, with commas.
 */
export const readUrl = (git: Git, target: string, way: 'push' | 'fetch'): string =>
  readUrls(git, target, way).join(', ');

function readUrls(git: Git, target: string, way: 'push' | 'fetch'): string[] {
  const isUrl = /[:/\\]/.test(target) && !gitText(git, ['remote']).split('\n').includes(target);
  if (!isUrl) {
    const args = ['remote', 'get-url', ...(way === 'push' ? ['--push', '--all'] : []), target];
    return gitText(git, args).split('\n').map(withoutCredentials);
  }
  // What it makes of a URL that is no remote's git tells for a fetch alone: so it is one, for this command.
  const listed = gitText(git, ['-c', `remote.${ASKED}.url=${target}`, 'remote', '--verbose']).split('\n');
  return listed.flatMap((line) => {
    const [, url] = new RegExp(`^${ASKED}\t(.*) \\(${way}\\)`).exec(line) ?? [];
    return url === undefined ? [] : withoutCredentials(url);
  });
}

const ASKED = 'entire-asked-for';

/** As git tells a path from an address: by a colon before the first slash. */
const toAbsolute = (git: Git, url: string): string => (/^[^/]*:/.test(url) ? url : resolve(git.cwd, url));
