import { expect } from 'vitest';
import { type ListedPoint, temporary } from '../../support/command/rewind.ts';
import type { Dice } from '../../support/runner/dice.ts';
import { gitBesideSteps, lostSince, type View } from '../../support/undo/view.ts';
import { linesOf, pathsOf, pathsThatDiffer } from './views.ts';
import type { Mark, Player, World } from './world.ts';

/** What a rewind says of files. */
interface Told {
  readonly changed: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
  readonly text: string;
}

/** Goes back to a step, and what other sessions did since goes along; sometimes again, and mostly back to where it began. */
export function rewindTogether(world: World, player: Player, dice: Dice): void {
  const { repo } = world;
  const points = temporary(repo).filter(({ session_id: id }) => id === player.agent.id);
  if (points.length === 0) return world.count('(no step to go back to)');
  const point = dice.oneOf(points);
  const stop = stopOf(world, player, point);
  const [before, state] = [world.files(), stateOf(world)];
  const { after, told, isLeft } = goBack(world, player, point);
  if (isLeft) return; // nothing was done: the conversation stays, too
  expectOthersTold(world, player, before, after, told);
  expectUsersLines(world, stop, before, after);
  if (stop) expectAsThen(world, player, stop, before, after, told);
  const changed = pathsThatDiffer(before, after);
  wentBack(world, player, changed);
  if (dice.chance(25)) {
    world.count('(rewind together, and again)');
    const again = goBack(world, player, point);
    expect(again.after, 'where one is already nothing changes').toEqual(after);
    if (!again.isLeft) {
      wentBack(world, player, []);
      takeBack(world, again.told, after);
    }
  }
  if (changed.length === 0 || dice.chance(35)) return;
  takeBack(world, told, before);
  if (world.players.every(({ turn }) => !turn))
    expect(stateOf(world), 'steps and sessions, rewind and undo').toEqual(state);
  wentBack(world, player, changed);
}

/** Where the session was at that point, if the model knows. */
function stopOf(world: World, { stops }: Player, { id, message }: ListedPoint): Mark | undefined {
  const named = world.hasRewoundInTurn ? undefined : stops.find(({ prompt }) => prompt === message);
  return stops.find(({ step }) => step === id) ?? named;
}

/** One command, said before by a dry run. */
function goBack(
  world: World,
  player: Player,
  { id, message }: ListedPoint,
): { after: View; told: Told; isLeft: boolean } {
  const { repo } = world;
  const before = world.files();
  const git = gitBesideSteps(repo);
  const dry = repo.tryEntire('rewind', '--to', id, '--dry-run');
  expect(dry.code, dry.stderr).toBe(0);
  expect(world.files(), 'a dry run').toEqual(before);
  const { code, stderr } = repo.tryEntire('rewind', '--to', id);
  world.tell(`entire rewind --to ${id} (${message}) -> ${code}\n${stderr}`, () => {});
  const isLeft = stderr.includes('each file that differs from that point is left, so nothing was done');
  expect(code, stderr).toBe(isLeft ? 1 : 0);
  if (isLeft) expect(world.files(), 'nothing was done').toEqual(before);
  expect(stderr.startsWith(dry.stderr.trimEnd()), `said before: ${dry.stderr}`).toBe(true);
  const after = world.files();
  const changed = namedAs(stderr, 'Restored|Deleted');
  expect(namedAs(dry.stdout, 'Would restore|Would delete'), 'what would be done').toEqual(changed);
  expect([...changed].sort(), 'what was done').toEqual(pathsThatDiffer(before, after).sort());
  for (const path of changed)
    expect(stderr).toContain(`${path in after ? 'Restored' : 'Deleted'}: ${path}\n`);
  expect(gitBesideSteps(repo), 'HEAD, index, refs, stash, configuration').toEqual(git);
  expect(lostSince(repo, before), 'neither there nor kept').toEqual([]);
  if (player.turn) world.doubt(player, player.turn);
  return { after, told: { changed, left: namedAs(stderr, 'Left'), text: stderr }, isLeft };
}

const namedAs = (text: string, verbs: string): Set<string> =>
  new Set(
    [...text.matchAll(new RegExp(`^ *(?:${verbs}): (.*?)(?: \\(.*)?$`, 'gm'))]
      .map(([, path]) => `${path}`)
      .sort(),
  );

/** What changes is a session's that went back; what is another one's is told, and of one in a turn nothing changes. */
function expectOthersTold(world: World, player: Player, before: View, after: View, { text }: Told): void {
  for (const path of pathsThatDiffer(before, after)) {
    if (player.touched.has(path) || player.rewound.has(path)) continue;
    const other = world.players.find((one) => one !== player && !one.turn && one.touched.has(path));
    expect(other, `${path} is nobody's who went back`).toBeDefined();
    const [, list = ''] = text.split(`What session ${other?.agent.id} `);
    expect(list.split('\n\n')[0]?.split('\n'), `goes along with ${other?.name}`).toContain(`  - ${path}`);
    world.count('(rewind together, a file of another session alone)');
  }
}

