import { transcriptFormatOf } from '../../agents/registry.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { retryWhenMoved } from '../../git/object/objects.ts';
import { readRef, updateRefs } from '../../git/ref/refs.ts';
import { readBranch } from '../../history/branch.ts';
import { readUserLines, type UserLinesRecord, writeUserLines } from '../../session/record/user-lines.ts';
import { parseState, renderState, type SessionState } from '../../session/state.ts';
import { readState } from '../../session/state-store.ts';
import { type Conclude, dropStaging } from '../../snapshot/operation.ts';
import { storeOf } from '../../snapshot/place.ts';
import { markAllAgain } from '../../strategy/steps-again.ts';
import { setAbandoned } from '../../strategy/transcript/abandoned.ts';
import { saveState, type Work } from '../../strategy/work.ts';
import { trackOpen } from '../in-hand.ts';
import { abandonedIn, putLogBack, replaceLog } from '../log/replaced-log.ts';
import { rollBackUserLines } from '../rollback.ts';
import { followTranscript } from '../running-turns.ts';
import { dropNotes, noteUndone, withoutLeft } from './along.ts';
import { addSteps, type NextTip, writeNextTip } from './branch.ts';
import { parseMore, type ReplacedLog, type RewindMore, toStoredMore } from './note.ts';
import { type ChangedStep, type CutBranch, cutBranch } from './steps.ts';

/** Told why a transcript stays as it is, and whether checkpoints leave out what was given up in it. */
type LogFailure = (why: string, isLeftOut: boolean) => void;

/**
 * Does, or takes back, what else a rewind changed: for whoever carries out its operation, or undoes it.
 *
 * @param onNote told in one sentence of what could not be taken back
 * @param onLogFailure the files are what matters
 */
export const concludeRewind =
  (
    work: Work,
    onNote: (sentence: string) => void = () => {},
    onLogFailure: LogFailure = () => {},
  ): Conclude =>
  (effects, left, changed) =>
    effects.map((effect) => {
      const { isBack } = effect;
      const note = isBack ? effect.note : withoutLeft(effect.note, left);
      const more = parseMore(note);
      if (!more && !isBack)
        throw new EntireError('STATE_UNREADABLE', 'what a rewind was about to do cannot be read');
      if (!more) return { isBack, note };
      const done = isBack
        ? { sentence: takeBackRewind(work, more, changed, onLogFailure), note }
        : applyRewind(work, more, left, changed, onLogFailure);
      if (more.logs.length > 0) followTranscript(work, more.sessionId);
      if (done.sentence !== undefined) onNote(done.sentence);
      return { isBack, note: done.note };
    });

/**
 * Moves the shadow branch and the session back, once the files are. It may be done twice. Only under the session's lock.
 *
 * @returns what could not be done, in one sentence, `undefined` when all of it was; and the note of what was done
 * @throws {EntireError} `REF_MOVED`, `REF_LOCKED`, `GIT_FAILED`
 */
function applyRewind(
  work: Work,
  told: RewindMore,
  left: ReadonlyMap<RepoPath, string>,
  changed: ReadonlySet<RepoPath>,
  onLogFailure: LogFailure,
): { readonly sentence: string | undefined; readonly note: unknown } {
  const more = { ...told, others: told.others.map((other) => noteUndone(work, told.sessionId, other)) };
  const note = toStoredMore(more);
  for (const log of more.logs)
    quietly(
      log.file,
      () => replaceLog(log),
      (why) => onLogFailure(why, leaveOut(work, more, log)),
    );
  if (more.state.after === '') return { sentence: undefined, note }; // a session without a state: its steps stay
  if (!retryWhenMoved(() => moveBranch(work, more))) {
    // The next step has them as they are.
    for (const one of [more, ...more.others]) trackOpen(work, one.sessionId, unsavedOf(work, one, changed));
    return { sentence: STEPS_GONE, note };
  }
  for (const { sessionId, state } of [more, ...more.others]) {
    const current = readState(work.sessions, sessionId);
    if (state.after === '' || !current || !isStateBefore(current, state.before)) continue;
    const next = parseState(state.after);
    saveState(work, next);
    rewriteUserLines(work, next);
  }
  for (const { sessionId, files } of [more, ...more.others]) {
    const stays = files.filter((path) => left.has(path));
    trackOpen(work, sessionId, stays);
  }
  return { sentence: undefined, note };
}

