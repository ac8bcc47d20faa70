import { describeError, EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { showPath } from '../../base/text/text.ts';
import type { Repo } from '../../git/locate.ts';
import { findTurn } from '../../restore/kept-turns.ts';
import { concludeRewind } from '../../restore/rewind/more.ts';
import { stepBack } from '../../restore/step-back.ts';
import { listStepped } from '../../restore/stepped.ts';
import { readWorktreeSteps, type WorktreeStep } from '../../restore/worktree-steps.ts';
import { isConcerned } from '../../snapshot/record/history.ts';
import type { UndoPlan } from '../../snapshot/undo/undo.ts';
import { nameOfTurn } from '../names/turns.ts';
import { type Asked, callAgain, toTargets } from './step-sessions.ts';
import * as text from './text.ts';
import { readOutcomes, type SessionBack } from './view.ts';

/** What is said of files that were left, or would be, with the commands that take them all the same. */
export interface LeftFiles {
  readonly message: string;
  /** None where nothing can be done. */
  readonly hint: string | undefined;
}

/** `undefined` where none is left. */
export async function describeLeft(
  repo: Repo,
  asked: Asked,
  done: readonly SessionBack[],
  isDryRun: boolean,
): Promise<LeftFiles | undefined> {
  const left = done.flatMap(({ result }) => readOutcomes(result)).filter(({ outcome }) => outcome === 'left');
  if (left.length === 0) return undefined;
  const count = left.every(({ isGone }) => isGone) ? text.notBackFiles : text.leftFiles;
  const message = count(left.length, isDryRun);
  const forceable = ({ result }: SessionBack): RepoPath[] =>
    readOutcomes(result).flatMap(({ outcome, path, isForceable }) =>
      outcome === 'left' && isForceable ? path : [],
    );
  const first = done.find((one) => forceable(one).length > 0);
  if (!first && left.every(({ isLost }) => isLost))
    return { message: `${message} ${text.ALL_LOST}`, hint: undefined };
  if (!first) return { message, hint: text.WHY_LEFT };
  const { direction, turn } = asked;
  const isUndo = direction === 'undo';
  const paths = forceable(first);
  const whose = turn || done.length > 1 || listStepped(repo).length > 1 ? first.session : undefined;
  const flags = { force: true, ...(isUndo && turn && { turn: nameOfTurn(repo, turn) }) };
  const command = callAgain(repo, flags, direction, isUndo ? paths : [], whose);
  const force = text.byForce(command, isUndo, paths.length);
  const later = isUndo && turn ? await lookForLaterTurns(repo, asked, paths) : undefined;
  if (!later) return { message, hint: force };
  const all = callAgain(repo, { steps: later.count }, direction, later.paths, undefined);
  const these = later.paths.length === 1 ? 'it' : 'them';
  const where = later.paths.length === left.length ? these : later.paths.map(showPath).join(', ');
  return {
    message: `${message} ${text.laterTurns(later.names, where)}`,
    hint: `${text.takeLater(all)} ${force}`,
  };
}

/** Steps that wrote to files after the turn that is named. */
interface LaterTurns {
  readonly names: readonly string[];
  /** How many those are, with the turn. */
  readonly count: number;
  /** Files that taking all of them back takes back whole. */
  readonly paths: readonly RepoPath[];
}

/** {@link findLaterTurns}; none where it cannot be told, as while another session is at work: what was done has to be said all the same. */
async function lookForLaterTurns(
  ...args: Parameters<typeof findLaterTurns>
): Promise<LaterTurns | undefined> {
  try {
    return await findLaterTurns(...args);
  } catch (error) {
    if (!(error instanceof EntireError)) throw error;
    log('info', 'later turns not looked for', { error: describeError(error) });
    return undefined;
  }
}

/** `undefined` where there are none, and where a call that takes them back leaves each of the files. */
async function findLaterTurns(
  repo: Repo,
  asked: Asked,
  paths: readonly RepoPath[],
): Promise<LaterTurns | undefined> {
  const steps = await readWorktreeSteps(repo, listStepped(repo), undefined, true);
  const concerned = steps.undo.filter((step) => isConcerned(step, paths));
  const at = concerned.findIndex(({ record }) => record.id === asked.turn?.record.id);
  if (at <= 0) return undefined;
  const left = await findLeft(repo, concerned.slice(0, at + 1), paths);
  const whole = paths.filter((path) => !left.has(path));
  if (whole.length === 0) return undefined;
  if (left.size > 0) return findLaterTurns(repo, asked, whole);
  const names = concerned.slice(0, at).map((step) => {
    const found = findTurn(repo, steps, step);
    return found ? nameOfTurn(repo, found) : text.ofSession(step.session);
  });
  return { names: names.reverse(), count: at + 1, paths };
}

/** Which of some files would be left if some steps were taken back. Changes nothing. @param steps the newest first */
async function findLeft(
  repo: Repo,
  steps: readonly WorktreeStep[],
  paths: readonly RepoPath[],
): Promise<Set<RepoPath>> {
  const before: Array<{ readonly session: SessionId; readonly plan: UndoPlan }> = [];
  const left = new Set<RepoPath>();
  for (const { session, steps: count } of toTargets(steps)) {
    const request = { direction: 'undo' as const, steps: count, paths, isForced: false };
    const options = { isDryRun: true, conclude: concludeRewind, before: [...before] };
    const { plan } = await stepBack(repo, session, request, options);
    for (const [path, { verdict }] of plan.paths) if (verdict === 'left') left.add(path);
    before.push({ session, plan });
  }
  return left;
}

/** @throws {EntireError} `UNDO_CONFLICT` where files were left, with the command that takes them by force */
export async function refuseLeft(repo: Repo, asked: Asked, done: readonly SessionBack[]): Promise<void> {
  const left = await describeLeft(repo, asked, done, false);
  if (!left) return;
  const { message, hint } = left;
  throw new EntireError('UNDO_CONFLICT', message, hint === undefined ? {} : { hint });
}
