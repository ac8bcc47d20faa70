import { EntireError } from '../../base/errors.ts';
import { type ObjectId, parseSessionId } from '../../base/ids.ts';
import { showPath } from '../../base/text/text.ts';
import { readChanges } from '../../git/commit/commits.ts';
import { countLinesOfEach, type LineCounts } from '../../git/commit/line-counts.ts';
import { type AsideFile, withObjectsAside } from '../../git/object/aside.ts';
import type { Branch } from '../../history/branch.ts';
import type { LogPlan, LogPlans } from '../../restore/log/logs.ts';
import type { CommitPoint, RewindPoint, StepPoint } from '../../restore/points.ts';
import { planCheckpointLogs, planStepLog } from '../../restore/rewind/logs.ts';
import type { Verdict } from '../../restore/rewind/plan.ts';
import { isFutile, type RewindPreview } from '../../restore/rewind/preview.ts';
import { previewReset } from '../../restore/rewind/reset.ts';
import { previewStep } from '../../restore/rewind/rewind.ts';
import { findLosses } from '../../restore/rewind/to-logs.ts';
import { type FileVersions, readTurnContents } from '../../restore/turn-contents.ts';
import { changesOfRewind } from '../../restore/would-change.ts';
import { workIn } from '../../strategy/work.ts';
import { toPair } from '../diff/show.ts';
import { nameOfTurn, readTurn } from '../names/turns.ts';
import { oneLine } from '../ui/terminal.ts';
import * as text from './text.ts';
import { showPrompt } from './view.ts';

const short = (session: string): string => session.slice(0, 8);

/** What becomes of a file. */
export interface FilePreview {
  readonly becomes: keyof typeof text.BECOMES;
  readonly path: string;
  /** `undefined` where it has no lines that can be counted. */
  readonly lines: LineCounts | undefined;
  /** What else is to be known of it; empty when nothing is. */
  readonly note: string;
}

/** What going back to a point comes to. Safe to print. */
export interface PointPreview {
  /** The turn after which it is, by its name; empty where that is not known. */
  readonly turn: string;
  readonly files: readonly FilePreview[];
  readonly sentences: readonly string[];
}

/** Looks at what going back to a point comes to, as going back itself does. Changes nothing. @throws what keeps it from going back */
export const lookAtPoint = (
  branch: Branch,
  point: RewindPoint,
  isSessionOnly: boolean,
): Promise<PointPreview> =>
  point.kind === 'step'
    ? lookAtStep(branch, point, isSessionOnly)
    : point.isLogsOnly
      ? lookAtLogs(branch, point)
      : lookAtOwnCommit(branch, point);

async function lookAtStep(branch: Branch, point: StepPoint, isSessionOnly: boolean): Promise<PointPreview> {
  const turn = await nameStep(branch, point);
  const preview = await previewStep(branch, point, { isSessionOnly });
  const { sessionId: session, state, verdicts, along } = preview;
  const files = changesOfRewind(branch.repo, preview);
  const counts = await countLines(branch, (aside) =>
    readTurnContents(branch.repo, aside, [{ session, record: { files }, paths: new Set(files.keys()) }])
      .flat()
      .flatMap(({ versions, unshown }) => (unshown === '' ? versions : [])),
  );
  if (isFutile(preview))
    return {
      turn,
      files: verdicts.map((verdict) => toFile(preview, verdict, undefined)),
      sentences: [text.NOTHING_GOES],
    };
  const { log, isTruncated } = planStepLog({ repo: branch.repo, env: process.env }, branch, point, state);
  const conversation =
    'why' in log
      ? text.CONVERSATION.stays
      : log.state === 'unchanged'
        ? text.CONVERSATION.isAsThen
        : isTruncated
          ? text.CONVERSATION.endsWithTask
          : text.CONVERSATION.ends;
  return {
    turn,
    files: verdicts.map((verdict) => toFile(preview, verdict, counts.get(verdict.path))),
    sentences: [
      ...(state?.phase === 'active' ? [text.inTurn(session)] : []),
      ...(verdicts.length === 0 ? [text.NOTHING_DIFFERS] : []),
      conversation(short(session)),
      ...('why' in log ? [] : describeLosses(branch, [log])),
      ...along.flatMap(({ sessionId, files }) =>
        files.length > 0 ? [text.alsoGoesBack(short(sessionId))] : [],
      ),
    ],
  };
}

