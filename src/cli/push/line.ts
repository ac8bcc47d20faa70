import { EntireError } from '../../base/errors.ts';
import { readBranchName } from '../../git/commit/commits.ts';
import type { Repo } from '../../git/locate.ts';
import { hideCredentials } from '../../git/remote/remotes.ts';
import { gitFor } from '../../git/run.ts';
import { openSources } from '../../hooks/agent/sources.ts';
import { refuseUnreadable } from '../../settings/layers.ts';
import { type PushSettings, readPushSettings } from '../../settings/push.ts';
import { namedDestination, resolveDestination } from '../../sync/destination.ts';
import { findUnseen, readRoute, readUrl } from '../../sync/route.ts';
import type { Line } from '../../sync/transport.ts';
import { canAsk } from '../ui/terminal.ts';
import { badTimeout, noDestination } from './text.ts';
import type { ShownRemote } from './view.ts';

/** A push or fetch that somebody waits for may take longer than one in a hook. */
export const DEFAULT_TIMEOUT_SECONDS = 120;

export interface Connection {
  readonly line: Line;
  readonly place: ShownRemote;
  readonly settings: PushSettings;
  /** Of a push: URLs that nobody here was shown before a yes. What the user wrote was seen. */
  readonly unseen: readonly string[];
}

/**
 * Where a command's push or fetch goes; `named` is what the user wrote.
 *
 * @throws {EntireError} `NO_REMOTE`, `CONFIG_UNREADABLE`, `BAD_FLAGS`
 */
export function connect(
  way: 'push' | 'fetch',
  repo: Repo,
  named: string | undefined,
  timeoutSeconds: number,
): Connection {
  if (!(timeoutSeconds >= 1 && timeoutSeconds <= 3600))
    throw new EntireError('BAD_FLAGS', badTimeout(timeoutSeconds));
  const git = gitFor(repo);
  const sources = openSources(repo);
  refuseUnreadable(sources.layers);
  const settings = readPushSettings(sources);
  const config = sources.config().remotes;
  const situation = { way, config, settings, branch: readBranchName(git, repo.gitDir), named };
  const to = named === undefined ? resolveDestination(situation) : namedDestination({ ...situation, named });
  if ('none' in to) {
    const { message, hint } = noDestination(to);
    throw new EntireError('NO_REMOTE', hideCredentials(message), { hint });
  }
  const isSeen = way === 'fetch' || named !== undefined;
  const unseen = isSeen ? [] : findUnseen(readRoute(git, to, config, settings), settings);
  const limitMs = timeoutSeconds * 1000;
  return {
    line: {
      ...{ git, to, limitMs, deadlineMs: performance.now() + limitMs },
      interactive: canAsk(),
      sshCommand: config.sshCommand,
    },
    place: { remote: hideCredentials(to.label), url: readUrl(git, to.target, way) },
    settings,
    unseen,
  };
}
