import { runBounded } from '../process/program.ts';
import { disk, reading } from './disk.ts';

/** From here on one call for the whole file system is faster than one for each file. */
const MANY = 64;
const PATIENT_MS = 120_000;

/**
 * Waits until files are on the disk: one by one, or where they are many, with all else that was written to their file system. Files
 * that are gone are passed over. All of them lie on one file system.
 *
 * @throws the system error
 */
export function flushFiles(files: readonly string[]): void {
  const [first] = files;
  if (first === undefined || (files.length >= MANY && flushFileSystem(first))) return;
  for (const file of files) flushFile(file);
}

function flushFile(file: string): void {
  if (!disk.existsSync(file)) return;
  reading(file, (fd) => disk.fsyncSync(fd));
}

/**
 * `syncfs(2)`, which Node does not offer, through coreutils. Elsewhere, and where it cannot do that, files are flushed one by one.
 *
 * @see https://www.gnu.org/software/coreutils/manual/html_node/sync-invocation.html
 */
function flushFileSystem(file: string): boolean {
  if (process.platform !== 'linux') return false;
  const program = ['/bin/sync', '/usr/bin/sync'].find((path) => disk.existsSync(path));
  if (program === undefined) return false;
  const call = {
    program,
    args: ['-f', file],
    cwd: '/',
    env: {},
    input: '',
    timeoutMs: PATIENT_MS,
    maxBytes: 64 * 1024,
  };
  return runBounded(call).code === 0;
}
