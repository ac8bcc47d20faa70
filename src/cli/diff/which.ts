import type { SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { readCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import type { Repo } from '../../git/locate.ts';
import type { LogRow } from '../../git/log.ts';
import { type Branch, readBranch } from '../../history/branch.ts';
import { elsewhere } from '../../history/find.ts';
import { findCommitOf } from '../../history/linked-commit.ts';
import { hiddenBehind } from '../../restore/hidden.ts';
import { findTurn, type KeptTurn, listKeptTurns, listStanding } from '../../restore/kept-turns.ts';
import { listStepped } from '../../restore/stepped.ts';
import { readWorktreeSteps } from '../../restore/worktree-steps.ts';
import { keepsContents } from '../../settings/snapshots.ts';
import { findNamed } from '../names/find-named.ts';
import { nameOfTurn, readSteps, readTurn } from '../names/turns.ts';
import { warn } from '../ui/terminal.ts';
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

/** What somebody means. @throws {EntireError} `NOT_FOUND`, `INVALID_ID` where it could be several things, `BAD_FLAGS` */
export async function choose(repo: Repo, what: string | undefined, isMeant: IsMeant): Promise<Chosen> {
  const concerns = ({ paths }: Pick<KeptTurn, 'paths'>): boolean => [...paths].some(isMeant);
  if (what === undefined) return newest(repo, concerns);
  const branch = readBranch(repo);
  const named = await findNamed(branch, what, {
    kinds: ['turn', 'step', 'session', 'commit', 'checkpoint'],
    ...{ command: 'entire diff', byTitle: true, forFiles: text.filesHint },
  });
  switch (named.kind) {
    case 'commit':
      return { kind: 'commit', branch, row: named.row };
    case 'checkpoint': {
      const checkpoint = await readCheckpoint(branch.store, named.id);
      if (!checkpoint) throw elsewhere(branch, named.id);
      return { kind: 'commit', branch, row: findCommitOf(branch, checkpoint) };
    }
    case 'session':
      return sessionTurns(repo, named.id, concerns);
    default: {
      const isNewest = named.kind === 'turn' && named.session === undefined && named.number === -1;
      if (isNewest) return newest(repo, () => true);
      return { kind: 'turns', turns: [await readTurn(repo, named)], nothing: text.NOTHING_YET };
    }
  }
}

type Concerns = (turn: Pick<KeptTurn, 'paths'>) => boolean;

/** The newest turn of the worktree that has something to do with what was asked for. */
async function newest(repo: Repo, concerns: Concerns): Promise<Chosen> {
  const steps = await readWorktreeSteps(repo, listStepped(repo));
  const [broken] = steps.damaged.values();
  const [step] = listStanding(steps).filter(concerns);
  if (!step && broken !== undefined) throw broken;
  for (const id of steps.damaged.keys()) warn(damagedSession(id));
  const turn = step && findTurn(repo, steps, step);
  const hidden = turn && hiddenBehind(repo, turn.session, turn.record);
  return {
    ...{
      kind: 'turns',
      turns: turn ? [turn] : [],
      nothing: keepsContents(repo) ? text.NOTHING_YET : text.OFF,
    },
    hidden: hidden && HIDDEN[hidden],
  };
}

async function sessionTurns(repo: Repo, session: SessionId, concerns: Concerns): Promise<Chosen> {
  const turns = listKeptTurns(repo, await readSteps(repo, session), session);
  const standing = turns.filter(({ state }) => state !== 'undone');
  const undone = turns.filter(({ state }) => state === 'undone');
  const last = undone.at(-1);
  const nothing = last ? text.allUndone(nameOfTurn(repo, last), undone.length) : text.nothingOf(session);
  if (standing.length === 0) return { kind: 'turns', turns: [], nothing };
  const shown = standing.filter(concerns).toReversed();
  const note = last && { note: text.someUndone(nameOfTurn(repo, last), undone.length) };
  return { kind: 'turns', turns: shown, nothing: text.nothingOf(session), ...note };
}
