import { basename } from 'node:path';
import { ancestors, readProcess } from './processes.ts';

/** The git command whose hook we run in: `commit`, `revert` …, and its arguments. */
export interface GitCommand {
  readonly name: string;
  readonly args: readonly string[];
}

/** One that runs. */
export interface RunningGit extends GitCommand {
  readonly pid: number;
}

/**
 * The nearest git among our ancestors, and the gits that started it (`git cherry-pick --continue` runs `git commit`).
 * A hook is not told of `git commit --amend -m`, nor that a revert is running; the command lines are the only place
 * that knows. Empty where they cannot be had.
 */
export function findCallingGits(): RunningGit[] {
  const found: RunningGit[] = [];
  for (const { pid, argv } of ancestors()) {
    const command = parseGitCommand(argv);
    if (command) found.push({ ...command, pid });
    else if (found.length > 0) break;
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
