import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { AgentSession } from '../session.ts';
import type { TestRepo } from '../test-repo.ts';
import { gitView, lostSince, type View, viewOf } from './view.ts';

const NAMES = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/deep/d.txt', 'e f.txt'];

/** A turn as the model knows it. */
interface Turn {
  /** What there was when it began. */
  readonly begin: View;
  /** Somebody else changed something meanwhile. */
  isShared: boolean;
}

/** A session as the model knows it: what it may have touched, never what the tool says of that. */
interface Player {
  readonly agent: AgentSession;
  turn: (Turn & { hasShell: boolean }) | undefined;
  /** Paths it wrote, and those that others changed while a shell of its own was at work: undo may touch no other. */
  readonly touched: Set<string>;
  /** What the last turn began with and left, if nobody else did anything since it began. */
  last: { readonly begin: View; readonly end: View } | undefined;
}

interface Outcome {
  readonly path: string;
  readonly outcome: string;
}

/** A worktree with a user and two agents, who take random steps; each step back is held against what the model knows. */
export class UndoModel {
  readonly story: string[] = [];
  readonly counts = new Map<string, number>();
  private readonly repo: TestRepo;
  private readonly random: () => number;
  private readonly players: readonly Player[];
  private lines = 0;
  private current: Player;

  constructor(repo: TestRepo, random: () => number) {
    this.repo = repo;
    this.random = random;
    repo.ready();
    for (const path of NAMES.slice(0, 3)) repo.write(path, this.text(undefined, 'user'));
    repo.commit('Begin', '.');
    repo.git('branch', 'topic');
    this.players = ['session-a', 'session-b'].map((id) => ({
      agent: repo.session(id),
      turn: undefined,
      touched: new Set(),
      last: undefined,
    }));
    this.current = this.players[0] as Player;
  }

