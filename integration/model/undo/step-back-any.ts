import { expect } from 'vitest';
import type { Dice } from '../../support/runner/dice.ts';
import { type Direction, run, type Undone } from './step-back.ts';
import { wrongPaths } from './views.ts';
import type { Player, World } from './world.ts';

interface ListedStep {
  readonly session_id: string;
  readonly subject: string;
}

/** Undo or redo of the newest steps of the worktree, whichever sessions did them; and often back, and again. */
export const stepBackAny =
  (direction: Direction) =>
  (world: World, _: Player, dice: Dice): void => {
    const steps = dice.chance(60) ? 1 : 2 + dice.below(3);
    const flags = steps === 1 ? [] : ['--steps', `${steps}`];
    const { newest } = world;
    const last = newest?.last;
    const list = listed(world, direction);
    const busy = list.filter(({ session_id: id }) => isInTurn(world, id) && id !== list[0]?.session_id);
    const before = world.files();
    const dry = world.repo.tryEntire(direction, '--dry-run', '--json', ...flags);
    expect(world.files(), 'a dry run').toEqual(before);
    const done = run(world, undefined, direction, flags);
    expect(dry.code === 2, `asked in a dry run as well: ${dry.stderr}`).toBe(done.code === 2);
    if (done.code === 2) return answer(world, direction, done, busy.length > 0);
    expect(busy, 'another one is in a turn, and nobody was asked').toEqual([]);
    if (done.steps.length === 0) return expect(list, 'nothing').toEqual([]);
    const { steps: said, files } = JSON.parse(dry.stdout);
    expect([sessionsOf(said), files], 'what would be done').toEqual([sessionsOf(done.steps), done.outcomes]);
    const isStopped = done.outcomes.some(({ outcome }) => outcome === 'left'); // what lies behind may be another step then
    expect(sessionsOf(done.steps), 'the newest').toEqual(
      sessionsOf(list).slice(0, isStopped ? done.steps.length : steps),
    );
    world.count(`(${direction} of the newest)`);
    if (new Set(sessionsOf(done.steps)).size > 1) world.count(`(${direction} of several sessions)`);
    if (direction === 'undo' && newest && last && steps === 1 && world.players.every(({ turn }) => !turn)) {
      world.count('(undo of the newest right after its turn)');
      expect(done.steps[0]?.session_id, 'the last turn').toBe(newest.agent.id);
      const wrong = wrongPaths(done.after, last.begin);
      expect(wrong, 'undo after the turn is what was there at the prompt').toEqual([]);
    }
    const isDone = done.code === 0 && done.outcomes.some(({ outcome }) => outcome !== 'already');
    if (direction === 'redo' || !isDone || dice.chance(30) || world.players.some(({ turn }) => turn)) return;
    const groups = sessionsOf(done.steps).filter((id, at, all) => id !== all[at - 1]).length;
    run(world, undefined, 'redo', ['--steps', `${groups}`]);
    expect(world.files(), 'undo and back is where it began').toEqual(before);
    run(world, undefined, direction, flags);
    expect(world.files(), 'undo and back, and again').toEqual(done.after);
    world.count('(undo of the newest, redo, and again)');
  };

const sessionsOf = (steps: readonly ListedStep[]): string[] => steps.map(({ session_id: id }) => id);

const isInTurn = ({ players }: World, id: string): boolean =>
  players.some(({ agent, turn }) => agent.id === id && turn !== undefined);

function listed({ repo }: World, direction: Direction): ListedStep[] {
  const { code, stdout, stderr } = repo.tryEntire('undo', '--list', '--json', '--steps', '1000');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout)[direction];
}

/** It asks for a reason, and what it says to type is done. */
function answer(world: World, direction: Direction, { stderr }: Undone, isBusy: boolean): void {
  const isInTurn = stderr.includes('another session is in the middle of a turn');
  const lines = /another session wrote on the same lines later \((.*)\)/.exec(stderr)?.[1];
  expect(isInTurn, stderr).toBe(isBusy);
  if (!isInTurn) {
    const paths = lines?.split(', ') ?? [];
    expect(paths, stderr).not.toEqual([]);
    const byBoth = paths.filter((path) => world.players.every(({ touched }) => touched.has(path)));
    expect(byBoth, 'written by both').not.toEqual([]);
  }
  world.count(isInTurn ? '(asked: a turn goes on)' : '(asked: the same lines)');
  const named = /Say which: entire (?:un|re)do --session (\S+)/.exec(stderr)?.[1];
  const player = world.players.find(({ agent }) => agent.id === named);
  expect(player, stderr).toBeDefined();
  run(world, player, direction, []);
}
