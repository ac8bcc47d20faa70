import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Answer, ClientDriver, Turn } from './driver.ts';
import type { Scene } from './model/scene.ts';
import { type MockModel, startMockModel } from './model/server.ts';

/** One run of a client. */
export interface ClientRun {
  /** What it has printed so far; grows while it runs. */
  readonly lines: readonly string[];
  /** Rejects when the client ends with anything but success, or without an answer. */
  readonly done: Promise<Answer>;
  /** Ends the client at once, without any farewell. */
  kill(): void;
  /** Does what Ctrl-C does. */
  interrupt(): void;
}

const built = resolve(import.meta.dirname, '../../dist/entire');

/** A fresh repository with one commit, a scratch home, `entire` on PATH, and scripted models of its own. */
export class World {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'entire-client-')));
  readonly repo = join(this.base, 'repo');
  readonly home = join(this.base, 'home');
  /** What the user's shell has. A client gets its driver's on top, and adds its own markers for its tools. */
  readonly env: Readonly<Record<string, string>>;
  private readonly mocks: MockModel[] = [];
  /** Agent → the model that its files name. */
  private readonly prepared = new Map<string, string>();

  constructor(files: Readonly<Record<string, string>>) {
    for (const dir of ['repo', 'home', 'tmp', 'bin']) mkdirSync(join(this.base, dir));
    symlinkSync(built, join(this.base, 'bin/entire'));
    this.env = {
      PATH: `${join(this.base, 'bin')}:${process.env.PATH}`,
      HOME: this.home,
      TMPDIR: join(this.base, 'tmp'),
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      ENTIRE_LOG_LEVEL: 'debug',
    };
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.org');
    this.git('config', 'gc.auto', '0');
    for (const [name, text] of Object.entries(files)) writeFileSync(this.path(name), text);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message=Begin');
  }

  path(name: string): string {
    return join(this.repo, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  git(...args: readonly string[]): string {
    return this.run('git', args);
  }

  /** The trailers of a commit as git itself reads them, one `Key: value` a line. */
  trailers(commit: string): readonly string[] {
    const input = this.git('log', '-1', '--format=%B', commit);
    return this.run('git', ['interpret-trailers', '--parse'], {}, input).split('\n').filter(Boolean);
  }

  entire(...args: readonly string[]): string {
    return this.run('entire', args);
  }

  /** Commits as a person at a terminal does: no marker of an agent in the environment. Returns the commit's id. */
  commitAsUser(message: string, ...files: readonly string[]): string {
    this.git('add', '--all', '--', ...files);
    this.run('git', ['commit', '--quiet', `--message=${message}`], { ENTIRE_TEST_TTY: '1' });
    return this.git('rev-parse', 'HEAD').trim();
  }

  /** Starts a model that plays `scenes`; it lives as long as the world. */
  async model(scenes: readonly Scene[]): Promise<MockModel> {
    const mock = await startMockModel(scenes);
    this.mocks.push(mock);
    return mock;
  }

  /** Starts a client on one headless turn. */
  start(driver: ClientDriver, { url }: MockModel, turn: Turn): ClientRun {
    const installed = driver.install();
    if ('reason' in installed) throw new Error(installed.reason);
    const place = { repo: this.repo, home: this.home, temp: join(this.base, 'tmp'), url };
    if (this.prepared.get(driver.agent) !== url) {
      for (const [path, text] of Object.entries(driver.files(place))) writeNew(path, text);
      this.prepared.set(driver.agent, url);
    }
    const [program = '', ...args] = [...installed.command, ...driver.args(turn, place)];
    const child = spawn(program, args, {
      cwd: this.repo,
      env: { ...this.env, ...driver.env(place) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    const errors: Buffer[] = [];
    child.stderr.on('data', (part: Buffer) => errors.push(part));
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const done = new Promise<Answer>((fulfil, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode) => {
        const output = { lines, errors: Buffer.concat(errors).toString(), exitCode };
        const answer = exitCode === 0 ? driver.readAnswer(output) : undefined;
        if (answer) fulfil(answer);
        else
          reject(
            new Error(
              `${basename(installed.command.at(-1) ?? '')} ended with ${exitCode}: ${output.errors || lines.join('\n')}`,
            ),
          );
      });
    });
    return { lines, done, kill: () => child.kill('SIGKILL'), interrupt: () => child.kill('SIGINT') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.mocks.map((mock) => mock.close()));
    if (process.env.ENTIRE_KEEP_WORLD) console.log(`kept ${this.base}`);
    else rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }

  private run(
    command: string,
    args: readonly string[],
    more: Record<string, string> = {},
    input = '',
  ): string {
    const env = { ...this.env, ...more };
    return execFileSync(command, args, {
      cwd: this.repo,
      env,
      input,
      stdio: 'pipe',
      maxBuffer: 1 << 28,
    }).toString();
  }
}

function writeNew(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
