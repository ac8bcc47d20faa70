import { describeError } from '../base/errors.ts';
import { type Git, type GitOutput, type RunOptions, runGit } from './run.ts';

/**
 * What git dies of where another process is just making or removing a worktree, or changes the configuration, and which is over
 * in a moment: a file of another worktree that is there and empty yet, the folder of all worktrees that went with the last one,
 * a lock for which git itself does not wait.
 */
const PASSING =
  /failed to read \S.*commondir: |could not create (?:directory|leading directories) of .*No such file|could not lock config file/;

/** How long that may take where the machine has much to do. */
const WAIT_MS = 5_000;
const POLL_MS = 25;

/** {@link runGit}, again and again while it fails for what passes. For commands that can be repeated; never in a hook. */
export function runPatiently(git: Git, args: readonly string[], options?: RunOptions): GitOutput {
  for (const deadline = Date.now() + WAIT_MS; ; ) {
    try {
      const output = runGit(git, args, options);
      if (output.code === 0 || !PASSING.test(output.stderr) || Date.now() > deadline) return output;
    } catch (error) {
      if (!PASSING.test(describeError(error)) || Date.now() > deadline) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}
