import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession } from '../../support/agent/session.ts';
import type { TestRepo } from '../../support/repository/test-repo.ts';
import type { Dice } from '../../support/runner/dice.ts';
import type { Explored } from '../../support/runner/explore.ts';
import { type View, viewOf } from '../../support/undo/view.ts';
import { stashedPaths } from './views.ts';

const NAMES = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/deep/d.txt', 'e f.txt'];

/** Lines that a file begins with: enough that two people's lines are mostly apart, and can be merged. */
const LINES = 20;

export type Actor = 'A' | 'B' | 'user';

/** What there was at some moment, for a session to go back to. */
export interface Mark {
  readonly prompt: string;
  readonly view: View;
  /** The commit of the step that it became, if it did. */
  readonly step?: string | undefined;
  /** Paths that others changed since, or that nobody can say of who did: what becomes of those is not for the model to say. */
  readonly foreign: Set<string>;
  /** Those of them that the user changed since, or that nobody can say of who did. */
  readonly users: Set<string>;
  /** Those of the user's that became something else than a line more or less: taken away, moved, made, or by git. */
  readonly moved: Set<string>;
  /** So many lines were written by then, and so many things had happened. */
  readonly lines: number;
  readonly at: number;
  /** Turns of others that ran then: what is taken back of one is all of it. */
  readonly beside: readonly Turn[];
}

/** A turn that runs, as the model knows it. */
interface Turn {
  readonly begin: Mark;
  /** Lines that the session wrote in it. */
  readonly lines: Set<string>;
  /** Paths that it changed. */
  readonly own: Set<string>;
  /** Those that a shell of its own changed. */
  readonly byShell: Set<string>;
  /** The turn of another session runs as well, or did. */
  isShared: boolean;
  hasShell: boolean;
  /** Somebody went back in it: what it had done by then is a step of its own. */
  isSplit: boolean;
}

/** A session as the model knows it: what it may have touched, never what the tool says of that. */
export interface Player {
  readonly name: Actor;
  readonly agent: AgentSession;
  turn: Turn | undefined;
  /** Paths it wrote, and those that others changed while a shell of its own was at work: no other may be touched going back. */
  readonly touched: Set<string>;
  /** Paths that changed when it went back to a step, others' among them: taking that back is its own as well. */
  readonly rewound: Set<string>;
  /** Paths that others changed while a turn of its own ran: what is whose in them is not for the model to say. */
  readonly mixed: Set<string>;
  /** Paths it wrote, and others after it. */
  readonly theirs: Set<string>;
  /** The last turn, until a way back: what it began with, and its lines in files that nobody else wrote in it. */
  last:
    | { readonly begin: Mark; readonly lines: ReadonlySet<string>; readonly shared: ReadonlySet<string> }
    | undefined;
  /** What each turn left, oldest first. */
  readonly stops: Mark[];
  /** What its tools wrote, and when. */
  readonly writes: Array<{ readonly path: string; readonly at: number }>;
  /** When something that it did was last taken back or brought back. */
  wentBackAt: number;
}

/** A worktree with a user and two agents; each way back is held against what the model knows. */
export class World implements Explored {
  readonly story: string[] = [];
  readonly counts = new Map<string, number>();
  readonly repo: TestRepo;
  readonly players: readonly Player[];
  hasRewound = false; // a step back may be that of a rewind from now on
  hasForgotten = false; // records are gone: nobody knows whose what was written between two steps is
  /** The transcript of a turn was replaced by an older one: its step has the name of another turn. */
  hasRewoundInTurn = false;
  /** Whose turn was the last thing that any session did; `undefined` where that is not for the model to say. */
  newest: Player | undefined;
  private lines = 0;
  private prompts = 0;
  private current: Player;

