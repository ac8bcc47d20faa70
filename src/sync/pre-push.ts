import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { type Kept, REMOTE_REFS } from '../checkpoint/remote-refs.ts';
import { readBranchName } from '../git/commit/commits.ts';
import type { Repo } from '../git/locate.ts';
import { addOwnConfig } from '../git/own-config.ts';
import { findPushArguments, type PushArguments } from '../git/remote/push-arguments.ts';
import { hideCredentials, type RemoteConfig } from '../git/remote/remotes.ts';
import type { Git } from '../git/run.ts';
import { SHOWN_PLACE } from '../settings/keys.ts';
import type { Proposal, PushSettings } from '../settings/push.ts';
import { isUnruled, UNRULED } from '../settings/unruled.ts';
import { judgeConsent, rememberTold, wasTold } from './consent.ts';
import { type NoDestination, resolveDestination } from './destination.ts';
import { wasLeftOut } from './forgotten.ts';
import { type FailedAt, pushRecord, refreshTips } from './push.ts';
import { describeUnseen, findUnseen, readRoute } from './route.ts';
import { isOfOldUrl } from './spoken.ts';
import { describeTaken, findTaken } from './taken.ts';
import { hasNews, listNews, readTips } from './tips.ts';
import type { Failure, Line } from './transport.ts';

export interface PrePush {
  readonly repo: Repo;
  readonly git: Git;
  readonly settings: PushSettings;
  readonly config: RemoteConfig;
  /** What git told the hook: the name of a remote, or a URL. */
  readonly named: string;
  /** A person sits at a terminal. */
  readonly interactive: boolean;
  readonly say: (line: string) => void;
  /** Completes what commits before this push have promised. */
  readonly settle: () => Promise<void>;
}

/** A user's push waits no longer than this, unless the settings say otherwise. */
export const HOOK_LIMIT_MS = 30_000;

/**
 * Pushes checkpoints along with a push of the user's: where there are new ones, and consent, and this is the remote
 * they go to. Says in one line what failed, and never throws for it.
 */
export async function pushAlong(hook: PrePush): Promise<void> {
  const { settings, config, git, say } = hook;
  const consent = judgeConsent(settings);
  const push = findPushArguments();
  if (tellTaken(hook, push, consent === 'yes' ? 'temporary' : 'all') && consent !== 'yes') return;
  if (consent === 'no') return;
  if (consent === 'undecided') return tellOnce(hook);
  if (isUnruled(hook.repo.commonDir))
    return tellTaken(hook, push) ? undefined : say(`Session logs stay on this machine: ${UNRULED}`);
  await hook.settle();
  const branch = readBranchName(git, hook.repo.gitDir);
  const to = resolveDestination({ way: 'push', config, settings, branch, named: hook.named });
  // In most pushes the last process: is there anything that this place lacks?
  const tips = readTips(git, 'none' in to ? undefined : to);
  if (!tips.local) return;
  if ('none' in to) return tellTaken(hook, push) ? undefined : explainNone(to, say);
  // What the place had that the remote's name meant before says nothing of this one.
  const isOld = isOfOldUrl(hook.repo.commonDir, to.places);
  if (tips.local === tips.known && tips.notes.local === tips.notes.known && !isOld) return;
  const reason = whyNot(push, config, hook.named, to.record);
  if (reason) {
    if (findUnseen(readRoute(git, to, config, settings), settings).length > 0) tellTaken(hook, push);
    return log('info', 'checkpoints not pushed along', { reason });
  }

  const limitMs = settings.timeoutMs ?? HOOK_LIMIT_MS;
  const deadlineMs = performance.now() + limitMs;
  const line: Line = {
    git,
    to,
    deadlineMs,
    limitMs,
    interactive: hook.interactive,
    sshCommand: config.sshCommand,
  };
  const withoutNotes = findTaken(push, config, hook.named, REMOTE_REFS.notes) !== undefined;
  const lacks = (): boolean =>
    listNews(git, readTips(git, to)).some((item) => item !== 'notes' || !withoutNotes);
  if (!isOld && !lacks()) return;

  const route = readRoute(git, to, config, settings);
  const unseen = findUnseen(route, settings);
  if (unseen.length > 0) return tellUnseen(hook, unseen);
  const label = hideCredentials(to.label);
  if (isOld) {
    const there = await refreshTips(line, hook.repo.commonDir);
    if ('failure' in there) return explainFailure(there.failure, 'push', label, say);
    if (!lacks()) return;
  }
  // Whoever said yes without a place has this one before them now, and no other follows from it.
  const isFirst = settings.shown.length === 0;
  if (isFirst) noteShown(git, route.urls);
  const outcome = await pushRecord(line, {
    ...{ commonDir: hook.repo.commonDir, withoutNotes },
    onLeftOut: (stone, what) => say(wasLeftOut(stone, label, what)),
    onStep: (step) =>
      say(
        step === 'pushing'
          ? `Pushing session logs to ${isFirst ? route.urls[0] : label}...`
          : 'Syncing with remote session logs...',
      ),
  });
  const { notes } = outcome;
  if (outcome.failure) explainFailure(outcome.failure, outcome.failedAt, label, say);
  // What keeps both away is said once.
  else if (notes.failure) explainNotes(notes.failure, label, say);
  log('info', 'checkpoints pushed along', {
    result: outcome.result,
    remote: label,
    checkpoints: outcome.checkpoints,
    bytes: outcome.bytes,
    notes: notes.count,
    error: outcome.failure?.reason ?? notes.failure?.reason,
  });
}

