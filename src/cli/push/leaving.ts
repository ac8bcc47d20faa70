import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Repo } from '../../git/locate.ts';
import { hideCredentials } from '../../git/remote/remotes.ts';
import { gitFor } from '../../git/run.ts';
import { type OpenSources, openSources } from '../../hooks/agent/sources.ts';
import { readActivation } from '../../settings/enabled.ts';
import { listUnheard, readPermission, type Unheard } from '../../settings/permissions.ts';
import { type PushSettings, readPushSettings } from '../../settings/push.ts';
import { isUnruled } from '../../settings/unruled.ts';
import { judgeConsent } from '../../sync/consent.ts';
import type { NoDestination } from '../../sync/destination.ts';
import { type PushRecord, readPushes } from '../../sync/ledger.ts';
import { listStepsElsewhere, type StepsElsewhere } from '../../sync/steps-elsewhere.ts';
import { readPushPlace } from './place.ts';
import type { ShownRemote } from './view.ts';

/** What leaves this machine by itself, or why nothing does. */
export interface Leaving {
  readonly settings: PushSettings;
  /** Where session logs go along to, with a plain `git push`. */
  readonly to: ShownRemote | undefined;
  /** What left this clone last, by a push of any kind; `undefined` where nothing did. */
  readonly lastPush: PushRecord | undefined;
  /** Step branches that pushes of the user's own took along. */
  readonly stepsElsewhere: readonly StepsElsewhere[];
  /** Where they would go, had somebody here been shown it before the yes. */
  readonly unseen: readonly string[];
  /** Why they do not. */
  readonly reason:
    | 'disabled'
    | 'refused'
    | 'undecided'
    | 'not-agreed'
    | 'not-shown'
    | 'unruled'
    | NoDestination['none']
    | undefined;
  /** Checkpoints are summarised by themselves: a program is started, which sends what it reads to its maker. */
  readonly summaries: { readonly on: boolean; readonly by: string | undefined };
  /** What the repository would allow, and cannot. */
  readonly unheard: readonly Unheard[];
}

/** Reads it from the settings and git's configuration alone; asks no remote. @throws {EntireError} `GIT_FAILED` */
export function readLeaving(repo: Repo, sources: OpenSources = openSources(repo)): Leaving {
  const settings = readPushSettings(sources);
  const { given, by } = readPermission('summarize', sources);
  const isOn = readActivation(repo).kind === 'enabled';
  const report = {
    settings,
    unseen: [],
    lastPush: readLastPush(repo),
    stepsElsewhere: listStepsElsewhere(gitFor(repo)),
    unheard: listUnheard(sources),
    summaries: { on: isOn && given === true, by },
  };
  if (!isOn) return { ...report, to: undefined, reason: 'disabled' };
  const reason = whyNot(settings);
  if (reason !== undefined) return { ...report, to: undefined, reason };
  if (isUnruled(repo.commonDir)) return { ...report, to: undefined, reason: 'unruled' };
  const { to, urls, unseen } = readPushPlace(repo, sources, settings);
  if ('none' in to) return { ...report, to: undefined, reason: to.none };
  if (unseen.length > 0) return { ...report, unseen, to: undefined, reason: 'not-shown' };
  return { ...report, to: { remote: hideCredentials(to.label), url: urls.join(', ') }, reason: undefined };
}

/** The newest that left, or may have. */
function readLastPush({ commonDir }: Repo): PushRecord | undefined {
  try {
    return readPushes(commonDir).findLast(({ result }) => result !== 'failed');
  } catch (error) {
    log('warn', 'pushes cannot be read', { error: describeError(error) });
    return undefined;
  }
}

function whyNot(settings: PushSettings): 'refused' | 'undecided' | 'not-agreed' | undefined {
  const consent = judgeConsent(settings);
  if (consent === 'yes') return undefined;
  if (consent === 'no') return 'refused';
  return settings.permission.given ? 'not-agreed' : 'undecided';
}
