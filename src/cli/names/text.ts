import { counted, either, showPath } from '../../base/text/text.ts';
import { dayOf, type Tombstone } from '../../session/tombstones.ts';
import { oneLine } from '../ui/terminal.ts';
import type { NamedKind } from './named.ts';

/** What is said of names on the command line. */

const WORDS: Readonly<Record<NamedKind, string>> = {
  branch: 'branch',
  commit: 'commit',
  checkpoint: 'checkpoint',
  session: 'session',
  turn: 'turn',
  step: 'turn',
};

const wordsOf = (kinds: readonly NamedKind[]): string[] => [...new Set(kinds.map((kind) => WORDS[kind]))];

export const several = (word: string, candidates: string): string =>
  `${oneLine(word)} could be several things:\n${candidates}`;
export const MORE = 'Use more characters of the id.';
export const noFile = (file: string): string => `no such file: ${showPath(file)}`;
export const FILE_HINT =
  'Paths are taken from the current folder; `entire blame <file>` says what became of one that is gone.';
export const A_TURN = 'a turn';
export const TURNS = 'A turn is <session>:<n>: 1 is its oldest, -1 its newest; :-1 is the newest turn here.';
export const noTurnNumber = (word: string): string => `${oneLine(word)} names no turn`;
export const wrongKind = (word: string, kind: NamedKind): string => `${oneLine(word)} is a ${WORDS[kind]}`;
export const takes = (command: string, kinds: readonly NamedKind[]): string =>
  `${command.startsWith('entire ') ? `\`${command}\`` : command} takes a ${either(wordsOf(kinds))}.`;
export const isFile = (word: string, kinds: readonly NamedKind[], isFolder: boolean): string =>
  `${showPath(word)} is a ${isFolder ? 'folder' : 'file'}, not a ${either(wordsOf(kinds))}`;
export const tooShort = (word: string): string => `${oneLine(word)} is too short for an id`;
export const HINT = '`entire log` shows turns and commits; `entire session list` shows sessions.';
export const SHORT_HINT = `Four characters are enough. ${HINT}`;
export const forgotten = (stone: Tombstone): string =>
  `session ${stone.sessionId} was forgotten on ${dayOf(stone)}`;
export const unknown = (word: string, kinds: readonly NamedKind[]): string =>
  `no such ${either(wordsOf(kinds))}${kinds.includes('branch') ? ' here or on origin' : ''}: ${oneLine(word)}`;
export const stepNotKept = (short: string): string => `what the turn ${short} changed is not kept any more`;
export const forgottenTurn = (name: string): string => `turn ${name} was forgotten`;
export const FORGOTTEN_HINT = 'Its number stays empty, and other turns keep theirs.';
export const noTurn = (session: string, asked: string, count: number): string =>
  count === 0
    ? `session ${session} has no turn ${asked}: none that is kept changed anything in this worktree`
    : `session ${session} has no turn ${asked}: ${counted(count, 'turn')} of it ${count === 1 ? 'is' : 'are'} kept in this worktree`;
export const noNewest = (asked: string, count: number): string =>
  `there is no turn ${asked}: ${counted(count, 'turn')} of this worktree can be shown`;
export const TURN_HINT = 'The oldest is 1, the newest -1; `entire diff <session>` shows all of them.';
export const WHERE_SESSIONS = '`entire status` lists the sessions of this worktree.';
export const notInWorktree = (id: string): string => `session ${id} did nothing in this worktree`;
