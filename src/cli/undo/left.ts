import { EntireError } from '../../base/errors.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { Repo } from '../../git/locate.ts';
import { findTurn } from '../../restore/kept-turns.ts';
import { listStepped } from '../../restore/step-back.ts';
import { readWorktreeSteps } from '../../restore/worktree-steps.ts';
import { isConcerned } from '../../snapshot/record/history.ts';
import { nameOfTurn } from '../names/turns.ts';
import { type Asked, callAgain } from './step-sessions.ts';
import * as text from './text.ts';
import { readOutcomes, type SessionBack } from './view.ts';

/** What is said of files that were left, or would be, with the commands that take them all the same. */
export interface LeftFiles {
  readonly message: string;
  readonly hint: string;
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
  const message = text.leftFiles(left.length, isDryRun);
  const forceable = ({ result }: SessionBack): RepoPath[] =>
    readOutcomes(result).flatMap(({ outcome, path, isForceable }) =>
      outcome === 'left' && isForceable ? path : [],
    );
  const first = done.find((one) => forceable(one).length > 0);
  if (!first) return { message, hint: text.WHY_LEFT };
  const { direction, turn } = asked;
  const isUndo = direction === 'undo';
  const paths = forceable(first);
  const whose = turn || done.length > 1 || listStepped(repo).length > 1 ? first.session : undefined;
  const flags = { force: true, ...(isUndo && turn && { turn: nameOfTurn(repo, turn) }) };
  const force = text.byForce(callAgain(repo, flags, direction, isUndo ? paths : [], whose), isUndo);
  const later = isUndo && turn ? await findLaterTurns(repo, asked, paths) : undefined;
  if (!later) return { message, hint: force };
  const { names, count } = later;
  const all = callAgain(repo, { steps: count, 'dry-run': isDryRun }, direction, paths, undefined);
  return {
    message: `${message} ${text.laterTurns(names, paths.length)}`,
    hint: `${text.takeLater(all)} ${force}`,
  };
}

/** Steps of all sessions that wrote to files after the turn that is named, and how many those are, with the turn. */
async function findLaterTurns(
  repo: Repo,
  { turn }: Asked,
  paths: readonly RepoPath[],
): Promise<{ readonly names: readonly string[]; readonly count: number } | undefined> {
  const steps = await readWorktreeSteps(repo, listStepped(repo), undefined, true);
  const concerned = steps.undo.filter((step) => isConcerned(step, paths));
  const at = concerned.findIndex(({ record }) => record.id === turn?.record.id);
  if (at <= 0) return undefined;
  const names = concerned.slice(0, at).map((step) => {
    const found = findTurn(repo, steps, step);
    return found ? nameOfTurn(repo, found) : text.ofSession(step.session);
  });
  return { names: names.reverse(), count: at + 1 };
}

/** @throws {EntireError} `UNDO_CONFLICT` where files were left, with the command that takes them by force */
export async function refuseLeft(repo: Repo, asked: Asked, done: readonly SessionBack[]): Promise<void> {
  const left = await describeLeft(repo, asked, done, false);
  if (left) throw new EntireError('UNDO_CONFLICT', left.message, { hint: left.hint });
}
