import { resolve as resolvePath } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import { beginningWith, MIN_BEGINNING, type SessionId } from '../../base/ids.ts';
import { listCheckpointIds } from '../../checkpoint/read/store.ts';
import { sessionOfStep } from '../../checkpoint/shadow-branch.ts';
import type { LogRow } from '../../git/log.ts';
import type { Branch } from '../../history/branch.ts';
import { listCommitsBeginning, readCommitRow } from '../../history/find.ts';
import { readNamedCheckpoint } from '../../history/linked-commit.ts';
import { findBranch } from '../../restore/resume/branch-target.ts';
import { listTombstones } from '../../session/tombstones.ts';
import { describeCandidates } from './candidates.ts';
import { splitFileLines } from './file-line.ts';
import type { Named, NamedKind, Sought } from './named.ts';
import { sessionsAbout, sessionsBeginning } from './sessions.ts';
import * as text from './text.ts';

/** {@link findNamed}; `undefined` where there is nothing of the kind. */
export async function lookForNamed<Kind extends NamedKind>(
  branch: Branch,
  word: string,
  { kinds, byTitle = false }: Pick<Sought<Kind>, 'kinds' | 'byTitle'>,
): Promise<Extract<Named, { kind: Kind }> | undefined> {
  const isSought = (named: Named): named is Extract<Named, { kind: Kind }> =>
    (kinds as readonly NamedKind[]).includes(named.kind);
  const named =
    (await lookUp(branch, word, kinds)) ?? (byTitle ? await lookUpTitle(branch, word, kinds) : undefined);
  return named && isSought(named) ? named : undefined;
}

/**
 * What a word stands for, in one order for every command: a name of git's (a branch, `HEAD~1`, `@`, a tag), an id, the beginning of one
 * id alone, and at last, for commands that only look, what a session is about. A turn is `<session>:<n>`, or `:-1` for the newest of the worktree.
 *
 * @throws {EntireError} `NOT_FOUND`; `INVALID_ID` where it could be several things, which are listed
 */
export async function findNamed<Kind extends NamedKind>(
  branch: Branch,
  word: string,
  sought: Sought<Kind>,
): Promise<Extract<Named, { kind: Kind }>> {
  const named = await lookForNamed(branch, word, sought);
  if (named) return named;
  throw await refuseName(branch, word, sought);
}

const TURN = /^(.*):(-?\d+)$/s;

export const isTurnName = (word: string): boolean => TURN.test(word);

async function lookUp(branch: Branch, word: string, kinds: readonly NamedKind[]): Promise<Named | undefined> {
  const takes = (...any: NamedKind[]): boolean => any.some((kind) => kinds.includes(kind));
  const [, whose, number] = TURN.exec(word) ?? [];
  if (whose !== undefined && takes('turn')) return findTurnName(branch, whose, Number(number));
  const ref = takes('branch') ? findBranch(branch, word) : undefined;
  if (ref) return ref;
  const prefix = word.toLowerCase();
  const isHex = /^[0-9a-f]+$/.test(prefix);
  const row = takes('commit', 'step') ? readCommitRow(branch, word) : undefined;
  const isBeginning = row !== undefined && isBeginningOf(row, word);
  const toNamed = (one: LogRow): Named | undefined => {
    const session = sessionOfStep(one.message);
    const named: Named =
      session === undefined ? { kind: 'commit', row: one } : { kind: 'step', row: one, session };
    return takes(named.kind) ? named : undefined;
  };
  if (row && !isBeginning) return toNamed(row);
  const sessions = takes('session') ? sessionsBeginning(branch, word) : [];
  if (sessions.length === 1 && sessions[0] === word) return { kind: 'session', id: sessions[0] };
  const exact = takes('checkpoint') ? await readNamedCheckpoint(branch, word) : undefined;
  if (exact) return { kind: 'checkpoint', id: exact.id };
  const candidates: Named[] = [];
  if (word.length >= MIN_BEGINNING) {
    const rows = row ? [row] : isHex && takes('commit', 'step') ? listCommitsBeginning(branch, prefix) : [];
    const checkpoints = isHex && takes('checkpoint') ? await listCheckpointIds(branch.store, prefix) : [];
    candidates.push(
      ...sessions.toSorted().map((id): Named => ({ kind: 'session', id })),
      ...checkpoints.map((id): Named => ({ kind: 'checkpoint', id })),
      ...rows.flatMap((one) => toNamed(one) ?? []),
    );
  }
  return onlyOne(branch, word, candidates);
}

