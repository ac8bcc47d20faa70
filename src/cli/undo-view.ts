import type { RepoPath } from '../base/repo-path.ts';
import { counted, showPath } from '../base/text.ts';
import type { ForkedConversation } from '../restore/conversation.ts';
import type { SteppedBack } from '../restore/step-back.ts';
import type { FileState } from '../snapshot/file-state.ts';
import type { UndoHistory } from '../snapshot/history.ts';
import type { SnapshotRecord } from '../snapshot/record.ts';
import type { UndoRequest } from '../snapshot/undo.ts';
import { renderJson } from './json-output.ts';
import { ago } from './status-view.ts';
import { ABORTED, FINISHED, NOBODY_SAYS, NOT_SURE, OPEN, PARTLY_SHELLS } from './undo-messages.ts';

type PathOutcome = 'restored' | 'created' | 'deleted' | 'merged' | 'already' | 'left';

/** What was done to a path, or would be. */
interface PathLine {
  readonly path: string;
  readonly outcome: PathOutcome;
  readonly why: string;
  /** It was left, and would not be by force. */
  readonly isForceable: boolean;
}

/** What became of each path; what was done at last wins over what was planned. */
export function readOutcomes({ plan, record }: SteppedBack): PathLine[] {
  return [...plan.paths]
    .map(([path, { verdict, from, to, why, isForceable }]): PathLine => {
      const late = verdict === 'left' ? undefined : record?.left.get(path);
      if (late !== undefined) return { path, outcome: 'left', why: late, isForceable: false };
      if (verdict === 'left' || verdict === 'already') return { path, outcome: verdict, why, isForceable };
      const outcome = verdict === 'merged' ? verdict : outcomeOf(from, to);
      return { path, outcome, why: doubtOf(plan.steps, path), isForceable };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What may be the user's of a change that is taken back. */
function doubtOf(steps: readonly SnapshotRecord[], path: RepoPath): string {
  const changes = steps.flatMap(({ kind, isComplete, files }) => {
    const change = kind === 'turn' ? files.get(path) : undefined;
    return change ? { ...change, isComplete } : [];
  });
  if (changes.some(({ source, isComplete }) => source === 'scan' && !isComplete)) return NOBODY_SAYS;
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
  { hidden, commandBack }: { readonly hidden: string | undefined; readonly commandBack: () => string },
): string {
  const verb = direction === 'undo' ? 'Undoing' : 'Redoing';
  const title = isDryRun ? `Would ${direction}` : verb;
  const lines = readOutcomes(result).map(({ path, outcome, why }) =>
    `  ${(outcome === 'already' ? 'as it was' : outcome).padEnd(WIDTH)}${showPath(path)}${why === '' ? '' : `: ${why}`}`.trimEnd(),
  );
  const isAsked = (path: string) =>
    named.length === 0 || named.some((name) => path === name || path.startsWith(`${name}/`));
  const { steps, paths } = result.plan;
  const unsure = unattributedIn(steps).filter((path) => !paths.has(path as RepoPath) && isAsked(path));
  return [
    ...steps.map((step) => `${title}: ${describeStep(step)}`),
    ...(hidden ? [`  (${hidden})`] : []),
    ...lines,
    ...unsure.map((path) => `  ${'not sure'.padEnd(WIDTH)}${showPath(path)}: ${NOT_SURE}`),
    ...(result.record && result.record.files.size > 0 ? ['', `To take this back: ${commandBack()}`] : []),
  ].join('\n');
}

/** What changed in turns, and is not known to be theirs: nothing becomes of it. */
const unattributedIn = (steps: readonly SnapshotRecord[]): string[] =>
  [...new Set(steps.flatMap(({ kind, left }) => (kind === 'turn' ? [...left.keys()] : [])))].sort();

/** One step in words. */
export const describeStep = (step: SnapshotRecord): string => {
  const { kind, subject, at, files } = step;
  const unsure = unattributedIn([step]).length;
  const what = subject === '' ? { turn: 'a turn', rewind: 'a rewind' }[kind as 'turn' | 'rewind'] : subject;
  return `${kind === 'rewind' ? 'rewind: ' : ''}${what ?? 'a turn'} (${counted(files.size, 'file')}${unsure > 0 ? `, ${unsure} not sure` : ''}, ${ago(at)})`;
};

/** What can be taken back, the newest first. */
export function renderSteps(
  { standing, undone, openId }: UndoHistory & { readonly openId: string | undefined },
  hidden: string | undefined,
): string {
  if (standing.length === 0 && undone.length === 0) return 'Nothing to undo.';
  const steps = standing
    .toReversed()
    .map(
      ({ record }, at) =>
        `  ${String(at + 1).padStart(3)}  ${describeStep(record)}${record.id === openId ? OPEN : ''}`,
    );
  const redo = undone
    .toReversed()
    .map((record, at) => `  ${String(at + 1).padStart(3)}  ${describeStep(record)}`);
  return [
    ...(steps.length > 0 ? ['Steps that can be undone:', ...steps] : []),
    ...(hidden && steps.length > 0 ? [`  (behind 1: ${hidden})`] : []),
    ...(redo.length > 0 ? ['Steps that can be redone:', ...redo] : []),
  ].join('\n');
}

/** The report for programs. */
export function renderSteppedBackJson(
  session: string,
  result: SteppedBack,
  isDryRun: boolean,
  forked: ForkedConversation | undefined,
): string {
  return renderJson({
    session_id: session,
    dry_run: isDryRun,
    steps: result.plan.steps.map(toJson),
    files: readOutcomes(result).map(({ path, outcome, why }) => ({
      path,
      outcome,
      ...(why === '' ? {} : { reason: why }),
    })),
    ...(forked && { conversation: { session_id: forked.sessionId, file: forked.file } }),
  });
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

/** The list for programs. */
export const renderStepsJson = (
  session: string,
  { standing, undone, openId }: UndoHistory & { readonly openId: string | undefined },
): string =>
  renderJson({
    session_id: session,
    undo: standing
      .toReversed()
      .map(({ record }) => ({ ...toJson(record), ...(record.id === openId && { open: true }) })),
    redo: undone.toReversed().map(toJson),
  });

const toJson = (step: SnapshotRecord) => ({
  id: step.id,
  kind: step.kind,
  at: step.at,
  turn_id: step.turnId,
  subject: step.subject,
  files: [...step.files.keys()],
  not_sure: unattributedIn([step]),
});
