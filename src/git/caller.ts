import { basename } from 'node:path';
import { disk } from '../base/disk.ts';
import { runPs } from './run.ts';

/** The git command whose hook we run in: `commit`, `revert` …, and its arguments. */
export interface GitCommand {
  readonly name: string;
  readonly args: readonly string[];
}

/** One that runs. */
export interface RunningGit extends GitCommand {
  readonly pid: number;
}

/** Hook managers put a few processes between git and us. */
const MAX_ANCESTORS = 10;

/**
 * The nearest git among our ancestors, and the gits that started it (`git cherry-pick --continue` runs `git commit`).
 * A hook is not told of `git commit --amend -m`, nor that a revert is running; the command lines are the only place
 * that knows. Empty where they cannot be had.
 */
export function findCallingGits(): RunningGit[] {
  const found: RunningGit[] = [];
  let pid = process.ppid;
  for (let count = 0; count < MAX_ANCESTORS && pid > 1; count++) {
    const ancestor = readProcess(pid);
    const command = ancestor && parseGitCommand(ancestor.argv);
    if (command) found.push({ ...command, pid });
    else if (!ancestor || found.length > 0) break;
    pid = ancestor.parent;
  }
  return found;
}

/** The git command that runs as a process; `undefined` when that is over, or is another program. */
export function findGit(pid: number): RunningGit | undefined {
  const command = parseGitCommand(readProcess(pid)?.argv ?? []);
  return command && { ...command, pid };
}

const REPLAYING = new Set(['revert', 'cherry-pick', 'rebase', 'am']);

/** Whether one of them makes commits out of commits. */
export const isReplay = (commands: readonly GitCommand[]): boolean =>
  commands.some(({ name }) => REPLAYING.has(name));

interface Process {
  readonly parent: number;
  readonly argv: readonly string[];
}

function readProcess(pid: number): Process | undefined {
  try {
    if (process.platform !== 'linux') return parsePs(runPs(pid));
    const argv = disk.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    // The second field is the name in brackets, which may hold anything.
    const stat = disk.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '');
    return { parent: Number(stat.split(' ')[1]), argv };
  } catch {
    return undefined; // no such process, or nothing that tells of processes
  }
}

/** `<parent> <command line>`, in which arguments with spaces have fallen apart: good enough to look for an option. */
function parsePs(line: string): Process | undefined {
  const [parent, ...argv] = line.trim().split(/\s+/);
  return argv.length > 0 ? { parent: Number(parent), argv } : undefined;
}

/** Options of git itself, before the command, whose value is an argument of its own. */
const WITH_VALUE = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env)$/;

/** The command in an argument list that starts git; `undefined` for another program. */
export function parseGitCommand(argv: readonly string[]): GitCommand | undefined {
  const program = basename(argv[0] ?? '').replace(/\.exe$/i, '');
  if (program.startsWith('git-')) return { name: program.slice('git-'.length), args: argv.slice(1) };
  if (program !== 'git') return undefined;
  let at = 1;
  while (argv[at]?.startsWith('-')) at += WITH_VALUE.test(argv[at] as string) ? 2 : 1;
  return { name: argv[at] ?? '', args: argv.slice(at + 1) };
}
