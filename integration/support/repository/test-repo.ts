import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { AgentSession, type HookResult } from '../agent/session.ts';
import type { Build } from '../process/builds.ts';
import { copyFolder, keepReadyRepo, readyRepoOf } from './ready-repo.ts';

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string | Uint8Array;
}

/** A fresh repository and home, and an environment that holds nothing of the machine's but the search path. */
export class TestRepo {
  readonly scratch: string;
  readonly home: string;
  dir: string;
  /** Exported in the shell that everything is started from. */
  variables: Record<string, string> = {};
  private readonly undone: Array<() => void> = [];
  readonly build: Build;

  /** @param folder what is made for it, and removed with it; one that nobody has otherwise */
  constructor(build: Build, folder = mkdtempSync(join(tmpdir(), 'entire-test-'))) {
    this.build = build;
    mkdirSync(folder, { recursive: true });
    this.scratch = realpathSync(folder);
    this.home = join(this.scratch, 'home');
    this.dir = join(this.scratch, 'repo');
    for (const own of [this.home, this.dir]) mkdirSync(own);
  }

  get places(): { repo: string; home: string } {
    return { repo: this.dir, home: this.home };
  }

  get env(): Record<string, string> {
    return {
      PATH: `${this.build.bin}:${process.env.PATH ?? ''}`,
      HOME: this.home,
      GIT_CONFIG_NOSYSTEM: '1',
      TZ: 'UTC',
      GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
      ENTIRE_TEST_TTY: '1',
      ...this.variables,
    };
  }

  init(...args: string[]): this {
    this.git('init', '--quiet', '--initial-branch=main', ...args);
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.com');
    this.git('config', 'gc.auto', '0'); // a background gc races with the clean-up
    return this;
  }

  /** A repository with one commit, enabled for Claude Code, its set-up committed. Made once for each build, then copied. */
  ready(): this {
    const asEver = Object.keys(this.variables).length === 0 && readdirSync(this.home).length === 0;
    if (!asEver || readdirSync(this.dir).length > 0) return this.makeReady();
    const kept = readyRepoOf(this.build);
    if (!existsSync(kept)) keepReadyRepo(this.makeReady().dir, kept);
    else {
      copyFolder(kept, this.dir);
      this.git('update-index', '-q', '--refresh'); // the index knows each file by its inode
    }
    return this;
  }

  private makeReady(): this {
    this.init().write('README.md', '# demo\n\nbase line\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'init');
    this.entire('enable', '--agent', 'claude-code');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'Enable entire');
    return this;
  }

  git(...args: string[]): string {
    return this.gitWith({}, ...args);
  }

  gitWith(options: RunOptions, ...args: string[]): string {
    const result = this.run('git', args, options);
    if (result.code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}${result.stdout}`);
    return result.stdout.trimEnd();
  }

  tryGit(...args: string[]): HookResult {
    return this.run('git', args);
  }

  entire(...args: string[]): HookResult {
    const result = this.run('entire', args);
    if (result.code !== 0)
      throw new Error(`entire ${args.join(' ')}: exit ${result.code}\n${result.stderr}${result.stdout}`);
    return result;
  }

  tryEntire(...args: string[]): HookResult {
    return this.run('entire', args);
  }

  /** A Claude Code hook; must exit 0 whatever the payload is. */
  hook(verb: string, input: string, options: RunOptions = {}): HookResult {
    const result = this.run('entire', ['hooks', 'claude-code', verb], { ...options, input });
    expect(result.code, `${verb}: ${result.stderr}`).toBe(0);
    return result;
  }

  run(command: string, args: string[], options: RunOptions = {}): HookResult {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: options.cwd ?? this.dir,
      env: { ...this.env, ...options.env },
      input: options.input ?? '',
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (error) throw error;
    return { code: status, stdout, stderr };
  }

  /** Starts a command and resolves when it has exited 0; else the error says what it said. */
  inBackground(command: string, args: string[], options: RunOptions = {}): Promise<void> {
    const { cwd = this.dir, env, input = '' } = options;
    const child = spawn(command, args, { cwd, env: { ...this.env, ...env } });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => said.push(bytes));
    child.stdin.on('error', () => {}); // it need not read
    child.stdin.end(input);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      const fail = (code: number | null) =>
        reject(new Error(`${[command, ...args].join(' ')}: exit status ${code}\n${Buffer.concat(said)}`));
      // All it said is there when the pipes are closed, which something that it left behind may keep open.
      child.on('exit', (code) => (code === 0 ? resolve() : child.on('close', fail)));
    });
  }

  session(id: string = randomUUID()): AgentSession {
    return new AgentSession(this, id);
  }

  write(path: string, content: string): this {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return this;
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  exists(path: string): boolean {
    return existsSync(join(this.dir, path));
  }

  /** A person stages paths and commits with `-m` at a terminal. Returns the commit's checkpoint id, if any. */
  commit(message: string, ...paths: string[]): string | undefined {
    if (paths.length > 0) this.git('add', '--', ...paths);
    this.gitWith({ env: { ENTIRE_TEST_TTY: '1' } }, 'commit', '--quiet', '-m', message);
    return this.checkpointOf('HEAD');
  }

  /** The same by an agent: no terminal. */
  agentCommit(message: string, ...paths: string[]): string | undefined {
    if (paths.length > 0) this.git('add', '--', ...paths);
    this.gitWith({ env: { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' } }, 'commit', '--quiet', '-m', message);
    return this.checkpointOf('HEAD');
  }

  message(commit: string): string {
    return this.git('log', '-1', '--format=%B', commit, '--');
  }

  /** The id in the commit's trailer, as git itself reads trailers. */
  checkpointOf(commit: string): string | undefined {
    const format = '%(trailers:key=Entire-Checkpoint,valueonly,separator=%x2C)';
    return this.git('log', '-1', `--format=${format}`, commit, '--') || undefined;
  }

  /** A file of a checkpoint on the metadata branch. */
  stored(id: string, path: string): string {
    return this.gitWith({}, 'show', `entire/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}/${path}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look at documents of the format as they are
  storedJson(id: string, path: string): any {
    return JSON.parse(this.stored(id, path));
  }