/** Whether a word leads to a commit as the beginning of its id, and is no name of git's. */
const isBeginningOf = ({ oid }: LogRow, word: string): boolean =>
  oid !== word.toLowerCase() && oid.startsWith(word.toLowerCase());

/** Whether a word is a name of git's, or a whole id, for a commit that is no turn: it comes before ids of sessions. */
export function isCommitName(branch: Branch, word: string): boolean {
  const row = readCommitRow(branch, word);
  return row !== undefined && !isBeginningOf(row, word) && sessionOfStep(row.message) === undefined;
}

/** A session by what it is about, where a word is nothing else, and no file. */
async function lookUpTitle(
  branch: Branch,
  word: string,
  kinds: readonly NamedKind[],
): Promise<Named | undefined> {
  if (!kinds.includes('session') || word.length < MIN_BEGINNING) return undefined;
  if (lstatIfExists(resolvePath(word)) || (await lookUp(branch, word, ALL))) return undefined;
  return onlyOne(
    branch,
    word,
    sessionsAbout(branch, word).map((id): Named => ({ kind: 'session', id })),
  );
}

/** @throws {EntireError} `INVALID_ID` for several, which are listed */
async function onlyOne(
  branch: Branch,
  word: string,
  candidates: readonly Named[],
): Promise<Named | undefined> {
  if (candidates.length <= 1) return candidates[0];
  throw new EntireError('INVALID_ID', text.several(word, await describeCandidates(branch, candidates)), {
    hint: text.MORE,
  });
}

/** A turn of whatever session a word names. */
async function findTurnName(branch: Branch, whose: string, number: number): Promise<Named> {
  if (whose === '' && number >= 0)
    throw new EntireError('BAD_FLAGS', text.noTurnNumber(`:${number}`), { hint: text.TURNS });
  if (whose === '') return { kind: 'turn', session: undefined, number };
  const sought = { kinds: ['session'], command: text.A_TURN } as const;
  const session = await lookForNamed(branch, whose, sought);
  if (!session) throw refuseLines(`${whose}:${number}`) ?? (await refuseName(branch, whose, sought));
  return { kind: 'turn', session: session.id, number };
}

/** The error for lines of a file which is not there; `undefined` for a word that looks like anything else. */
function refuseLines(word: string): EntireError | undefined {
  const file = splitFileLines(word)?.file;
  // Few ids of sessions have a dot or a slash.
  if (file === undefined || !/[./]/.test(file) || lstatIfExists(resolvePath(file))) return undefined;
  return new EntireError('NOT_FOUND', text.noFile(file), { hint: text.FILE_HINT });
}

const ALL: readonly NamedKind[] = ['branch', 'commit', 'checkpoint', 'session', 'turn', 'step'];

/**
 * The session that a word names.
 *
 * @param flag as it is typed, for the sentence where it names something else
 * @param byTitle also by what it is about
 * @throws {EntireError} `NOT_FOUND`, `INVALID_ID`
 */
export const findSessionId = async (
  branch: Branch,
  word: string,
  flag: string,
  byTitle = false,
): Promise<SessionId> => (await findNamed(branch, word, { kinds: ['session'], command: flag, byTitle })).id;

/** That a word stands for nothing that a command takes; where it stands for something else, for what. */
export async function refuseName(branch: Branch, word: string, sought: Sought): Promise<EntireError> {
  const { kinds, command, forFiles } = sought;
  const refused = (message: string, hint: string): EntireError =>
    new EntireError('NOT_FOUND', message, { hint });
  const other = await lookUp(branch, word, ALL).catch(() => undefined);
  if (other && !kinds.includes(other.kind))
    return refused(text.wrongKind(word, other.kind), text.takes(command, kinds));
  const file = forFiles && word !== '' ? lstatIfExists(resolvePath(word)) : undefined;
  if (forFiles && file)
    return refused(text.isFile(word, kinds, file.isDirectory()), forFiles(word, file.isDirectory()));
  const noFile = kinds.includes('turn') ? refuseLines(word) : undefined;
  if (noFile) return noFile;
  if (/^[\w-]+$/.test(word) && word.length < MIN_BEGINNING)
    return refused(text.tooShort(word), text.SHORT_HINT);
  const stones = listTombstones(branch.repo.commonDir);
  const [stone] = beginningWith(
    stones.map(({ sessionId }) => sessionId),
    word,
  );
  const forgotten = stones.find(({ sessionId }) => sessionId === stone);
  if (forgotten && kinds.includes('session')) return refused(text.forgotten(forgotten), text.HINT);
  return refused(text.unknown(word, kinds), text.HINT);
}
