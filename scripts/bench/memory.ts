import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import type { RunOptions } from './timing.ts';

/**
 * Peak resident memory of one run in MiB, or why it cannot be told here. Linux keeps the peak in `/proc` until
 * the process is gone: it only ever grows, so the last value read is the peak (a parent's own memory, which
 * `wait4` would count until the `exec`, does not enter). macOS has `/usr/bin/time -l`.
 */
export async function peakMemory(
  command: string,
  args: readonly string[],
  options: RunOptions & { readonly inputFile: string },
): Promise<number | string> {
  if (existsSync('/proc/self/status')) return peakFromProc(command, args, options);
  if (process.platform !== 'darwin') return `not measured on ${process.platform}`;
  return peakFromTime(spawnSync('/usr/bin/time', ['-l', command, ...args], options));
}

async function peakFromProc(
  command: string,
  args: readonly string[],
  options: RunOptions & { readonly inputFile: string },
): Promise<number> {
  const stdin = openSync(options.inputFile, 'r');
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: [stdin, 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  let peakKib = 0;
  // Read without a pause: a process that has exited but was not waited for shows no memory any more.
  for (let alive = true; alive; ) {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    alive = found !== undefined;
    if (found !== undefined) peakKib = Math.max(peakKib, Number(found));
  }
  await ended;
  closeSync(stdin);
  return peakKib / 1024;
}

function peakFromTime(result: SpawnSyncReturns<Buffer>): number | string {
  const bytes = /(\d+)\s+maximum resident set size/.exec(String(result.stderr))?.[1];
  return bytes === undefined ? 'not measured: `/usr/bin/time -l` said nothing' : Number(bytes) / 1024 ** 2;
}
