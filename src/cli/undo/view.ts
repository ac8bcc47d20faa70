import type { SessionId } from '../../base/ids.ts';
import { isNamedBy, type RepoPath } from '../../base/repo-path.ts';
import { counted, showPath } from '../../base/text/text.ts';
import type { ForkedConversation } from '../../restore/log/conversation.ts';
import { isOfLogsAlone } from '../../restore/rewind/note.ts';
import type { SteppedBack } from '../../restore/step-back.ts';
import { isUnclaimed, type SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import type { FileState } from '../../snapshot/store/file-state.ts';
import type { UndoRequest } from '../../snapshot/undo/undo.ts';
import { oneLine, renderJson } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';
import {
  ABORTED,
  CONVERSATION_ALONE,
  FINISHED,
  NO_TOOL,
  NOBODY_SAYS,
  notSure,
  OTHERS_STAY,
  PARTLY_SHELLS,
} from './text.ts';

type PathOutcome = 'restored' | 'created' | 'deleted' | 'merged' | 'already' | 'left';

/** What was done to a path, or would be. */
interface PathLine {
  readonly path: RepoPath;
  readonly outcome: PathOutcome;
  readonly why: string;
  /** It was left, and would not be by force. */
  readonly isForceable: boolean;
  /** It is left, and nothing can be done about it. */
  readonly isLost: boolean;
  /** It is left, and there is none. */
  readonly isGone: boolean;
  /** Lines of others are in it, as far as is known. */
  readonly hasOthers: boolean;
}

/** What became of each path; what was done at last wins over what was planned. */
export function readOutcomes({ plan, record }: SteppedBack): PathLine[] {
  return [...plan.paths]
    .map(([path, { verdict, from, to, why, isForceable, isOwn, isLost = false }]): PathLine => {
      const hasOthers = verdict === 'merged' && !isOwn;
      const line = { path, isForceable, isLost, isGone: from.kind === 'missing', hasOthers };
      const late = verdict === 'left' ? undefined : record?.left.get(path);
      if (late !== undefined) return { ...line, outcome: 'left', why: late, isForceable: false };
      if (verdict === 'left' || verdict === 'already') return { ...line, outcome: verdict, why };
      const outcome = verdict === 'merged' ? verdict : outcomeOf(from, to);
      return { ...line, outcome, why: doubtOf(plan.steps, path) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What may be the user's of a change that is taken back. */
export function doubtOf(steps: readonly SnapshotRecord[], path: RepoPath): string {
  const changes = steps.flatMap((step) => {
    const change = step.kind === 'turn' ? step.files.get(path) : undefined;
    return change ? { ...change, isUnclaimed: isUnclaimed(step, change) } : [];
  });
  if (changes.some(({ source, isUnclaimed }) => source === 'scan' && !isUnclaimed)) return NOBODY_SAYS;
  if (changes.some((change) => change.isUnclaimed)) return NO_TOOL;
  return changes.some(({ isMixed }) => isMixed) ? PARTLY_SHELLS : '';
}

const outcomeOf = (from: FileState, to: FileState): PathOutcome =>
  to.kind === 'missing' ? 'deleted' : from.kind === 'missing' ? 'created' : 'restored';

const WIDTH = 10;

/**
 * The report for people.
 *
 * @param named the paths that were asked for; all when empty
 */
export function renderSteppedBack(
  result: SteppedBack,
  { direction, paths: named }: Pick<UndoRequest, 'direction' | 'paths'>,
  isDryRun: boolean,
  { hidden, whose }: { readonly hidden: string | undefined; readonly whose: string | undefined },
): string {
  const verb = direction === 'undo' ? 'Undoing' : 'Redoing';
  const title = isDryRun ? `Would ${direction}` : verb;
  const lines = readOutcomes(result).map(({ path, outcome, why, hasOthers }) => {
    const more = why === '' && outcome === 'merged' && hasOthers ? OTHERS_STAY : why;
    return `  ${(outcome === 'already' ? 'as it was' : outcome).padEnd(WIDTH)}${showPath(path)}${more === '' ? '' : `: ${more}`}`.trimEnd();
  });
  const isAsked = (path: string) => named.length === 0 || isNamedBy(named, path);
  const { plan, logs } = result;
  const { steps, paths } = plan;
  const unsure = [...unattributedBy(steps)].filter(([path]) => !paths.has(path) && isAsked(path));
  return [
    ...steps.map(
      (step) =>
        `${title}: ${describeStep(step, plan.rewinds.has(step.id))}${whose === undefined ? '' : ` ${whose}`}`,
    ),
    ...(hidden ? [`  (${hidden})`] : []),
    ...lines,
    ...logs.map(
      ({ file, why }) =>
        `  ${(why === '' ? 'restored' : 'left').padEnd(WIDTH)}the conversation: ${oneLine(file)}${why === '' ? '' : `: ${why}`}`,
    ),
    ...unsure.map(([path, why]) => `  ${'not sure'.padEnd(WIDTH)}${showPath(path)}: ${notSure(why)}`),
  ].join('\n');
}

/** What changed in turns, and is not known to be theirs, and why: nothing becomes of it. */
const unattributedBy = (steps: readonly SnapshotRecord[]): Map<RepoPath, string> =>
  new Map(steps.flatMap(({ kind, left }) => (kind === 'turn' ? [...left] : [])).sort());

/** What changed in turns, and is not known to be theirs. */
export const unattributedIn = (steps: readonly SnapshotRecord[]): string[] => [
  ...unattributedBy(steps).keys(),
];

/** What people know a step by. @param isRewind also of an undo that took one back */
export const subjectOf = (
  { kind, subject, of }: SnapshotRecord,
  isRewind: boolean = kind === 'rewind',
): string => {
  const what = subject === '' ? (isRewind ? 'a rewind' : 'a turn') : oneLine(subject);
  const more = of.length > 1 ? ` and ${counted(of.length - 1, 'earlier step')}` : '';
  return `${isRewind ? 'rewind: ' : ''}${what}${more}`;
};

/** How many files a step is about. */
export const countFiles = (step: SnapshotRecord, count: number): string =>
  isOfLogsAlone(step) ? CONVERSATION_ALONE : counted(count, 'file');

/** One step in words. */
export const describeStep = (step: SnapshotRecord, isRewind?: boolean): string => {
  const unsure = unattributedIn([step]).length;
  return `${subjectOf(step, isRewind)} (${countFiles(step, step.files.size)}${unsure > 0 ? `, ${unsure} not sure` : ''}, ${ago(step.at)})`;
};

/** What came of the steps of one session. */
export interface SessionBack {
  readonly session: SessionId;
  readonly result: SteppedBack;
  readonly forked: ForkedConversation | undefined;
}

/** The report for programs. @param all in the order in which it was done */
export function renderSteppedBackJson(all: readonly SessionBack[], isDryRun: boolean): string {
  const lines = all.flatMap(({ result }) => readOutcomes(result));
  const pick = (isMeant: (outcome: PathOutcome) => boolean) =>
    new Map(lines.filter(({ outcome }) => isMeant(outcome)).map((line) => [line.path, line] as const));
  const left = pick((outcome) => outcome === 'left');
  // What one session brought back another may have to leave, which is said as well, or have nothing to do with.
  const files = new Map([
    ...pick((outcome) => outcome === 'already'),
    ...pick((outcome) => outcome !== 'already' && outcome !== 'left'),
    ...changedTwice(all),
  ]);
  const forked = all.find((one) => one.forked)?.forked;
  return renderJson({
    session_id: all[0]?.session,
    dry_run: isDryRun,
    steps: all.flatMap(({ session, result }) =>
      result.plan.steps.map((step) => ({ ...stepToJson(step), session_id: session })),
    ),
    files: [...files.values(), ...left.values()]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ path, outcome, why }) => ({ path, outcome, ...(why === '' ? {} : { reason: why }) })),
    ...(forked && { conversation: { session_id: forked.sessionId, file: forked.file } }),
  });
}

/** Of a path that the steps of several sessions changed, what all of them together did to it. */
function changedTwice(all: readonly SessionBack[]): Map<RepoPath, PathLine> {
  const lines = new Map<RepoPath, { readonly from: FileState; readonly line: PathLine }>();
  const twice = new Map<RepoPath, PathLine>();
  for (const { result } of all)
    for (const line of readOutcomes(result)) {
      const plan = result.plan.paths.get(line.path);
      if (!plan || line.outcome === 'left' || line.outcome === 'already') continue;
      const first = lines.get(line.path);
      lines.set(line.path, first ?? { from: plan.from, line });
      if (!first) continue;
      const isMerged =
        [first.line, line].some(({ outcome }) => outcome === 'merged') && plan.to.kind !== 'missing';
      twice.set(line.path, { ...line, outcome: isMerged ? 'merged' : outcomeOf(first.from, plan.to) });
    }
  return twice;
}

/** What came of an operation that was interrupted. */
export const renderRecovered = (how: 'continue' | 'abort', left: ReadonlyMap<string, string>): string =>
  [
    how === 'abort' ? ABORTED : FINISHED,
    ...[...left].map(([path, why]) => `  left      ${showPath(path)}: ${why}`),
  ].join('\n');

export const renderRecoveredJson = (
  session: string,
  how: 'continue' | 'abort',
  left: ReadonlyMap<string, string>,
): string =>
  renderJson({
    session_id: session,
    outcome: how === 'abort' ? 'aborted' : 'finished',
    left: [...left].map(([path, reason]) => ({ path, reason })),
  });

export const stepToJson = (step: SnapshotRecord) => ({
  id: step.id,
  kind: step.kind,
  at: step.at,
  turn_id: step.turnId,
  subject: step.subject,
  files: [...step.files.keys()],
  not_sure: unattributedIn([step]),
});

/** How {@link renderSteppedBack} is coloured. */
export const BACK_TONES: readonly RegExp[] = [
  /^ {2}(?:(?<added>created)|(?<removed>deleted)|(?<good>restored|merged)|(?<quiet>as it was)|(?<warning>left|not sure)) /d,
];
