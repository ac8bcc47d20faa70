import { EntireError } from '../../base/errors.ts';
import type { ObjectId, SessionId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import type { Repo } from '../../git/locate.ts';
import {
  findTurn,
  type KeptTurn,
  listKeptTurns,
  listStanding,
  notesWithin,
} from '../../restore/kept-turns.ts';
import { listStepped } from '../../restore/stepped.ts';
import { readWorktreeSteps, type WorktreeStep, type WorktreeSteps } from '../../restore/worktree-steps.ts';
import { storeOf } from '../../snapshot/place.ts';
import { listMarks } from '../../snapshot/record/step-marks.ts';
import { numberTurns } from '../../snapshot/record/turn-records.ts';
import { shortId } from '../names/short-id.ts';
import { warn } from '../ui/terminal.ts';
import { damagedSession } from '../undo/text.ts';
import type { Named } from './named.ts';
import { listKnownSessions } from './sessions.ts';
import * as text from './text.ts';

/** A name of a turn. */
export type TurnName = Extract<Named, { kind: 'turn' | 'step' }>;

/** How a person names a turn, as short as its session can be named here. */
export const nameOfTurn = (
  repo: Repo,
  { session, number }: Pick<KeptTurn, 'session' | 'number'>,
  known: readonly SessionId[] = listKnownSessions({ repo }),
): string => `${shortId(session, known)}:${number}`;

/**
 * Names of the turns that steps are, or took back; `undefined` for a step that is no one turn.
 *
 * @param idOf how sessions are called; as short as they can be named where nothing is said
 */
export function openNames(
  repo: Repo,
  steps: WorktreeSteps,
  idOf?: (session: SessionId) => string,
): (step: WorktreeStep) => string | undefined {
  const known = once(() => listKnownSessions({ repo }));
  const numbers = new Map<SessionId, ReadonlyMap<string, number>>();
  const numbersOf = (session: SessionId): ReadonlyMap<string, number> => {
    const found =
      numbers.get(session) ??
      new Map(listKeptTurns(repo, steps, session).map(({ record, number }) => [record.id, number]));
    numbers.set(session, found);
    return found;
  };
  return ({ session, record }) => {
    const [only, ...others] = record.kind === 'undo' ? record.of : [record.id];
    const number = only === undefined || others.length > 0 ? undefined : numbersOf(session).get(only);
    if (number === undefined) return undefined;
    return idOf ? `${idOf(session)}:${number}` : nameOfTurn(repo, { session, number }, known());
  };
}

/** What a session did, and those along with whose rewinds it went back: no other changes what stands. @throws what keeps it from being read */
export async function readSteps(repo: Repo, session: SessionId): Promise<WorktreeSteps> {
  const all = listStepped(repo);
  const own = await readWorktreeSteps(
    repo,
    all.filter((id) => id === session),
  );
  const others = new Set<string>(notesWithin(own, session).flatMap(({ within }) => within ?? []));
  const meant = all.filter((id) => id === session || others.has(id));
  const steps = meant.length > 1 ? await readWorktreeSteps(repo, meant) : own;
  const broken = steps.damaged.get(session);
  if (broken !== undefined) throw broken;
  return steps;
}

/**
 * The turn of that name, of which something is kept here.
 *
 * @throws {EntireError} `NOT_FOUND`, `SNAPSHOT_DAMAGED`
 */
export const readTurn = async (repo: Repo, name: TurnName): Promise<KeptTurn> =>
  (await readTurnOf(repo, name)).turn;

/** {@link readTurn}, with what was read for it: a turn that goes on has another id each time it is looked at. */
export async function readTurnOf(
  repo: Repo,
  name: TurnName,
): Promise<{ readonly turn: KeptTurn; readonly steps: WorktreeSteps }> {
  const steps =
    name.session === undefined
      ? await readWorktreeSteps(repo, listStepped(repo))
      : await readSteps(repo, name.session);
  if (name.kind === 'step') return { turn: stepTurn(repo, name, steps), steps };
  const { session, number } = name;
  const turn =
    session === undefined ? newestTurn(repo, number, steps) : numberedTurn(repo, session, number, steps);
  return { turn, steps };
}

/** The commit on a branch of ours that a turn was saved as last; `undefined` where none was, or it is not known any more. */
export const stepOfTurn = (
  repo: Repo,
  { session, record }: Pick<KeptTurn, 'session' | 'record'>,
): ObjectId | undefined => listMarks(storeOf(repo, session)).find(({ last }) => last === record.id)?.step;

/** @throws {EntireError} `NOT_FOUND` */
function newestTurn(repo: Repo, number: number, steps: WorktreeSteps): KeptTurn {
  const [broken] = steps.damaged.values();
  for (const id of steps.damaged.keys()) warn(damagedSession(id));
  const standing = listStanding(steps);
  const step = standing[-number - 1];
  const turn = step && findTurn(repo, steps, step);
  if (turn) return turn;
  throw broken ?? new EntireError('NOT_FOUND', text.noNewest(`:${number}`, standing.length));
}

function numberedTurn(repo: Repo, session: SessionId, number: number, steps: WorktreeSteps): KeptTurn {
  const turns = listKeptTurns(repo, steps, session);
  const standing = turns.filter(({ state }) => state !== 'undone');
  const turn =
    number > 0 ? turns.find((one) => one.number === number) : number < 0 ? standing.at(number) : undefined;
  if (turn) return turn;
  if (numberTurns(storeOf(repo, session)).forgotten.includes(number))
    throw new EntireError('NOT_FOUND', text.forgottenTurn(nameOfTurn(repo, { session, number })), {
      hint: text.FORGOTTEN_HINT,
    });
  const count = number < 0 ? standing.length : turns.length;
  throw new EntireError('NOT_FOUND', text.noTurn(session, String(number), count), { hint: text.TURN_HINT });
}

/** The turn that was saved as a step: lists name it by that. */
function stepTurn(
  repo: Repo,
  { row, session }: Extract<Named, { kind: 'step' }>,
  steps: WorktreeSteps,
): KeptTurn {
  const store = storeOf(repo, session);
  const last = listMarks(store).find(({ step }) => step === row.oid)?.last;
  const turn = listKeptTurns(repo, steps, session).find(({ record }) => record.id === last);
  if (turn) return turn;
  throw new EntireError('NOT_FOUND', text.stepNotKept(row.oid.slice(0, 7)), { hint: text.TURN_HINT });
}