  step(): void {
    // Mostly one after the other, so that there are turns in which nobody else did anything.
    if (this.random() < 0.2) this.current = this.oneOf(this.players);
    const player = this.current;
    const acts: Array<[number, string, () => void]> = [
      [10, 'tool', () => this.act(player, 'tool')],
      [3, 'shell', () => this.act(player, 'shell')],
      [2, 'delete', () => this.act(player, 'delete')],
      [2, 'rename', () => this.act(player, 'rename')],
      [8, 'stop', () => (player.turn ? this.stop(player) : this.prompt(player))],
      [2, 'prompt', () => this.prompt(player)],
      [5, 'user edits', () => this.byUser('shell')],
      [1, 'user deletes', () => this.byUser('delete')],
      [2, 'commit', () => this.git('commit', '--quiet', '--all', '--allow-empty', '-m', 'All')],
      [1, 'commit some', () => this.commitSome()],
      [1, 'stash', () => this.git('stash', '--quiet')],
      [2, 'pop', () => this.git('stash', 'pop', '--quiet')],
      [1, 'switch', () => this.git('switch', '--quiet', this.oneOf(['main', 'topic']))],
      [9, 'undo', () => this.back(player, 'undo')],
      [3, 'redo', () => this.back(player, 'redo')],
      [1, 'gc', () => this.tell('gc', () => this.repo.entire('gc'))],
    ];
    const [, name, act] = this.oneOf(acts.flatMap((entry) => new Array(entry[0]).fill(entry) as typeof acts));
    this.count(name);
    act();
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Folders without a file are nobody's: git does not know them either. */
  private files(): View {
    const view = viewOf(this.repo.dir);
    return Object.fromEntries(Object.entries(view).filter(([, what]) => what !== 'empty'));
  }

  private prompt(player: Player): void {
    this.tell(`${player.agent.id}: prompt`, () => player.agent.prompt('go on'));
    const isContinued = player.turn?.hasShell ?? false; // it had no stop, and its shell may go on
    player.turn = isContinued ? player.turn : { begin: this.files(), isShared: false, hasShell: false };
    // What a shell does to a file that another running session has in hand is not taken for this one's.
    const running = this.players.flatMap(({ turn }) => turn ?? []);
    if (running.length > 1) for (const turn of running) turn.isShared = true;
    player.last = undefined;
  }

  private stop(player: Player): void {
    this.tell(`${player.agent.id}: stop`, () => player.agent.stop());
    const { turn } = player;
    player.turn = undefined;
    if (turn && !turn.isShared) player.last = { begin: turn.begin, end: this.files() };
    if (this.random() < 0.35) this.back(player, 'undo');
  }

  private act(player: Player, how: 'tool' | 'shell' | 'delete' | 'rename'): void {
    if (!player.turn) this.prompt(player);
    const { agent, turn } = player;
    const change = how === 'tool' ? undefined : this.change(how, 'agent');
    if (change) {
      if (turn) turn.hasShell = true;
      this.tell(`${agent.id}: ${change.says}`, () => agent.shell(change.run));
      this.changed(player, change.paths);
      return;
    }
    const path = this.oneOf(NAMES);
    const text = this.text(path);
    this.tell(`${agent.id}: writes ${path}: ${JSON.stringify(text)}`, () => agent.edit(path, text));
    this.changed(player, [path]);
  }

  private byUser(how: 'shell' | 'delete'): void {
    const change = this.change(how, 'user');
    if (!change) return;
    this.tell(`user: ${change.says}`, change.run);
    this.changed(undefined, change.paths);
  }

  private change(how: 'shell' | 'delete' | 'rename', who: string) {
    const path = this.oneOf(NAMES);
    const file = join(this.repo.dir, path);
    if (how === 'shell' || !existsSync(file)) {
      const text = this.text(path, who);
      const run = () => void this.repo.write(path, text);
      return { says: `changes ${path}: ${JSON.stringify(text)}`, paths: [path], run };
    }
    if (how === 'delete') return { says: `deletes ${path}`, paths: [path], run: () => rmSync(file) };
    const to = this.oneOf(NAMES);
    if (existsSync(join(this.repo.dir, to))) return undefined;
    const run = () => {
      mkdirSync(dirname(join(this.repo.dir, to)), { recursive: true });
      renameSync(file, join(this.repo.dir, to));
    };
    return { says: `mv ${path} ${to}`, paths: [path, to], run };
  }

  /** Whoever's turn runs may be taken for the author, once a shell of its own ran in it. */
  private changed(by: Player | undefined, paths: readonly string[]): void {
    for (const player of this.players) {
      if (player === by || player.turn) for (const path of paths) player.touched.add(path);
      if (player === by) continue;
      player.last = undefined;
      if (player.turn) player.turn.isShared = true;
    }
  }

  private git(...args: string[]): void {
    const before = this.files();
    this.tell(`git ${args.join(' ')}`, () => this.repo.tryGit(...args));
    const after = this.files();
    const paths = pathsOf(before, after).filter((path) => before[path] !== after[path]);
    this.changed(undefined, paths);
    if (this.repo.git('ls-files', '--unmerged') !== '') this.repo.git('reset', '--quiet', '--hard'); // the pop conflicts
  }

  private commitSome(): void {
    const path = this.oneOf(NAMES);
    if (!existsSync(join(this.repo.dir, path))) return;
    this.repo.git('add', '--', path);
    this.git('commit', '--quiet', '-m', 'Some', '--', path);
  }

  private back(player: Player, direction: 'undo' | 'redo'): void {
    const { last } = player;
    const steps = this.random() < 0.7 ? 1 : 2 + Math.floor(this.random() * 2);
    const named = direction === 'undo' && this.random() < 0.2 ? ['--files', this.oneOf(NAMES)] : [];
    const before = this.files();
    const { after, outcomes, code } = this.stepBack(player, direction, ['--steps', `${steps}`, ...named]);
    const isUntouched = last && sameView(last.end, before) && !player.turn;
    if (isUntouched && direction === 'undo' && steps === 1 && named.length === 0) {
      this.count('(undo right after a turn)');
      expect(after, 'undo right after the turn is what was there at the prompt').toEqual(last.begin);
    }
    const isChanged = outcomes.some(({ outcome }) => outcome !== 'left' && outcome !== 'already');
    if (code !== 0 || !isChanged || this.random() < 0.3) return;
    this.stepBack(player, direction === 'undo' ? 'redo' : 'undo', named);
    // A redo of several steps is one record: its undo is that of as many turns.
    if (steps > 1 && direction === 'redo') return;
    if (direction === 'redo') return;
    this.count('(undo and redo)');
    expect(this.files(), `${direction} and back is where it began`).toEqual(before);
    this.stepBack(player, direction, ['--steps', `${steps}`, ...named]);
    expect(this.files(), `${direction} and back, and again`).toEqual(after);
  }

  private stepBack(player: Player, direction: 'undo' | 'redo', flags: readonly string[]) {
    const { repo } = this;
    const before = this.files();
    const git = gitView(repo);
    const named = direction === 'redo' && flags[0] === '--files' ? [] : flags;
    const args = [direction, '--session', player.agent.id, '--json', ...named];
    const result = repo.tryEntire(...args);
    const outcomes: Outcome[] = result.stdout === '' ? [] : JSON.parse(result.stdout).files;
    this.story.push(
      `entire ${args.join(' ')} -> ${result.code} ${outcomes.map(({ path, outcome }) => `${outcome} ${path}`).join(', ')}`,
    );
    const after = this.files();
    const left = outcomes.filter(({ outcome }) => outcome === 'left');
    if (result.stdout === '')
      expect(result.stderr).toMatch(/nothing to (undo|redo)|no session of this worktree/);
    else expect(result.code, `exit code; left: ${left.length}`).toBe(left.length === 0 ? 0 : 1);
    const told = new Map(outcomes.map(({ path, outcome }) => [path, outcome]));
    for (const path of pathsOf(before, after)) {
      const outcome = told.get(path);
      if (outcome) this.count(`(${outcome})`);
      const isTold = ['restored', 'merged', 'created', 'deleted'].includes(outcome ?? '');
      if (before[path] !== after[path]) expect(isTold, `${path} changed, told: ${outcome}`).toBe(true);
      if (isTold) expect(player.touched.has(path), `${path} is not the session's`).toBe(true);
      if (outcome === 'created') expect(before[path], path).toBeUndefined();
      if (outcome === 'deleted') expect(after[path], path).toBeUndefined();
      if (outcome === 'merged') this.expectMerged(path, before, after);
    }
    expect(gitView(repo), 'HEAD, index, refs, stash, configuration').toEqual(git);
    expect(lostSince(repo, before), 'neither there nor kept').toEqual([]);
    const changed = pathsOf(before, after).filter((path) => before[path] !== after[path]);
    for (const other of this.players) {
      if (changed.length === 0 || other === player) continue;
      other.last = undefined;
      if (other.turn) other.turn.isShared = true;
      if (other.turn?.hasShell) for (const path of changed) other.touched.add(path);
    }
    if (player.turn && changed.length > 0) player.turn.isShared = true;
    player.last = undefined;
    return { after, outcomes, code: result.code };
  }

  /** A merge takes lines of the session out, or brings them back; those of the user stay. */
  private expectMerged(path: string, before: View, after: View): void {
    const linesOf = (view: View) => (view[path] ?? '').replace(/^\d+ /, '').split('\n');
    const users = linesOf(before).filter((line) => line.startsWith('user'));
    for (const line of users) expect(linesOf(after), `${path}: a line of the user`).toContain(line);
  }

  /** New text for a path: lines that are nowhere else, here and there. */
  private text(path: string | undefined, who = 'agent'): string {
    const fresh = () => `${who} ${++this.lines}`;
    const file = path && join(this.repo.dir, path);
    if (!file || !existsSync(file)) return `${Array.from({ length: 8 }, fresh).join('\n')}\n`;
    const lines = this.repo.read(path).trimEnd().split('\n');
    const at = Math.floor(this.random() * (lines.length + 1));
    const cut = this.random() < 0.4 ? 1 : 0;
    return `${[...lines.slice(0, at), fresh(), ...lines.slice(at + cut)].join('\n')}\n`;
  }

  private tell(what: string, run: () => unknown): void {
    this.story.push(what);
    run();
  }

  private oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)] as T;
  }
}

const pathsOf = (...views: readonly View[]): string[] => [
  ...new Set(views.flatMap((view) => Object.keys(view))),
];

const sameView = (a: View, b: View): boolean => pathsOf(a, b).every((path) => a[path] === b[path]);
