import { disk } from '../base/file/disk.ts';
import { runPs } from './run.ts';

/** A process of this machine. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly argv: readonly string[];
  /** When it began, in the system's own words: together with the pid it names one process, and never a later one. */
  readonly began: string;
  /** The same in milliseconds, of which only differences mean something. */
  readonly beganMs: number;
  /** It has ended, and its parent has not heard of it. */
  readonly isZombie: boolean;
}

/** Hook managers put a few processes between git and us, and shells between an agent and us. */
const MAX_ANCESTORS = 10;

/** What started us, and what started that; the nearest first. Ends where it cannot be told. */
export function* ancestors(): Generator<ProcessInfo> {
  let pid = process.ppid;
  for (let count = 0; count < MAX_ANCESTORS && pid > 1; count++) {
    const ancestor = readProcess(pid);
    if (!ancestor) return;
    yield ancestor;
    pid = ancestor.parent;
  }
}

/** `starttime`, counted from the state: the third of all fields. In hundredths of a second since the system began. */
const BEGAN = 19;

/**
 * Looks a process up; `undefined` where there is none, or nothing that tells of processes.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function readProcess(pid: number): ProcessInfo | undefined {
  try {
    if (process.platform !== 'linux') return parsePs(pid, runPs(pid));
    const argv = disk.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    // The second field is the name in brackets, which may hold anything.
    const stat = disk.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '');
    const [state = '', parent, ...rest] = stat.split(' ');
    const began = rest[BEGAN - 2] ?? '';
    return {
      pid,
      parent: Number(parent),
      argv,
      began,
      beganMs: Number(began) * 10,
      isZombie: state === 'Z' || state === 'X',
    };
  } catch {
    return undefined;
  }
}

/** Words of a date as `ps` prints it: `Thu Nov 26 01:16:49 2026`. */
const DATE_WORDS = 5;

/**
 * `<parent> <state> <when it began> <command line>`, in which arguments with spaces have fallen apart: good enough to look for an
 * option.
 */
export function parsePs(pid: number, line: string): ProcessInfo | undefined {
  const [parent, state = '', ...rest] = line.trim().split(/\s+/);
  const began = rest.slice(0, DATE_WORDS).join(' ');
  const argv = rest.slice(DATE_WORDS);
  if (argv.length === 0) return undefined;
  const beganMs = Date.parse(`${began} UTC`);
  return { pid, parent: Number(parent), argv, began, beganMs, isZombie: state.startsWith('Z') };
}
