import { sha256Of } from '../base/hash.ts';
import type { Kept } from '../checkpoint/remote-refs.ts';
import {
  findRemote,
  type Remote,
  type RemoteConfig,
  usualRemote,
  withoutCredentials,
} from '../git/remote/remotes.ts';
import type { CheckpointRemote, PushSettings } from '../settings/push.ts';

/** Where checkpoints are pushed to and fetched from. */
export interface Destination {
  /** What git is told: the name of a remote, or a URL. */
  readonly target: string;
  /** As people know it. */
  readonly label: string;
  /** Where it keeps checkpoints, by what the settings say here. */
  readonly record: Kept;
  /** `target` itself, or the places that pushes to it go to, if it is fetched from elsewhere. */
  readonly places: readonly [SyncPlace, ...SyncPlace[]];
}

/** One repository, by a name or URL that git understands. */
export interface SyncPlace {
  readonly name: string;
  /** What its branch was when we last spoke with it. Of other things `trackingOf` tells. */
  readonly trackingRef: string;
  /** Of a remote by name, the URLs that its name means now, as they are written there. */
  readonly url?: string;
}

/** Why there is none. */
export type NoDestination =
  /** There is no remote, or none of several is the usual one. */
  | { readonly none: 'no-remote' }
  /** Something was named that is no remote of this repository. */
  | { readonly none: 'unknown-remote'; readonly name: string }
  /** Checkpoints go elsewhere. */
  | { readonly none: 'other-remote'; readonly name: string; readonly usual: string | undefined }
  /** The user's own push takes every branch along. */
  | { readonly none: 'mirror'; readonly name: string }
  /** `checkpoint_remote` is set to something that we cannot follow; nothing else is used in its place. */
  | { readonly none: 'bad-checkpoint-remote' };

export interface Situation {
  readonly way: 'push' | 'fetch';
  readonly config: RemoteConfig;
  readonly settings: Pick<PushSettings, 'checkpointRemote' | 'pushRemote' | 'pushTo'>;
  /** Short name of the branch that is checked out. */
  readonly branch: string | undefined;
  /** The remote that the user pushes to, or has named. */
  readonly named: string | undefined;
}

const BRANCH = 'entire/checkpoints/v1';
const HOSTS: ReadonlyMap<string, string> = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
]);

/**
 * Chooses where checkpoints go: to `checkpoint_remote` alone where that is set; else to `checkpoint_push_remote`; else
 * to where the branch is usually pushed. A push to any other place carries none.
 */
export function resolveDestination({
  way,
  config,
  settings,
  branch,
  named,
}: Situation): Destination | NoDestination {
  const usual = usualRemote(config, branch);
  const pushed = named === undefined ? undefined : findRemote(config, named);
  if (settings.checkpointRemote !== undefined) {
    const url = separateUrl(settings.checkpointRemote, pushed ?? usual);
    return url === undefined ? { none: 'bad-checkpoint-remote' } : toUrl(url, settings.pushTo);
  }
  if (named !== undefined && !pushed) return { none: 'unknown-remote', name: named };
  const wanted = settings.pushRemote;
  const chosen = wanted === undefined ? usual : config.remotes.find(({ name }) => name === wanted);
  if (wanted !== undefined && !chosen) return { none: 'unknown-remote', name: wanted };
  if (pushed && pushed !== chosen) return { none: 'other-remote', name: pushed.name, usual: chosen?.name };
  if (!chosen) return { none: 'no-remote' };
  return toRemote(chosen, way, settings.pushTo);
}

/** A remote that the user names in a command, which is a decision. `checkpoint_remote` stands above it all the same. */
export function namedDestination(situation: Situation & { named: string }): Destination | NoDestination {
  const { way, config, settings, named } = situation;
  if (settings.checkpointRemote !== undefined) {
    const separate = resolveDestination({ ...situation, named: undefined });
    if ('none' in separate) return separate;
    return separate.target === named
      ? separate
      : { none: 'other-remote', name: named, usual: separate.label };
  }
  const remote = findRemote(config, named);
  return remote ? toRemote(remote, way, settings.pushTo) : { none: 'unknown-remote', name: named };
}

function toRemote(
  { name, urls, pushUrls, isMirror }: Remote,
  way: Situation['way'],
  record: Kept,
): Destination | NoDestination {
  if (isMirror && way === 'push') return { none: 'mirror', name };
  const [first, ...others] = way === 'push' ? pushUrls : [];
  const url = urls.map(withoutCredentials).join(' ');
  const itself = { name, trackingRef: `refs/remotes/${name}/${BRANCH}`, url };
  const places: Destination['places'] = first ? [toPlace(first), ...others.map(toPlace)] : [itself];
  return { target: name, label: name, record, places };
}

const toUrl = (url: string, record: Kept): Destination => ({
  ...{ target: url, label: url, record },
  places: [toPlace(url)],
});

const toPlace = (url: string): SyncPlace => ({
  name: url,
  trackingRef: `refs/entire/remotes/${sha256Of(url).slice(0, 12)}`,
});

/** In the protocol that the user's own pushes go by. */
function separateUrl(to: CheckpointRemote | 'invalid', like: Remote | undefined): string | undefined {
  const host = to === 'invalid' ? undefined : HOSTS.get(to.provider);
  if (to === 'invalid' || host === undefined) return undefined;
  const url = like?.pushUrls[0] ?? like?.urls[0] ?? '';
  const isSsh = /^ssh:\/\/|^[^/:]+@[^/:]+:/.test(url);
  return isSsh ? `git@${host}:${to.repo}.git` : `https://${host}/${to.repo}.git`;
}
