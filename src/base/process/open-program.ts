import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { linesOf } from '../text/lines.ts';
import { type OpenGroup, watchOver } from '../text/open-groups.ts';
import { agentEnvironment, resolveProgram, type SearchPlace } from './find-program.ts';
import { ProcessFamily } from './process-groups.ts';
import { lookUp, type ProgramCall } from './program.ts';

/** A program that is being talked to. */
export interface OpenProgram {
  /**
   * What it prints, line by line; ends when it has nothing more to print. It has to wait while nobody reads on.
   *
   * @throws {LineTooLong}
   */
  readonly lines: AsyncIterable<string>;
  /** Writes to its stdin; lost where that is closed. */
  write(text: string): void;
  closeInput(): void;
  /** How it ended, when it has. Never rejects. */
  readonly ended: Promise<OpenProgramEnd>;
  /** Sends a signal to it and to all that it has started, also when it has ended itself. Does nothing when none of them is left. */
  signal(name: NodeJS.Signals): void;
}

export interface OpenProgramEnd {
  /** `undefined` when a signal ended it, or it could not start. */
  readonly code: number | undefined;
  /** The last of what it printed on stderr: 16,000 characters at most. */
  readonly stderr: string;
  /** It could not start. */
  readonly failure: NodeJS.ErrnoException | undefined;
}

const MAX_STDERR = 16_000;
/** So long a program that has ended is read to its end. */
const FAREWELL_MS = 2_000;

/**
 * Starts a program to talk to it, in a session of its own and without the terminal: what is typed there is ours to pass
 * on, Ctrl-C as well. It ends with this process. Never throws.
 */
export function openProgram(
  call: Pick<ProgramCall, 'program' | 'args' | 'cwd' | 'env' | 'forbidden'>,
): OpenProgram {
  const looked = lookUp(call);
  if (looked.failure) return notStarted(looked.failure);
  try {
    const { args, cwd } = call;
    const env = agentEnvironment(call);
    const options = { cwd, env, detached: true, stdio: 'pipe', windowsHide: true } as const;
    return talkTo(spawn(looked.program, [...args], options), () => runPs(call));
  } catch (error) {
    return notStarted(error as NodeJS.ErrnoException); // arguments that the system refuses: too long, or with a NUL
  }
}

function talkTo(child: ChildProcessWithoutNullStreams, ps: () => string): OpenProgram {
  let stderr = '';
  const text = passOn(child);
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr = (stderr + part).slice(-MAX_STDERR);
  });
  child.stdin.on('error', () => {}); // it has ended, or does not listen: the end says why
  const group = child.pid === undefined ? undefined : familyOf(child, child.pid, ps);
  const stopWatching = group ? watchOver(group) : () => {};
  const ended = new Promise<OpenProgramEnd>((resolve) => {
    child.on('error', (failure) => {
      resolve({ code: undefined, stderr, failure });
      text.end(); // where it could not start, nothing else ends it
    });
    child.on('close', (code) => {
      if (!group?.isSignalled) stopWatching(); // what it left in the background may stay
      resolve({ code: code ?? undefined, stderr, failure: undefined });
    });
  });
  return {
    lines: linesOf(text as AsyncIterable<string>),
    write: (said) => void child.stdin.write(said),
    closeInput: () => void child.stdin.end(),
    ended,
    signal: (name) => group?.signal(name),
  };
}

/** What a child prints, as text. What it left in the background may hold the other end for ever: it is not waited for. */
function passOn(child: ChildProcessWithoutNullStreams): PassThrough {
  const text = new PassThrough({ encoding: 'utf8' });
  const { stdout, stderr } = child;
  let isFull = false;
  let hasExited = false;
  let farewell: NodeJS.Timeout | undefined;
  const bidFarewell = (): void => {
    clearTimeout(farewell);
    if (!hasExited || isFull) return; // who reads slowly gets all of it
    farewell = setTimeout(() => {
      stdout.destroy();
      stderr.destroy();
      text.end();
    }, FAREWELL_MS).unref();
  };
  const goOn = (): void => {
    isFull = false;
    stdout.resume();
    bidFarewell();
  };
  stdout
    .on('data', (part: Buffer) => {
      if (text.destroyed || text.write(part)) return; // nobody reads any more, or there is room
      isFull = true;
      stdout.pause();
    })
    .on('end', () => text.end());
  text.on('drain', goOn).on('close', goOn);
  child.on('exit', () => {
    hasExited = true;
    bidFarewell();
  });
  return text;
}

function familyOf(child: ChildProcessWithoutNullStreams, pid: number, ps: () => string): OpenGroup {
  const family = new ProcessFamily(pid, ps);
  const isLed = (): boolean => child.exitCode === null && child.signalCode === null;
  child.on('exit', () => family.lookBehind());
  return {
    isSignalled: false,
    isAlive: () => family.groups(isLed()).length > 0,
    signal(name) {
      this.isSignalled = true;
      for (const group of family.groups(isLed())) {
        try {
          process.kill(-group, name);
        } catch {
          // It ended just now.
        }
      }
    },
  };
}

const notStarted = (failure: NodeJS.ErrnoException): OpenProgram => ({
  lines: linesOf(new PassThrough({ encoding: 'utf8' }).end() as AsyncIterable<string>),
  write: () => {},
  closeInput: () => {},
  ended: Promise.resolve({ code: undefined, stderr: '', failure }),
  signal: () => {},
});

function runPs(place: SearchPlace): string {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];
  return execFileSync(resolveProgram('ps', place), args, { encoding: 'utf8', timeout: 2_000 });
}
