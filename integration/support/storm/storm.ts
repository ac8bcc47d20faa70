import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { AgentSession, type HookResult, type SessionHost } from '../agent/session.ts';
import { checkpointsOfCommits } from '../faults/go-on.ts';
import { debris, pathsInCheckpoints, pathsOnRecord, userBytes } from '../faults/observe.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { type Ended, runInGroup } from './children.ts';

/** Locks that a killed git leaves to the user, who deletes them as git advises. */
const LOCKS_OF_GIT = /^(index|HEAD|packed-refs|refs\/heads\/main|next-index-\d+)\.lock$/;
/** Older than any lock that we wait for. */
const LONG_AGO_MS = 11 * 60_000;

/** A session whose hooks are not run, but kept to be run in a process group. */
class Request implements SessionHost {
  readonly dir: string;
  readonly home: string;
  readonly places: { readonly repo: string; readonly home: string };
  verb = '';
  input = '';

  constructor(repo: TestRepo) {
    this.dir = repo.dir;
    this.home = repo.home;
    this.places = repo.places;
  }

  hook(verb: string, input: string): HookResult {
    this.verb = verb;
    this.input = input;
    return { code: 0, stdout: '', stderr: '' };
  }
}

/** An agent at work in a repository, whose hooks and commits are killed at random moments. */
export class Storm {
  kills = 0;
  readonly killedIn = new Map<string, number>();
  readonly problems: string[] = [];
  /** Locks that were found after a kill, by name. */
  readonly locksLeft = new Map<string, number>();
  linkedCommits = 0;
  /** Commits that were made, and killed before their checkpoint was there. */
  interrupted = 0;

  private readonly repo: TestRepo;
  private readonly random: () => number;
  private readonly request: Request;
  private readonly sessions: readonly AgentSession[];
  /** Edits whose hook returned, and that no commit has taken yet. */
  private readonly acknowledged = new Set<string>();
  private readonly usualMs = new Map<string, number>();
  /** What the checkpoints of commits that were killed must hold after the next hook. */
  private readonly awaited = new Map<string, readonly string[]>();
  private edits = 0;
  private commits = 0;

  constructor(repo: TestRepo, random: () => number) {
    this.repo = repo;
    this.random = random;
    this.request = new Request(repo);
    this.sessions = ['first-session', 'second-session'].map((id) => new AgentSession(this.request, id));
  }

  /** Goes on until so many processes were killed. */
  async rage(kills: number): Promise<void> {
    await this.settle();
    while (this.kills < kills && this.problems.length === 0) {
      const before = this.kills;
      await this.actAtRandom();
      if (this.kills > before && this.random() < 0.6) await this.settle();
    }
    await this.settle();
    if (this.acknowledged.size > 0)
      this.say(`in no commit's checkpoint: ${[...this.acknowledged].join(', ')}`);
    const { ids } = pathsInCheckpoints(this.repo);
    const unsettled = checkpointsOfCommits(this.repo).filter((id) => !ids.has(id));
    if (unsettled.length > 0) this.say(`commits without their checkpoint: ${unsettled.join(', ')}`);
    if (this.repo.logText().includes('another process holds')) this.say('a hook waited for a lock in vain');
  }

  /** A turn and a commit that nobody kills: everything works, and the commit is linked. */
  private async settle(): Promise<void> {
    const session = this.sessions[0] as AgentSession;
    await this.prompt(session, false);
    for (const [id, owed] of this.awaited) this.checkCheckpoint(id, owed);
    this.awaited.clear();
    await this.edit(session, false);
    await this.stop(session, false);
    await this.commit(false, ['--all'], false);
  }

  private async actAtRandom(): Promise<void> {
    const session = this.sessions[this.random() < 0.2 ? 1 : 0] as AgentSession;
    const isDoomed = this.random() < 0.6;
    const choice = this.random();
    if (choice < 0.2) await this.prompt(session, isDoomed);
    else if (choice < 0.5) await this.edit(session, isDoomed);
    else if (choice < 0.7) await this.stop(session, isDoomed);
    else if (choice < 0.9) await this.commit(isDoomed, ['--all'], this.random() < 0.5);
    else await this.commitSome(isDoomed);
  }

  private async prompt(session: AgentSession, isDoomed: boolean): Promise<void> {
    session.prompt('Go on');
    await this.hook(isDoomed);
  }

  private async stop(session: AgentSession, isDoomed: boolean): Promise<void> {
    session.stop();
    await this.hook(isDoomed);
  }

  /** A new file, or now and then one more line in an old one. */
  private async edit(session: AgentSession, isDoomed: boolean): Promise<void> {
    const number = this.edits++;
    const path = this.random() < 0.7 ? `src/${number}.txt` : `src/old-${number % 3}.txt`;
    const old = this.repo.exists(path) ? this.repo.read(path) : '';
    session.editWithoutHook(path, `${old}line ${number}\n`);
    session.reportEdit(path);
    const { code } = await this.hook(isDoomed);
    if (code === 0) this.acknowledged.add(path);
  }

  private async commitSome(isDoomed: boolean): Promise<void> {
    const dirty = this.repo
      .git('status', '--porcelain', '-z', '-uall', '--', 'src')
      .split('\0')
      .filter(Boolean);
    const some = dirty.map((line) => line.slice(3)).filter(() => this.random() < 0.5);
    if (some.length > 0) await this.commit(isDoomed, ['--', ...some], false);
  }

