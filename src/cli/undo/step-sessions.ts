import { relative } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import type { Repo } from '../../git/locate.ts';
import { isAtWork } from '../../restore/at-work.ts';
import { hiddenBehind } from '../../restore/hidden.ts';
import type { KeptTurn } from '../../restore/kept-turns.ts';
import { isUnfinished, listStepped } from '../../restore/stepped.ts';
import { readWorktreeSteps, type WorktreeStep, type WorktreeSteps } from '../../restore/worktree-steps.ts';
import { isConcerned } from '../../snapshot/record/history.ts';
import { isSameState } from '../../snapshot/store/file-state.ts';
import type { UndoPlan } from '../../snapshot/undo/undo.ts';
import { workIn } from '../../strategy/work.ts';
import { quoteWord } from '../ui/quote-word.ts';

import { canAsk, choose, oneLine, warn } from '../ui/terminal.ts';
import { ago } from '../ui/time.ts';
import * as text from './text.ts';

export type Direction = 'undo' | 'redo';

/** So many steps of one session, the newest of those that are concerned. */
export interface Target {
  readonly session: SessionId;
  readonly steps: number;
}

/** What is to be done. */
export interface Choice {
  /** One after the other; a session may come twice, with another one's steps in between. */
  readonly targets: readonly Target[];
  /** What all sessions did, where it was looked for whose steps are meant. */
  readonly history: Pick<WorktreeSteps, 'undo' | 'bySession'>;
}

const NOT_READ: Choice['history'] = { undo: [], bySession: new Map() };

/** What somebody asked for. */
export interface Asked {
  readonly direction: Direction;
  readonly session: SessionId | undefined;
  /** The turn that is named; it alone is meant. */
  readonly turn: KeptTurn | undefined;
  readonly steps: number;
  readonly paths: readonly RepoPath[];
  readonly isForced: boolean;
  /** The conversation goes on from there, too. */
  readonly isConversation: boolean;
  /** The call again, for another session, and where it is said how many steps of it. */
  readonly again: (session: SessionId, steps?: number) => string;
}

/** Ids of the sessions that somebody means: the one that is named, or all of the worktree. @throws {EntireError} `NOT_FOUND` */
export function listMeant(repo: Repo, named: SessionId | undefined): SessionId[] {
  const ids = listStepped(repo);
  if (named === undefined) return ids;
  if (ids.includes(named)) return [named];
  throw new EntireError('NOT_FOUND', text.nothingOf(named), { hint: text.NOTHING_HINT.undo });
}

/** @throws {EntireError} `NOTHING_TO_UNDO`, with the files of which something can be taken back where others were named */
function refuseNothing({ undo }: WorktreeSteps, { direction, paths }: Asked): never {
  const files =
    direction === 'undo' && paths.length > 0 ? undo.flatMap((step) => [...step.paths, ...step.left]) : [];
  throw files.length > 0
    ? new EntireError('NOTHING_TO_UNDO', text.noneTouched(paths), {
        hint: text.theseTouched(sortedUnique(files)),
      })
    : new EntireError('NOTHING_TO_UNDO', text.nothing(direction), { hint: text.NOTHING_HINT[direction] });
}

/**
 * Whose steps are meant: the newest of the worktree, whichever session did them. Somebody is asked where another session is in the
 * middle of a turn, and where a conversation is to go on from before the steps of several.
 *
 * @throws {EntireError} `NOTHING_TO_UNDO`, `NOT_FOUND`, `BAD_FLAGS` where nobody can be asked
 */
