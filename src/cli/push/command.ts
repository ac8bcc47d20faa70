import { EntireError } from '../../base/errors.ts';
import { parseSessionId } from '../../base/ids.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { listOwed } from '../../session/record/owed.ts';
import { readActivation } from '../../settings/enabled.ts';
import { isUnruled, UNRULED } from '../../settings/unruled.ts';
import { settleOwed } from '../../strategy/commit/settle.ts';
import { readRedactions } from '../../strategy/transcript/index-file.ts';
import { workIn } from '../../strategy/work.ts';
import { judgeConsent } from '../../sync/consent.ts';
import { wasLeftOut } from '../../sync/forgotten.ts';
import { readPushes } from '../../sync/ledger.ts';
import { moveRecord, otherThan } from '../../sync/move.ts';
import { type Preview, readPreview } from '../../sync/outgoing.ts';
import { type PushOptions, type PushOutcome, pushRecord, refreshTips } from '../../sync/push.ts';
import { describeUnseen } from '../../sync/route.ts';
import { isOfOldUrl } from '../../sync/spoken.ts';
import { listStepsElsewhere } from '../../sync/steps-elsewhere.ts';
import { listNews, readTips } from '../../sync/tips.ts';
import type { Failure } from '../../sync/transport.ts';
import { defineCommand } from '../command.ts';
import { exclusive } from '../messages.ts';
import { requireRepo } from '../ui/repo.ts';
import { canAsk, confirm, plain, renderJson, say, warn } from '../ui/terminal.ts';
import { describeConsent, describeProposal, stepsElsewhereLine } from './leaving-text.ts';
import { type Connection, connect, DEFAULT_TIMEOUT_SECONDS } from './line.ts';
import * as text from './text.ts';
import {
  type RedactionsByRule,
  renderLog,
  renderOutcomeJson,
  renderPreview,
  renderPreviewJson,
  renderPushed,
  type ShownRemote,
} from './view.ts';

const NOTHING_SENT = {
  result: 'failed',
  merged: false,
  checkpoints: 0,
  bytes: 0,
  notes: { result: 'up-to-date', count: 0 },
} as const;
const NOTHING: Preview = { checkpoints: [], sessions: [], notes: 0, bytes: 0, redactions: {} };

export const pushCommand = defineCommand({
  positionals: {
    remote: { type: 'string', describe: 'Remote to push to; by default where the branch is usually pushed' },
  },
  options: {
    preview: { type: 'boolean', alias: 'dry-run', describe: 'Show what would be pushed, and push nothing' },
    log: { type: 'boolean', describe: 'Show past pushes: what, when, and to where' },
    yes: { type: 'boolean', alias: 'y', describe: 'Push this once, even if push_sessions is off' },
    move: {
      type: 'boolean',
      describe: 'Move checkpoints to where push_to says, and remove them there from where they were',
    },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
    timeout: { type: 'number', default: DEFAULT_TIMEOUT_SECONDS, describe: 'Seconds to wait for the remote' },
  },

  async run(flags) {
    const repo = await requireRepo('push');
    for (const [one, other] of [
      ['log', 'preview'],
      ['log', 'move'],
      ['preview', 'move'],
    ] as const)
      if (flags[one] && flags[other]) throw new EntireError('BAD_FLAGS', exclusive(one, other));
    if (flags.log) {
      const pushes = readPushes(repo.commonDir);
      if (flags.json) return say(renderJson(pushes));
      const log = pushes.length === 0 ? `${text.NO_PUSHES} ` : `${renderLog(pushes)}\n\n`;
      const taken = listStepsElsewhere(gitFor(repo)).map(stepsElsewhereLine);
      return say(plain([`${log}${text.NOT_LISTED}`, ...taken].join('\n')));
    }

    const connection = connect('push', repo, flags.remote, flags.timeout);
    const { line, place, settings, unseen } = connection;
    // What earlier commits promised belongs to what is pushed.
    const isOn = readActivation(repo).kind === 'enabled';
    if (isOn && listOwed(repo.commonDir, repo.worktreeId).length > 0) await settleOwed(workIn(repo));
    // What a remote has is known without asking it, unless it was another place when it was asked.
    const isOld = isOfOldUrl(repo.commonDir, line.to.places);
    const there = flags.preview && !isOld ? undefined : await refreshTips(line, repo.commonDir);
    const stale = there && 'failure' in there ? there.failure : undefined;
    const tips = readTips(line.git, stale && isOld ? undefined : line.to);
    const { local, known } = tips;
    const news = listNews(line.git, tips);
    if (stale && !flags.preview) {
      if (flags.json)
        say(renderOutcomeJson(place, { ...NOTHING_SENT, failure: stale, from: known, to: local }));
      throw remoteFailed(connection, stale);
    }
    const consent = judgeConsent(settings, unseen);
    if (flags.preview) {
      const notes = news.includes('notes') && tips.notes.local;
      const from = news.includes('record') ? tips.left : local;
      const preview =
        local === undefined || news.length === 0
          ? NOTHING
          : readPreview(line.git, from, local, notes ? { from: tips.notes.known, to: notes } : undefined);
      const byRule = readRedactionsByRule(repo, preview.sessions);
      const elsewhere = listStepsElsewhere(line.git);
      if (flags.json)
        return say(renderPreviewJson(place, preview, byRule, { consent, from: known, to: local, elsewhere }));
      const by = describeConsent(settings, unseen);
      const shown = renderPreview(place, preview, byRule, {
        ...{ isGiven: consent === 'yes', by },
        record: line.to.record,
      });
      return say(plain([shown, ...elsewhere.map(stepsElsewhereLine)].join('\n')));
    }
    const isNews = news.length > 0 || flags.move === true;
    if (isNews && isUnruled(repo.commonDir)) {
      const { message, hint } = text.unruled(UNRULED);
      throw new EntireError('REDACTION_FAILED', message, { hint });
    }
    let { deadlineMs } = line;
    // A yes on the command line is for the place that is known; for another one it has to be named there, too.
    const isYes = flags.yes && (settings.proposal === undefined || flags.remote !== undefined);
    if (isNews && consent !== 'yes' && !isYes) {
      if (!(await asked(connection, flags.json ?? false))) return say(text.NOT_PUSHED);
      deadlineMs = performance.now() + line.limitMs; // thinking about it is no fault of the remote's
    }

    const options: PushOptions = {
      commonDir: repo.commonDir,
      onLeftOut: (stone, what) => warn(plain(wasLeftOut(stone, place.remote, what))),
    };
    const given = { ...connection, line: { ...line, deadlineMs } };
    if (flags.move) return move(given, options, flags.json ?? false);
    const outcome = await pushRecord(given.line, options);
    const other = otherThan(line.to.record);
    const isAlso = there && 'value' in there && there.value.some((refs) => refs.has(other));
    if (flags.json) say(renderOutcomeJson(place, outcome, { also: isAlso ? other : undefined }));
    if (outcome.failure) throw remoteFailed(connection, outcome.failure);
    if (!flags.json) {
      tell(connection, outcome, known !== undefined);
      if (isAlso) say(plain(text.alsoAt(place.remote, other, line.to.record)));
    }
    if (outcome.notes.failure) throw notesFailed(place, outcome.notes.failure);
  },
});