  private async commit(isDoomed: boolean, what: readonly string[], byAgent: boolean): Promise<void> {
    const { repo } = this;
    repo.git('add', ...what);
    if (repo.tryGit('diff', '--cached', '--quiet').code === 0) return;
    const before = repo.git('rev-parse', 'HEAD');
    const env = byAgent ? { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' } : {};
    const args = ['commit', '--quiet', '-m', `Work ${this.commits++}`];
    const ended = await this.run('commit', 'git', args, { env, isDoomed });
    if (ended.code !== 0 && !ended.killed) this.say(`git commit failed: ${ended.stderr}`);
    if (repo.git('rev-parse', 'HEAD') !== before) this.checkCommit(ended.killed);
  }

  /** The commit is linked to all acknowledged edits of the files in it. */
  private checkCommit(killed: boolean): void {
    const { repo } = this;
    const paths = repo.git('diff-tree', '-r', '--no-commit-id', '--name-only', '-z', 'HEAD').split('\0');
    const owed = paths.filter((path) => this.acknowledged.has(path));
    const dirty = repo
      .git('status', '--porcelain', '-z', '-uall')
      .split('\0')
      .map((line) => line.slice(3));
    for (const path of owed) if (!dirty.includes(path)) this.acknowledged.delete(path);
    if (owed.length === 0) return;

    const id = repo.checkpointOf('HEAD');
    if (id === undefined) return this.say(`commit without a trailer: ${owed.join(', ')}`);
    if (!killed) return this.checkCheckpoint(id, owed);
    const stored = filesOf(repo, id);
    if (owed.some((path) => !stored.includes(path))) this.interrupted++;
    this.awaited.set(id, owed); // the next hook completes it
  }

  private checkCheckpoint(id: string, owed: readonly string[]): void {
    const stored = filesOf(this.repo, id);
    const missing = owed.filter((path) => !stored.includes(path));
    if (missing.length > 0) this.say(`checkpoint ${id} lacks ${missing.join(', ')}`);
    this.linkedCommits++;
  }

  private hook(isDoomed: boolean): Promise<Ended> {
    const { verb, input } = this.request;
    return this.run(verb, 'entire', ['hooks', 'claude-code', verb], { input, isDoomed });
  }

  private async run(
    name: string,
    command: string,
    args: readonly string[],
    options: { input?: string; env?: Record<string, string>; isDoomed: boolean },
  ): Promise<Ended> {
    const { repo } = this;
    const before = userBytes(repo);
    const usual = this.usualMs.get(name) ?? 50;
    const ended = await runInGroup(command, args, {
      cwd: repo.dir,
      env: { ...repo.env, ...options.env },
      input: options.input ?? '',
      killAfterMs: options.isDoomed ? this.random() * usual * 1.1 : undefined,
    });
    if (!ended.killed) {
      this.usualMs.set(name, usual * 0.7 + ended.ms * 0.3);
      if (ended.code !== 0) this.say(`${name} exits with ${ended.code}: ${ended.stderr}`);
      return ended;
    }
    this.kills++;
    this.killedIn.set(name, (this.killedIn.get(name) ?? 0) + 1);
    this.checkAfterKill(name, before);
    return ended;
  }

  private checkAfterKill(name: string, before: ReadonlyMap<string, string>): void {
    const { repo } = this;
    const byGit = (path: string) => name === 'commit' && path.startsWith('.git/');
    const after = userBytes(repo);
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      if (!byGit(path) && before.get(path) !== after.get(path)) this.say(`${name} changed ${path}`);
    }
    this.clearLocks();
    const fsck = repo.tryGit('fsck', '--strict', '--no-dangling', '--no-progress');
    if (fsck.code !== 0) this.say(`fsck after a kill in ${name}: ${fsck.stderr}`);

    const recorded = pathsOnRecord(repo);
    const missing = [...this.acknowledged].filter((path) => !recorded.has(path));
    if (missing.length === 0) return;
    const { paths: stored } = pathsInCheckpoints(repo);
    const lost = missing.filter((path) => !stored.has(path));
    if (lost.length > 0 && name !== 'commit') this.say(`lost by a kill in ${name}: ${lost.join(', ')}`);
  }

  /** Git's locks are the user's to delete; for ours at refs, which no process holds for long, time passes. */
  private clearLocks(): void {
    const gitDir = join(this.repo.dir, '.git');
    for (const name of debris(this.repo)) {
      const file = join(gitDir, name);
      if (!name.endsWith('.lock') || !existsSync(file)) continue;
      const kind = name.replace(/[0-9a-f]{7}-[0-9a-f]{6}/, '<shadow>').replace(/\d+/, 'N');
      this.locksLeft.set(kind, (this.locksLeft.get(kind) ?? 0) + 1);
      if (LOCKS_OF_GIT.test(name)) rmSync(file);
      else if (name.startsWith('refs/heads/entire/')) {
        const time = new Date(Date.now() - LONG_AGO_MS);
        utimesSync(file, time, time);
      }
    }
  }

  private say(problem: string): void {
    this.problems.push(`after ${this.kills} kills: ${problem}`);
  }
}

function hasCheckpoint(repo: TestRepo, id: string): boolean {
  const path = `entire/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}/metadata.json`;
  return repo.tryGit('cat-file', '-e', path).code === 0;
}

function filesOf(repo: TestRepo, id: string): string[] {
  if (!hasCheckpoint(repo, id)) return [];
  const slots = repo.storedPaths(id).filter((path) => /^\d+\/metadata\.json$/.test(path));
  return slots.flatMap((path) => repo.storedJson(id, path).files_touched as string[]);
}
