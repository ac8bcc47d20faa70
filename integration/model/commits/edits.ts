import type { Dice } from '../../support/runner/dice.ts';
import {
  type Actor,
  commonInOrder,
  type FileState,
  renderLines,
  type SessionName,
  unitsBetween,
} from './lines.ts';
import type { World } from './world.ts';

const MAX_LINES = 12;

/** Somebody writes a file: a new one, or other lines in one that is there. Returns its name. */
export function edit(world: World, actor: Actor, dice: Dice, reported: boolean): string {
  const path = world.anyName(dice);
  const before = world.pair.worktree().get(path);
  const lines = before
    ? otherLines(world, actor, path, before, dice)
    : world.book.newLines(2 + dice.below(4));
  world.tell(`${actor}: ${reported ? 'edits' : 'changes'} ${path}: ${lines.join(', ')}`);
  world.put(actor, path, { lines, executable: before?.executable ?? false }, reported);
  return path;
}

function otherLines(world: World, actor: Actor, path: string, { lines }: FileState, dice: Dice): string[] {
  const fresh = world.book.newLines(1 + dice.below(3));
  const at = dice.below(lines.length + 1);
  const how = lines.length > MAX_LINES ? 3 : dice.below(6);
  if (how <= 1) return [...lines, ...fresh];
  if (how === 2) return [...lines.slice(0, at), ...fresh, ...lines.slice(at)];
  if (how === 3) return [...lines.slice(0, at), ...fresh.slice(0, 1), ...lines.slice(at + 3)];
  if (how === 4) return fresh; // a Write over everything
  const own = lines.filter((line) => world.book.owner({ path, key: `+ ${path} ${line}` }) === actor);
  const gone = new Set(own.length > 0 ? own.slice(0, 2) : lines.slice(0, 1));
  const kept = lines.filter((line) => !gone.has(line));
  return kept.length > 0 && dice.chance(30) ? kept : [...kept, ...fresh.slice(0, 1)];
}

export function deleteFile(world: World, actor: Actor, dice: Dice): void {
  const path = world.anyFile(dice);
  if (path === undefined) return;
  world.tell(`${actor}: deletes ${path}`);
  world.put(actor, path, undefined);
}

export function changeMode(world: World, actor: Actor, dice: Dice): void {
  const path = world.anyFile(dice);
  if (path === undefined) return;
  const before = world.pair.worktree().get(path) as FileState;
  world.tell(`${actor}: chmod ${path}`);
  world.put(actor, path, { ...before, executable: !before.executable });
}

/** The agent's `mv`: both names are its work. */
export function renameByAgent(world: World, session: SessionName, dice: Dice): void {
  const [from, to] = [world.anyFile(dice), world.freeName(dice)];
  if (from === undefined || to === undefined) return;
  const file = world.pair.worktree().get(from) as FileState;
  world.tell(`${session}: mv ${from} ${to}`);
  world.book.did(session, [...unitsBetween(from, file, undefined), ...unitsBetween(to, undefined, file)]);
  world.sessions[session].shell(() => world.pair.move(from, to));
  world.ledger.changed(session, [from, to], false);
  world.ledger.rename(from, to, session);
}

/** The user's `git mv`: lines that are not committed yet keep their author; that the old name is gone is the user's. */
export function renameByUser(world: World, dice: Dice): void {
  const [from, to] = [world.anyFile(dice), world.freeName(dice)];
  if (from === undefined || to === undefined || !world.pair.index().has(from)) return;
  const file = world.pair.worktree().get(from) as FileState;
  for (const line of file.lines) {
    const author = world.book.owner({ path: from, key: `+ ${from} ${line}` });
    world.book.did(author, [{ path: to, key: `+ ${to} ${line}` }]);
  }
  for (const state of [file, world.pair.index().get(from)])
    world.book.did('user', unitsBetween(from, state, undefined));
  if (world.git(['mv', from, to])) world.ledger.rename(from, to, 'user');
}

/** `git add -p`: some of the lines that a file gained or lost go into the index. */
export function stagePart(world: World, dice: Dice): void {
  const dirty = [...world.pair.dirty()].sort();
  if (dirty.length === 0) return;
  stageLines(world, dice.oneOf(dirty), dice);
}

/** Whether there was something to stage. */
export function stageLines(world: World, path: string, dice: Dice): boolean {
  const [index, file] = [world.pair.index().get(path), world.pair.worktree().get(path)];
  if (!file) return world.git(['add', '--all', '--', path]);
  const lines = chooseLines(index?.lines ?? [], file.lines, dice);
  if (lines.length === 0) return false;
  const { text: oid } = world.pair.git(['hash-object', '-w', '--stdin'], { input: renderLines(lines) });
  const mode = (index ?? file).executable ? '100755' : '100644';
  world.git(['update-index', '--add', '--cacheinfo', `${mode},${oid.split('\n')[0]},${path}`]);
  world.tell(`   (stages of ${path}: ${lines.join(', ')})`);
  return true;
}

function chooseLines(index: readonly string[], file: readonly string[], dice: Dice): string[] {
  const result: string[] = [];
  let [at, to] = [0, 0];
  // Both sides in step along their longest common part; each line that is on one side only is chosen or not.
  while (at < index.length || to < file.length) {
    const [left, right] = [index[at], file[to]];
    if (left !== undefined && left === right) {
      result.push(left);
      at++;
      to++;
    } else if (right === undefined || (left !== undefined && dropsNothing(index, file, at, to))) {
      if (dice.chance(50)) result.push(left as string);
      at++;
    } else {
      if (dice.chance(50)) result.push(right);
      to++;
    }
  }
  return result;
}

const dropsNothing = (index: readonly string[], file: readonly string[], at: number, to: number): boolean =>
  commonInOrder(index.slice(at + 1), file.slice(to)) === commonInOrder(index.slice(at), file.slice(to));
