import { join } from 'node:path';
import { EntireError, errnoOf } from '../errors.ts';
import { disk, naming, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } from './disk.ts';

/** Times a writer starts again before it reports failure; each round means one claim came between. */
const MAX_ROUNDS = 100;

/**
 * Appends lines in one write, and looks back: written again when the file was renamed away meanwhile by a reader who
 * takes it over, and when the lines are not whole because a write was cut short, this one or another before it.
 *
 * @param record whole lines, each with its `\n`
 * @throws {EntireError} `WRITE_FAILED` when something other than a regular file stands there, or it never works
 * @throws the system error of a failed open or write
 */
export function appendLines(file: string, record: Buffer): void {
  let broken = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fd = openForAppend(file);
    try {
      const before = naming(file, () => disk.fstatSync(fd));
      if (!before.isFile()) throw new EntireError('WRITE_FAILED', `${file} is not a regular file`);
      if (before.nlink === 0) continue; // claimed and dropped between open and now
      const bytes = broken ? Buffer.concat([Buffer.from('\n'), record]) : record;
      broken = naming(file, () => {
        disk.writeSync(fd, bytes);
        return !holdsLines(fd, before.size, record);
      });
      if (broken) continue; // the next write begins with `\n`, which ends whatever was cut short
      const current = disk.statSync(file, { throwIfNoEntry: false });
      if (current?.ino === before.ino && current.dev === before.dev) return;
    } finally {
      disk.closeSync(fd);
    }
  }
  throw new EntireError('WRITE_FAILED', `could not append to ${file}`);
}

/** Whether the lines of `record` stand whole in what was appended since the file had `size` bytes. */
function holdsLines(fd: number, size: number, record: Buffer): boolean {
  const start = Math.max(0, size - 1);
  const appended = Buffer.alloc(disk.fstatSync(fd).size - start);
  const count = disk.readSync(fd, appended, 0, appended.length, start);
  const text = appended.subarray(0, count);
  return (
    text.includes(Buffer.concat([Buffer.from('\n'), record])) ||
    (size === 0 && text.subarray(0, record.length).equals(record))
  );
}

function openForAppend(file: string): number {
  const flags = O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK; // non-blocking: a FIFO must not hang us
  try {
    return disk.openSync(file, flags, 0o600);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    disk.mkdirSync(join(file, '..'), { recursive: true, mode: 0o750 });
    return disk.openSync(file, flags, 0o600);
  }
}
