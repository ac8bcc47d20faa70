import { EntireError } from '../../base/errors.ts';
import { type ObjectId, parseSessionId } from '../../base/ids.ts';
import { showPath } from '../../base/text/text.ts';
import { readChanges } from '../../git/commit/commits.ts';
import { countLinesOfEach, type LineCounts } from '../../git/commit/line-counts.ts';
import { type AsideFile, withObjectsAside } from '../../git/object/aside.ts';
import type { Branch } from '../../history/branch.ts';
import type { LogPlan } from '../../restore/log/logs.ts';
import type { CommitPoint, RewindPoint, StepPoint } from '../../restore/points.ts';
import { planCheckpointLogs, planStepLog } from '../../restore/rewind/logs.ts';
import type { Verdict } from '../../restore/rewind/plan.ts';
import { isFutile, type RewindPreview } from '../../restore/rewind/preview.ts';
import { previewReset } from '../../restore/rewind/reset.ts';
import { previewStep } from '../../restore/rewind/rewind.ts';
import { findLosses } from '../../restore/rewind/to-logs.ts';
import { type FileVersions, readTurnContents } from '../../restore/turn-contents.ts';
import { changesOfRewind } from '../../restore/would-change.ts';
import type { SessionState } from '../../session/state.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { transcriptSize } from '../../strategy/transcript/file.ts';
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
  if (isFutile(preview))
    return {
      turn,
      files: verdicts.map((verdict) => toFile(preview, verdict, undefined)),
      sentences: [text.NOTHING_GOES],
    };
  const files = changesOfRewind(branch.repo, preview);
  const counts = await countLines(branch, (aside) =>
    readTurnContents(branch.repo, aside, [{ session, record: { files }, paths: new Set(files.keys()) }])
      .flat()
      .flatMap(({ versions, unshown }) => (unshown === '' ? versions : [])),
  );
  return {
    turn,
    files: verdicts.map((verdict) => toFile(preview, verdict, counts.get(verdict.path))),
    sentences: [
      ...(state?.phase === 'active' ? [text.inTurn(session)] : []),
      ...(verdicts.length === 0 ? [text.NOTHING_DIFFERS] : []),
      ...describeConversation(branch, point, state),
      ...along.flatMap(({ sessionId, files }) =>
        files.length > 0 ? [text.alsoGoesBack(short(sessionId))] : [],
      ),
    ],
  };
}

/** What becomes of the conversation of a step. */
function describeConversation(
  branch: Branch,
  point: StepPoint,
  state: SessionState | undefined,
): readonly string[] {
  const session = short(point.sessionId);
  if (isLong(state)) return [text.CONVERSATION.isLong(session)];
  const { log, isTruncated } = planStepLog({ repo: branch.repo, env: process.env }, branch, point, state);
  const conversation =
    'why' in log
      ? text.CONVERSATION.stays
      : log.state === 'unchanged'
        ? text.CONVERSATION.isAsThen
        : isTruncated
          ? text.CONVERSATION.endsWithTask
          : text.CONVERSATION.ends;
  return [conversation(session), ...('why' in log ? [] : describeLosses(branch, [log]))];
}

/** Longer transcripts are not read wherever the cursor rests. */
const LONG_BYTES = 8 * 1024 * 1024;

const isLong = (state: SessionState | undefined): boolean =>
  (transcriptSize(state?.transcriptPath ?? '', undefined) ?? 0) > LONG_BYTES;

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
  return {
    turn: '',
    files: [],
    sentences: [...describeMisfit(point), text.FILES_STAY, ...describeLogs(branch, point), text.MAY_MOVE],
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
  return {
    turn: '',
    files: [...changes].map(([path, { after }]) => ({
      becomes: after ? 'restored' : 'deleted',
      path: showPath(path),
      lines: counts.get(path),
      note: overwritten.includes(path) && !uncommitted.has(path) ? text.OVERWRITES : '',
    })),
    sentences: [...describeMisfit(point), text.branchGoesBack(orphaned), ...describeLogs(branch, point)],
  };
}

const describeMisfit = ({ misfit }: CommitPoint): string[] =>
  misfit === undefined ? [] : [text.notItsOwn(oneLine(misfit))];

function describeLogs(branch: Branch, { checkpoint }: CommitPoint): string[] {
  const { repo } = branch;
  const long = checkpoint.slots.flatMap(({ metadata: { sessionId } }) => {
    const id = parseSessionId(sessionId);
    return id && isLong(readStateIfReadable(sessionsDir(repo.commonDir), id)) ? id : [];
  });
  if (long.length > 0) return long.map((id) => text.CONVERSATION.isLong(short(id)));
  const { logs } = planCheckpointLogs({ repo, env: process.env }, branch, checkpoint);
  if (logs.length === 0) return [text.NO_TRANSCRIPT];
  const becomes = logs.map(({ sessionId, state }) =>
    state === 'unchanged'
      ? text.CONVERSATION.isThere(short(sessionId))
      : text.CONVERSATION.isRestored(short(sessionId)),
  );
  return [...becomes, ...describeLosses(branch, logs)];
}

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
