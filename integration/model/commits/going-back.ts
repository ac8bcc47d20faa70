import { expect } from 'vitest';
import { temporary } from '../../support/command/rewind.ts';
import type { Dice } from '../../support/runner/dice.ts';
import { runCommit } from './commits.ts';
import { edit } from './edits.ts';
import { otherThan, SESSIONS, type SessionName, treeUnits } from './lines.ts';
import { changedPaths, type World } from './world.ts';

interface Told {
  readonly steps: readonly {
    readonly kind: string;
    readonly session_id: string;
    readonly files: readonly string[];
  }[];
  readonly files: readonly { readonly path: string; readonly outcome: string }[];
}

/** The newest turns of the worktree, whichever session's; sometimes only those of one. */
export const stepBack =
  (direction: 'undo' | 'redo') =>
  (world: World, session: string, dice: Dice): void => {
    const whose = dice.chance(30) ? ['--session', `session-${session.toLowerCase()}`] : [];
    const steps = dice.chance(75) ? [] : ['--steps', '2'];
    const { changed, stdout, stderr } = goBack(world, [direction, ...whose, ...steps, '--json']);
    if (stdout === '') {
      expect(stderr).toMatch(/nothing to (undo|redo)|no such session: |--session/);
      return expect(changed).toEqual([]);
    }
    const told: Told = JSON.parse(stdout);
    const moved = told.files.filter(({ outcome }) => outcome !== 'left' && outcome !== 'already');
    expect(
      moved.map(({ path }) => path),
      'what changed is told',
    ).toEqual(expect.arrayContaining(changed));
    for (const name of SESSIONS) {
      const own = told.steps.filter((step) => step.session_id === `session-${name.toLowerCase()}`);
      const files = new Set(own.flatMap((step) => step.files));
      settle(
        world,
        name,
        changed.filter((path) => files.has(path)),
        true,
      );
    }
  };

/** A step of a session, with what the others did since, or without. */
export function rewind(world: World, dice: Dice): void {
  const points = temporary(world.repo);
  if (points.length === 0) return;
  const flags = dice.chance(30) ? ['--session-only'] : [];
  const { id, session_id } = dice.oneOf(points);
  const { changed, code, stderr } = goBack(world, ['rewind', '--to', id, ...flags]);
  expect(code, stderr).toBe(0);
  for (const name of SESSIONS) settle(world, name, changed, false);
  for (const path of changed)
    if (world.pair.dirty().has(path)) world.ledger.isAsInStep(session_id === 'session-a' ? 'A' : 'B', path);
  for (const [, path] of stderr.matchAll(/^ {2}Left: (.*?)(?: \(.*)?$/gm)) world.ledger.stays(path as string);
}

/** Turns of one session, or of both, one after the other; a way back; and a commit of all there is, after the user went on perhaps. */
export function turnsAndBack(world: World, session: SessionName, dice: Dice): void {
  const turns = 1 + dice.below(3);
  for (let left = turns; left > 0; left--) {
    const name = dice.chance(30) ? otherThan(session) : session;
    world.inTurn(name);
    for (let edits = 1 + dice.below(2); edits > 0; edits--) edit(world, name, dice, dice.chance(80));
    world.stop(name);
    if (dice.chance(20)) edit(world, 'user', dice, false);
  }
  if (dice.chance(60)) stepBack('undo')(world, session, dice);
  else rewind(world, dice);
  if (dice.chance(25)) stepBack(dice.chance(50) ? 'redo' : 'undo')(world, session, dice);
  if (dice.chance(50)) edit(world, 'user', dice, false);
  if (world.git(['add', '--all'])) runCommit(world, ['-m', `After going back ${world.number()}`], {});
}

/** What a session has in hand of files that were brought back. Where all of it is told, none is left in a file that is as HEAD has it. */
function settle(world: World, session: SessionName, changed: readonly string[], isTold: boolean): void {
  const { pair, book, ledger } = world;
  const units = treeUnits(pair.treeOf('HEAD'), pair.worktree()).filter(
    (unit) => book.owner(unit) === session,
  );
  const held = new Set(units.map(({ path }) => path));
  const worktree = pair.worktree();
  for (const path of changed) {
    const now = worktree.get(path)?.lines;
    ledger.wentBack(session, path, world.elsewhere(), { now, holds: held.has(path), isTold });
  }
}

/** Runs the command in the one repository, and gives its twin the files that it left. Lines that are there again are whose they were. */
function goBack(world: World, args: readonly string[]) {
  const { pair } = world;
  const before = pair.worktree();
  const { code, stdout, stderr } = world.repo.tryEntire(...args);
  const after = pair.realWorktree();
  const changed = changedPaths(before, after);
  world.tell(`entire ${args.join(' ')} -> ${code}, changed: ${changed.join(', ') || 'nothing'}`);
  world.count(`(${args[0]}${changed.length > 0 ? '' : ', nothing changed'})`);
  for (const path of changed) pair.follow(path);
  // Lines that go are nobody's work, unless a redo takes them out as a session did before.
  const missing = [...pair.treeOf('HEAD')].filter(([path]) => changed.includes(path) && !after.has(path));
  const gone = [...treeUnits(before, after), ...treeUnits(new Map(missing), new Map())];
  if (args[0] !== 'redo')
    world.book.did(
      'user',
      gone.filter(({ key }) => key.startsWith('- ')),
    );
  world.ledger.changed('user', changed, false);
  return { changed, code, stdout, stderr };
}