const STEPS_GONE =
  'The steps of the session are no longer there: they were committed since, so that only the files went back.';

/** What is given up in a transcript that stays as it is is not read again. Whether that is so. */
function leaveOut({ repo }: Work, more: RewindMore, log: ReplacedLog): boolean {
  if (more.isOfLogs) return false;
  const agentType = more.state.before === '' ? '' : parseState(more.state.before).agentType;
  return setAbandoned(repo.commonDir, more.sessionId, nameOf(more), () =>
    abandonedIn(transcriptFormatOf(agentType), log),
  );
}

const nameOf = ({ tip, target }: RewindMore): string => `${tip}..${target}`;

/** `false` where the branch, or the step on it, is gone. */
function moveBranch(work: Work, more: RewindMore): boolean {
  const { git, repo } = work;
  const { ref, target, sessionId, owned } = more;
  const along = new Set<string>(more.others.map((other) => other.sessionId));
  const before = readRef(git, ref);
  const wanted = parseObjectId(target);
  const cut = before && wanted && cutIfThere(readBranch(repo), ref, before, wanted);
  if (!before || !cut) return false;
  if (cut.later.some(({ step }) => step.sessionId === sessionId || along.has(step.sessionId)))
    setBranch(work, ref, before, writeNextTip(git, cut, sessionId, new Set(owned), along), 'rewind');
  return true;
}

