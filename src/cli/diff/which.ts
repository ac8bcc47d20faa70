import { resolve as resolvePath } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import { beginningWith, MIN_BEGINNING, type SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { listCheckpointIds } from '../../checkpoint/read/store.ts';
import { sessionOfStep } from '../../checkpoint/shadow-branch.ts';
import type { Repo } from '../../git/locate.ts';
import type { LogRow } from '../../git/log.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { readCommitRow } from '../../history/find.ts';
import { findCommitOf, readNamedCheckpoint } from '../../history/linked-commit.ts';
import { hiddenBehind } from '../../restore/hidden.ts';
import { findTurn, type KeptTurn, listKeptTurns, listStanding } from '../../restore/kept-turns.ts';
import { listStepped, placeOf } from '../../restore/step-back.ts';
import { readWorktreeSteps, type WorktreeSteps } from '../../restore/worktree-steps.ts';
import { listStates } from '../../session/state-store.ts';
import { dayOf, listTombstones } from '../../session/tombstones.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import { listMarks } from '../../snapshot/record/step-marks.ts';
import { shortId } from '../ui/session-choice.ts';
import { oneLine, warn } from '../ui/terminal.ts';
import { damagedSession, HIDDEN } from '../undo/text.ts';
import * as text from './text.ts';

/** What is to be shown. */
export type Chosen =
  | {
      readonly kind: 'turns';
      readonly turns: readonly KeptTurn[];
      /** What to say where there are none. */
      readonly nothing: string;
      /** What to say besides: of all of it, and of the first. */
      readonly note?: string;
      readonly hidden?: string | undefined;
    }
  | { readonly kind: 'commit'; readonly branch: Branch; readonly row: LogRow };

/** Whether a turn, or a file, is among what was asked for. */
export type IsMeant = (path: RepoPath) => boolean;

const TURN = /^(.*):(-?\d+)$/s;

/**
 * What somebody means. Names of git win over ids, ids over beginnings of ids.
 *
 * @throws {EntireError} `NOT_FOUND`, `INVALID_ID` where several things begin so, `BAD_FLAGS`
 */
export async function choose(repo: Repo, what: string | undefined, isMeant: IsMeant): Promise<Chosen> {
  const concerns = ({ paths }: Pick<KeptTurn, 'paths'>): boolean => [...paths].some(isMeant);
  if (what === undefined) return newest(repo, -1, concerns);
  const [, word, number] = TURN.exec(what) ?? [];
  if (word === '') return newest(repo, Number(number), concerns);
  if (word !== undefined && number !== undefined)
    return oneTurn(repo, findSession(repo, word), Number(number));
  const found = await resolve(repo, what);
  if ('row' in found) return (await stepTurn(repo, found.row)) ?? { kind: 'commit', ...found };
  return sessionTurns(repo, found.session, concerns);
}

type Concerns = (turn: Pick<KeptTurn, 'paths'>) => boolean;

async function newest(repo: Repo, number: number, concerns: Concerns): Promise<Chosen> {
  if (number >= 0) throw new EntireError('BAD_FLAGS', text.tooNew(`:${number}`), { hint: text.WHOSE_TURN });
  const steps = await readWorktreeSteps(repo, listStepped(repo));
  const [broken] = steps.damaged.values();
  const standing = listStanding(steps).filter(concerns);
  if (standing.length === 0 && broken !== undefined) throw broken;
  for (const id of steps.damaged.keys()) warn(damagedSession(id));
  if (number < -1 && standing.length < -number)
    throw new EntireError('NOT_FOUND', text.noNewest(`:${number}`, standing.length));
  const step = standing[-number - 1];
  const turn = step && findTurn(repo, steps, step);
  const hidden = turn && number === -1 ? hiddenBehind(repo, turn.session, turn.record) : undefined;
  return {
    ...{
      kind: 'turns',
      turns: turn ? [turn] : [],
      nothing: keepsContents(repo) ? text.NOTHING_YET : text.OFF,
    },
    hidden: hidden && HIDDEN[hidden],
  };
}

/** Turns of one session; those of others are not even looked at, unless they went back along with it. */
async function readSteps(repo: Repo, session: SessionId): Promise<WorktreeSteps> {
  const steps = await readWorktreeSteps(repo, listStepped(repo));
  const broken = steps.damaged.get(session);
  if (broken !== undefined) throw broken;
  return steps;
}

async function oneTurn(repo: Repo, session: SessionId, number: number): Promise<Chosen> {
  const turns = listKeptTurns(repo, await readSteps(repo, session), session);
  const standing = turns.filter(({ state }) => state !== 'undone');
  const turn = number > 0 ? turns[number - 1] : number < 0 ? standing.at(number) : undefined;
  if (turn) return { kind: 'turns', turns: [turn], nothing: text.NOTHING_YET };
  const count = number < 0 ? standing.length : turns.length;
  throw new EntireError('NOT_FOUND', text.noTurn(session, String(number), count), { hint: text.TURN_HINT });
}

/** The turn that was saved as a step: lists name it by that. `undefined` for a commit that is none. */
async function stepTurn(repo: Repo, { oid, message }: LogRow): Promise<Chosen | undefined> {
  const session = sessionOfStep(message);
  if (session === undefined) return undefined;
  const { store } = placeOf(repo, session);
  const last = listMarks(store).find(({ step }) => step === oid)?.last;
  const turns = listKeptTurns(repo, await readSteps(repo, session), session);
  const turn = turns.find(({ record }) => record.id === last);
  if (turn) return { kind: 'turns', turns: [turn], nothing: text.NOTHING_YET };
  throw new EntireError('NOT_FOUND', text.stepNotKept(oid.slice(0, 7)), { hint: text.TURN_HINT });
}

async function sessionTurns(repo: Repo, session: SessionId, concerns: Concerns): Promise<Chosen> {
  const turns = listKeptTurns(repo, await readSteps(repo, session), session);
  const standing = turns.filter(({ state }) => state !== 'undone');
  const undone = turns.filter(({ state }) => state === 'undone');
  const name = shortId(session, knownSessions(repo));
  const last = undone.at(-1);
  if (standing.length === 0)
    return {
      ...{ kind: 'turns', turns: [] },
      nothing: last ? text.allUndone(name, undone.length) : text.nothingOf(session),
    };
  const shown = standing.filter(concerns).toReversed();
  const note = last && { note: text.someUndone(`${name}:${last.number}`, undone.length) };
  return { kind: 'turns', turns: shown, nothing: text.nothingOf(session), ...note };
}

/** Ids that a word for a session can mean. */
export const knownSessions = (repo: Repo): SessionId[] => [
  ...new Set([
    ...listStepped(repo),
    ...listStates(sessionsDir(repo.commonDir)).states.map(({ sessionId }) => sessionId),
  ]),
];

function findSession(repo: Repo, word: string): SessionId {
  const found = sessionsOf(repo, word);
  const [only] = found;
  if (found.length > 1) throw ambiguous(word, found.map(describeSession));
  if (only) return only;
  throw notFound(repo, word);
}

/** Beginnings that are too short are none. */
const sessionsOf = (repo: Repo, word: string): SessionId[] =>
  beginningWith(knownSessions(repo), word, MIN_BEGINNING);

type Resolved = { readonly session: SessionId } | { readonly branch: Branch; readonly row: LogRow };

async function resolve(repo: Repo, word: string): Promise<Resolved> {
  const branch = readBranch(repo);
  const prefix = word.toLowerCase();
  const isHex = /^[0-9a-f]+$/.test(prefix);
  const row = readCommitRow(branch, word);
  const isBeginning = row !== undefined && isHex && row.oid !== prefix && row.oid.startsWith(prefix);
  if (row && !isBeginning) return { branch, row };
  const sessions = sessionsOf(repo, word);
  const [session] = sessions;
  if (session === word) return { session };
  const exact = await readNamedCheckpoint(branch, word);
  if (exact) return { branch, row: findCommitOf(branch, exact) };
  const isLong = isHex && word.length >= MIN_BEGINNING;
  const checkpoints = isLong ? await listCheckpointIds(branch.store, prefix) : [];
  const candidates = [
    ...sessions.map(describeSession),
    ...checkpoints.map((id) => `checkpoint ${id}`),
    ...(row ? [`commit ${row.oid}  ${oneLine(row.subject)}`.trimEnd()] : []),
  ];
  if (candidates.length > 1) throw ambiguous(word, candidates);
  if (session) return { session };
  if (row) return { branch, row };
  const checkpoint: StoredCheckpoint | undefined =
    checkpoints[0] && (await readNamedCheckpoint(branch, checkpoints[0]));
  if (checkpoint) return { branch, row: findCommitOf(branch, checkpoint) };
  throw notFound(repo, word);
}

const describeSession = (id: SessionId): string => `session ${id}`;

const ambiguous = (word: string, candidates: readonly string[]): EntireError =>
  new EntireError('INVALID_ID', text.several(word, candidates), { hint: text.MORE });

function notFound(repo: Repo, word: string): EntireError {
  if (lstatIfExists(resolvePath(word)))
    return new EntireError('NOT_FOUND', text.isFile(word), { hint: text.filesHint(word) });
  if (word.length < MIN_BEGINNING)
    return new EntireError('NOT_FOUND', text.tooShort(word), { hint: text.SHORT_HINT });
  const stone = listTombstones(repo.commonDir).find(({ sessionId }) => sessionId.startsWith(word));
  const message = stone ? text.forgotten(stone.sessionId, dayOf(stone)) : text.unknown(word);
  return new EntireError('NOT_FOUND', message, { hint: text.HINT });
}
