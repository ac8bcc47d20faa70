import { describeError, EntireError } from '../base/errors.ts';
import { type ObjectId, parseObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { retryWhenMoved } from '../git/objects.ts';
import { readRef, updateRefs } from '../git/refs.ts';
import type { Git } from '../git/run.ts';
import { readBranch } from '../history/branch.ts';
import { parseState, renderState, type SessionState } from '../session/state.ts';
import { readState } from '../session/state-store.ts';
import { trackAgain } from '../session/tracking-file.ts';
import { readUserLines, type UserLinesRecord, writeUserLines } from '../session/user-lines.ts';
import type { Conclude } from '../snapshot/operation.ts';
import { saveState, type Work } from '../strategy/work.ts';
import { putLogBack, replaceLog } from './replaced-log.ts';
import { addSteps, type NextTip, writeNextTip } from './rewind-branch.ts';
import { parseMore, type RewindMore } from './rewind-note.ts';
import { type ChangedStep, type CutBranch, cutBranch } from './rewind-steps.ts';
import { rollBackUserLines } from './rollback.ts';

/**
 * Does, or takes back, what else a rewind changed: for whoever carries out its operation, or undoes it.
 *
 * @param onNote told in one sentence of what could not be taken back
 * @param onLogFailure told why a transcript stays as it is: the files are what matters
 */
export const concludeRewind =
  (
    work: Work,
    onNote: (sentence: string) => void = () => {},
    onLogFailure: (why: string) => void = () => {},
  ): Conclude =>
  (effects) => {
    for (const { isBack, note } of effects) {
      const sentence = isBack
        ? takeBackRewind(work, note, onLogFailure)
        : applyRewind(work, note, onLogFailure);
      if (sentence !== undefined) onNote(sentence);
    }
  };

/**
 * Moves the shadow branch and the session back, once the files are. It may be done twice. Only under the session's lock.
 *
 * @returns what could not be done, in one sentence; `undefined` when all of it was
 * @throws {EntireError} `REF_MOVED`, `REF_LOCKED`, `GIT_FAILED`
 */
function applyRewind(work: Work, value: unknown, onLogFailure: (why: string) => void): string | undefined {
  const more = parseMore(value);
  if (!more) throw new EntireError('STATE_UNREADABLE', 'what a rewind was about to do cannot be read');
  for (const log of more.logs) quietly(log.file, () => replaceLog(log), onLogFailure);
  if (more.state.after === '') return undefined; // a session without a state: its steps stay
  if (!retryWhenMoved(() => moveBranch(work, more))) {
    trackAgain(work.sessions, more.sessionId, more.files); // the next step has them as they are
    return 'The steps of the session are no longer there: they were committed since, so that only the files went back.';
  }
  const current = readState(work.sessions, more.sessionId);
  if (current && renderState(current) === more.state.before) {
    const next = parseState(more.state.after);
    saveState(work, next);
    rewriteUserLines(work, next);
  }
  return undefined;
}

/** `false` where the branch, or the step on it, is gone. */
function moveBranch({ git, repo }: Work, { ref, target, sessionId, owned }: RewindMore): boolean {
  const before = readRef(git, ref);
  const wanted = parseObjectId(target);
  const cut = before && wanted && cutIfThere(readBranch(repo), ref, before, wanted);
  if (!before || !cut) return false;
  if (cut.later.some(({ step }) => step.sessionId === sessionId))
    setBranch(git, ref, before, writeNextTip(git, cut, sessionId, new Set(owned)), 'rewind');
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
function setBranch(git: Git, ref: string, from: ObjectId, { tip, staged }: NextTip, reason: string): void {
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
function takeBackRewind(work: Work, value: unknown, onLogFailure: (why: string) => void): string | undefined {
  const more = parseMore(value);
  if (!more) return undefined;
  for (const log of more.logs) quietly(log.file, () => putLogBack(log), onLogFailure);
  if (more.state.before === '') return undefined;
  const current = readState(work.sessions, more.sessionId);
  const text = current && renderState(current);
  const isKnown = text === more.state.before || (current && isStateAfter(current, more.state.after));
  if (!isKnown || !putBranchBack(work, more)) {
    // The files are back, and the session's: the next step has them.
    trackAgain(work.sessions, more.sessionId, more.files);
    return 'The session went on since the rewind: its steps stay as they are, and the next one holds the files.';
  }
  if (text === more.state.before) return undefined;
  saveState(work, parseState(more.state.before));
  if (more.userLines) writeUserLines(work.repo.commonDir, more.sessionId, more.userLines);
  return undefined;
}

/** Files that could not go back are the session's, and those a killed rewind did not come to note. */
function isStateAfter(state: SessionState, after: string): boolean {
  if (after === '') return false;
  const { filesTouched } = parseState(after);
  const now = new Set(state.filesTouched);
  const isPart = filesTouched.every((path) => now.has(path));
  return isPart && renderState({ ...state, filesTouched }) === after;
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
function returnBranch({ git, repo }: Work, { ref, tip, target, sessionId }: RewindMore): boolean {
  const [current, before, wanted] = [readRef(git, ref), parseObjectId(tip), parseObjectId(target)];
  if (!current || !before || !wanted) return false;
  if (current === before) return true;
  const branch = readBranch(repo);
  const now = cutBranch(branch, ref, current, wanted).later.toReversed();
  if (now.some(({ step }) => step.sessionId === sessionId)) return false;
  const then = cutBranch(branch, ref, before, wanted).later.toReversed();
  const theirs = then.filter(({ step }) => step.sessionId !== sessionId);
  if (!theirs.every((step, at) => isSameStep(step, now[at]))) return false;
  const since = now.slice(theirs.length);
  setBranch(git, ref, current, addSteps(git, sessionId, before, since), 'rewind taken back');
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
