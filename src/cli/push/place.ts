import { readBranchName } from '../../git/commit/commits.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import type { OpenSources } from '../../hooks/agent/sources.ts';
import type { PushSettings } from '../../settings/push.ts';
import { type Destination, type NoDestination, resolveDestination } from '../../sync/destination.ts';
import { findUnseen, readRoute } from '../../sync/route.ts';

/** Where session logs would go along to, with a plain `git push`. */
export interface PushPlace {
  readonly to: Destination | NoDestination;
  /** As git pushes, without credentials. */
  readonly urls: readonly string[];
  /** Those of them that nobody here was shown before a yes. */
  readonly unseen: readonly string[];
}

/** Asks git's configuration alone, and no remote. @throws {EntireError} `GIT_FAILED` */
export function readPushPlace(repo: Repo, sources: OpenSources, settings: PushSettings): PushPlace {
  const git = gitFor(repo);
  const config = sources.config().remotes;
  const branch = readBranchName(git, repo.gitDir);
  const to = resolveDestination({ way: 'push', config, settings, branch, named: undefined });
  if ('none' in to) return { to, urls: [], unseen: [] };
  const route = readRoute(git, to, config, settings);
  return { to, urls: route.urls, unseen: findUnseen(route, settings) };
}
