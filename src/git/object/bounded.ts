import { EntireError } from '../../base/errors.ts';
import { type Git, listProcesses, startGit } from '../run.ts';

/** What only a connection to a remote needs: how to sign in, and how to get there. */
const NETWORK = /^GIT_(ASKPASS|PROXY.*|HTTP.*|CURL.*|ALLOW_PROTOCOL|PROTOCOL.*|CREDENTIAL.*)$/;

/** Of a git process that talks to somebody else, who may never answer. */
export interface BoundedRun {
  /** When it has to be over, on the clock of `performance.now()`. */
  readonly deadlineMs: number;
  /** Somebody sits at the terminal and may be asked for a password. */
  readonly interactive: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

export interface BoundedOutput {
  /** `undefined` when it was stopped at the deadline, or by a signal. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** After a polite signal a process has this long. */
const GRACE_MS = 500;

/**
 * Runs git against a remote: stdin closed, none of the user's hooks, over at the deadline whatever happens. What git
 * started for the connection (ssh, a transport helper) ends with it. Any exit code is an answer.
 *
 * @throws {EntireError} `GIT_FAILED` when git cannot start
 */
export function runGitBounded(git: Git, args: readonly string[], run: BoundedRun): Promise<BoundedOutput> {
  const ours = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
  const prompt = run.interactive ? { GIT_TERMINAL_PROMPT: process.env.GIT_TERMINAL_PROMPT ?? '1' } : {};
  // A group of its own can be ended as a whole, and has no terminal to ask at.
  const detached = !run.interactive && process.platform !== 'win32';
  const env = { ...Object.fromEntries(ours), ...prompt, ...run.env };
  const child = startGit(git, args, { env, stdin: 'ignore', detached });
  const end = (signal: NodeJS.Signals): void => {
    // Ssh goes on when its git is gone: it has to be found while that is its parent.
    const pids = detached ? [-(child.pid ?? 0)] : [child.pid ?? 0, ...descendantsOf(child.pid ?? 0)];
    for (const pid of pids) {
      try {
        if (pid !== 0) process.kill(pid, signal);
      } catch {
        // It ended by itself at the same moment.
      }
    }
  };
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let timedOut = false;
    child.stdout?.on('data', (data: Buffer) => out.push(data));
    child.stderr?.on('data', (data: Buffer) => err.push(data));
    // Git does not outlive us: whoever stops us wants all of it stopped.
    const onSignal = (): void => {
      end('SIGTERM');
      process.exit(130);
    };
    for (const signal of STOPPING) process.on(signal, onSignal);
    const release = (): void => {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of STOPPING) process.off(signal, onSignal);
    };
    const settle = (code: number | null): void => {
      release();
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      const [stdout, stderr] = [out, err].map((parts) => Buffer.concat(parts).toString('utf8'));
      resolve({ code: code ?? undefined, stdout: stdout ?? '', stderr: (stderr ?? '').trim(), timedOut });
    };
    const after = (ms: number, act: () => void) => setTimeout(act, Math.max(0, ms));
    const leftMs = run.deadlineMs - performance.now();
    const timers = [
      after(leftMs, () => {
        timedOut = true;
        end('SIGTERM');
      }),
      after(leftMs + GRACE_MS, () => end('SIGKILL')),
      after(leftMs + 2 * GRACE_MS, () => settle(null)), // something else holds its output open
    ];
    child.on('error', (cause) => {
      release();
      reject(new EntireError('GIT_FAILED', `git could not be started: ${cause.message}`, { cause }));
    });
    child.on('close', (code) => settle(timedOut ? null : code));
  });
}

/** Processes that a process has started, and those that they have. Empty where nothing tells. */
function descendantsOf(pid: number): number[] {
  const rows = listProcesses()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) found.push(...rows.flatMap(([id, of]) => (of === parent && id ? [id] : [])));
  return found.slice(1);
}
