import { errnoOf } from '../errors.ts';
import { disk } from '../file/disk.ts';

/** Tells containers that share a repository apart: a pid says nothing outside of its namespace. Empty where there are none. */
export const PID_SPACE = readPidSpace();

function readPidSpace(): string {
  try {
    return disk.readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return ''; // no such thing on this system
  }
}

/** Whether a process of this machine has that pid; of other users, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
