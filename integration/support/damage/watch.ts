import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Watched {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** The most that one of its processes had in memory at once, as far as it was seen; 0 where nobody tells. */
  readonly peakMib: number;
}

interface Options {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly input: string;
  readonly limitMs: number;
}

const LOOK_MS = 20;
const MAX_SAID = 1 << 20;

/** Runs a program in a group of its own, which is ended when it takes too long or too much. */
export function watch(program: string, args: readonly string[], options: Options): Promise<Watched> {
  const { cwd, env, input, limitMs } = options;
  const began = performance.now();
  const child = spawn(program, args, { cwd, env, detached: true });
  let [stdout, stderr, peakMib] = ['', '', 0];
  child.stdout.on('data', (bytes: Buffer) => {
    if (stdout.length < MAX_SAID) stdout += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    if (stderr.length < MAX_SAID) stderr += bytes.toString();
  });
  child.stdin.on('error', () => {}); // it need not read
  child.stdin.end(input);
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  };
  const late = setTimeout(end, limitMs);
  const looks = setInterval(() => {
    peakMib = Math.max(peakMib, peakOf(child.pid));
    if (peakMib > 1024) end();
  }, LOOK_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(late);
      clearInterval(looks);
      resolve({ code, signal, stdout, stderr, ms: performance.now() - began, peakMib });
    });
  });
}

/** Of the processes of a group the one that had most; `VmHWM` is the most that it ever had. */
function peakOf(group: number | undefined): number {
  let peak = 0;
  for (const pid of group === undefined ? [] : pidsOf(group)) {
    const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readQuietly(`/proc/${pid}/status`)) ?? [];
    peak = Math.max(peak, Number(kib ?? 0) / 1024);
  }
  return peak;
}

function pidsOf(group: number): string[] {
  try {
    return readdirSync('/proc').filter(
      (pid) =>
        /^\d+$/.test(pid) &&
        readQuietly(`/proc/${pid}/stat`)
          .replace(/^.*\) /s, '')
          .split(' ')[2] === String(group),
    );
  } catch {
    return []; // no /proc
  }
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
