import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Clone } from './clone.ts';
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
export class World extends Clone {
  readonly base: string;
  readonly home: string;
  private readonly mocks: MockModel[] = [];
  /** Agent → the model that its files name. */
  private readonly prepared = new Map<string, string>();

  constructor(files: Readonly<Record<string, string>>) {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'entire-client-')));
    for (const dir of ['repo', 'home', 'tmp', 'bin']) mkdirSync(join(base, dir));
    symlinkSync(built, join(base, 'bin/entire'));
    const home = join(base, 'home');
    super(join(base, 'repo'), {
      PATH: `${join(base, 'bin')}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: join(base, 'tmp'),
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      ENTIRE_LOG_LEVEL: 'debug',
    });
    this.base = base;
    this.home = home;
    this.git('init', '--quiet', '--initial-branch=main');
    identify(this, 'Ada');
    for (const [name, text] of Object.entries(files)) writeFileSync(this.path(name), text);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message=Begin');
  }

  /** Another person's clone of a remote, on the same machine. */
  clone(url: string, name: string): Clone {
    const repo = join(this.base, name.toLowerCase());
    this.git('clone', '--quiet', url, repo);
    return identify(new Clone(repo, this.env), name);
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
}

/** Commits there are this person's. */
function identify<C extends Clone>(clone: C, name: string): C {
  clone.git('config', 'user.name', name);
  clone.git('config', 'user.email', `${name.toLowerCase()}@example.org`);
  clone.git('config', 'gc.auto', '0');
  return clone;
}

function writeNew(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
