import { resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Repo } from '../../git/locate.ts';
import { readBranch } from '../../history/branch.ts';
import { type KeptTurn, notesWithin } from '../../restore/kept-turns.ts';
import { isOfLogsAlone, notesOfOthers } from '../../restore/rewind/note.ts';
import type { WorktreeStep, WorktreeSteps } from '../../restore/worktree-steps.ts';
import { isConcerned } from '../../snapshot/record/history.ts';
import type { UndoPlan } from '../../snapshot/undo/undo.ts';
import { findNamed, findSessionId } from '../names/find-named.ts';
import { nameOfTurn, readTurnOf } from '../names/turns.ts';
import { callAgain, type Direction } from './step-sessions.ts';
import * as text from './text.ts';

/** The words of a call that say whose steps are meant. */
interface Words {
  readonly id?: string | undefined;
  readonly session?: string | undefined;
  readonly steps?: number | undefined;
  readonly list?: boolean | undefined;
  readonly continue?: boolean | undefined;
  readonly abort?: boolean | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly diff?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly conversation?: boolean | undefined;
}

/** The session that is meant, and the turn where one is; neither where nothing is named. */
interface Meant {
  readonly session: SessionId | undefined;
  readonly turn: KeptTurn | undefined;
  /** Its session did something to files after it. */
  readonly isBuried?: boolean;
}

/**
 * Reads what is named. A turn is taken back alone, whatever came after it, unless that is a rewind; and is brought back where it was
 * taken back last.
 *
 * @throws {EntireError} `NOT_FOUND`, `INVALID_ID`, `BAD_FLAGS`, `NOTHING_TO_UNDO`
 */
export async function findMeant(
  repo: Repo,
  words: Words,
  direction: Direction,
  paths: readonly RepoPath[],
): Promise<Meant> {
  const command = `entire ${direction}`;
  const { id, session } = words;
  if (id === undefined) {
    if (session === undefined) return { session: undefined, turn: undefined };
    return {
      session: await findSessionId(readBranch(repo), session, `${command} --session`),
      turn: undefined,
    };
  }
  // People type files there, too, and a session can be about one.
  if (id !== '' && lstatIfExists(resolve(id)))
    throw new EntireError('BAD_FLAGS', text.isFile(id), { hint: text.filesHint(direction, id) });
  if (/^[1-9]\d{0,2}$/.test(id))
    throw new EntireError('BAD_FLAGS', text.isRow(id), { hint: text.stepsHint(direction, id) });
  const named = await findNamed(readBranch(repo), id, { kinds: ['session', 'turn', 'step'], command });
  if (named.kind === 'session') return { session: named.id, turn: undefined };
  const { turn, steps } = await readTurnOf(repo, named);
  if (words.list || words.continue || words.abort) return { session: turn.session, turn: undefined };
  if (words.steps !== undefined) throw new EntireError('BAD_FLAGS', text.TURN_AND_STEPS);
  const own = steps.bySession.get(turn.session) ?? { undo: [], redo: [] };
  const looked = { turn, own, steps, words, paths };
  if (direction === 'undo') return { session: turn.session, turn, isBuried: isBuried(repo, looked) };
  refuseStanding(repo, looked);
  return { session: turn.session, turn };
}

/** What is known when it is decided. */
interface Looked {
  readonly turn: KeptTurn;
  readonly own: Pick<WorktreeSteps, 'undo' | 'redo'>;
  readonly steps: WorktreeSteps;
  readonly words: Words;
  readonly paths: readonly RepoPath[];
}

/**
 * Whether something came after a turn.
 *
 * @throws {EntireError} `NOTHING_TO_UNDO` for a turn on which a rewind stands, which knows it as it was, or of which nothing does
 */
function isBuried(repo: Repo, looked: Looked): boolean {
  const { turn, own: steps, words, paths } = looked;
  const name = nameOfTurn(repo, turn);
  refuseGoneAlong(repo, looked);
  if (turn.state === 'undone')
    refuse(
      text.alreadyBack(name),
      steps.redo.some(({ record }) => record.of.includes(turn.record.id)) ? text.REDO_LIST : text.GONE_ON,
    );
  const own = steps.undo.toReversed();
  const at = own.findIndex(({ record }) => record.id === turn.record.id);
  const [step, later] = [own[at], own.slice(0, at)];
  if (!step || !isConcerned(step, paths)) return refuse(text.nothingLeftOf(name, paths), text.AGAIN);
  const rewind = later.findLastIndex(({ record }) => record.kind === 'rewind' && !isOfLogsAlone(record));
  const all = callAgain(repo, { ...words, ...FOR_GOOD, steps: rewind + 1 }, 'undo', [], turn.session);
  if (rewind >= 0) refuse(text.belowRewind(name), text.rewindBack(all, rewind));
  return later.some((one) => isConcerned(one, paths));
}

/** @throws {EntireError} `NOTHING_TO_UNDO` for a turn that went back along with another session: its rewind brings it back */
function refuseGoneAlong(repo: Repo, { turn, steps, words }: Looked): void {
  const notes = notesWithin(steps, turn.session).filter(({ of }) => of.includes(turn.record.id));
  for (const [session, { undo }] of steps.bySession) {
    const isIts = ({ record, hasEffects }: WorktreeStep): boolean =>
      hasEffects &&
      notesOfOthers(record.effects).some(([id, isNoted]) => id === turn.session && notes.some(isNoted));
    const at = undo.toReversed().findIndex(isIts);
    const all = callAgain(repo, { ...words, ...FOR_GOOD, steps: at + 1 }, 'undo', [], session);
    if (at >= 0) refuse(text.wentAlong(nameOfTurn(repo, turn)), text.rewindBack(all, at));
  }
}

/** @throws {EntireError} `NOTHING_TO_UNDO` for a turn that was not taken back last */
function refuseStanding(repo: Repo, looked: Looked): void {
  const { turn, own, words, paths } = looked;
  const { redo: undone } = own;
  const name = nameOfTurn(repo, turn);
  refuseGoneAlong(repo, looked);
  if (!undone.some(({ record }) => record.of.includes(turn.record.id)))
    refuse(
      turn.state === 'undone' ? text.alreadyBack(name) : text.notBack(name),
      turn.state === 'undone' ? text.GONE_ON : text.REDO_LIST,
    );
  const again = callAgain(repo, { ...words, ...FOR_GOOD }, 'redo', paths, turn.session);
  const last = undone.at(-1)?.record.of ?? [];
  if (!last.includes(turn.record.id)) refuse(text.notLast(name), text.redoOrder(again));
  if (last.length > 1) refuse(text.notAlone(name, last.length - 1), text.redoOrder(again));
}

/** A call that is said to do something does it, also where it was asked for a look. */
const FOR_GOOD = { 'dry-run': false, diff: false } as const;

function refuse(message: string, hint: string): never {
  throw new EntireError('NOTHING_TO_UNDO', message, { hint });
}

/** A session may go on between the look at its turns and its lock. @throws {EntireError} `NOTHING_TO_UNDO` */
export function refuseOther(
  repo: Repo,
  { session, number, record }: KeptTurn,
  { steps: [first] }: UndoPlan,
  direction: Direction,
): void {
  const isMeant =
    direction === 'undo'
      ? first?.id === record.id || (record.turnId !== '' && first?.turnId === record.turnId)
      : first?.of.includes(record.id);
  if (isMeant) return;
  const name = nameOfTurn(repo, { session, number });
  refuse(text.wentOn(name), text.AGAIN);
}
