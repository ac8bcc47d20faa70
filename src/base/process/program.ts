import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { errnoOf } from '../errors.ts';
import { agentEnvironment, resolveProgram, safeEnvironment } from './find-program.ts';

/**
 * The one door to programs that are not git: the pager a person chose, an agent's own command that summarises or goes on
 * with a session, executables that speak for agents, and our own in the background.
 * Git has a door of its own (`git/run.ts`), which keeps stdin and the terminal to itself.
 */

export interface ProgramCall {
  /** A path, or a name that is looked up by {@link resolveProgram}. Started without a shell, unless `shell` says otherwise. */
  readonly program: string;
  /** Folders from which nothing is started; see {@link SearchPlace}. */
  readonly forbidden: readonly string[];
  readonly args: readonly string[];
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly shell?: boolean;
  /** The program has the terminal: what it prints is not caught. */
  readonly onTerminal?: boolean;
  /** It is killed after that; 0 for never. */
  readonly timeoutMs: number;
}

/** How a program ended. */
export interface ProgramEnd {
  /** `undefined` when it was killed or could not start. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** It could not start. */
  readonly failure: NodeJS.ErrnoException | undefined;
  readonly timedOut: boolean;
}

/** Runs a program to its end. Never throws. */
export function runProgram(call: ProgramCall): Promise<ProgramEnd> {
  const output = call.onTerminal ? 'inherit' : 'pipe';
  const looked = lookUp(call);
  if (looked.failure)
    return Promise.resolve({
      code: undefined,
      stdout: '',
      stderr: '',
      failure: looked.failure,
      timedOut: false,
    });
  return new Promise((resolve) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let failure: NodeJS.ErrnoException | undefined;
    let timedOut = false;
    const child = spawn(looked.program, [...call.args], {
      cwd: call.cwd,
      env: safeEnvironment(call),
      shell: call.shell ?? false,
      stdio: ['pipe', output, output],
      windowsHide: true,
    });
    const timer =
      call.timeoutMs > 0
        ? setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
            // What it started may live on, and hold the other ends.
            child.stdout?.destroy();
            child.stderr?.destroy();
            child.unref();
            end(null);
          }, call.timeoutMs)
        : undefined;
    const end = (code: number | null): void => {
      clearTimeout(timer);
      const text = (parts: Buffer[]): string => Buffer.concat(parts).toString('utf8');
      resolve({ code: code ?? undefined, stdout: text(out), stderr: text(err), failure, timedOut });
    };
    child.stdout?.on('data', (part: Buffer) => out.push(part));
    child.stderr?.on('data', (part: Buffer) => err.push(part));
    child.on('error', (error: NodeJS.ErrnoException) => {
      failure = error;
      end(null);
    });
    child.on('close', end);
    child.stdin?.on('error', () => {}); // it ended before it had read everything, as a pager may
    child.stdin?.end(call.input);
  });
}

/** Finds a program by the one rule; a command line for a shell is looked up by that. */
export function lookUp({
  program,
  shell,
  ...place
}: Pick<ProgramCall, 'program' | 'shell' | 'env' | 'forbidden'>):
  | { readonly program: string; readonly failure?: undefined }
  | { readonly failure: NodeJS.ErrnoException } {
  try {
    return { program: shell ? program : resolveProgram(program, place) };
  } catch (error) {
    return { failure: error as NodeJS.ErrnoException };
  }
}

/** What a program may cost that nobody knows anything about. */
export interface BoundedCall extends Pick<ProgramCall, 'program' | 'args' | 'env' | 'timeoutMs'> {
  readonly input: string | Uint8Array;
  readonly cwd: string;
  /** So much it may print, on stdout and on stderr; then it is killed. */
  readonly maxBytes: number;
}

export interface BoundedEnd {
  /** `undefined` when it was killed or could not start. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Why it has not ended by itself: no time left, too much printed, or it could not start, with the system's word for it. */
  readonly failure: 'time' | 'size' | { readonly errno: string } | undefined;
}

/**
 * Runs a program to its end, in a session of its own and without a terminal, and waits. What it started ends with it where
 * it had to be killed. Never throws.
 */
export function runBounded({ program, args, cwd, env, input, timeoutMs, maxBytes }: BoundedCall): BoundedEnd {
  const result = spawnSync(program, [...args], {
    ...{ cwd, env, input, timeout: timeoutMs, maxBuffer: maxBytes, killSignal: 'SIGKILL', windowsHide: true },
    ...{ detached: true }, // known to the call, if not to its types
  });
  const errno = errnoOf(result.error);
  const failure =
    errno === 'ETIMEDOUT'
      ? 'time'
      : errno === 'ENOBUFS'
        ? 'size'
        : errno && errno !== 'EPIPE'
          ? { errno }
          : undefined;
  if (failure !== undefined && result.pid) killGroup(result.pid);
  return {
    code: result.status ?? undefined,
    stdout: result.stdout ?? Buffer.alloc(0),
    stderr: result.stderr?.toString('utf8') ?? '',
    failure,
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}

/** Signals of the terminal go to all that run in it: they are for the program, which we outlive. */
const OF_TERMINAL = ['SIGINT', 'SIGQUIT'] as const;
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a program in our place: with our streams, whatever they are, and to its end. Never throws.
 *
 * @returns its exit code, as a shell has it: 128 and the number of the signal that ended it
 */
export function runInPlace(
  call: Pick<ProgramCall, 'program' | 'args' | 'cwd' | 'env' | 'forbidden'>,
): Promise<Pick<ProgramEnd, 'code' | 'failure'>> {
  const looked = lookUp(call);
  if (looked.failure) return Promise.resolve({ code: undefined, failure: looked.failure });
  return new Promise((resolve) => {
    const env = agentEnvironment(call);
    const child = spawn(looked.program, [...call.args], { cwd: call.cwd, env, stdio: 'inherit' });
    const ignore = (): void => {};
    const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of OF_TERMINAL) process.on(signal, ignore);
    for (const signal of PASSED_ON) process.on(signal, passOn);
    const end = (code: number | undefined, failure?: NodeJS.ErrnoException): void => {
      for (const signal of OF_TERMINAL) process.off(signal, ignore);
      for (const signal of PASSED_ON) process.off(signal, passOn);
      resolve({ code, failure });
    };
    child.on('error', (error: NodeJS.ErrnoException) => end(undefined, error));
    child.on('exit', (code, signal) => end(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Starts a program that nobody waits for, which is ourselves and is given by its path: in a session of its own, without a terminal, and with no file of ours open.
 * Whether it could be started is not known here.
 */
export function startDetached({
  program,
  args,
  cwd,
  env,
}: Pick<ProgramCall, 'program' | 'args' | 'cwd' | 'env'>): void {
  const child = spawn(program, [...args], { cwd, env, detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => {}); // the folder or the program is gone: what it was to do is done another time
  child.unref();
}
