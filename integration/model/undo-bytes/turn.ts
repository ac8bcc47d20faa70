import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitAt } from '../../../src/git/run.ts';
import { readStatus } from '../../../src/git/worktree/status.ts';
import { changedSince, fingerprints, takeBaseline } from '../../../src/session/record/turn-snapshot.ts';
import { readRecord } from '../../../src/snapshot/record/record.ts';
import { NO_TRANSCRIPT } from '../../../src/snapshot/record/snapshot-record.ts';
import { sessionStore } from '../../../src/snapshot/store/blobs.ts';
import { beginTurn } from '../../../src/snapshot/turn/turn-begin.ts';
import { closeTurn } from '../../../src/snapshot/turn/turn-close.ts';
import { applyUndo, planUndo, type UndoRequest } from '../../../src/snapshot/undo/undo.ts';
import { Dice } from '../../support/runner/dice.ts';
import { randomFrom } from '../../support/runner/random.ts';
import { type Bytes, Case, SESSION } from './case.ts';

/** How often something came of a case. */
export type Counts = Map<string, number>;

/**
 * One turn with some files, each of which the agents and the user change in some order; then undo, and redo.
 *
 * @throws with the story of the first file that is neither what it has to be nor left and named
 */
export function playTurn(seed: number, size: number, counts: Counts): void {
  const random = randomFrom(seed);
  const dice = new Dice(Array.from({ length: 4096 }, () => Math.floor(random() * 2 ** 31)));
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-bytes-')));
  try {
    play(root, dice, size, random() < 0.3, counts);
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function play(root: string, dice: Dice, size: number, hasShell: boolean, counts: Counts): void {
  const git = gitAt(root);
  const run = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  run('init', '--quiet');
  for (const folder of ['files', 'links', '.entire']) mkdirSync(join(root, folder));
  symlinkSync('files', join(root, 'linked'));
  writeFileSync(join(root, '.entire', 'settings.json'), '{"enabled": true}');
  writeFileSync(join(root, '.gitignore'), '*.ign\n');
  const cases = Array.from({ length: size }, (_, number) => new Case(root, number, dice));
  run('add', '.');
  run(
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.com',
    '-c',
    'commit.gpgsign=false',
    'commit',
    '--quiet',
    '-m',
    'Begin',
  );
  for (const one of cases) one.settle();

  const store = sessionStore(join(root, '.git'), SESSION, '');
  const status = readStatus(git);
  const baseline = takeBaseline(root, status, 'turn', 0);
  const prints = fingerprints(root, [...status.changes.keys()]);
  const head = run('rev-parse', 'HEAD');
  beginTurn(store, { root, turnId: 'turn', head, transcript: NO_TRANSCRIPT, fingerprints: prints });
  for (const one of cases)
    for (let left = 1 + dice.below(4); left > 0; left--) {
      if (dice.chance(35)) one.byUser();
      else if (hasShell && dice.chance(30)) one.byShell();
      else one.byAgent();
    }
  const scanned = hasShell ? changedSince(baseline, root, readStatus(git)) : [];
  const view = {
    git,
    turnId: 'turn',
    subject: '',
    scanned,
    unsure: [],
    foreign: new Set<string>(),
    head: undefined,
    committed: new Map(),
    isReplaying: false,
    commitsHere: () => [],
    isNow: true,
  };
  const closed = closeTurn(store, { ...view, isComplete: !hasShell });
  const changes = closed === undefined ? undefined : readRecord(store, closed).files;

  const place = { store, root };
  const after = new Map(cases.map((one) => [one, one.now()]));
  const back = (asked: Partial<UndoRequest>) => {
    const request: UndoRequest = { direction: 'undo', steps: 1, paths: [], isForced: false, ...asked };
    const plan = planUndo(place, git, request);
    const record = applyUndo(place, request, plan);
    return { plan, record };
  };
  const { record } = back({});
  const left = new Map(record.left);
  const ignored = cases.flatMap(({ path, state }) => (state === 'ignored' && left.has(path) ? [path] : []));
  if (ignored.length > 0) {
    const named = back({ paths: ignored }).record;
    for (const path of ignored) if (!named.left.has(path)) left.delete(path);
  }
  for (const one of cases) {
    const change = changes?.get(one.path);
    const isMixed = change?.isMixed === true || change?.source === 'scan';
    judge(one, after.get(one), left.get(one.path), { hasShell, isMixed }, counts);
  }
  for (let steps = ignored.length > 0 ? 2 : 1; steps > 0; steps--) back({ direction: 'redo' });
  for (const one of cases)
    if (!isSame(one.now(), after.get(one)))
      throw new Error(`redo does not give back: ${one.story.join('; ')}`);
}

const isSame = (a: Bytes, b: Bytes): boolean => (a === undefined || b === undefined ? a === b : a.equals(b));

/** Whether a shell was at work, and undo says that it may have written what the user did. */
interface Beside {
  readonly hasShell: boolean;
  readonly isMixed: boolean;
}

function judge(one: Case, after: Bytes, why: string | undefined, beside: Beside, counts: Counts): void {
  const now = one.now();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const fail = (what: string): never => {
    throw new Error(
      `${what}: ${one.story.join('; ')}\n  was ${one.before?.toString('latin1')}\n  is ${now?.toString('latin1')}`,
    );
  };
  if (why !== undefined) {
    if (!isSame(now, after)) fail('left, and changed');
    // Nobody changed it but agents, and what it was is known: there is no reason to leave it.
    if (one.user.length === 0 && one.state !== 'ignored') fail(`left: ${why}`);
    count(one.user.length === 0 ? 'left, ignored' : 'left, with lines of the user');
  } else if (one.expected(beside.isMixed).some((bytes) => isSame(now, bytes))) {
    count(one.user.length === 0 ? 'exact' : 'exact, with lines of the user');
  } else if (isSame(now, after) && !one.isEdited) count('nobody told of it');
  else if (beside.hasShell && one.state === 'ignored')
    count('ignored, in a turn with a shell'); // where nobody looks
  else fail('neither exact nor left');
}
