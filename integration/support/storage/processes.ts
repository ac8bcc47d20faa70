import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../process/builds.ts';

export type Runtime = 'node' | 'native';

const entry = join(root, 'integration', 'support', 'process', 'entire-storage.ts');
const native = join(root, 'dist', 'test', 'entire-storage');
const script = `${native}.mjs`;
let compiled = false;

/**
 * Makes the executable, and a script for Node, which loads the library that is published. Bundled, for processes are started
 * by the dozen, and to compile it each time takes longer than what they are started for.
 */
export function compileStorage(): void {
  if (compiled) return;
  execFileSync('npx', ['tsx', 'scripts/build.ts', '--entry', entry, '--out', native], { cwd: root });
  buildSync({
    entryPoints: [entry],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    external: ['*/src/index.ts'],
  });
  if (!existsSync(native)) throw new Error('no executable for this platform was made');
  compiled = true;
}

export interface Run {
  /** What it has printed, line by line; whole lines only. */
  readonly lines: readonly string[];
  readonly code: number | null;
  readonly stderr: string;
}

/** A process that keeps sessions. `kill` ends it, at once. */
export interface Started {
  readonly done: Promise<Run>;
  readonly lines: readonly string[];
  kill(): void;
}

export function startStorage(runtime: Runtime, ...args: readonly string[]): Started {
  const [program, first] = runtime === 'native' ? [native, []] : [process.execPath, [script]];
  const child = spawn(program, [...first, ...args], {
    cwd: root,
    env: { ...process.env, ENTIRE_TEST_LIBRARY: runtime === 'node' ? join(root, 'dist', 'index.mjs') : '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const done = new Promise<Run>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ lines, code, stderr }));
  });
  return { done, lines, kill: () => void child.kill('SIGKILL') };
}