function toFile(
  { merged, othersWork }: RewindPreview,
  verdict: Verdict,
  lines: LineCounts | undefined,
): FilePreview {
  const { path } = verdict;
  const shown = showPath(path);
  if (verdict.kind === 'leave')
    return {
      ...{ becomes: 'left', path: shown, lines: undefined },
      note: oneLine(text.whyLeft(verdict.reason, verdict)),
    };
  const note = merged.includes(path) ? text.MERGED : othersWork.includes(path) ? text.OTHERS_GO : '';
  return { becomes: verdict.kind === 'delete' ? 'deleted' : 'restored', path: shown, lines, note };
}

/** The name of the turn that a step was saved after. */
async function nameStep({ repo }: Branch, { step, sessionId }: StepPoint): Promise<string> {
  const session = parseSessionId(sessionId);
  if (!session || step.isTask) return '';
  try {
    return nameOfTurn(repo, await readTurn(repo, { kind: 'step', row: step.commit, session }));
  } catch (error) {
    if (error instanceof EntireError) return ''; // nothing of it is kept any more
    throw error;
  }
}

async function lookAtLogs(branch: Branch, point: CommitPoint): Promise<PointPreview> {
  const plans = planCheckpointLogs({ repo: branch.repo, env: process.env }, branch, point.checkpoint);
  return {
    turn: '',
    files: [],
    sentences: [...describeMisfit(point), text.FILES_STAY, ...describeLogs(branch, plans), text.MAY_MOVE],
  };
}

async function lookAtOwnCommit(branch: Branch, point: CommitPoint): Promise<PointPreview> {
  const { orphaned, overwritten, uncommitted } = previewReset(workIn(branch.repo), branch, point);
  const changes = readChanges(branch.git, branch.head as ObjectId, point.id);
  const counts = await countLines(branch, () =>
    [...changes].map(([path, { before, after }]) => ({
      before: before && ({ path, ...before } as AsideFile),
      after: after && ({ path, ...after } as AsideFile),
    })),
  );
  const plans = planCheckpointLogs({ repo: branch.repo, env: process.env }, branch, point.checkpoint);
  return {
    turn: '',
    files: [...changes].map(([path, { after }]) => ({
      becomes: after ? 'restored' : 'deleted',
      path: showPath(path),
      lines: counts.get(path),
      note: overwritten.includes(path) && !uncommitted.has(path) ? text.OVERWRITES : '',
    })),
    sentences: [...describeMisfit(point), text.branchGoesBack(orphaned), ...describeLogs(branch, plans)],
  };
}

const describeMisfit = ({ misfit }: CommitPoint): string[] =>
  misfit === undefined ? [] : [text.notItsOwn(oneLine(misfit))];

const describeLogs = (branch: Branch, { logs }: LogPlans): string[] =>
  logs.length === 0
    ? [text.NO_TRANSCRIPT]
    : [
        ...logs.map(({ sessionId, state }) =>
          state === 'unchanged'
            ? text.CONVERSATION.isThere(short(sessionId))
            : text.CONVERSATION.isRestored(short(sessionId)),
        ),
        ...describeLosses(branch, logs),
      ];

/** The turns that a conversation loses, by what they were asked. */
const describeLosses = (branch: Branch, logs: readonly LogPlan[]): string[] =>
  findLosses(branch, logs).map(({ sessionId, prompts }) =>
    text.cutsOff(short(sessionId), prompts.map(showPrompt)).trim(),
  );

/** Lines that come and go in each file, as git counts them; those of binary files are not known. */
async function countLines(
  { repo }: Branch,
  read: (aside: Parameters<Parameters<typeof withObjectsAside>[1]>[0]) => readonly FileVersions[],
): Promise<ReadonlyMap<string, LineCounts>> {
  return withObjectsAside(repo, async (aside) => {
    const nobody = { author: { name: '', email: '' }, date: '0 +0000', message: '' };
    const commits = aside.addPairs([toPair(nobody, read(aside))]);
    const [counts] = countLinesOfEach(aside.git, commits).values();
    return counts ?? new Map();
  });
}