  constructor(repo: TestRepo) {
    this.repo = repo;
    repo.ready();
    for (const path of NAMES.slice(0, 3)) repo.write(path, this.newText('user'));
    repo.commit('Begin', '.');
    repo.git('branch', 'topic');
    this.players = (['A', 'B'] as const).map((name) => ({
      name,
      agent: repo.session(`session-${name.toLowerCase()}`),
      turn: undefined,
      touched: new Set(),
      rewound: new Set(),
      mixed: new Set(),
      theirs: new Set(),
      last: undefined,
      stops: [],
      writes: [],
      wentBackAt: -1,
    }));
    this.current = this.players[0] as Player;
  }

  /** Whoever it is the turn of: the same as before, mostly, so that there are turns in which nobody else does anything. */
  player(name: string): Player {
    this.current = this.players.find((player) => player.name === name) ?? this.current;
    return this.current;
  }

  /** Every way back looks for itself; between them only git has to be sound, which the end of a sequence asks. */
  expectSound(): void {}

  count = (what: string): void => void this.counts.set(what, (this.counts.get(what) ?? 0) + 1);

  tell(what: string, run: () => unknown): void {
    this.story.push(what);
    run();
  }

  anyName(dice: Dice): string {
    return dice.oneOf(NAMES);
  }

  isThere(path: string): boolean {
    return existsSync(join(this.repo.dir, path));
  }

  /** Folders without a file are nobody's: git does not know them either. */
  files(): View {
    const view = viewOf(this.repo.dir);
    return Object.fromEntries(Object.entries(view).filter(([, what]) => what !== 'empty'));
  }

  prompt(player: Player): void {
    const prompt = `${player.name} does ${++this.prompts}`;
    this.tell(`${player.name}: prompt`, () => player.agent.prompt(prompt));
    const { turn } = player;
    const isContinued = turn?.hasShell ?? false; // it had no stop, and its shell may go on
    const begin = this.mark(player, prompt);
    const none = { lines: new Set<string>(), own: new Set<string>(), byShell: new Set<string>() };
    if (!isContinued) player.turn = { begin, ...none, isShared: false, hasShell: false, isSplit: false };
    if (this.players.every(({ turn }) => turn))
      for (const { turn } of this.players) (turn as Turn).isShared = true;
    player.last = undefined;
  }

  stop(player: Player): void {
    const before = this.steps();
    this.tell(`${player.name}: stop`, () => player.agent.stop());
    const step = this.steps().find((tip) => !before.includes(tip));
    const { turn } = player;
    player.turn = undefined;
    if (!turn) return;
    this.doubt(player, turn);
    const { begin, own, lines } = turn;
    const mark = this.mark(player, begin.prompt, step);
    const { view } = mark;
    // A turn that changed nothing is no step, and the undo that follows is that of the turn before.
    const isStep = [...own].some((path) => !begin.foreign.has(path) && begin.view[path] !== view[path]);
    if (isStep && !turn.isSplit) player.last = { begin, lines, shared: new Set(begin.foreign) };
    this.newest = player.last && player;
    // A step holds what a session wrote: not what the user made of it between two turns, nor who of two sessions wrote last.
    const others = this.players.filter((one) => one !== player);
    const both = others.flatMap(({ touched }) => [...touched]);
    addAll(mark.foreign, [...player.theirs, ...both, ...(turn.isShared ? turn.byShell : [])]);
    for (const set of [mark.users, mark.moved]) addAll(set, stashedPaths(this.repo)); // the step has that version
    player.stops.push(mark);
  }

  /** What there is now. */
  private mark(player: Player, prompt: string, step?: string): Mark {
    const beside = this.players.flatMap(({ turn }, at) => (this.players[at] !== player && turn) || []);
    const [foreign, users, moved] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const { lines, story } = this;
    return { prompt, view: this.files(), step, foreign, users, moved, lines, at: story.length, beside };
  }

  /** All that anybody may go back to. */
  private marks(): Mark[] {
    return this.players.flatMap(({ stops, turn, last }) => [
      ...stops,
      ...(turn ? [turn.begin] : []),
      ...(last ? [last.begin] : []),
    ]);
  }

