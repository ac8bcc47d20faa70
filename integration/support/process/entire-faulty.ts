/**
 * The product's own entry on a disk and a git of which one operation fails. `ENTIRE_TEST_FAULT=<kind>:<n>` names the
 * fault and the operation, counted from 1; without it nothing fails. `ENTIRE_TEST_FAULT_REPORT` is a file that gets
 * one line for each operation, so that the test knows what there was, and whether the fault was reached.
 */
import { spawnSync } from 'node:child_process';
import { type Disk, disk, O_CREAT, replaceDisk } from '../../../src/base/file/disk.ts';
import { replaceSpawn } from '../../../src/git/run.ts';

const [kind, number = '0'] = (process.env.ENTIRE_TEST_FAULT ?? '').split(':');
const at = Number(number);
const report = process.env.ENTIRE_TEST_FAULT_REPORT;
const real = { ...disk };
let calls = 0;

/** Counts one operation; whether it is the one that fails. */
function isDue(name: string, detail: string): boolean {
  calls++;
  if (report) real.appendFileSync(report, `${name} ${detail.replaceAll('\n', ' ')}\n`);
  if (calls === at && kind === 'killed') process.kill(process.pid, 'SIGKILL');
  return calls === at;
}

/** As Node's own: a call that has a file's number knows no path. */
function failure(code: string, name: string, [target, to]: readonly unknown[]): Error {
  const syscall = SYSCALLS[name] ?? name.replace(/(File)?Sync$/, '').toLowerCase();
  const paths = {
    ...(typeof target === 'string' ? { path: target } : {}),
    ...(/^(rename|link|symlink|copyFile)Sync$/.test(name) ? { dest: to } : {}),
  };
  return Object.assign(new Error(`${code}: injected, ${syscall}`), { code, syscall, ...paths });
}

const SYSCALLS: Readonly<Record<string, string>> = {
  readFileSync: 'open',
  writeFileSync: 'open',
  appendFileSync: 'open',
  readdirSync: 'scandir',
  realpathSync: 'lstat',
  utimesSync: 'utime',
  existsSync: 'access',
};

type Call = (...args: unknown[]) => unknown;

/** What the failing call still does: a full disk takes half of the bytes, a lost answer does not undo a rename. */
function fail(name: string, call: Call, args: unknown[]): unknown {
  if (name === 'writeSync' && (kind === 'ENOSPC' || kind === 'short write')) {
    const [fd, data, offset = 0] = args as [number, Uint8Array, number?];
    const half = Math.floor((data.length - offset) / 2);
    const written = half > 0 ? real.writeSync(fd, data, offset, half) : 0;
    if (kind === 'short write') return written;
  }
  if ((name === 'writeFileSync' || name === 'appendFileSync') && kind === 'ENOSPC') {
    const [file, data, ...rest] = args as [string, string | Uint8Array, ...unknown[]];
    call(file, data.slice(0, Math.floor(data.length / 2)), ...rest);
  }
  if (kind === 'answer lost') {
    call(...args);
    throw failure('ENOENT', name, args);
  }
  throw failure(kind ?? 'EIO', name, args);
}

function describeCall(name: string, [target, flags]: unknown[]): string {
  if (name !== 'openSync') return String(target);
  const writes = typeof flags === 'number' && (flags & O_CREAT) !== 0;
  return `${writes ? 'w' : 'r'} ${target}`;
}

function watch<T extends Call>(name: string, call: T): T {
  const watched = (...args: unknown[]) =>
    isDue(name, describeCall(name, args)) ? fail(name, call, args) : call(...args);
  return Object.assign(watched, call) as unknown as T;
}

const watched = Object.entries(real).map(([name, call]) => [name, watch(name, call as Call)]);
const { realpathSync } = real;
replaceDisk({
  ...(Object.fromEntries(watched) as Partial<Disk>),
  realpathSync: Object.assign(watch('realpathSync', realpathSync as Call), {
    native: watch('realpathSync', realpathSync.native as Call),
  }) as unknown as Disk['realpathSync'],
});

replaceSpawn(((command: string, args: string[], options: object) => {
  const verb = args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
  if (!isDue('git', verb)) return spawnSync(command, args, options);
  const nothing = { pid: 0, output: [], stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  switch (kind) {
    case 'git does not start':
      return { ...nothing, status: null, signal: null, error: failure('ENOENT', 'spawnSync git', ['git']) };
    case 'git says the disk is full': {
      const stderr = Buffer.from('fatal: write error: No space left on device\n');
      return { ...nothing, status: 128, signal: null, stderr };
    }
    case 'git killed when done':
      spawnSync(command, args, options);
      return { ...nothing, status: null, signal: 'SIGKILL' };
    default: // git killed before it did anything
      return { ...nothing, status: null, signal: 'SIGKILL' };
  }
}) as typeof spawnSync);

await import('../../../src/entire.ts');
