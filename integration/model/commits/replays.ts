import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Dice } from '../../support/runner/dice.ts';
import { runCommit } from './commits.ts';
import { parseLines } from './lines.ts';
import type { World } from './world.ts';

const EDITOR = { GIT_EDITOR: 'true' };

/** Puts everything away; what others do needs a clean worktree. */
export function stash(world: World): void {
  if (world.pair.dirty().size > 0) world.git(['stash', 'push', '--include-untracked', '--quiet']);
}

export function stashTracked(world: World): void {
  world.git(['stash', 'push', '--quiet']);
}

export function pop(world: World, dice: Dice): void {
  if (!world.pair.exists('refs/stash')) return stash(world);
  if (world.git(['stash', 'pop', '--quiet', ...(dice.chance(30) ? ['--index'] : [])])) return;
  if (unmerged(world).length === 0) return;
  resolve(world);
  world.git(['stash', 'drop', '--quiet']);
}

export function switchBranch(world: World, dice: Dice): void {
  const branch = world.pair.inTwin('branch', '--show-current');
  if (!world.pair.exists('refs/heads/topic')) {
    world.git(['switch', '--quiet', '--create', 'topic', ...(dice.chance(30) ? ['begin'] : [])]);
  } else world.git(['switch', '--quiet', branch === 'main' ? 'topic' : 'main']);
}

/** Commits that are made of commits: nothing of them is a session's new work. */
export function replay(world: World, dice: Dice): void {
  const { pair, observer } = world;
  const other = pair.inTwin('branch', '--show-current') === 'main' ? 'topic' : 'main';
  if (!pair.exists(`refs/heads/${other}`)) return switchBranch(world, dice);
  if (pair.dirty().size > 0) stash(world);
  const act = dice.oneOf([merge, merge, squash, squashAnew, rebase, cherryPick, revert]);
  const [tip, seen] = [observer.metadataTip(), observer.verdicts().length];
  act(world, dice, other);
  expect(pair.dirty().size, 'replayed to the end').toBe(0);
  if (act === squashAnew) return; // judged as a commit
  expect(observer.metadataTip(), 'a replayed commit is no new checkpoint').toBe(tip);
  for (const { reason } of observer.verdicts().slice(seen)) expect(reason).not.toBe('linked');
}

function merge(world: World, dice: Dice, other: string): void {
  const ok = world.git(['merge', '--quiet', '--no-ff', '--no-edit', other]);
  if (ok || !inProgress(world, 'MERGE_HEAD')) return;
  if (dice.chance(20)) return void world.git(['merge', '--abort']);
  resolve(world);
  const message = dice.oneOf([['--no-edit'], ['-m', `Merged ${world.number()}`]]);
  world.git(['commit', '--quiet', ...message], { env: EDITOR });
}

function squash(world: World, _: Dice, other: string): void {
  if (beginSquash(world, other)) world.git(['commit', '--quiet', '--no-edit'], { env: EDITOR });
}

/** W-SQUASH */
function squashAnew(world: World, _: Dice, other: string): void {
  if (beginSquash(world, other)) runCommit(world, ['-m', `Squashed ${world.number()}`], { squash: true });
}

function beginSquash(world: World, other: string): boolean {
  if (world.git(['merge', '--quiet', '--squash', other])) return true;
  if (unmerged(world).length === 0) return false;
  resolve(world);
  return true;
}

function rebase(world: World, dice: Dice, other: string): void {
  if (world.git(['rebase', '--quiet', other], { env: EDITOR })) return;
  finish(world, 'rebase', ['rebase-merge', 'rebase-apply'], dice);
}

function cherryPick(world: World, dice: Dice, other: string): void {
  const picks = commitsOf(world, `begin..${other}`);
  if (picks.length === 0) return;
  const nth = dice.below(picks.length);
  if (world.git(['cherry-pick', `${other}~${picks[nth]}`], { env: EDITOR })) return;
  finish(world, 'cherry-pick', ['CHERRY_PICK_HEAD'], dice);
}

function revert(world: World, dice: Dice): void {
  const commits = commitsOf(world, 'begin..HEAD');
  if (commits.length === 0) return;
  const nth = dice.below(commits.length);
  if (world.git(['revert', '--no-edit', `HEAD~${commits[nth]}`], { env: EDITOR })) return;
  finish(world, 'revert', ['REVERT_HEAD'], dice);
  world.git(['reset', '--quiet']); // of an empty commit its message is left, and would make the next one a revert
}

/** How far back the commits are that can be picked; merges cannot. */
function commitsOf(world: World, range: string): number[] {
  const lines = parseLines(world.pair.inTwin('rev-list', '--first-parent', '--parents', range));
  return lines.flatMap((line, nth) => (line.split(' ').length === 2 ? [nth] : []));
}

function finish(world: World, command: string, marks: readonly string[], dice: Dice): void {
  const isOpen = () => marks.some((mark) => inProgress(world, mark));
  const giveUp = dice.chance(30);
  for (let round = 0; round < 12 && isOpen() && !giveUp; round++) {
    if (unmerged(world).length > 0) resolve(world);
    if (world.git([command, '--continue'], { env: EDITOR }) || unmerged(world).length > 0) continue;
    world.git([command, '--skip'], { env: EDITOR }); // nothing is left of it
  }
  if (isOpen()) world.git([command, '--abort']);
}

const inProgress = (world: World, mark: string): boolean => existsSync(join(world.pair.twin, '.git', mark));

const unmerged = (world: World): string[] =>
  world.pair.inTwin('ls-files', '--unmerged', '-z').split('\0').filter(Boolean);

/** Takes both sides of every conflict. */
function resolve(world: World): void {
  const paths = new Set(unmerged(world).map((line) => line.slice(line.indexOf('\t') + 1)));
  for (const path of paths) {
    const file = world.pair.worktree().get(path);
    if (!file) continue;
    const lines = file.lines.filter((line) => !/^(<{7}|={7}|>{7}|\|{7})/.test(line));
    world.pair.write(path, { ...file, lines: [...new Set(lines)] });
    world.ledger.changed('user', [path], false);
  }
  world.git(['add', '--all', '--', ...paths]);
}
