import { collapse, showPath } from '../../base/text/text.ts';
import { checkOutDetached } from '../../git/worktree/switch.ts';
import type { Branch } from '../../history/branch.ts';
import {
  type CommitPoint,
  type RewindPoint,
  readRewindPoints,
  type StepPoint,
} from '../../restore/points.ts';
import { isFutile } from '../../restore/rewind/preview.ts';
import { previewReset } from '../../restore/rewind/reset.ts';
import { previewStep } from '../../restore/rewind/rewind.ts';
import { workIn } from '../../strategy/work.ts';
import { asksOnLine, type Choice, choose, confirm, plain, say, warn } from '../ui/terminal.ts';
import { goToOwnCommit, offerReset, refuseUncommitted } from './reset.ts';
import * as text from './text.ts';
import { goToStep, renderWhole, restorePointLogs, sayResume, sayTakeBack } from './to.ts';
import { hintsOf, kindOf, misfitOf, shownMinute } from './view.ts';

/** Marks that only change how the character before them looks, and that terminals count in different ways. */
const MARKS = /[\u{1f3fb}-\u{1f3ff}]|\u200d|[\ufe00-\ufe0f]/gu;
const label = (value: string): string => collapse(plain(value).replace(MARKS, ''));
const short = ({ id }: RewindPoint): string => id.slice(0, 7);

/** Lets somebody choose a point, and goes back to it. */
export async function browse(
  branch: Branch,
  strategy: string | undefined,
  isSessionOnly: boolean,
): Promise<void> {
  const points = await readRewindPoints(branch, strategy);
  const [first] = points;
  if (!first) return say(text.NO_POINTS);
  const own = points.find((point): point is CommitPoint => point.kind === 'commit' && !point.isLogsOnly);
  if (own) refuseUncommitted(previewReset(workIn(branch.repo), branch, own));
  const { pickPoint } = await import('./picker.ts');
  const point = asksOnLine() ? await chooseOnLine(points) : await pickPoint(branch, points, isSessionOnly);
  if (!point) return say(text.CANCELLED);
  say(text.selected(renderSelected(point)));
  if (point.kind === 'step') return offerStep(branch, point, isSessionOnly);
  return point.isLogsOnly ? offerLogs(branch, point) : offerOwnCommit(branch, point);
}

/** On plain lines. */
function chooseOnLine(points: readonly RewindPoint[]): Promise<RewindPoint | undefined> {
  for (const hint of hintsOf(points)) say(text.MENU[hint]);
  const isOneSession = new Set(points.map(({ sessionId }) => sessionId)).size === 1;
  const choices: Array<Choice<RewindPoint | undefined>> = points.map((point) => ({
    value: point,
    label: renderChoice(point, isOneSession),
  }));
  return choose(text.MENU.title, [...choices, { value: undefined, label: text.CANCEL }]);
}

/** One of the choices on plain lines. */
export function renderChoice(point: RewindPoint, isOneSession: boolean): string {
  const prompt = isOneSession || point.sessionPrompt === '' ? '' : ` [${label(point.sessionPrompt)}]`;
  return `${short(point)} (${shownMinute(point.date)}) ${misfitOf(point)}${markOf(point)}${label(point.subject)}${prompt}`;
}

const renderSelected = (point: RewindPoint): string =>
  `${short(point)} ${markOf(point)}${label(point.subject)}`;

const markOf = (point: RewindPoint): string =>
  ({ step: text.STEP, task: text.TASK, commit: '' })[kindOf(point)];

async function offerStep(branch: Branch, point: StepPoint, isSessionOnly: boolean): Promise<void> {
  const preview = await previewStep(branch, point, { isSessionOnly });
  const warning = renderWhole(branch, point, preview);
  if (warning !== '') warn(warning);
  if (isFutile(preview)) return say(text.NOTHING_GOES);
  const restored = preview.verdicts.flatMap(({ kind, path }) => (kind === 'restore' ? showPath(path) : []));
  if (restored.length > 0) say(text.becomeAsThen(restored));
  if (!(await confirm(text.confirmStep(short(point), label(point.subject))))) return say(text.CANCELLED);
  return goToStep(branch, point, { agreed: preview, isSessionOnly });
}

async function offerOwnCommit(branch: Branch, point: CommitPoint): Promise<void> {
  if (!(await confirm(text.confirmOwnCommit(short(point), label(point.subject))))) return say(text.CANCELLED);
  return goToOwnCommit(branch, point);
}

async function offerLogs(branch: Branch, point: CommitPoint): Promise<void> {
  const { title, details } = text.logsMenu(short(point));
  say(details);
  const actions = Object.keys(text.LOGS_ACTIONS) as Array<keyof typeof text.LOGS_ACTIONS>;
  const action = await choose(
    title,
    actions.map((value) => ({ value, label: text.LOGS_ACTIONS[value] })),
  );
  switch (action) {
    case 'logs':
      return sayRestored(branch, point);
    case 'checkout':
      return offerCheckout(branch, point);
    case 'reset':
      return offerReset(branch, point);
    default:
      return say(text.CANCELLED);
  }
}

async function sayRestored(branch: Branch, point: CommitPoint): Promise<void> {
  const restored = await restorePointLogs(branch, point);
  if (!restored) return;
  await sayTakeBack(branch, restored.back);
  say(text.LOGS_RESTORED);
  sayResume(restored.logs);
}

async function offerCheckout(branch: Branch, point: CommitPoint): Promise<void> {
  const restored = await restorePointLogs(branch, point);
  if (!restored) return;
  await sayTakeBack(branch, restored.back);
  if (!(await confirm(text.CHECKOUT_QUESTION))) return say(text.CHECKOUT_CANCELLED);
  checkOutDetached(branch.git, point.id);
  say(text.checkedOut(short(point)));
  sayResume(restored.logs);
}
