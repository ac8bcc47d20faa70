import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestRepo } from '../repository/test-repo.ts';
import { AgentSession, type HookResult, type SessionHost } from './session.ts';

/** A process is taken for a client when it is older than that: what is younger may be there for the hook alone. */
const GROWN_MS = 1_200;

/** The process of an agent's client: it starts the hooks of its sessions, and can be killed. */
export class Client implements SessionHost {
  readonly repo: TestRepo;
  private readonly folder: string;
  private readonly child: ChildProcess;

  private constructor(repo: TestRepo) {
    this.repo = repo;
    this.folder = mkdtempSync(join(repo.scratch, 'client-'));
    const script = join(import.meta.dirname, 'client.mjs');
    this.child = spawn(process.execPath, [script, this.folder], { stdio: 'ignore' });
    repo.onRemove(() => this.child.kill('SIGKILL'));
  }

  static async start(repo: TestRepo): Promise<Client> {
    const client = new Client(repo);
    await setTimeout(GROWN_MS);
    return client;
  }

  get dir(): string {
    return this.repo.dir;
  }

  get home(): string {
    return this.repo.home;
  }

  get places(): TestRepo['places'] {
    return this.repo.places;
  }

  session(id?: string): AgentSession {
    return new AgentSession(this, this.repo.session(id).id);
  }

  hook(verb: string, input: string): HookResult {
    return this.hookOf('claude-code', verb, input);
  }

  hookOf(agent: string, verb: string, input: string): HookResult {
    // As clients do it: a shell that stays, for there is something after the hook.
    const result = this.run('sh', ['-c', `entire hooks ${agent} ${verb}; exit $?`], input);
    expect(result.code, `${verb}: ${result.stderr}`).toBe(0);
    return result;
  }

  /** What the client runs for its agent. */
  run(command: string, args: readonly string[], input = '', env: Record<string, string> = {}): HookResult {
    const asked = { command, args, input, cwd: this.dir, env: { ...this.repo.env, ...env } };
    writeFileSync(join(this.folder, 'part-asked'), JSON.stringify(asked));
    renameSync(join(this.folder, 'part-asked'), join(this.folder, 'asked'));
    const said = join(this.folder, 'said');
    while (!existsSync(said)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    const result = JSON.parse(readFileSync(said, 'utf8')) as HookResult;
    rmSync(said);
    return result;
  }

  /** `kill -9`. Its parent has not heard of it yet. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** `kill -9`, and nothing is left of it. */
  async killed(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.kill();
    await gone;
  }
}