/** Lines that no session wrote stay, wherever they are; unless one had taken them away by then. */
function expectUsersLines(world: World, stop: Mark | undefined, before: View, after: View): void {
  if (!stop && (world.hasRewound || world.hasForgotten)) return;
  const then = new Set(stop && pathsOf(stop.view).flatMap((path) => linesOf(stop.view, path)));
  const byUser = new Set([...(stop?.users ?? [])].flatMap((path) => linesOf(stop?.view ?? {}, path)));
  const isGone = (line: string): boolean =>
    stop !== undefined && Number(line.split(' ')[1]) <= stop.lines && (!then.has(line) || byUser.has(line)); // the user may have taken it out, and an undo brought it back elsewhere
  const there = new Set(pathsOf(after).flatMap((path) => linesOf(after, path)));
  for (const path of pathsThatDiffer(before, after)) {
    if (world.players.some(({ mixed }) => mixed.has(path))) continue;
    const gone = linesOf(before, path).filter(
      (line) => line.startsWith('user') && !there.has(line) && !isGone(line),
    );
    expect(gone, `${path}: lines of the user`).toEqual([]);
  }
}

/** What was there at the step, as far as nobody but sessions that went back wrote since; and none of their lines of since then. */
function expectAsThen(world: World, player: Player, stop: Mark, before: View, after: View, told: Told): void {
  const others = world.players.filter((one) => one !== player);
  const staying = others.filter(({ turn, wentBackAt }) => turn || wentBackAt >= stop.at);
  for (const { turn, writes } of others) {
    if (!turn) continue;
    const since = new Set(writes.flatMap(({ path, at }) => (at > stop.at ? path : [])));
    if (since.size > 0) world.count('(rewind together, another one in a turn)');
    for (const path of since) {
      const isThen = before[path] === stop.view[path];
      if (!isThen) expect(told.left, `${path}: of a session in a turn`).toContain(path);
      expect(after[path], `${path}: of a session in a turn`).toBe(before[path]);
    }
  }
  const unknown = new Set([
    ...staying.flatMap(({ touched }) => [...touched]),
    ...stop.beside.flatMap(({ own }) => [...own]),
    ...(stop.beside.length > 0 ? stop.foreign : []), // a turn that was going on then is one with what it did by then
  ]);
  // A file that was there before the session, which had taken it away by then, is not taken away once more.
  const isLeftThere = (path: string): boolean => !(path in stop.view) && told.left.has(path);
  const wrong = pathsThatDiffer(after, stop.view).filter(
    (path) => !unknown.has(path) && !stop.users.has(path) && !isLeftThere(path),
  );
  expect(wrong, `what there was at the end of "${stop.prompt}"`).toEqual([]);
  const along = others.filter((one) => !staying.includes(one));
  const names = [player, ...along].map(({ name }) => name);
  const isSince = (line: string): boolean => {
    const [name = '', number] = line.split(' ');
    return names.some((one) => one === name) && Number(number) > stop.lines;
  };
  let merged = 0;
  let gone = 0;
  for (const path of pathsOf(before, after)) {
    if (unknown.has(path) || stop.moved.has(path) || told.left.has(path)) continue;
    if (world.players.some(({ mixed }) => mixed.has(path))) continue;
    expect(linesOf(after, path).filter(isSince), `${path}: lines of since then`).toEqual([]);
    const lines = linesOf(before, path).filter(isSince);
    if (lines.some((line) => along.some(({ name }) => line.startsWith(name)))) gone++;
    if (lines.length > 0 && stop.users.has(path) && path in after) merged++;
  }
  if (gone > 0) world.count('(rewind together, lines of another session go)');
  if (merged > 0) world.count("(rewind together, the user's lines stay)");
  if (pathsThatDiffer(before, after).length > 0 && staying.length === 0)
    world.count(
      stop.users.size === 0 ? '(rewind together, all known)' : '(rewind together, the user at work)',
    );
}

/** The command that was printed takes all of it back. */
function takeBack(world: World, { text }: Told, to: View): void {
  const command = /^To reverse this: (entire .*)$/m.exec(text)?.[1];
  expect(command, 'it can be taken back').toBeDefined();
  const { code, stderr } = world.repo.run('sh', ['-c', command as string]);
  world.tell(`${command} -> ${code}\n${stderr}`, () => {});
  expect(code, stderr).toBe(0);
  expect(world.files(), 'rewind and undo is where it began').toEqual(to);
  world.count('(rewind together and undo)');
}

function wentBack(world: World, player: Player, changed: readonly string[]): void {
  for (const one of world.players) {
    if (one !== player && one.turn) continue;
    world.changedBack(one, changed);
    for (const path of changed) if (one.touched.has(path)) one.mixed.add(path);
    one.last = undefined;
  }
  for (const path of changed) player.rewound.add(path);
  if (player.turn) player.turn.isSplit = world.hasRewoundInTurn = true;
  world.hasRewound = true;
}

/** Steps, and what sessions are known by. */
function stateOf({ repo, players }: World): unknown {
  const steps = temporary(repo).map(({ message, session_id: id }) => `${id} ${message}`);
  const there = players.filter(({ stops }) => stops.length > 0);
  return [
    steps,
    there.map(({ agent: { id } }) => [repo.state(id).checkpoint_count, repo.state(id).files_touched]),
  ];
}
