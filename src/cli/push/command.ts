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
import { type Preview, readPreview } from '../../sync/outgoing.ts';
import { hasNews, pushBranch, readTips, refreshTip } from '../../sync/push.ts';
import { describeUnseen } from '../../sync/route.ts';
import { isOfOldUrl } from '../../sync/spoken.ts';
import { listStepsElsewhere } from '../../sync/steps-elsewhere.ts';
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

const NOTHING_SENT = { result: 'failed', merged: false, checkpoints: 0, bytes: 0 } as const;
const NOTHING: Preview = { checkpoints: [], sessions: [], bytes: 0, redactions: {} };

export const pushCommand = defineCommand({
  positionals: {
    remote: { type: 'string', describe: 'Remote to push to; by default where the branch is usually pushed' },
  },
  options: {
    preview: { type: 'boolean', alias: 'dry-run', describe: 'Show what would be pushed, and push nothing' },
    log: { type: 'boolean', describe: 'Show past pushes: what, when, and to where' },
    yes: { type: 'boolean', alias: 'y', describe: 'Push this once, even if push_sessions is off' },
    json: { type: 'boolean', describe: 'Print the result as JSON' },
    timeout: { type: 'number', default: DEFAULT_TIMEOUT_SECONDS, describe: 'Seconds to wait for the remote' },
  },

  async run(flags) {
    const repo = await requireRepo('push');
    if (flags.log && flags.preview) throw new EntireError('BAD_FLAGS', exclusive('log', 'preview'));
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
    const stale = flags.preview && !isOld ? undefined : await refreshTip(line, repo.commonDir);
    const { local, known } = readTips(line.git, stale && isOld ? [] : line.to.places);
    if (stale && !flags.preview) {
      if (flags.json)
        say(renderOutcomeJson(place, { ...NOTHING_SENT, failure: stale, from: known, to: local }));
      throw remoteFailed(place, stale);
    }
    const consent = judgeConsent(settings, unseen);
    if (flags.preview) {
      const isNews = local !== undefined && hasNews(line.git, local, known);
      const preview = isNews ? readPreview(line.git, known, local) : NOTHING;
      const byRule = readRedactionsByRule(repo, preview.sessions);
      const elsewhere = listStepsElsewhere(line.git);
      if (flags.json)
        return say(renderPreviewJson(place, preview, byRule, { consent, from: known, to: local, elsewhere }));
      const by = describeConsent(settings, unseen);
      const shown = renderPreview(place, preview, byRule, { isGiven: consent === 'yes', by });
      return say(plain([shown, ...elsewhere.map(stepsElsewhereLine)].join('\n')));
    }
    const isNews = local !== undefined && hasNews(line.git, local, known);
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

    const outcome = await pushBranch(
      { ...line, deadlineMs },
      {
        commonDir: repo.commonDir,
        onLeftOut: (stone) => warn(plain(wasLeftOut(stone, place.remote))),
      },
    );
    if (flags.json) say(renderOutcomeJson(place, outcome));
    if (outcome.failure) throw remoteFailed(place, outcome.failure);
    if (flags.json) return;
    if (outcome.result === 'pushed') return say(plain(renderPushed(place, outcome)));
    say(known ? plain(text.NOTHING_NEW(place.remote)) : text.NOTHING_THERE);
  },
});

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

function remoteFailed({ remote }: ShownRemote, failure: Failure): EntireError {
  const { message, hint } = text.failed('push', remote, failure);
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
