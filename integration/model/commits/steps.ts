import fc from 'fast-check';
import { Dice } from '../../support/runner/dice.ts';
import { type Exploration, stepsOf } from '../../support/runner/explore.ts';
import { amend, commit, commitByAgent, commitInHalves, commitOlderTurn } from './commits.ts';
import { changeMode, deleteFile, edit, renameByAgent, renameByUser, stagePart } from './edits.ts';
import { rewind, stepBack, turnsAndBack } from './going-back.ts';
import { SESSIONS, type SessionName } from './lines.ts';
import { pop, replay, stash, stashTracked, switchBranch } from './replays.ts';
import { World } from './world.ts';

type Act = (world: World, session: SessionName, dice: Dice) => void;

/** Everything that happens, with how often. */
const ACTS: Record<string, { weight: number; act: Act }> = {
  prompt: { weight: 4, act: (world, session) => world.prompt(session) },
  stop: {
    weight: 8,
    act: (world, session) => (world.ledger.isActive(session) ? world.stop(session) : world.prompt(session)),
  },
  agentEdits: { weight: 14, act: inTurn((world, session, dice) => void edit(world, session, dice, true)) },
  agentChanges: { weight: 4, act: inTurn((world, session, dice) => void edit(world, session, dice, false)) },
  agentDeletes: { weight: 1, act: inTurn(deleteFile) },
  agentRenames: { weight: 2, act: inTurn(renameByAgent) },
  agentChangesMode: { weight: 1, act: inTurn(changeMode) },
  agentCommits: { weight: 4, act: (world, session, dice) => commitByAgent(world, session, dice) },
  userEdits: { weight: 7, act: (world, _, dice) => void edit(world, 'user', dice, false) },
  userDeletes: { weight: 1, act: (world, _, dice) => deleteFile(world, 'user', dice) },
  userRenames: { weight: 2, act: (world, _, dice) => renameByUser(world, dice) },
  userChangesMode: { weight: 1, act: (world, _, dice) => changeMode(world, 'user', dice) },
  stagePart: { weight: 6, act: (world, _, dice) => stagePart(world, dice) },
  commit: { weight: 18, act: (world, _, dice) => commit(world, dice) },
  commitOlderTurn: { weight: 2, act: commitOlderTurn },
  commitInHalves: { weight: 2, act: commitInHalves },
  amend: { weight: 5, act: (world, _, dice) => amend(world, dice) },
  stash: { weight: 2, act: (world) => stash(world) },
  stashTracked: { weight: 1, act: (world) => stashTracked(world) },
  pop: { weight: 5, act: (world, _, dice) => pop(world, dice) },
  switch: { weight: 4, act: (world, _, dice) => switchBranch(world, dice) },
  undo: { weight: 6, act: stepBack('undo') },
  redo: { weight: 3, act: stepBack('redo') },
  turnsAndBack: { weight: 5, act: turnsAndBack },
  rewind: { weight: 3, act: (world, _, dice) => rewind(world, dice) },
  replay: { weight: 5, act: (world, _, dice) => replay(world, dice) },
};

function inTurn(act: Act): Act {
  return (world, session, dice) => {
    world.inTurn(session);
    act(world, session, dice);
  };
}

/** Commits by users and agents, and which sessions they are linked to. */
export const COMMITS: Exploration<World> = {
  name: 'model',
  env: 'ENTIRE_MODEL',
  length: 20,
  anyStep: stepsOf(ACTS, fc.constantFrom(...SESSIONS)),
  begin: (repo) => new World(repo),
  take: (world, [act, session, ...numbers]) =>
    ACTS[act]?.act(world, session as SessionName, new Dice(numbers)),
};
