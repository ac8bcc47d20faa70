import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A clone on the machine of a world, and what a person does in it. */
export class Clone {
  readonly repo: string;
  /** What the user's shell has. A client gets its driver's on top, and adds its own markers for its tools. */
  readonly env: Readonly<Record<string, string>>;

  constructor(repo: string, env: Readonly<Record<string, string>>) {
    this.repo = repo;
    this.env = env;
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
    if (files.length > 0) this.git('add', '--all', '--', ...files);
    this.run('git', ['commit', '--quiet', `--message=${message}`], { ENTIRE_TEST_TTY: '1' });
    return this.git('rev-parse', 'HEAD').trim();
  }

  protected run(
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
