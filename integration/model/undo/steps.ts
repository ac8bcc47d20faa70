import fc from 'fast-check';
import { Dice } from '../../support/runner/dice.ts';
import { type Exploration, stepsOf } from '../../support/runner/explore.ts';
import {
  byShell,
  byUser,
  commitByAgent,
  commitSome,
  editByTool,
  editByUser,
  git,
  switchBranch,
} from './acts.ts';
import { evict, gc } from './gc.ts';
import { rewind } from './rewind.ts';
import { rewindTogether } from './rewind-together.ts';
import { stepBack } from './step-back.ts';
import { stepBackAny } from './step-back-any.ts';
import { type Player, World } from './world.ts';

type Act = (world: World, player: Player, dice: Dice) => void | Promise<void>;

/** A turn from its prompt to its stop. One that runs already is brought to its end. */
function wholeTurn(world: World, player: Player, dice: Dice): void {
  world.inTurn(player);
  const byShells = [byShell('write'), byShell('delete'), byShell('rename'), commitByAgent];
  const edits = [editByTool, editByTool, editByTool, ...byShells];
  for (let left = 1 + dice.below(3); left > 0; left--) dice.oneOf(edits)(world, player, dice);
  world.stop(player);
}

/** Sessions one after the other, and sometimes the user, or one that goes on. */
function eachTurn(world: World, player: Player, dice: Dice): void {
  const [other] = world.players.filter((one) => one !== player);
  for (const one of [player, other as Player]) if (dice.chance(80)) wholeTurn(world, one, dice);
  const [path] = [...player.touched].filter((one) => world.isThere(one)).slice(-1);
  if (path && dice.chance(40)) editByUser(world, path, dice);
  if (dice.chance(30)) editByTool(world, dice.oneOf(world.players), dice);
}

/** Everything that happens, with how often. */
const ACTS: Record<string, { weight: number; act: Act }> = {
  prompt: { weight: 2, act: (world, player) => world.prompt(player) },
  stop: { weight: 6, act: (world, player) => (player.turn ? world.stop(player) : world.prompt(player)) },
  turn: { weight: 12, act: wholeTurn },
  turnAndUndo: {
    weight: 3,
    act: (world, player, dice) => {
      wholeTurn(world, player, dice);
      stepBack('undo')(world, player, dice);
    },
  },
  turnsAndUndo: {
    weight: 3,
    act: (world, player, dice) => {
      eachTurn(world, player, dice);
      stepBackAny('undo')(world, player, dice);
    },
  },
  turnsAndRewind: {
    weight: 4,
    act: (world, player, dice) => {
      eachTurn(world, player, dice);
      rewindTogether(world, player, dice);
    },
  },
  turnAndMerge: {
    weight: 3,
    act: (world, player, dice) => {
      wholeTurn(world, player, dice);
      const [path] = [...player.touched].filter((one) => world.isThere(one)).slice(-1);
      if (path) editByUser(world, path, dice);
      stepBack('undo')(world, player, dice);
    },
  },
  edit: { weight: 8, act: editByTool },
  shell: { weight: 3, act: byShell('write') },
  delete: { weight: 2, act: byShell('delete') },
  rename: { weight: 2, act: byShell('rename') },
  userEdits: { weight: 5, act: byUser('write') },
  userDeletes: { weight: 1, act: byUser('delete') },
  userRenames: { weight: 1, act: byUser('rename') },
  commit: { weight: 2, act: git('commit', '--quiet', '--all', '--allow-empty', '-m', 'All') },
  commitByAgent: { weight: 2, act: commitByAgent },
  commitSome: { weight: 1, act: commitSome },
  stash: { weight: 1, act: git('stash', '--quiet') },
  pop: { weight: 2, act: git('stash', 'pop', '--quiet') },
  switch: { weight: 1, act: switchBranch },
  undo: { weight: 7, act: stepBack('undo') },
  redo: { weight: 3, act: stepBack('redo') },
  undoNewest: { weight: 4, act: stepBackAny('undo') },
  redoNewest: { weight: 2, act: stepBackAny('redo') },
  rewind: { weight: 3, act: rewind },
  rewindTogether: { weight: 4, act: rewindTogether },
  gc: { weight: 1, act: gc },
  evict: { weight: 1, act: evict },
};

/** Going back: undo, redo, rewind and gc, among all that changes files. */
export const GOING_BACK: Exploration<World> = {
  name: 'undo model',
  env: 'ENTIRE_UNDO',
  length: 25,
  anyStep: stepsOf(
    ACTS,
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('the same') },
      { weight: 1, arbitrary: fc.constantFrom('A', 'B') },
    ),
    20,
  ),
  begin: (repo) => new World(repo),
  async take(world, [act, name, ...numbers]) {
    world.count(act);
    await ACTS[act]?.act(world, world.player(name), new Dice(numbers));
  },
};