function tell({ place }: Connection, outcome: PushOutcome, isKnown: boolean): void {
  if (outcome.result === 'pushed' || outcome.notes.result === 'pushed')
    return say(plain(renderPushed(place, outcome)));
  say(isKnown ? plain(text.NOTHING_NEW(place.remote)) : text.NOTHING_THERE);
}

/** @throws {EntireError} `REMOTE_FAILED` */
async function move(connection: Connection, options: PushOptions, isJson: boolean): Promise<void> {
  const { line, place } = connection;
  const { record } = line.to;
  const moved = await moveRecord(line, options);
  if ('failure' in moved) throw remoteFailed(connection, moved.failure);
  const { outcome, removed, failure } = moved.value;
  const also = failure ? otherThan(record) : undefined;
  if (isJson) say(renderOutcomeJson(place, outcome, { also, removed }));
  if (outcome.failure) throw remoteFailed(connection, outcome.failure);
  if (!isJson) {
    tell(connection, outcome, true);
    if (removed) say(plain(text.movedTo(place.remote, record, removed)));
    else if (!failure) say(plain(text.nothingToMove(place.remote, record)));
  }
  if (failure) {
    const { message, hint } = text.notRemoved(place.remote, otherThan(record), failure);
    throw new EntireError('REMOTE_FAILED', message, { hint });
  }
  if (outcome.notes.failure) throw notesFailed(place, outcome.notes.failure);
}

function readRedactionsByRule({ commonDir }: Repo, sessions: readonly string[]): RedactionsByRule {
  const counts: Record<string, number> = {};
  const unknown = sessions.filter((session) => {
    const id = parseSessionId(session);
    const known = id && readRedactions(commonDir, id);
    for (const [rule, count] of Object.entries(known ?? {})) counts[rule] = (counts[rule] ?? 0) + count;
    return !known;
  });
  return { counts, unknown };
}

function remoteFailed({ place, line }: Connection, failure: Failure): EntireError {
  const { message, hint } = text.failed('push', place.remote, failure, line.to.record);
  return new EntireError('REMOTE_FAILED', message, { hint });
}

function notesFailed({ remote }: ShownRemote, failure: Failure): EntireError {
  const { message, hint } = text.notesFailed('push', remote, failure);
  return new EntireError('REMOTE_FAILED', message, { hint });
}

/** @throws {EntireError} `CONSENT_MISSING` where nobody can be asked */
async function asked({ place, settings, unseen }: Connection, isJson: boolean): Promise<boolean> {
  if (isJson || !canAsk()) {
    const { proposal } = settings;
    const isOther = settings.permission.given && unseen.length > 0;
    const why = proposal ? describeProposal(proposal) : isOther ? describeUnseen(unseen) : undefined;
    const { message, hint } = why === undefined ? text.CONSENT_MISSING : text.notAgreed(plain(why));
    throw new EntireError('CONSENT_MISSING', message, { hint });
  }
  return confirm(text.consentQuestion(plain(place.remote), plain(place.url)));
}
