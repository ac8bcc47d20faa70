import { spawnSync } from 'node:child_process';
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
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** A throw-away home with one repository in it, and `entire` on its PATH as `npm install --global .` puts it there. */
export class World {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-demo-')));
  readonly home = join(this.dir, 'home');
  readonly project = join(this.home, 'project');

  constructor() {
    mkdirSync(this.project, { recursive: true });
    mkdirSync(join(this.dir, 'prefix', 'bin'), { recursive: true });
    mkdirSync(join(this.dir, 'prefix', 'lib', 'node_modules'), { recursive: true });
    symlinkSync(checkout, join(this.dir, 'prefix', 'lib', 'node_modules', 'entire'));
    symlinkSync('../lib/node_modules/entire/bin/entire', join(this.dir, 'prefix', 'bin', 'entire'));
  }

  /** Nothing of the machine's settings: the search path, and a home of its own. */
  private get env(): NodeJS.ProcessEnv {
    const path = [join(this.dir, 'prefix', 'bin'), process.env.PATH].filter(Boolean).join(delimiter);
    return { PATH: path, HOME: this.home, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' };
  }

  /** Runs a command in the project and waits for it. @throws when it cannot be started */
  run(command: string, args: readonly string[], { env, input = '' }: RunOptions = {}): Result {
    const startedAt = performance.now();
    const options = { cwd: this.project, env: { ...this.env, ...env }, input, encoding: 'utf8' } as const;
    const { status, stdout, stderr, error } = spawnSync(command, args, options);
    if (error) throw error;
    return { code: status, stdout, stderr, ms: performance.now() - startedAt };
  }

  /** {@link run} for what has to succeed. @throws with what it said */
  must(command: string, ...args: string[]): Result {
    const result = this.run(command, args);
    if (result.code === 0) return result;
    throw new Error(`${command} ${args.join(' ')}: exit ${result.code}\n${result.stderr}${result.stdout}`);
  }

  /** What a git command prints, without the last line end. */
  git(...args: string[]): string {
    return this.must('git', ...args).stdout.trimEnd();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.project, path)), { recursive: true });
    writeFileSync(join(this.project, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), 'utf8');
  }

  /** Text as somebody who lives here would read it: the home is `~`. */
  shown(text: string): string {
    return text.replaceAll(this.home, '~').replaceAll(this.dir, '…');
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
