import { expect } from 'vitest';
import { temporary } from '../../support/command/rewind.ts';
import type { Dice } from '../../support/runner/dice.ts';
import { gitBesideSteps, lostSince } from '../../support/undo/view.ts';
import { takeBack } from './step-back.ts';
import { pathsThatDiffer, wrongPaths } from './views.ts';
import type { Player, World } from './world.ts';

/** Goes back to a step of the session, and sometimes takes that back. */
export function rewind(world: World, player: Player, dice: Dice): void {
  const { repo } = world;
  const points = temporary(repo).filter(({ session_id: id }) => id === player.agent.id);
  if (points.length === 0) return world.count('(no step to go back to)');
  const point = dice.oneOf(points);
  const before = world.files();
  const git = gitBesideSteps(repo);
  const { code, stderr } = repo.tryEntire('rewind', '--to', point.id, '--session-only');
  world.tell(
    `entire rewind --to ${point.id} --session-only (${point.message}) -> ${code}\n${stderr}`,
    () => {},
  );
  const isLeft = stderr.includes('each file that differs from that point is left, so nothing was done');
  expect(code, stderr).toBe(isLeft ? 1 : 0);
  const after = world.files();
  if (isLeft) expect(after, 'nothing was done').toEqual(before);
  const changed = pathsThatDiffer(before, after);
  for (const path of changed) {
    expect(stderr, `${path} changed`).toContain(`${path in after ? 'Restored' : 'Deleted'}: ${path}`);
    expect(player.touched.has(path), `${path} is not the session's`).toBe(true);
  }
  expect(gitBesideSteps(repo), 'HEAD, index, refs, stash, configuration').toEqual(git);
  expect(lostSince(repo, before), 'neither there nor kept').toEqual([]);
  if (player.turn) world.doubt(player, player.turn);
  const named = world.hasRewoundInTurn
    ? undefined
    : player.stops.find(({ prompt }) => prompt === point.message);
  const stop = player.stops.find(({ step }) => step === point.id) ?? named;
  if (stop) {
    world.count(stop.foreign.size === 0 ? '(rewind, all known)' : '(rewind, others at work)');
    const wrong = wrongPaths(after, stop).filter((path) => !stderr.includes(`Left: ${path} (`));
    expect(wrong, `what there was at the end of "${stop.prompt}"`).toEqual([]);
  }
  world.changedBack(player, changed);
  for (const path of changed) player.mixed.add(path); // a step that takes lines of the user and brings them back
  player.last = undefined;
  if (player.turn) player.turn.isSplit = world.hasRewoundInTurn = true;
  world.hasRewound = true;
  if (changed.length === 0 || dice.chance(40)) return;
  world.count('(rewind and undo)');
  expect(takeBack(world, player), 'rewind and undo is where it began').toEqual(before);
}
