import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInGroup } from '../storm/children.ts';
import type { TestRepo } from '../test-repo.ts';
import { gitView, lostSince, type View, viewOf } from './view.ts';

const FILES = 300;
const SESSION = 'session-1';

/** A turn that changed, made and removed hundreds of files, whose undo and redo are killed at random moments. */
export class UndoStorm {
  kills = 0;
  /** What a kill found: nothing begun, something half done, or everything done. */
  readonly found = { 'not begun': 0, halfway: 0, over: 0 };
  readonly problems: string[] = [];
  private readonly repo: TestRepo;
  private readonly random: () => number;
  private readonly standing: View;
  private readonly undone: View;
  private readonly git: Record<string, string>;
  private usualMs = 0;
  private isUndone = false;

  constructor(repo: TestRepo, random: () => number) {
    this.repo = repo;
    this.random = random;
    repo.ready();
    repo.write('mine.txt', 'staged\n').git('add', '.');
    repo.write('mine.txt', 'not staged\n');
    for (let n = 0; n < FILES; n++) if (n % 3 !== 0) repo.write(`src/${n % 7}/${n}.txt`, `before ${n}\n`);
    repo.git('add', 'src');
    repo.git('commit', '--quiet', '-m', 'Begin', '--', 'src');
    this.undone = viewOf(repo.dir);
    const session = repo.session(SESSION);
    session.prompt('change it all');
    session.shell(() => {
      for (let n = 0; n < FILES; n++) {
        if (n % 3 === 2) repo.run('rm', [`src/${n % 7}/${n}.txt`]);
        else repo.write(`src/${n % 7}/${n}.txt`, `after ${n}\n`);
      }
    });
    session.stop();
    this.standing = viewOf(repo.dir);
    this.git = gitView(repo);
  }

  async rage(kills: number): Promise<void> {
    const startedAt = performance.now();
    this.repo.entire('undo');
    this.repo.entire('redo');
    this.usualMs = (performance.now() - startedAt) / 2;
    while (this.kills < kills && this.problems.length === 0) await this.once();
  }

  /** One command that is killed, and what it left brought to one of its ends. */
  private async once(): Promise<void> {
    const { repo } = this;
    const direction = this.isUndone ? 'redo' : 'undo';
    const before = this.view();
    const ended = await this.run([direction]);
    if (ended.killed) this.look(direction, before);
    const isWaiting = existsSync(join(this.store, 'journal.json'));
    if (!isWaiting) this.isUndone = this.readIsUndone();
    else {
      const how = this.random() < 0.5 ? '--continue' : '--abort';
      const again = await this.run([direction, how]); // killed as well, now and then
      if (again.killed) this.look(`${direction} ${how}`, before);
      if (existsSync(join(this.store, 'journal.json'))) {
        const result = repo.tryEntire(direction, how);
        if (result.code !== 0) this.say(`${direction} ${how}: ${result.stderr}`);
      }
      this.isUndone = this.readIsUndone();
    }
    const expected = this.isUndone ? this.undone : this.standing;
    const wrong = pathsThatDiffer(expected, viewOf(repo.dir));
    if (wrong.length > 0) this.say(`${direction}: neither end: ${wrong.slice(0, 5).join(', ')}`);
  }

  private get store(): string {
    return join(this.repo.commonDir, 'entire', 'snapshots', SESSION);
  }

  private view(): View {
    return this.isUndone ? this.undone : this.standing;
  }

  private async run(args: string[]) {
    const { repo } = this;
    // Most of the time goes by before the first file is replaced: half of the kills come later.
    const share = this.random() < 0.5 ? this.random() : 0.6 + 0.5 * this.random();
    const killAfterMs = share * this.usualMs;
    const ended = await runInGroup('entire', args, { cwd: repo.dir, env: repo.env, killAfterMs });
    if (ended.killed) this.kills++;
    if (ended.killed)
      this.usualMs *= 1.15; // until kills come late enough again: machines differ from one minute to the next
    else if (ended.code !== 0) this.say(`entire ${args.join(' ')}: exit ${ended.code}: ${ended.stderr}`);
    if (!ended.killed) this.usualMs = this.usualMs * 0.7 + ended.ms * 0.3;
    return ended;
  }

  private readIsUndone(): boolean {
    const { stdout } = this.repo.entire('undo', '--list', '--json', '--session', SESSION);
    return JSON.parse(stdout).undo.length === 0;
  }

  private look(what: string, before: View): void {
    const { repo } = this;
    const now = viewOf(repo.dir);
    const odd = Object.keys(now).filter(
      (path) => now[path] !== 'empty' && now[path] !== this.standing[path] && now[path] !== this.undone[path],
    );
    if (odd.length > 0) this.say(`${what} left ${odd.slice(0, 5).join(', ')}`);
    const lost = lostSince(repo, before);
    if (lost.length > 0) this.say(`${what} lost ${lost.slice(0, 5).join(', ')}`);
    const git = gitView(repo);
    for (const [name, is] of Object.entries(git))
      if (is !== this.git[name]) this.say(`${what} changed ${name}`);
    const fsck = repo.tryGit('fsck', '--strict', '--no-dangling');
    if (fsck.code !== 0) this.say(`${what}: fsck: ${fsck.stderr}`);
    for (const name of readdirSync(join(this.store, 'snaps')).filter((file) => file.endsWith('.json')))
      JSON.parse(readFileSync(join(this.store, 'snaps', name), 'utf8'));
    const isWaiting = existsSync(join(this.store, 'journal.json'));
    const isAsBefore = pathsThatDiffer(before, now).length === 0;
    this.found[isWaiting ? 'halfway' : isAsBefore ? 'not begun' : 'over']++;
  }

  private say(problem: string): void {
    this.problems.push(`after ${this.kills} kills: ${problem}`);
  }
}

const pathsThatDiffer = (a: View, b: View): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]);
