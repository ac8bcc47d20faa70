import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import { showPath } from '../../base/text/text.ts';
import { readCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import type { Branch } from '../../history/branch.ts';
import { findCommitOf } from '../../history/linked-commit.ts';
import { listKeptTurns } from '../../restore/kept-turns.ts';
import { findRewindPoint, type RewindPoint } from '../../restore/points.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { lookForNamed } from '../names/find-named.ts';
import type { Named } from '../names/named.ts';
import { listKnownSessions } from '../names/sessions.ts';
import { shortId } from '../names/short-id.ts';
import { nameOfTurn, readSteps, readTurn, stepOfTurn } from '../names/turns.ts';
import * as text from './text.ts';

/** The point that a word leads to: of a turn its step, of a checkpoint its commit. @throws {EntireError} `NOT_FOUND` */
export async function findPoint(
  branch: Branch,
  strategy: string | undefined,
  word: string,
): Promise<RewindPoint> {
  const named = await lookForNamed(branch, word, { kinds: ['checkpoint', 'commit', 'turn', 'step'] });
  try {
    return await toPoint(branch, strategy, word, named);
  } catch (error) {
    if (!(error instanceof EntireError) || error.code !== 'NOT_FOUND') throw error;
    throw (await explain(branch, word, named)) ?? error;
  }
}

type PointName = Extract<Named, { kind: 'checkpoint' | 'commit' | 'turn' | 'step' }>;

async function toPoint(
  branch: Branch,
  strategy: string | undefined,
  word: string,
  named: PointName | undefined,
): Promise<RewindPoint> {
  if (named?.kind === 'commit' || named?.kind === 'step')
    return findRewindPoint(branch, strategy, named.row.oid);
  if (named?.kind === 'checkpoint') {
    const checkpoint = await readCheckpoint(branch.store, named.id);
    return findRewindPoint(branch, strategy, checkpoint ? findCommitOf(branch, checkpoint).oid : word);
  }
  if (!named) return findRewindPoint(branch, strategy, word);
  const turn = await readTurn(branch.repo, named);
  const { message, hint } = text.noStepOf(nameOfTurn(branch.repo, turn));
  const gone = new EntireError('NOT_FOUND', message, { hint });
  const step = stepOfTurn(branch.repo, turn);
  if (step === undefined) throw gone;
  return findRewindPoint(branch, strategy, step).catch((error) => {
    throw error instanceof EntireError && error.code === 'NOT_FOUND' ? gone : error;
  });
}

/** What a word is that leads to no point: a session, or something of one that works in another worktree. */
async function explain(
  branch: Branch,
  word: string,
  named: PointName | undefined,
): Promise<EntireError | undefined> {
  if (named?.kind === 'turn' || named?.kind === 'step')
    return named.session && elsewhere(branch, named.session, word);
  if (named) return undefined;
  const session = await lookForNamed(branch, word, { kinds: ['session'], byTitle: true });
  if (!session) return undefined;
  return elsewhere(branch, session.id, word) ?? isSession(branch, session.id, word);
}

function elsewhere({ repo }: Branch, session: SessionId, word: string): EntireError | undefined {
  const state = readStateIfReadable(sessionsDir(repo.commonDir), session);
  if (!state || state.worktreeId === repo.worktreeId || state.worktreePath === '') return undefined;
  const { message, hint } = text.inOtherWorktree(word, shortOf(repo, session), showPath(state.worktreePath));
  return new EntireError('NOT_FOUND', message, { hint });
}

const shortOf = (repo: Branch['repo'], session: SessionId): string =>
  shortId(session, listKnownSessions({ repo }));

/** So many turns are named. */
const NEWEST = 3;

async function isSession({ repo }: Branch, session: SessionId, word: string): Promise<EntireError> {
  const turns = listKeptTurns(repo, await readSteps(repo, session), session);
  const standing = turns.filter((turn) => turn.state !== 'undone' && stepOfTurn(repo, turn) !== undefined);
  const newest = standing.slice(-NEWEST).reverse();
  const names = newest.map((turn) => nameOfTurn(repo, turn));
  const { message, hint } = text.isSession(word, shortOf(repo, session), names);
  return new EntireError('NOT_FOUND', message, { hint });
}
