import { expect } from 'vitest';
import type { Dice } from '../../support/runner/dice.ts';
import { gitBesideSteps, gitView, lostSince, type View } from '../../support/undo/view.ts';
import { linesOf, pathsOf, pathsThatDiffer, wrongPaths } from './views.ts';
import type { Player, World } from './world.ts';

export type Direction = 'undo' | 'redo';

interface Outcome {
  readonly path: string;
  readonly outcome: string;
}

/** Undo or redo of some steps, of all their files or of one; and often the same the other way round, and again. */
export const stepBack =
  (direction: Direction) =>
  (world: World, player: Player, dice: Dice): void => {
    const { last, turn } = player;
    const steps = dice.chance(70) ? 1 : 2 + dice.below(2);
    const named = direction === 'undo' && dice.chance(20) ? ['--files', world.anyName(dice)] : [];
    const before = world.files();
    const { after, outcomes, code } = run(world, player, direction, ['--steps', `${steps}`, ...named]);
    if (last && !turn && direction === 'undo' && steps === 1 && named.length === 0) {
      world.count(
        last.begin.foreign.size === 0 ? '(undo right after a turn)' : '(undo after a turn, others at work)',
      );
      const wrong = wrongPaths(after, last.begin);
      expect(wrong, 'undo after the turn is what was there at the prompt').toEqual([]);
    }
    const isChanged = outcomes.some(({ outcome }) => outcome !== 'left' && outcome !== 'already');
    if (code !== 0 || !isChanged || dice.chance(30)) return;
    run(world, player, direction === 'undo' ? 'redo' : 'undo', []);
    // A redo of several steps is one record: its undo is that of as many turns.
    if (direction === 'redo') return;
    world.count('(undo and redo)');
    expect(world.files(), 'undo and back is where it began').toEqual(before);
    run(world, player, direction, ['--steps', `${steps}`, ...named]);
    expect(world.files(), 'undo and back, and again').toEqual(after);
  };

/** Takes back what was done last, whatever it was. */
export const takeBack = (world: World, player: Player): View => run(world, player, 'undo', []).after;

/** What one command did. */
export interface Undone {
  readonly after: View;
  readonly outcomes: readonly Outcome[];
  readonly steps: readonly { readonly session_id: string; readonly kind: string; readonly subject: string }[];
  readonly code: number | null;
  readonly stderr: string;
}

/** One command, held against what the model knows. @param asked whose steps; `undefined` for the newest, whoever did them */
export function run(
  world: World,
  asked: Player | undefined,
  direction: Direction,
  flags: readonly string[],
): Undone {
  const { repo } = world;
  const before = world.files();
  const look = world.hasRewound ? gitBesideSteps : gitView; // whose undo moves the branch of the steps
  const git = look(repo);
  const args = [direction, ...(asked ? ['--session', asked.agent.id] : []), '--json', ...flags];
  const { code, stdout, stderr } = repo.tryEntire(...args);
  const { files: outcomes, steps }: { files: Outcome[]; steps: Undone['steps'] } =
    stdout === '' ? { files: [], steps: [] } : JSON.parse(stdout);
  const told = outcomes.map(({ path, outcome }) => `${outcome} ${path}`).join(', ');
  world.tell(`entire ${args.join(' ')} -> ${code} ${told}`, () => {});
  const after = world.files();
  const isLeft = outcomes.some(({ outcome }) => outcome === 'left');
  const isNotThere =
    steps.every(({ kind }) => kind === 'turn') &&
    outcomes.length > 0 &&
    outcomes.every(({ outcome }) => outcome === 'already');
  if (isNotThere) world.count('(nothing of it is there)');
  if (stdout !== '') expect(code, `${told} ${stderr}`).toBe(isLeft || isNotThere ? 1 : 0);
  else if (asked || code !== 2)
    expect(stderr).toMatch(
      /nothing to (undo|redo)|no turn of this session that can be undone|no such session: /,
    );
  const players = world.players.filter(
    (one) => one === asked || steps.some(({ session_id: id }) => id === one.agent.id),
  );
  expectAsTold(world, players, comeTo(outcomes), before, after);
  expect(look(repo), 'HEAD, index, refs, stash, configuration').toEqual(git);
  expect(lostSince(repo, before), 'neither there nor kept').toEqual([]);
  for (const { path, outcome } of outcomes)
    if (outcome === 'merged' && direction === 'undo') expectMerged(world, players, path, before, after);
  for (const player of players) {
    world.changedBack(player, pathsThatDiffer(before, after));
    player.last = undefined;
    if (player.turn && stdout !== '') player.turn.isSplit = true;
  }
  return { after, outcomes, steps, code, stderr };
}

/** What is told of each path: where several steps have it, what one of them did outweighs what another one left. */
function comeTo(outcomes: readonly Outcome[]): Map<string, string> {
  const told = new Map<string, string>();
  for (const { path, outcome } of outcomes)
    if (!told.has(path) || outcome !== 'left') told.set(path, outcome);
  return told;
}

/** Only what is told changes, and only what the session may have touched. */
function expectAsTold(
  world: World,
  players: readonly Player[],
  told: ReadonlyMap<string, string>,
  before: View,
  after: View,
): void {
  for (const path of pathsOf(before, after)) {
    const outcome = told.get(path);
    if (outcome) world.count(`(${outcome})`);
    const isTold = ['restored', 'merged', 'created', 'deleted'].includes(outcome ?? '');
    if (before[path] !== after[path]) expect(isTold, `${path} changed, told: ${outcome}`).toBe(true);
    const isTheirs = players.some(({ touched, rewound }) => touched.has(path) || rewound.has(path));
    if (isTold) expect(isTheirs, `${path} is not the session's`).toBe(true);
    if (outcome === 'created') expect(before[path], path).toBeUndefined();
    if (outcome === 'deleted') expect(after[path], path).toBeUndefined();
  }
}

/** An undo that merges takes the turn's lines out, and those of the user stay. A redo takes those that the turn had taken. */
function expectMerged(
  world: World,
  players: readonly Player[],
  path: string,
  before: View,
  after: View,
): void {
  if (players.some(({ mixed }) => mixed.has(path))) return;
  const users = linesOf(before, path).filter((line) => line.startsWith('user'));
  for (const line of users) expect(linesOf(after, path), `${path}: a line of the user`).toContain(line);
  const [{ last }, other] = players as [Player, ...Player[]];
  if (!last || other || last.shared.has(path)) return;
  world.count("(merged, without the turn's lines)");
  const kept = linesOf(after, path).filter((line) => last.lines.has(line));
  expect(kept, `${path}: lines of the turn that was undone`).toEqual([]);
}