export async function chooseTargets(repo: Repo, asked: Asked): Promise<Choice> {
  const { steps, session } = asked;
  const meant = listMeant(repo, session);
  const named = session === undefined ? meant.find((id) => isUnfinished(repo, id)) : meant[0]; // of what waits it is told
  const only = (session: SessionId, history = NOT_READ): Choice => ({
    ...{ targets: [{ session, steps }], history },
  });
  if (named !== undefined) return only(named);
  const history = await readWorktreeSteps(repo, meant, undefined, asked.paths.length > 0);
  const concerned = listConcerned(history, asked);
  const [newest] = concerned;
  const [broken] = history.damaged;
  if (!newest && broken) return only(broken[0]); // who goes on is told what is damaged
  if (!newest) refuseNothing(history, asked);
  for (const id of history.damaged.keys()) warn(text.damagedSession(id));
  const busy = findAtWork(repo, concerned, newest.session);
  if (busy.length > 0) {
    const choices = [newest.session, ...busy];
    return only(await chooseOne(asked, text.IN_TURN, concerned, choices), history);
  }
  const chosen = concerned.slice(0, steps);
  const targets = toTargets(chosen);
  if (targets.length === 1 || !asked.isConversation) return { targets, history };
  const countOf = (id: SessionId): number => chosen.filter((step) => step.session === id).length;
  const ids = [...new Set(targets.map((target) => target.session))];
  const again = (id: SessionId) => asked.again(id, countOf(id));
  const one = await chooseOne({ ...asked, again }, text.SEVERAL_CONVERSATIONS, concerned, ids);
  return { targets: [{ session: one, steps: countOf(one) }], history };
}

function listConcerned({ undo, redo, redoByForce }: WorktreeSteps, asked: Asked): WorktreeStep[] {
  const { direction, paths, isForced } = asked;
  if (direction === 'redo') return [...(isForced ? redoByForce : []), ...redo];
  return undo.filter((step) => isConcerned(step, paths));
}

/** Other sessions that have steps and are in the middle of a turn. */
function findAtWork(repo: Repo, steps: readonly WorktreeStep[], newest: SessionId): SessionId[] {
  const others = new Set(steps.map(({ session }) => session).filter((id) => id !== newest));
  const work = workIn(repo);
  return [...others].filter((id) => isAtWork(work, id));
}

/** Steps as one call after the other takes them back. @param steps the newest first */
export function toTargets(steps: readonly WorktreeStep[]): Target[] {
  const targets: Target[] = [];
  for (const { session } of steps) {
    const last = targets.at(-1);
    if (last?.session === session) targets[targets.length - 1] = { session, steps: last.steps + 1 };
    else targets.push({ session, steps: 1 });
  }
  return targets;
}

async function chooseOne(
  { again }: Asked,
  why: string,
  steps: readonly WorktreeStep[],
  ids: readonly SessionId[],
): Promise<SessionId> {
  const choices = ids.map((id) => ({ value: id, label: describeSession(id, steps) }));
  if (!canAsk()) {
    const rows = choices.map(({ label }) => `  ${label}`).join('\n');
    throw new EntireError('BAD_FLAGS', `${why}\n${rows}`, {
      hint: `Say which: ${again(ids[0] as SessionId)}`,
    });
  }
  warn(why);
  const chosen = await choose(text.WHICH_SESSION, choices);
  if (chosen === undefined) throw new EntireError('NOTHING_TO_UNDO', text.CANCELLED);
  return chosen;
}

function describeSession(id: SessionId, steps: readonly WorktreeStep[]): string {
  const step = steps.find(({ session }) => session === id);
  if (!step) return id;
  const agent = step.agentType === '' ? '' : `  ${oneLine(step.agentType)}`;
  return `${id}${agent}  ${ago(step.record.at)}  ${oneLine(step.record.subject)}`.trimEnd();
}

/** What stands in the way of the newest step: what other sessions made of its lines later. */
export interface LaterWork {
  readonly paths: readonly RepoPath[];
  readonly sessions: readonly SessionId[];
}

/** Looks for {@link LaterWork}; `undefined` where there is none. */
export function findLater(
  undo: readonly WorktreeStep[],
  session: SessionId,
  plan: UndoPlan,
): LaterWork | undefined {
  const contradicted = [...plan.paths].filter(
    ([, { verdict, isForceable, from }]) => verdict === 'left' && isForceable && from.kind === 'file',
  );
  const later = contradicted.flatMap(([path, { from }]) => {
    const isTheirs = (step: WorktreeStep): boolean => {
      const after = step.record.files.get(path)?.after;
      return step.session !== session && step.paths.has(path) && !!after && isSameState(after, from);
    };
    return undo.find(isTheirs)?.session ?? [];
  });
  if (later.length === 0) return undefined;
  return { paths: contradicted.map(([path]) => path), sessions: [...new Set([...later, session])] };
}

