import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { counted } from '../../base/text/text.ts';
import type { Repo } from '../../git/locate.ts';
import { hiddenBehind } from '../../restore/hidden.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import { type ForkedConversation, forkConversation } from '../../restore/log/conversation.ts';
import { recover } from '../../restore/recover.ts';
import { concludeRewind } from '../../restore/rewind/more.ts';
import { isFutile, type StepBackOptions, type SteppedBack, stepBack } from '../../restore/step-back.ts';
import { countStepLines } from '../../restore/step-lines.ts';
import { listStepped } from '../../restore/stepped.ts';
import { readWorktreeSteps, type WorktreeStep } from '../../restore/worktree-steps.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import type { Conclude } from '../../snapshot/operation.ts';
import { isConcerned } from '../../snapshot/record/history.ts';
import type { SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import type { UndoPlan } from '../../snapshot/undo/undo.ts';
import type { Work } from '../../strategy/work.ts';
import type { Command, FlagsOf } from '../command.ts';
import { exclusive } from '../messages.ts';
import { openNames } from '../names/turns.ts';
import { toPaths } from '../ui/paths.ts';
import { withProgress } from '../ui/progress.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, say, warn } from '../ui/terminal.ts';
import { wishAbsolute } from '../ui/time.ts';
import { tinted } from '../ui/tint.ts';
import { terminalWidth } from '../ui/width.ts';
import { optionsOf, type UndoOptions } from './flags.ts';
import { describeLeft, refuseLeft } from './left.ts';
import { LIST_TONES, renderSteps, renderStepsJson } from './list-view.ts';
import { findMeant, refuseOther } from './named.ts';
import { isNotThere, refuseNotThere } from './not-there.ts';
import { report, showDiff } from './report.ts';
import {
  type Asked,
  type Choice,
  callAgain,
  chooseAmongLater,
  chooseTargets,
  chooseUnfinished,
  type Direction,
  findLater,
  type LaterWork,
  listMeant,
} from './step-sessions.ts';
import * as text from './text.ts';
import {
  describeStep,
  renderRecovered,
  renderRecoveredJson,
  renderSteppedBackJson,
  type SessionBack,
} from './view.ts';

/** `entire undo` and `entire redo`: the same thing in two directions. */
export function stepBackCommand(direction: Direction): Command {
  return {
    positionals: { id: { type: 'string', describe: text.ID } },
    options: optionsOf(direction),
    completes: { id: 'turn', files: 'file', session: 'session' },
    async run(given) {
      const repo = await requireRepo(direction);
      const words = given as unknown as Words;
      wishAbsolute(words.absolute);
      const { steps = 1, json = false } = words;
      refuseContradictions(words, steps, direction);
      const paths = (words.files ?? []).flatMap((file) => toPaths(repo, file));
      const { session, turn, isBuried } = await findMeant(repo, words, direction, paths);
      const flags: Flags = { ...words, session, turn, isBuried, 'dry-run': words['dry-run'] || words.diff };
      if (flags.continue || flags.abort) {
        const how = flags.abort ? 'abort' : 'continue';
        return finish(repo, chooseUnfinished(repo, session, how), how, json);
      }
      if (flags.list) return list(repo, flags, direction).catch((error) => explainOff(repo, error));
      const isForced = flags.force ?? false;
      const again = (id: SessionId, count = flags.steps) =>
        callAgain(
          repo,
          { ...flags, turn: undefined, ...(count !== undefined && { steps: count }) },
          direction,
          paths,
          id,
        );
      const isConversation = flags.conversation ?? false;
      const asked = { direction, session, turn, steps, paths, isForced, isConversation, again };
      const choice = await chooseTargets(repo, asked).catch((error) => explainOff(repo, error));
      return go(repo, flags, asked, choice);
    },
  };
}

async function list(repo: Repo, flags: Flags, direction: Direction): Promise<void> {
  const known = await readWorktreeSteps(repo, listMeant(repo, flags.session));
  const steps = { ...known, undo: known.undo.filter((step) => isConcerned(step, [])) }; // of others only what is named can be undone
  const [[broken, error] = []] = steps.damaged;
  if (error !== undefined && (flags.session !== undefined || steps.damaged.size === listStepped(repo).length))
    throw error;
  if (broken !== undefined) for (const id of steps.damaged.keys()) warn(text.damagedSession(id));
  const options = {
    count: flags.steps,
    width: terminalWidth(),
    lines: (shown: readonly WorktreeStep[]) => countStepLines(repo, shown),
    hiddenBehind: ({ session, record }: WorktreeStep) =>
      direction === 'undo' ? hiddenIn(repo, session, record) : undefined,
    nameOf: openNames(repo, known, flags.json ? (id) => id : undefined),
  };
  if (flags.json) return say(renderStepsJson(steps, options));
  say(tinted(plain(renderSteps(steps, direction, options)), LIST_TONES));
}

/** Takes back, or brings back, the steps of one session after those of another. */
async function go(repo: Repo, flags: Flags, asked: Asked, { targets, history }: Choice): Promise<void> {
  const { direction, paths } = asked;
  const isDryRun = flags['dry-run'] ?? false;
  const done: SessionBack[] = [];
  let hidden: string | undefined;
  const tell = async (): Promise<void> =>
    flags.json
      ? say(renderSteppedBackJson(done, isDryRun))
      : flags.diff
        ? showDiff(repo, asked, done, hidden)
        : report(repo, asked, done, { isDryRun, hidden, known: history.bySession });
  for (const { session, steps } of targets) {
    const only = flags.isBuried ? flags.turn?.record.id : undefined;
    const request = { direction, steps, only, paths, isForced: asked.isForced };
    let forked: ForkedConversation | undefined;
    const isAsked =
      flags.steps !== undefined || flags.turn !== undefined || paths.length > 0 || direction === 'redo';
    const refuse = ({ steps: turns }: UndoPlan): void => {
      if (!isAsked) refuseHidden(repo, asked, session, turns[0]);
    };
    const onPlanned = (plan: UndoPlan): void => {
      refuse(plan);
      if (asked.isConversation) forked = forkConversation(repo, session, plan.steps.at(-1) as SnapshotRecord);
    };
    const isNewest = asked.session === undefined && flags.steps === undefined && paths.length === 0;
    const onLooked = (plan: UndoPlan): void => {
      if (flags.turn) refuseOther(repo, flags.turn, plan, direction);
      if (isDryRun && !isFutile(plan)) refuse(plan);
      if (!isNewest || direction === 'redo' || asked.isForced) return;
      const later = findLater(history.undo, session, plan);
      if (later) throw new InTheWay(later);
    };
    const back = (countsWaiting: boolean): Promise<SteppedBack | InTheWay> => {
      const before = isDryRun ? toBefore(done) : [];
      const options = { isDryRun, conclude: takeBackMore, onPlanned, onLooked, countsWaiting, before };
      return withProgress(({ step: onProgress }) =>
        stepBack(repo, session, { ...request, onProgress }, options),
      ).catch(async (error) => {
        if (error instanceof InTheWay) return error;
        if (done.length > 0) await tell(); // it is done, whatever became of the next
        return explainOff(repo, error);
      });
    };
    const isAlong = asked.isConversation || done.length > 0;
    let result = await back(isAlong);
    if (!(isAlong || isDryRun || result instanceof InTheWay) && result.waits) {
      const all = await lookFurther(repo, asked, { session, result, forked }, targets.slice(1));
      if (all) {
        done.push(...all);
        break;
      }
      result = await back(true);
    }
    if (result instanceof InTheWay) {
      const other = await chooseAmongLater(asked, history.undo, result.later); // no lock is held while somebody thinks
      return go(repo, flags, { ...asked, session: other }, { targets: [{ session: other, steps }], history });
    }
    if (direction === 'undo' && done.length === 0) hidden = hiddenIn(repo, session, result.plan.steps[0]);
    done.push({ session, result, forked });
    if (isFutile(result.plan)) break; // what comes behind it would be another step than was asked for
  }
  const isNothing = !asked.isConversation && isNotThere(done);
  if (!isNothing || flags.json) await tell();
  if (isNothing) return refuseNotThere(repo, asked, done);
  if (!isDryRun) return refuseLeft(repo, asked, done);
  const left = flags.json ? undefined : await describeLeft(repo, asked, done, true);
  if (left) say([`\n${left.message}`, ...(left.hint === undefined ? [] : [`Hint: ${left.hint}`])].join('\n'));
}

const toBefore = (done: readonly SessionBack[]): NonNullable<StepBackOptions['before']> =>
  done.map(({ session, result }) => ({ session, plan: result.plan }));

/** What comes of all steps that are meant, after a first one that waits; `undefined` where another one would change something. */
async function lookFurther(
  repo: Repo,
  { direction, paths, isForced }: Asked,
  first: SessionBack,
  targets: Choice['targets'],
): Promise<readonly SessionBack[] | undefined> {
  const all = [first];
  for (const { session, steps } of targets) {
    const options = { isDryRun: true, conclude: takeBackMore, before: toBefore(all) };
    const result = await stepBack(repo, session, { direction, steps, paths, isForced }, options);
    if (!result.waits && !isFutile(result.plan)) return undefined;
    all.push({ session, result, forked: undefined });
    if (isFutile(result.plan)) break;
  }
  return all;
}

/** Ends the look at a step: somebody has to say first which session is meant. */
class InTheWay {
  readonly later: LaterWork;
  constructor(later: LaterWork) {
    this.later = later;
  }
}

/** What the session did behind its last step, in words. */
function hiddenIn(repo: Repo, session: SessionId, last: SnapshotRecord | undefined): string | undefined {
  const hidden = last && hiddenBehind(repo, session, last);
  return hidden && text.HIDDEN[hidden];
}

/** Nobody takes back what was done earlier since what was done last is not kept. */
function refuseHidden(repo: Repo, asked: Asked, session: SessionId, last: SnapshotRecord | undefined): void {
  const hidden = last && hiddenBehind(repo, session, last);
  if (!hidden) return;
  const command = callAgain(
    repo,
    { steps: 1 },
    asked.direction,
    [],
    asked.session === undefined ? undefined : session,
  );
  throw new EntireError('NOTHING_TO_UNDO', text.LAST_IS_HIDDEN[hidden], {
    hint: text.undoBehindHidden(command, describeStep(last)),
  });
}

/** Where there is nothing because nothing is kept, it says so. */
function explainOff(repo: Repo, error: unknown): never {
  const isNothing = error instanceof EntireError && /^NOT(HING_TO_UNDO|_FOUND)$/.test(error.code);
  if (isNothing && !keepsContents(repo))
    throw new EntireError(error.code, error.message, { hint: text.OFF_HINT });
  throw error;
}

/** What a rewind changed beside files goes along. */
const takeBackMore = (work: Work): Conclude => concludeRewind(work, (sentence) => warn(sentence));

type Words = Partial<FlagsOf<UndoOptions>> & { readonly id?: string | undefined };

/** The same, once it is known what the words mean. */
type Flags = Omit<Words, 'id' | 'session'> & {
  readonly session: SessionId | undefined;
  readonly turn: KeptTurn | undefined;
  readonly isBuried: boolean | undefined;
};

function refuseContradictions(flags: Words, steps: number, direction: 'undo' | 'redo'): void {
  const { continue: goOn, abort, list } = flags;
  if (flags.id !== undefined && flags.session !== undefined)
    throw new EntireError('BAD_FLAGS', text.TWO_SESSIONS);
  if (flags['files-only'] && flags.conversation) throw new EntireError('BAD_FLAGS', text.EITHER_OR);
  if (flags.conversation && direction === 'redo') throw new EntireError('BAD_FLAGS', text.UNDO_ONLY);
  if (!Number.isSafeInteger(steps) || steps < 1) throw new EntireError('BAD_FLAGS', text.BAD_STEPS);
  if ([goOn, abort, list].filter(Boolean).length > 1) throw new EntireError('BAD_FLAGS', text.ONE_OF_THESE);
  for (const name of ['json', 'list', 'continue', 'abort'] as const)
    if (flags.diff && flags[name]) throw new EntireError('BAD_FLAGS', exclusive('diff', name));
}

async function finish(
  repo: Repo,
  session: SessionId,
  how: 'continue' | 'abort',
  isJson: boolean,
): Promise<void> {
  const { left } = await withProgress(() => recover(repo, session, how, takeBackMore));
  say(isJson ? renderRecoveredJson(session, how, left) : plain(renderRecovered(how, left)));
  if (left.size > 0) throw new EntireError('UNDO_CONFLICT', `${counted(left.size, 'file')} left.`);
}