  /** The newest steps of shadow branches. */
  private steps(): string[] {
    return this.repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/entire/*').split('\n');
  }

  /** What a shell does to a file that another running session has in hand is not taken for this one's. */
  doubt({ stops }: Player, { begin, byShell, isShared }: Turn): void {
    if (!isShared) return;
    for (const mark of [begin, ...stops]) addAll(mark.foreign, byShell);
    for (const { users, moved } of this.marks()) for (const set of [users, moved]) addAll(set, byShell);
  }

  /** The user committed: what a shell of a turn did is nobody's then, or of a session that was linked. */
  committed(): void {
    const isLinked = (player: Player) => this.players.some((one) => one !== player && one.touched.size > 0);
    for (const player of this.players.filter(({ turn }) => turn)) {
      const turn = player.turn as Turn;
      this.doubt(player, { ...turn, isShared: true });
      turn.isShared ||= isLinked(player);
    }
  }

  /** Records are gone: what there was at a step is what its tree says, which may be less. */
  forgetStops(): void {
    this.hasForgotten = true;
    for (const { stops } of this.players) stops.length = 0;
    this.newest = undefined;
  }

  /** The session in its turn, one begun now if need be. */
  inTurn(player: Player): Turn {
    if (!player.turn) this.prompt(player);
    return player.turn as Turn;
  }

  /** Somebody changed files. Whoever's turn runs may be taken for the author, once a shell of its own ran in it. */
  changed(by: Actor, paths: readonly string[], how: 'tool' | 'shell' | 'line' = 'shell'): void {
    if (by !== 'user') this.newest = undefined;
    else
      for (const { users, moved } of this.marks())
        for (const set of how === 'line' ? [users] : [users, moved]) addAll(set, paths);
    for (const player of this.players) {
      const isOwn = player.name === by;
      if (isOwn || player.turn) addAll(player.touched, paths);
      if (!isOwn) this.disown(player, paths);
      else if (player.turn) {
        addAll(player.turn.own, paths);
        if (how === 'tool') for (const path of paths) player.writes.push({ path, at: this.story.length });
        if (how === 'shell') addAll(player.turn.byShell, paths);
        for (const path of paths) player.theirs.delete(path);
      }
    }
  }

  /** A way back changed files. */
  changedBack(by: Player, paths: readonly string[]): void {
    this.newest = undefined;
    by.wentBackAt = this.story.length;
    if (by.turn) addAll(by.turn.begin.foreign, paths);
    for (const other of this.players) {
      if (other === by) continue;
      this.disown(other, paths);
      if (other.turn?.hasShell) addAll(other.touched, paths);
    }
  }

  private disown({ turn, last, stops, touched, theirs, mixed }: Player, paths: readonly string[]): void {
    if (turn) addAll(mixed, paths);
    addAll(
      theirs,
      paths.filter((path) => touched.has(path)),
    );
    for (const mark of [...stops, ...(turn ? [turn.begin] : []), ...(last ? [last.begin] : [])])
      addAll(mark.foreign, paths);
  }

  /** New text for a path: lines that are nowhere else, here and there. */
  textFor(path: string, who: Actor, dice: Dice): string {
    if (!this.isThere(path)) return this.newText(who);
    const lines = this.repo.read(path).trimEnd().split('\n');
    const at = dice.below(lines.length + 1);
    const cut = dice.chance(40) ? 1 : 0;
    return `${[...lines.slice(0, at), this.newLine(who), ...lines.slice(at + cut)].join('\n')}\n`;
  }

  private newText(who: Actor): string {
    return `${Array.from({ length: LINES }, () => this.newLine(who)).join('\n')}\n`;
  }

  private newLine(who: Actor): string {
    const line = `${who} ${++this.lines}`;
    this.players?.find(({ name }) => name === who)?.turn?.lines.add(line);
    return line;
  }
}

const addAll = (set: Set<string>, paths: Iterable<string>): void => {
  for (const path of paths) set.add(path);
};
