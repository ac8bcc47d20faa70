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
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type MockAnthropic, type Scene, startMockAnthropic } from './mock-anthropic.ts';

/** One hook of the client, as its own event stream reports it: what the hook printed and how it ended. */
export interface HookRun {
  readonly event: string;
  /** Event and tool, e.g. `PostToolUse:Write`. */
  readonly name: string;
  readonly stdout: string;
  readonly exitCode: number;
}

/** One run of the client. `hooks` and `started` grow while it runs. */
export interface ClientRun {
  /** Names of the hooks that the client has started, one for each command. */
  readonly started: string[];
  readonly hooks: HookRun[];
  /** Rejects when the client ends with anything but success. */
  readonly done: Promise<ClientResult>;
  /** Ends the client at once, without any farewell. */
  kill(): void;
}

/** The document that `--output-format json` prints, and that ends the event stream. */
export interface ClientResult {
  readonly session_id: string;
  readonly is_error: boolean;
  readonly result: string;
  /** What the main conversation has cost, sub-agents left out. */
  readonly usage: {
    readonly input_tokens: number;
    readonly cache_creation_input_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly output_tokens: number;
  };
}

interface StreamLine {
  readonly type: string;
  readonly subtype?: string;
  readonly hook_name: string;
  readonly hook_event: string;
  readonly stdout: string;
  readonly exit_code: number;
}

const built = resolve(import.meta.dirname, '../../dist/entire');

/** A fresh repository with one commit, a scratch home, `entire` on PATH, and a scripted model of its own. */
export class World {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'entire-client-')));
  readonly repo = join(this.base, 'repo');
  /** What the user's shell has. The client gets {@link clientEnv} on top, and adds its own markers for its tools. */
  readonly env: Readonly<Record<string, string>>;
  /** Every client that was started here. */
  readonly runs: ClientRun[] = [];
  private readonly binary: string;
  private readonly mocks: MockAnthropic[] = [];

  constructor(binary: string, files: Readonly<Record<string, string>>) {
    this.binary = binary;
    for (const dir of ['repo', 'home', 'tmp', 'bin']) mkdirSync(join(this.base, dir));
    symlinkSync(built, join(this.base, 'bin/entire'));
    this.env = {
      PATH: `${join(this.base, 'bin')}:${process.env.PATH}`,
      HOME: join(this.base, 'home'),
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
  async model(scenes: readonly Scene[]): Promise<MockAnthropic> {
    const mock = await startMockAnthropic(scenes);
    this.mocks.push(mock);
    return mock;
  }

  /** Starts `claude -p`. The event stream shows every hook; its last line is the document of `--output-format json`. */
  claude(model: MockAnthropic, prompt: string, ...extra: readonly string[]): ClientRun {
    const format = ['--output-format', 'stream-json', '--verbose', '--include-hook-events'];
    const child = spawn(this.binary, ['-p', prompt, '--dangerously-skip-permissions', ...format, ...extra], {
      cwd: this.repo,
      env: { ...this.env, ...clientEnv(this.env.TMPDIR ?? '', model.url) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started: string[] = [];
    const hooks: HookRun[] = [];
    const errors: Buffer[] = [];
    let result: ClientResult | undefined;
    child.stderr.on('data', (part: Buffer) => errors.push(part));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as StreamLine;
      if (line.type === 'result') result = line as unknown as ClientResult;
      if (line.subtype === 'hook_started') started.push(line.hook_name);
      if (line.subtype !== 'hook_response') return;
      hooks.push({
        event: line.hook_event,
        name: line.hook_name,
        stdout: line.stdout,
        exitCode: line.exit_code,
      });
    });
    const done = new Promise<ClientResult>((fulfil, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        if (code === 0 && result) fulfil(result);
        else
          reject(new Error(`claude ended with ${code}: ${Buffer.concat(errors).toString() || 'no message'}`));
      });
    });
    const run = { started, hooks, done, kill: () => child.kill('SIGKILL') };
    this.runs.push(run);
    return run;
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

/** What the client needs to run offline, without a login, and without leaving anything outside the world. */
function clientEnv(temp: string, url: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_TMPDIR: temp,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_INSTALLATION_CHECKS: '1',
    IS_SANDBOX: '1', // without it --dangerously-skip-permissions is refused to root
  };
}
