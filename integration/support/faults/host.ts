import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HookResult, SessionHost } from '../agent/session.ts';
import { root } from '../process/builds.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import type { Fault } from './kinds.ts';

/** `integration/support/process/entire-faulty.ts`, compiled. */
export const FAULTY = join(root, 'dist', 'test', 'entire-faulty');

/** A repository whose hooks are run by the build that can fail. */
export class FaultyHost implements SessionHost {
  readonly dir: string;
  readonly home: string;
  readonly places: { readonly repo: string; readonly home: string };
  /** What the last hook answered; its code is `null` when it was killed. */
  last: HookResult = { code: 0, stdout: '', stderr: '' };

  private readonly repo: TestRepo;
  private readonly report: string;
  private readonly fault: string;

  /** Without a fault everything goes well, and {@link operations} says what there was. */
  constructor(repo: TestRepo, fault?: { kind: Fault; at: number }) {
    this.repo = repo;
    this.dir = repo.dir;
    this.home = repo.home;
    this.places = repo.places;
    this.report = join(repo.scratch, 'operations');
    this.fault = fault ? `${fault.kind}:${fault.at}` : '';
    rmSync(this.report, { force: true });
  }

  hook(verb: string, input: string): HookResult {
    return this.run(['hooks', 'claude-code', verb], input, {});
  }

  /** A git hook of a person's commit. */
  git(...args: string[]): HookResult {
    return this.run(['hooks', 'git', ...args], '', {});
  }

  /** A git hook of a commit that the agent makes. */
  agentGit(...args: string[]): HookResult {
    return this.run(['hooks', 'git', ...args], '', { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1' });
  }

  /** A command of a person's. */
  command(...args: string[]): HookResult {
    return this.run(args, '', {});
  }

  /** The operations in their order. */
  get operations(): string[] {
    return existsSync(this.report) ? readFileSync(this.report, 'utf8').trimEnd().split('\n') : [];
  }

  private run(args: string[], input: string, env: Record<string, string>): HookResult {
    const faulty = { ENTIRE_TEST_FAULT: this.fault, ENTIRE_TEST_FAULT_REPORT: this.report };
    const { status, stdout, stderr, error } = spawnSync(FAULTY, args, {
      cwd: this.repo.dir,
      env: { ...this.repo.env, ...env, ...faulty },
      input,
      encoding: 'utf8',
    });
    // A hook that died before it read its payload breaks the pipe.
    if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    this.last = { code: status, stdout, stderr };
    return this.last;
  }
}
