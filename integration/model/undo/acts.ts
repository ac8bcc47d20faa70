import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asAgent } from '../../support/repository/moved-head.ts';
import type { Dice } from '../../support/runner/dice.ts';
import { pathsThatDiffer } from './views.ts';
import type { Actor, Player, World } from './world.ts';

type Kind = 'write' | 'delete' | 'rename';

/** An edit by a tool that the agent reports. */
export function editByTool(world: World, player: Player, dice: Dice): void {
  world.inTurn(player);
  const path = world.anyName(dice);
  const text = world.textFor(path, player.name, dice);
  world.tell(`${player.name}: writes ${path}: ${JSON.stringify(text)}`, () => player.agent.edit(path, text));
  world.changed(player.name, [path], 'tool');
}

/** A change by a shell, of which the agent says nothing but that a shell ran. */
export const byShell =
  (kind: Kind) =>
  (world: World, player: Player, dice: Dice): void => {
    const turn = world.inTurn(player);
    const change = chooseChange(world, player.name, kind, dice);
    if (!change) return;
    turn.hasShell = true;
    world.tell(`${player.name}: ${change.says}`, () => player.agent.shell(change.run));
    world.changed(player.name, change.paths);
  };

/** The agent commits all there is, by a shell of its turn: that stays its own work. */
export function commitByAgent(world: World, player: Player): void {
  const turn = world.inTurn(player);
  turn.hasShell = true;
  const { repo } = world;
  world.tell(`${player.name}: commits all`, () =>
    player.agent.shell(() => {
      repo.git('add', '--all');
      repo.gitWith(asAgent, 'commit', '--quiet', '--allow-empty', '-m', 'By the agent');
    }),
  );
  if (world.players.some((one) => one !== player && (one.turn || one.touched.size > 0))) world.committed();
}

export function editByUser(world: World, path: string, dice: Dice): void {
  const how = world.isThere(path) ? 'line' : 'shell';
  const text = world.textFor(path, 'user', dice);
  world.tell(`user: changes ${path}: ${JSON.stringify(text)}`, () => world.repo.write(path, text));
  world.changed('user', [path], how);
}

export const byUser =
  (kind: Kind) =>
  (world: World, _: Player, dice: Dice): void => {
    const change = chooseChange(world, 'user', kind, dice);
    if (!change) return;
    const how = kind === 'write' && change.paths.every((path) => world.isThere(path)) ? 'line' : 'shell';
    world.tell(`user: ${change.says}`, change.run);
    world.changed('user', change.paths, how);
  };

function chooseChange(world: World, who: Actor, kind: Kind, dice: Dice) {
  const { repo } = world;
  const path = world.anyName(dice);
  const file = join(repo.dir, path);
  if (kind === 'write' || !world.isThere(path)) {
    const text = world.textFor(path, who, dice);
    const run = () => void repo.write(path, text);
    return { says: `changes ${path}: ${JSON.stringify(text)}`, paths: [path], run };
  }
  if (kind === 'delete') return { says: `deletes ${path}`, paths: [path], run: () => rmSync(file) };
  const to = world.anyName(dice);
  if (world.isThere(to)) return undefined;
  const run = () => {
    mkdirSync(dirname(join(repo.dir, to)), { recursive: true });
    renameSync(file, join(repo.dir, to));
  };
  return { says: `mv ${path} ${to}`, paths: [path, to], run };
}

/** Git, by the user; whatever it does to the worktree, no session did. */
export const git =
  (...args: string[]) =>
  (world: World): void => {
    const { repo } = world;
    const before = world.files();
    world.tell(`git ${args.join(' ')}`, () => repo.tryGit(...args));
    const between = world.files();
    if (repo.git('ls-files', '--unmerged') !== '') repo.git('reset', '--quiet', '--hard'); // the pop conflicts
    const after = world.files();
    world.changed('user', [...pathsThatDiffer(before, between), ...pathsThatDiffer(between, after)]);
    if (args[0] === 'commit') world.committed();
  };

export function commitSome(world: World, _: Player, dice: Dice): void {
  const path = world.anyName(dice);
  if (!world.isThere(path)) return;
  world.repo.git('add', '--', path);
  git('commit', '--quiet', '-m', 'Some', '--', path)(world);
}

export const switchBranch = (world: World, _: Player, dice: Dice): void =>
  git('switch', '--quiet', dice.oneOf(['main', 'topic']))(world);