function cutIfThere(...args: Parameters<typeof cutBranch>): CutBranch | undefined {
  try {
    return cutBranch(...args);
  } catch (error) {
    if (error instanceof EntireError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** @throws {EntireError} `REF_MOVED`, `REF_LOCKED` */
function setBranch(work: Work, ref: string, from: ObjectId, next: NextTip, reason: string): void {
  const { git, repo } = work;
  const { tip, staged, again } = next;
  markAllAgain(repo, again); // first: a kill in between leaves no step of which nothing is known
  const release = staged ? [{ ref: staged, from: tip, to: undefined }] : [];
  updateRefs(git, [{ ref, from, to: tip }, ...release], reason);
}

function rewriteUserLines({ repo }: Work, state: SessionState): void {
  const since = state.attributionBaseCommit;
  const record: UserLinesRecord | undefined = readUserLines(repo.commonDir, state.sessionId, since);
  if (!record) return;
  const attributions = state.promptAttributions;
  writeUserLines(repo.commonDir, state.sessionId, rollBackUserLines(record, attributions));
}

/**
 * Undoes {@link applyRewind}, and puts back the logs that were replaced, where nothing went on since. It may be done
 * twice. Only under the session's lock.
 *
 * @returns what could not be taken back, in one sentence; `undefined` when all of it was
 */
function takeBackRewind(
  work: Work,
  more: RewindMore,
  changed: ReadonlySet<RepoPath>,
  onLogFailure: LogFailure,
): string | undefined {
  for (const log of more.logs)
    quietly(
      log.file,
      () => putLogBack(log),
      (why) => onLogFailure(why, false),
    );
  setAbandoned(work.repo.commonDir, more.sessionId, nameOf(more), undefined);
  for (const other of more.others) {
    const store = storeOf(work.repo, other.sessionId);
    dropStaging(store);
    dropNotes(store, more.sessionId, other);
  }
  if (more.state.before === '') return undefined;
  const all = [more, ...more.others.filter(({ state }) => state.before !== '')];
  if (!all.every((one) => isKnown(work, one)) || !putBranchBack(work, more)) {
    // The files are back, and the sessions': the next step has them.
    for (const one of [more, ...more.others]) trackOpen(work, one.sessionId, unsavedOf(work, one, changed));
    return 'The session went on since the rewind, or one that went back with it was forgotten: the steps stay as they are, and the next one holds the files.';
  }
  for (const { sessionId, state, userLines } of all) {
    const current = readState(work.sessions, sessionId);
    if (current && renderState(current) === state.before) continue;
    saveState(work, parseState(state.before));
    if (userLines) writeUserLines(work.repo.commonDir, sessionId, userLines);
  }
  return undefined;
}

/** Files of a session that no step has as they are now: what just changed, and what only steps had that are not on the branch. */
function unsavedOf(
  work: Work,
  one: Pick<RewindMore, 'sessionId' | 'state' | 'files'>,
  changed: ReadonlySet<RepoPath>,
): RepoPath[] {
  const kept = new Set(one.state.after === '' ? [] : parseState(one.state.after).filesTouched);
  const isLost = hasCommitted(work, one) ? () => false : (path: RepoPath) => !kept.has(path);
  return one.files.filter((path) => changed.has(path) || isLost(path));
}

/** Whether a commit was made since, which may have taken what the session had in hand. */
function hasCommitted(
  { sessions }: Work,
  { sessionId, state }: Pick<RewindMore, 'sessionId' | 'state'>,
): boolean {
  const before = state.before === '' ? undefined : parseState(state.before);
  return readState(sessions, sessionId)?.baseCommit !== before?.baseCommit;
}

/** Whether a session is as it was before, or as it was left. */
function isKnown({ sessions }: Work, { sessionId, state }: Pick<RewindMore, 'sessionId' | 'state'>): boolean {
  const current = readState(sessions, sessionId);
  const text = current && renderState(current);
  return text === state.before || (current !== undefined && isStateAfter(current, state.after));
}

/** Steps that were undone and done again meanwhile took files out of its hands. */
const isStateBefore = (state: SessionState, before: string): boolean =>
  differsInFiles(state, before, (now, then) => now.every((path) => then.includes(path)));

/** Files that could not go back are the session's, and those a killed rewind did not come to note. */
const isStateAfter = (state: SessionState, after: string): boolean =>
  differsInFiles(state, after, (now, then) => then.every((path) => now.includes(path)));

/** Whether a state is that of a text, but for its files, which differ as they may. */
function differsInFiles(
  state: SessionState,
  text: string,
  mayDiffer: (now: readonly RepoPath[], then: readonly RepoPath[]) => boolean,
): boolean {
  if (text === '') return false;
  const { filesTouched } = parseState(text);
  return mayDiffer(state.filesTouched, filesTouched) && renderState({ ...state, filesTouched }) === text;
}

function putBranchBack(work: Work, more: RewindMore): boolean {
  try {
    return retryWhenMoved(() => returnBranch(work, more));
  } catch (error) {
    log('warn', 'shadow branch not put back', { ref: more.ref, error: describeError(error) });
    return false;
  }
}

/** The branch as it was, with what other sessions saved since then on top. `false` where it is another one. */
function returnBranch(work: Work, more: RewindMore): boolean {
  const { git, repo } = work;
  const { ref, tip, target, sessionId } = more;
  const gone = new Set<string>([sessionId, ...more.others.map((other) => other.sessionId)]);
  const [current, before, wanted] = [readRef(git, ref), parseObjectId(tip), parseObjectId(target)];
  if (!current || !before || !wanted) return false;
  if (current === before) return true;
  const branch = readBranch(repo);
  const now = cutBranch(branch, ref, current, wanted).later.toReversed();
  if (now.some(({ step }) => gone.has(step.sessionId))) return false;
  const then = cutBranch(branch, ref, before, wanted).later.toReversed();
  const theirs = then.filter(({ step }) => !gone.has(step.sessionId));
  if (!theirs.every((step, at) => isSameStep(step, now[at]))) return false;
  const since = now.slice(theirs.length);
  setBranch(work, ref, current, addSteps(git, sessionId, before, since), 'rewind taken back');
  return true;
}

const isSameStep = ({ step: a }: ChangedStep, b: ChangedStep | undefined): boolean =>
  a.sessionId === b?.step.sessionId &&
  a.commit.authoredAt === b.step.commit.authoredAt &&
  a.commit.subject === b.step.commit.subject;

/** A transcript that cannot be had is told of, and noted. */
function quietly(file: string, body: () => void, onFailure: (why: string) => void): void {
  try {
    body();
  } catch (error) {
    const why = describeError(error);
    log('warn', 'transcript left as it is', { file, error: why });
    onFailure(why);
  }
}
