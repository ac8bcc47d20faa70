import type { TestRepo } from '../repository/test-repo.ts';

/** Runs a command and prints, as its last line, the most memory that it had, in KiB. */
const PEAK = `import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)`;

/** How a command ended, and the most memory that it had. */
export interface Weighed {
  readonly code: number | null;
  readonly stderr: string;
  readonly mib: number;
}

/** Whether {@link runWeighed} can be had here. */
export const canWeigh = (repo: TestRepo): boolean => repo.run('python3', ['--version']).code === 0;

/** Runs a command in the repository and weighs it. Needs python3. */
export function runWeighed(repo: TestRepo, command: readonly string[]): Weighed {
  const { code, stdout, stderr } = repo.run('python3', ['-c', PEAK, ...command]);
  return { code, stderr, mib: Number(stdout.trimEnd().split('\n').at(-1)) / 1024 };
}
