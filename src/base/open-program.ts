import { execFileSync, spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { linesOf } from './lines.ts';
import { groupsBelow } from './process-groups.ts';
import type { ProgramCall } from './program.ts';

/** A program that is being talked to. */
export interface OpenProgram {
  /** What it prints, line by line; ends when it has nothing more to print. */
  readonly lines: AsyncIterable<string>;
  /** Writes to its stdin; lost where that is closed. */
  write(text: string): void;
  closeInput(): void;
  /** How it ended, when it has. Never rejects. */
  readonly ended: Promise<OpenProgramEnd>;
  /** Sends a signal to it and to all that it has started. Does nothing when it has ended. */
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
 * on, Ctrl-C as well. Never throws.
 */
export function openProgram({
  program,
  args,
  cwd,
  env,
}: Pick<ProgramCall, 'program' | 'args' | 'cwd' | 'env'>): OpenProgram {
  const child = spawn(program, [...args], { cwd, env, detached: true, stdio: 'pipe', windowsHide: true });
  let stderr = '';
  const text = new PassThrough({ encoding: 'utf8' });
  child.stdout.on('data', (part: Buffer) => void text.write(part)).on('end', () => text.end());
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr = (stderr + part).slice(-MAX_STDERR);
  });
  child.stdin.on('error', () => {}); // it has ended, or does not listen: the end says why
  const ended = new Promise<OpenProgramEnd>((resolve) => {
    child.on('error', (failure) => {
      resolve({ code: undefined, stderr, failure });
      text.end(); // where it could not start, nothing else ends it
    });
    child.on('exit', () => {
      // What it left in the background may hold the other ends for ever.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        text.end();
      }, FAREWELL_MS).unref();
    });
    child.on('close', (code) => resolve({ code: code ?? undefined, stderr, failure: undefined }));
  });
  return {
    lines: linesOf(text as AsyncIterable<string>),
    write: (said) => void child.stdin.write(said),
    closeInput: () => void child.stdin.end(),
    ended,
    signal(name) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      for (const group of [...groupsBelow(child.pid, runPs), child.pid]) {
        try {
          process.kill(-group, name);
        } catch {
          // It ended just now.
        }
      }
    },
  };
}

const runPs = (): string =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid='], { encoding: 'utf8', timeout: 2_000 });
