import { EntireError } from '../../base/errors.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { type RewindPoint, readRewindPoints } from '../../restore/points.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand } from '../command.ts';
import { DISABLED_GUARD } from '../explain/text.ts';
import { exclusive } from '../messages.ts';
import { requireRepo } from '../ui/repo.ts';
import { canAsk, plain, say } from '../ui/terminal.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import { findPoint } from './find-point.ts';
import * as text from './text.ts';
import { renderPoints, renderPointsJson, TONES } from './view.ts';

const options = {
  list: { type: 'boolean', describe: text.FLAGS.list },
  json: { type: 'boolean', describe: text.FLAGS.json },
  to: { type: 'string', describe: text.FLAGS.to },
  'logs-only': { type: 'boolean', describe: text.FLAGS.logsOnly },
  reset: { type: 'boolean', describe: text.FLAGS.reset },
  force: { type: 'boolean', alias: 'f', describe: text.FLAGS.force },
  'session-only': { type: 'boolean', describe: text.FLAGS.sessionOnly },
  'dry-run': { type: 'boolean', describe: text.FLAGS.dryRun },
  diff: { type: 'boolean', describe: text.FLAGS.diff },
} as const;

interface Flags {
  readonly list?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly to?: string | undefined;
  readonly 'logs-only'?: boolean | undefined;
  readonly reset?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly 'session-only'?: boolean | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly diff?: boolean | undefined;
}

export const rewindCommand = defineCommand({
  positionals: { point: { type: 'string', describe: text.FLAGS.to } },
  options,
  completes: { to: 'point', point: 'point' },

  async run({ point, ...given }) {
    const repo = await requireRepo('rewind');
    if (point !== undefined && given.to !== undefined) throw new EntireError('BAD_FLAGS', text.TWO_POINTS);
    const flags: Flags = { ...given, to: given.to ?? point };
    refuseContradictions(flags);
    const activation = readActivation(repo);
    if (activation.kind === 'disabled') return say(DISABLED_GUARD);
    const strategy = activation.kind === 'enabled' ? activation.strategy : undefined;
    const branch = readBranch(repo);
    if (flags.list) {
      const points = await readRewindPoints(branch, strategy);
      const isForPeople = process.stdout.isTTY && !flags.json; // programs read what is no terminal
      return say(
        isForPeople
          ? tinted(plain(renderPoints(points, terminalWidth())), TONES)
          : `${renderPointsJson(points)}\n`,
      );
    }
    if (flags.to !== undefined) return goTo(branch, await findPoint(branch, strategy, flags.to), flags);
    if (!canAsk()) {
      const { message, hint } = text.NO_TERMINAL;
      throw new EntireError('BAD_FLAGS', message, { hint });
    }
    const { browse } = await import('./menu.ts');
    return browse(branch, strategy, flags['session-only'] ?? false);
  },
});

async function goTo(branch: Branch, point: RewindPoint, flags: Flags): Promise<void> {
  const { goToLogs, goToStep, previewGoToStep, previewLogs } = await import('./to.ts');
  const { reset, diff = false, 'logs-only': isLogsOnly, 'session-only': isSessionOnly = false } = flags;
  const { force: isForced = false } = flags;
  const isDry = flags['dry-run'] || diff;
  if (isLogsOnly) return isDry ? previewLogs(branch, point) : goToLogs(branch, point, isForced);
  if (point.kind === 'step') {
    if (reset)
      throw new EntireError('NOT_FOUND', text.NOT_LOGS_ONLY.message, { hint: text.NOT_LOGS_ONLY.hint });
    const how = { isSessionOnly };
    return isDry ? previewGoToStep(branch, point, { ...how, isDiff: diff }) : goToStep(branch, point, how);
  }
  const { goToOwnCommit, previewResetBranch, resetBranch } = await import('./reset.ts');
  if (reset) return isDry ? previewResetBranch(branch, point, diff) : resetBranch(branch, point, isForced);
  if (!point.isLogsOnly)
    return isDry ? previewResetBranch(branch, point, diff) : goToOwnCommit(branch, point, isForced);
  return isDry ? previewLogs(branch, point) : goToLogs(branch, point, isForced);
}

/** @throws {EntireError} `BAD_FLAGS` for flags that do not go together */
function refuseContradictions(flags: Flags): void {
  const refuse = (message: string): never => {
    throw new EntireError('BAD_FLAGS', message);
  };
  const given = (['list', 'to', 'logs-only', 'reset', 'force', 'dry-run', 'diff'] as const).filter(
    (name) => flags[name],
  );
  for (const name of given)
    if (name !== 'list' && name !== 'to' && flags.to === undefined) refuse(text.needsPoint(name));
  if (flags.list && flags.to !== undefined) refuse(exclusive('list', 'to'));
  if (flags.json && !flags.list) refuse(text.JSON_LISTS);
  if (flags['logs-only'] && flags.diff) refuse(exclusive('logs-only', 'diff'));
  if (flags['logs-only'] && flags.reset) refuse(exclusive('logs-only', 'reset'));
  for (const name of ['list', 'logs-only', 'reset'] as const)
    if (flags['session-only'] && flags[name]) refuse(exclusive('session-only', name));
}
