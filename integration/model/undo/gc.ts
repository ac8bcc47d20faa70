import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { collectGarbage } from '../../../src/snapshot/store/collect.ts';
import type { Dice } from '../../support/runner/dice.ts';
import { gitView } from '../../support/undo/view.ts';
import type { Player, World } from './world.ts';

/** Takes away what nobody needs: every step can still be taken back. */
export function gc(world: World): void {
  age(world);
  const before = look(world);
  world.tell('entire gc', () => world.repo.entire('gc'));
  expect(look(world), 'gc takes no step away').toEqual(before);
}

/** Takes the oldest steps away as well: each session keeps its newest. */
export async function evict(world: World, _: Player, dice: Dice): Promise<void> {
  age(world);
  const before = look(world);
  const budgetBytes = dice.below(3) * 3000;
  const { evicted } = await collectGarbage(world.repo.commonDir, { budgetBytes, isDryRun: false });
  const gone = evicted.reduce((sum, { steps }) => sum + steps, 0);
  world.tell(`gc to ${budgetBytes} bytes -> ${gone} steps gone`, () => {});
  if (gone > 0) {
    world.count('(evicted)');
    world.forgetStops();
  }
  const after = look(world);
  expect([after.files, after.git], 'files and git').toEqual([before.files, before.git]);
  for (const [id, { undo, redo }] of Object.entries(after.steps)) {
    const was = before.steps[id] ?? { undo: [], redo: [] };
    expect(undo, `${id}: the newest steps stay`).toEqual(was.undo.slice(0, undo.length));
    expect(undo.length + redo.length > 0, `${id}: its newest step`).toBe(
      was.undo.length + was.redo.length > 0,
    );
  }
}

/** Young contents always stay, since a hook may be about to name them. */
function age({ repo }: World): void {
  const root = join(repo.commonDir, 'entire', 'snapshots');
  if (!existsSync(root)) return;
  const hourAgo = Date.now() / 1000 - 3600;
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
    if (name.includes('/blobs/')) utimesSync(join(root, name), hourAgo, hourAgo);
}

function look(world: World) {
  const { repo, players } = world;
  const steps: Record<string, { undo: string[]; redo: string[] }> = {};
  for (const { agent } of players) {
    const { code, stdout } = repo.tryEntire('undo', '--list', '--json', '--session', agent.id);
    if (code !== 0) continue; // it did nothing yet
    // A turn that goes on is no step yet.
    const ids = (records: { id: string; open?: boolean }[]): string[] =>
      records.flatMap(({ id, open }) => (open ? [] : id));
    const { undo, redo } = JSON.parse(stdout);
    steps[agent.id] = { undo: ids(undo), redo: ids(redo) };
  }
  return { steps, files: world.files(), git: gitView(repo) };
}