/** What the user's own push is, so that ours would be wrong beside it. */
export function whyNot(
  push: PushArguments | undefined,
  config: RemoteConfig,
  named: string,
  record: Kept = 'branch',
): string | undefined {
  if (push?.dryRun) return 'dry run';
  if (push?.deletesOnly) return 'deletes only';
  // The same branch twice at once would make one of the two pushes fail, and that might be the user's.
  return findTaken(push, config, named, REMOTE_REFS[record])
    ? 'the push takes the branch along itself'
    : undefined;
}

/**
 * Git sends branches of ours because the user's command names them, whatever was decided: that is theirs to do, and to know.
 *
 * @param what with a yes checkpoints may leave, and temporary branches are another thing
 * @returns whether it does
 */
function tellTaken(
  { git, repo, config, named, say }: PrePush,
  push: PushArguments | undefined,
  what: 'all' | 'temporary' = 'all',
): boolean {
  if (push?.dryRun || push?.deletesOnly) return false;
  const told = describeTaken({ git, repo, config, named, push, what });
  if (told !== undefined) say(told);
  return told !== undefined;
}

/** Nothing leaves, and nobody is asked for anything: one line, once there is something that could have left. */
function tellOnce({ settings, repo, git, say }: PrePush): void {
  if (wasTold(repo.commonDir, settings)) return;
  const { local } = readTips(git, undefined);
  if (!local || !hasNews(git, local, undefined)) return;
  say(settings.proposal && settings.permission.given ? askAgain(settings.proposal) : UNDECIDED);
  rememberTold(repo.commonDir, settings);
}

const AGREE = 'To review and agree: `entire enable --push-sessions`';

/** The yes was for another place: nothing leaves, and one line says so. */
function tellUnseen({ repo, settings, say }: PrePush, unseen: readonly string[]): void {
  log('info', 'checkpoints not pushed along', { reason: 'not-shown', remote: unseen.join(', ') });
  if (wasTold(repo.commonDir, settings, unseen)) return;
  say(`Session logs stay on this machine: ${describeUnseen(unseen)}. ${AGREE}`);
  rememberTold(repo.commonDir, settings, unseen);
}

function noteShown(git: Git, urls: readonly string[]): void {
  try {
    addOwnConfig(git, SHOWN_PLACE, urls);
  } catch (error) {
    log('warn', 'place of session logs not noted', { error: describeError(error) }); // the next push says it again
  }
}

const UNDECIDED =
  'Session logs stay on this machine until you decide: `entire enable --push-sessions` sends them along with your pushes, `entire push --preview` shows what would leave';

/** What the repository asks for comes from whoever wrote it. */
const askAgain = ({ wanted, agreed }: Proposal): string =>
  `Session logs stay on this machine: the repository ${wanted ? `asks for ${wanted}, which nobody here has agreed to` : `no longer asks for ${agreed}, and nobody here has agreed to another place`}. ${AGREE}`;

function explainNone(none: NoDestination, say: (line: string) => void): void {
  if (none.none === 'bad-checkpoint-remote') {
    say('Warning: session logs not pushed: checkpoint_remote in .entire/settings.json names no repository');
    return;
  }
  log('info', 'checkpoints not pushed along', {
    reason: none.none,
    remote: 'name' in none ? hideCredentials(none.name) : undefined,
  });
}

const explainNotes = ({ reason }: Failure, label: string, say: (line: string) => void): void =>
  say(`Warning: session logs are pushed, and notes of commits could not be, to ${label}: ${reason}`);

/** The sentences of every release so far, and one for what they did not tell apart. */
function explainFailure(
  { code, reason }: Failure,
  at: FailedAt | undefined,
  label: string,
  say: (line: string) => void,
): void {
  const hint = code === 'auth' ? ' (`entire push` can ask for a password)' : '';
  if (at === 'fetch') say(`Warning: couldn't sync sessions: fetch failed: ${reason}${hint}`);
  else if (at === 'push after sync') say(`Warning: failed to push sessions after sync: ${reason}${hint}`);
  else say(`Warning: failed to push session logs to ${label}: ${reason}${hint}`);
}
