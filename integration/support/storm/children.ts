import { type ChildProcess, spawn } from 'node:child_process';

/** How a process ended that may have been killed on its way. */
export interface Ended {
  readonly code: number | null;
  /** The signal hit it while it lived. */
  readonly killed: boolean;
  readonly ms: number;
  readonly stderr: string;
}

/**
 * Runs a command in a process group of its own; with `killAfterMs` the whole group gets SIGKILL then, if it is still
 * there. Resolves when the command, and whatever it started in its group, is gone.
 */
export async function runInGroup(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string>; input?: string; killAfterMs?: number | undefined },
): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {}); // a hook that died does not read its payload
  child.stdin.end(options.input ?? '');
  let killed = false;
  const timer =
    options.killAfterMs === undefined
      ? undefined
      : setTimeout(() => {
          killed = killGroup(child);
        }, options.killAfterMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve); // after the last process that holds stderr
  });
  clearTimeout(timer);
  return { code, killed: killed && code === null, ms: performance.now() - startedAt, stderr };
}

function killGroup(child: ChildProcess): boolean {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
  try {
    process.kill(-child.pid, 'SIGKILL');
    return true;
  } catch {
    return false; // it ended at this very moment
  }
}