  storedPaths(id: string): string[] {
    const dir = `${id.slice(0, 2)}/${id.slice(2)}/`;
    const listed = this.git('ls-tree', '-r', '--name-only', 'entire/checkpoints/v1', dir);
    return listed
      .split('\n')
      .filter(Boolean)
      .map((path) => path.slice(dir.length));
  }

  branches(): string[] {
    return this.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
  }

  shadowBranches(): string[] {
    return this.branches().filter((name) => name.startsWith('entire/') && name !== 'entire/checkpoints/v1');
  }

  get commonDir(): string {
    return this.git('rev-parse', '--path-format=absolute', '--git-common-dir');
  }

  // biome-ignore lint/suspicious/noExplicitAny: see storedJson
  state(id: string): any {
    return JSON.parse(readFileSync(join(this.commonDir, 'entire-sessions', `${id}.json`), 'utf8'));
  }

  stateFiles(): string[] {
    return readdirSync(join(this.commonDir, 'entire-sessions')).filter((name) => name.endsWith('.json'));
  }

  /** The lines of a tracking file, as they stand there. */
  tracked(id: string): string[] {
    const file = join(this.commonDir, 'entire-sessions', `${id}.files`);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** The newest verdict. */
  // biome-ignore lint/suspicious/noExplicitAny: see storedJson
  verdict(): any {
    const text = readFileSync(join(this.commonDir, 'entire', 'verdicts.jsonl'), 'utf8').trim();
    return JSON.parse(text.slice(text.lastIndexOf('\n') + 1));
  }

  logText(): string {
    const file = join(this.dir, '.entire', 'logs', 'entire.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  /** Nothing we wrote is damaged, and no lock stays behind. */
  expectSound(): void {
    if (this.tryGit('rev-parse', '--git-dir').code !== 0) return;
    const fsck = this.tryGit('fsck', '--strict', '--no-dangling');
    expect(fsck.code, fsck.stderr).toBe(0);
    expect(fsck.stderr.replace(/^notice: .*\n/gm, '')).toBe('');
    const left = readdirSync(this.commonDir, { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => /\.(lock|tmp)$|tmp_pack|fast_import_crash/.test(name))).toEqual([]);
  }

  /** Something to undo before the folder goes. */
  onRemove(undo: () => void): void {
    this.undone.unshift(undo);
  }

  remove(): void {
    for (const undo of this.undone) undo();
    // What a hook or git left running in the background (gc, maintenance) may still write for a moment.
    // Node's own retries try the folder anew, and not what came into it meanwhile.
    for (let tries = 9; ; tries--) {
      try {
        return rmSync(this.scratch, { recursive: true, force: true, maxRetries: 1 });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === 0) throw error;
      }
    }
  }
}