/** Which session is meant where {@link LaterWork} is in the way. @throws {EntireError} `BAD_FLAGS` where nobody can be asked */
export const chooseAmongLater = (
  asked: Asked,
  undo: readonly WorktreeStep[],
  { paths, sessions }: LaterWork,
): Promise<SessionId> => chooseOne(asked, text.laterOnSameLines(paths), undo, sessions);

/** The session whose operation waits to be finished. @throws {EntireError} `NOTHING_TO_UNDO`, `BAD_FLAGS` */
export function chooseUnfinished(repo: Repo, named: SessionId | undefined, how: string): SessionId {
  const waiting = listMeant(repo, named).filter((id) => named !== undefined || isUnfinished(repo, id));
  const [only, other] = waiting;
  if (!only) throw new EntireError('NOTHING_TO_UNDO', text.NOT_INTERRUPTED, { hint: text.NOTHING_HINT.undo });
  if (other)
    throw new EntireError(
      'BAD_FLAGS',
      `${text.SEVERAL_UNFINISHED}\n${waiting.map((id) => `  ${id}`).join('\n')}`,
      {
        hint: `Say which: entire undo --${how} --session ${only}`,
      },
    );
  return only;
}

/**
 * The command that takes back, or brings back, just these steps, as it has to be typed now. `undefined` where there is none.
 *
 * @param ids of the records that it is to be about
 * @param known what sessions did that were not changed since
 */
export async function findCommand(
  repo: Repo,
  direction: Direction,
  ids: ReadonlySet<string>,
  known: WorktreeSteps['bySession'] = NOT_READ.bySession,
): Promise<string | undefined> {
  const history = await readWorktreeSteps(repo, listMeant(repo, undefined), known);
  const list = history[direction];
  const wanted = list.filter(({ record }) => ids.has(record.id));
  const [first] = wanted;
  if (!first) return undefined;
  const isHidden = direction === 'undo' && hiddenBehind(repo, first.session, first.record) !== undefined;
  const count = wanted.length > 1 || isHidden ? ` --steps ${wanted.length}` : '';
  const isTop = (steps: readonly WorktreeStep[]): boolean =>
    steps.slice(0, wanted.length).every(({ record }) => ids.has(record.id));
  const command = `entire ${direction}`;
  if (isTop(list) && findAtWork(repo, list, first.session).length === 0) return `${command}${count}`;
  const own = list.filter(({ session }) => session === first.session);
  if (!wanted.every(({ session }) => session === first.session)) return undefined;
  const named = `${command} --session ${first.session}${count}`;
  if (isTop(own)) return named;
  if (direction === 'redo') return undefined;
  const paths = [...new Set(wanted.flatMap((step) => [...step.paths]))];
  if (!isTop(own.filter((step) => isConcerned(step, paths)))) return undefined;
  return `${named} --files ${paths.map((path) => quoteWord(fromHere(repo, path))).join(' ')}`;
}

/** Flags that a call keeps when it is printed for another session. */
interface CallFlags {
  /** The turn by its name, in place of the session. */
  readonly turn?: string | undefined;
  readonly steps?: number | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly diff?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly conversation?: boolean | undefined;
}

/** A call as it is typed, for a session. */
export function callAgain(
  repo: Repo,
  flags: CallFlags,
  direction: Direction,
  paths: readonly RepoPath[],
  session: SessionId | undefined,
): string {
  const names = paths.map((path) => quoteWord(fromHere(repo, path)));
  return [
    `entire ${direction}`,
    ...(flags.turn ? [flags.turn] : session === undefined ? [] : [`--session ${session}`]),
    ...(flags.steps === undefined ? [] : [`--steps ${flags.steps}`]),
    ...(flags.diff ? ['--diff'] : flags['dry-run'] ? ['--dry-run'] : []),
    ...(flags.conversation ? ['--conversation'] : []),
    ...(names.length > 0 ? [`--files ${names.join(' ')}`] : []),
    ...(flags.force ? ['--force'] : []),
  ].join(' ');
}

/** A path of the worktree as it is typed in the current folder. */
const fromHere = ({ worktreeRoot }: Repo, path: string): string =>
  relative(process.cwd(), `${worktreeRoot}/${path}`);
